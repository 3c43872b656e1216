/** The questions of a dashboard with their answers. */
import { ActionIcon, Card, Group, SimpleGrid, Title } from '@mantine/core'
import { addressOf } from '../../shell/address.ts'
import { TextLink } from '../../shell/link.tsx'
import { useTexts } from '../../texts/define.ts'
import { QuestionAnswer } from '../questions/answers.tsx'
import type { SavedQuestion } from '../questions/saved.ts'
import { dashboardsTexts } from './texts.ts'

interface QuestionsGridProps {
  site: string
  questions: readonly SavedQuestion[]
  /** Replaces the questions. Omitted: they cannot be changed. */
  change?: (questions: SavedQuestion[]) => void
}

/** Shows the questions, two next to each other if there is room. */
export function QuestionsGrid({ site, questions, change }: QuestionsGridProps) {
  const texts = useTexts(dashboardsTexts)
  const swap = (index: number, other: number) => {
    const [a, b] = [questions[index], questions[other]]
    if (a && b) change?.([...questions].with(index, b).with(other, a))
  }
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      {questions.map(({ name, question }, index) => (
        <Card component="section" key={name} aria-label={name} withBorder padding="md">
          <Group justify="space-between" wrap="nowrap" mb="sm">
            <Title order={2} size="h4">
              <TextLink to={addressOf(site, 'questions')} search={question as never} inherit>
                {name}
              </TextLink>
            </Title>
            {change ? (
              <Group gap={2} wrap="nowrap">
                <ActionIcon
                  variant="subtle"
                  aria-label={texts.earlier(name)}
                  disabled={index === 0}
                  onClick={() => swap(index, index - 1)}
                >
                  ←
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  aria-label={texts.later(name)}
                  disabled={index === questions.length - 1}
                  onClick={() => swap(index, index + 1)}
                >
                  →
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="red"
                  aria-label={texts.takeOut(name)}
                  onClick={() => change(questions.filter((_, other) => other !== index))}
                >
                  ×
                </ActionIcon>
              </Group>
            ) : null}
          </Group>
          <QuestionAnswer site={site} question={question} />
        </Card>
      ))}
    </SimpleGrid>
  )
}
