/** The questions of a dashboard with their answers. */
import { ActionIcon, Card, Group, SimpleGrid, Title } from '@mantine/core'
import type { QuestionInput } from '../../../../client/src/site/questions.ts'
import { addressOf } from '../../shell/address.ts'
import { TextLink } from '../../shell/link.tsx'
import { useTexts } from '../../texts/define.ts'
import { QuestionAnswer } from '../questions/answers.tsx'
import { questionOf } from '../questions/saved.ts'
import { dashboardsTexts } from './texts.ts'

interface QuestionsGridProps {
  site: string
  questions: readonly QuestionInput[]
  /** Replaces the questions. */
  change(questions: readonly QuestionInput[]): void
  /** Whether a change is being saved. The next change waits for it. */
  isBusy: boolean
}

/** Shows the questions, two next to each other if there is room. */
export function QuestionsGrid({ site, questions, change, isBusy }: QuestionsGridProps) {
  const texts = useTexts(dashboardsTexts)
  const swap = (index: number, other: number) => {
    const [a, b] = [questions[index], questions[other]]
    if (a && b) change([...questions].with(index, b).with(other, a))
  }
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      {questions.map(({ name, ...asked }, index) => (
        <Card component="section" key={name} aria-label={name} withBorder padding="md">
          <Group justify="space-between" wrap="nowrap" mb="sm">
            <Title order={2} size="h4">
              <TextLink to={addressOf(site, 'questions')} search={questionOf(asked) as never} inherit>
                {name}
              </TextLink>
            </Title>
            <Group gap={2} wrap="nowrap">
              <ActionIcon
                variant="subtle"
                aria-label={texts.earlier(name)}
                disabled={isBusy || index === 0}
                onClick={() => swap(index, index - 1)}
              >
                ←
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                aria-label={texts.later(name)}
                disabled={isBusy || index === questions.length - 1}
                onClick={() => swap(index, index + 1)}
              >
                →
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="red"
                aria-label={texts.takeOut(name)}
                disabled={isBusy}
                onClick={() => change(questions.filter((_, other) => other !== index))}
              >
                ×
              </ActionIcon>
            </Group>
          </Group>
          <QuestionAnswer site={site} question={questionOf(asked)} />
        </Card>
      ))}
    </SimpleGrid>
  )
}
