/** The records of other tables that reference a record: the first ones of each table. */
import { List, Stack, Text, Title } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { type Table, tableQuery, tablesQuery } from '../../session/queries.ts'
import { Problem } from '../../shared/problem.tsx'
import { Loading } from '../../shared/states.tsx'
import { addressOf } from '../../shell/address.ts'
import { TextLink } from '../../shell/link.tsx'
import { useTexts } from '../../texts/define.ts'
import { nameField } from '../data/editor/reference-input.tsx'
import { type DataRecord, keyText, type Source, tableOf } from '../data/records.ts'
import { asIn } from '../data/state.ts'
import type { PartProps } from './part.ts'
import { recordTexts } from './texts.ts'

const shownMax = 10

/** Lists the records by table and key. */
export function RelatedRecords({ source, table, record }: PartProps) {
  const texts = useTexts(recordTexts)
  const { site, app } = source
  const names = useQuery(tablesQuery(site, app))
  const tables = useQueries({
    queries: (names.data ?? [])
      .filter(({ is_materialized }) => is_materialized)
      .map(({ name }) => tableQuery(site, app, name)),
  })
  const error = names.error ?? tables.find((one) => one.error)?.error
  if (error) return <Problem error={error} />
  if (!names.data || tables.some(({ isPending }) => isPending)) return <Loading />
  const references = tables
    .flatMap(({ data }) => data ?? [])
    .flatMap((other) =>
      (other.json_schema.foreignKeys ?? [])
        .filter(({ fields, reference: { resource } }) => {
          const target = resource === '' ? other.name : resource
          return target === table.name && fields.length === 1
        })
        .map(({ fields, reference }) => ({
          other,
          field: fields[0] as string,
          value: record[reference.fields[0] as string],
        })),
    )
  if (references.length === 0) return <Text>{texts.noRelated}</Text>
  return (
    <Stack>
      {references.map(({ other, field, value }) => (
        <Related
          key={`${other.name} ${field}`}
          source={{ ...source, table: other.name }}
          other={other}
          where={{ [field]: value }}
          title={texts.referencedBy(other.name, field)}
        />
      ))}
    </Stack>
  )
}

interface RelatedProps {
  source: Source
  other: Table
  where: DataRecord
  title: string
}

function Related({ source, other, where, title }: RelatedProps) {
  const texts = useTexts(recordTexts)
  const { site, app, table } = source
  const found = useQuery({
    queryKey: [site, 'records', app, table, 'related', where, source.as],
    queryFn: async ({ signal }) => {
      const options = { where, pageSize: shownMax, total: 'none', signal }
      const { data, hasMore } = await tableOf(source).list(options as object)
      return { data: data as DataRecord[], hasMore }
    },
  })
  const name = nameField(other)
  return (
    <section aria-label={title}>
      <Title order={2} size="h5" mb={4}>
        {title}
      </Title>
      {found.error ? <Problem error={found.error} /> : null}
      {found.data?.data.length === 0 ? <Text size="sm">{texts.noneOf}</Text> : null}
      <List size="sm">
        {found.data?.data.map((record) => {
          const key = keyText(other.primary_key, record)
          return (
            <List.Item key={key}>
              <TextLink to={addressOf(site, 'data', app, table, key)} search={asIn(source) as never}>
                {key}
                {name && record[name] ? ` · ${record[name]}` : ''}
              </TextLink>
            </List.Item>
          )
        })}
      </List>
      {found.data?.hasMore ? (
        <TextLink
          to={addressOf(site, 'data', app, table)}
          search={{ filters: where, ...asIn(source) } as never}
        >
          {texts.showAll}
        </TextLink>
      ) : null}
    </section>
  )
}
