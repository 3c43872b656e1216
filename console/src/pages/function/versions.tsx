/** The versions of a function. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { queryClient, useSite } from '../../session/client.ts'
import { Problem } from '../../shared/problem.tsx'
import { Loading } from '../../shared/states.tsx'
import { useTell } from '../../shared/tell.ts'
import { When } from '../../shared/when.tsx'
import { useTexts } from '../../texts/define.ts'
import { functionsOf } from '../functions/calls.ts'
import { versionsQuery } from '../functions/queries.ts'
import { functionTexts } from './texts.ts'

/** Lists the versions, and restores one. */
export function Versions({ app, slug }: { app: string; slug: string }) {
  const texts = useTexts(functionTexts)
  const tell = useTell()
  const { site } = useSite()
  const { data, error, refetch } = useQuery(versionsQuery(site, app, slug))
  const restore = useMutation({
    mutationFn: (number: number) => functionsOf(site, app).restore(slug, number),
    async onSuccess(_, number) {
      await queryClient.invalidateQueries({ queryKey: [site, 'apps', app, 'functions'] })
      tell(texts.restored(number))
    },
  })
  return (
    <Stack>
      {error ? <Problem error={error} retry={() => void refetch()} /> : null}
      {restore.error ? <Problem error={restore.error} /> : null}
      {!data && !error ? <Loading /> : null}
      <Stack component="ul" gap={6} m={0} pl={0}>
        {data?.results.map(({ number, created_at, changed_by }, index) => (
          <Group component="li" key={number} gap="sm">
            <Text fw={600}>{texts.version(number)}</Text>
            <Text size="sm" className="muted">
              <When at={created_at} /> {changed_by?.username}
            </Text>
            {index === 0 ? null : (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`${texts.restore}: ${texts.version(number)}`}
                onClick={() => restore.mutate(number)}
              >
                {texts.restore}
              </Button>
            )}
          </Group>
        ))}
      </Stack>
    </Stack>
  )
}
