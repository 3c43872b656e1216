/** The changes of a secret. Values are not shown. */
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSite } from '../../session/client.ts'
import { Waiting } from '../../shared/states.tsx'
import { When } from '../../shared/when.tsx'
import { useTexts } from '../../texts/define.ts'
import { historyQuery } from './queries.ts'
import { secretsTexts } from './texts.ts'

/** Lists the changes, newest first. */
export function History({ app, secretKey }: { app: string | undefined; secretKey: string }) {
  const texts = useTexts(secretsTexts)
  const { site } = useSite()
  const query = useQuery(historyQuery(site, app, secretKey))
  const { data } = query
  return (
    <Stack component="ul" gap="xs" pl={0}>
      <Waiting query={query} />
      {data?.results.map(({ action, user, timestamp }) => (
        <Text component="li" key={timestamp} size="sm">
          <When at={timestamp} />: {user}, {texts.actions[action]}
        </Text>
      ))}
    </Stack>
  )
}
