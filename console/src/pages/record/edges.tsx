/** The edges of a record, in both directions. */
import { List, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Problem } from '../../shared/problem.tsx'
import { Loading } from '../../shared/states.tsx'
import { addressOf } from '../../shell/address.ts'
import { TextLink } from '../../shell/link.tsx'
import { useTexts } from '../../texts/define.ts'
import { keyText, tableOf } from '../data/records.ts'
import { asIn } from '../data/state.ts'
import type { PartProps } from './part.ts'
import { recordTexts } from './texts.ts'

const shownMax = 100

/** Lists the edges. */
export function RecordEdges({ source, table, record }: PartProps) {
  const texts = useTexts(recordTexts)
  const { site, app, table: name } = source
  const key = keyText(table.primary_key, record)
  const found = useQuery({
    queryKey: [site, 'record', app, name, key, 'edges', source.as],
    queryFn: async ({ signal }) => {
      const { edges } = tableOf(source)
      const [out, into] = await Promise.all([
        edges.list({ from: [key], pageSize: shownMax, signal }),
        edges.list({ to: [key], pageSize: shownMax, signal }),
      ])
      return { edges: [...out.data, ...into.data], total: (out.total ?? 0) + (into.total ?? 0) }
    },
  })
  if (found.error) return <Problem error={found.error} retry={() => void found.refetch()} />
  if (!found.data) return <Loading />
  const { edges, total } = found.data
  if (total === 0) return <Text>{texts.noEdges}</Text>
  const link = (to: unknown) =>
    String(to) === key ? (
      String(to)
    ) : (
      <TextLink to={addressOf(site, 'data', app, name, String(to))} search={asIn(source) as never}>
        {String(to)}
      </TextLink>
    )
  return (
    <>
      <List size="sm">
        {edges.map(({ id, from_id, to_id, type }) => (
          <List.Item key={id}>
            {link(from_id)} → {type} → {link(to_id)}
          </List.Item>
        ))}
      </List>
      {total > edges.length ? <Text size="sm">{texts.more(edges.length, total)}</Text> : null}
    </>
  )
}
