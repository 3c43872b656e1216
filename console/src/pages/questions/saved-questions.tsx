/** The questions that were saved for the site. */
import { Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Problem } from '../../shared/problem.tsx'
import { addressOf } from '../../shell/address.ts'
import { TextLink } from '../../shell/link.tsx'
import { useTexts } from '../../texts/define.ts'
import { questionOf, questionsQuery } from './saved.ts'
import { questionsTexts } from './texts.ts'

/** Shows the saved questions as links. `shown`: the id of the open one. */
export function SavedQuestions({ site, shown }: { site: string; shown: number | undefined }) {
  const texts = useTexts(questionsTexts)
  const { data, error, refetch } = useQuery(questionsQuery(site))
  return (
    <Stack component="section" gap="xs" aria-label={texts.savedQuestions}>
      <Title order={2} size="h4">
        {texts.savedQuestions}
      </Title>
      {error ? <Problem error={error} retry={() => void refetch()} /> : null}
      {data?.length === 0 ? (
        <Text size="sm" className="muted">
          {texts.noneSaved}
        </Text>
      ) : null}
      {data && data.length > 0 ? (
        <Group component="ul" gap="xs" m={0} p={0}>
          {data.map(({ id, name, version, ...asked }) => (
            <Group component="li" key={id} className="chip" pr={10}>
              <TextLink
                to={addressOf(site, 'questions')}
                search={{ ...questionOf(asked), saved: id, version } as never}
                size="sm"
                fw={id === shown ? 700 : 400}
                aria-current={id === shown ? 'true' : undefined}
              >
                {name}
              </TextLink>
            </Group>
          ))}
        </Group>
      ) : null}
      <Text size="sm">
        <TextLink to={addressOf(site, 'dashboards')} size="sm" underline="always">
          {texts.toDashboards}
        </TextLink>
      </Text>
    </Stack>
  )
}
