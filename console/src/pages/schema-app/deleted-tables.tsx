/** The deleted tables of an app, each with the time until which it can be restored. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { clientOf } from '../../session/client.ts'
import { Problem } from '../../shared/problem.tsx'
import { Loading } from '../../shared/states.tsx'
import { useTell } from '../../shared/tell.ts'
import { When } from '../../shared/when.tsx'
import { useTexts } from '../../texts/define.ts'
import { type DeletedTable, deletedQuery, refreshSchema, tablePath } from '../schema/queries.ts'
import { schemaTexts } from '../schema/texts.ts'

/** Lists the deleted tables. */
export function DeletedTables({ site, app }: { site: string; app: string }) {
  const texts = useTexts(schemaTexts)
  const tell = useTell()
  const { data, error, refetch } = useQuery({ ...deletedQuery(site, app), staleTime: 0 })
  const restore = useMutation({
    mutationFn: ({ id, name }: DeletedTable) =>
      clientOf(site).request({
        method: 'POST',
        path: `${tablePath(app, name)}restore/`,
        body: { id },
        key: true,
      }),
    async onSuccess(_, { name }) {
      await refreshSchema(site)
      tell(texts.restored(name))
    },
  })
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  return (
    <Stack gap="xs">
      {data.length === 0 ? <Text>{texts.noDeleted}</Text> : null}
      {restore.error ? <Problem error={restore.error} /> : null}
      {data.map((table) => (
        <Group key={table.id}>
          <Text fw={600}>{table.name}</Text>
          <Text size="sm" className="muted">
            {texts.dropAt}: <When at={table.drop_at} />
          </Text>
          <Button
            size="compact-sm"
            variant="default"
            loading={restore.isPending}
            onClick={() => restore.mutate(table)}
          >
            {texts.restore}
          </Button>
        </Group>
      ))}
    </Stack>
  )
}
