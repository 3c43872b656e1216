/** The answer to a question, as a chart and as a table. */
import { Code, Stack, Table, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { use } from 'react'
import { clientOf } from '../../session/client.ts'
import { type Field, tableQuery } from '../../session/queries.ts'
import { Problem } from '../../shared/problem.tsx'
import { Sideways } from '../../shared/sideways.tsx'
import { Loading } from '../../shared/states.tsx'
import { useTexts } from '../../texts/define.ts'
import { type Language, LanguageContext } from '../../texts/language.tsx'
import { Bars } from './bars.tsx'
import { ColumnsChart } from './columns-chart.tsx'
import { type Answer, groupsMax, isTemporal, type Question, queryOf } from './question.ts'
import { questionsTexts } from './texts.ts'

interface AnswersProps {
  site: string
  app: string
  table: string
  question: Question
  fields: readonly Field[]
  /** Whether to show the question as code, too. */
  hasCode?: boolean
}

export function Answers({ site, app, table, question, fields, hasCode = false }: AnswersProps) {
  const texts = useTexts(questionsTexts)
  const { language } = use(LanguageContext)
  const query = queryOf(question, fields)
  const { bucket = 'month' } = question
  const group = fields.find(({ name }) => name === question.by)
  const { data, error, refetch } = useQuery({
    queryKey: [site, 'apps', app, 'questions', table, query],
    queryFn: ({ signal }) =>
      clientOf(site).request<Answer>({
        path: `/api/apps/${encodeURIComponent(app)}/datatables/${encodeURIComponent(table)}/data/`,
        query,
        signal,
      }),
    placeholderData: keepPreviousData,
  })
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  if (data.aggregates) return <Total value={data.aggregates.value} />
  if (data.data.length === 0) return <Text>{texts.nothing}</Text>
  const isTime = group !== undefined && isTemporal(group)
  const bars = data.data.map(({ label, value }) => ({
    label: labelOf(label, isTime ? bucket : undefined, language, texts.empty),
    value: Number(value ?? 0),
  }))
  const total = data.total ?? bars.length
  const Chart = isTime ? ColumnsChart : Bars
  const format = (value: number) => Number(value.toPrecision(6)).toLocaleString(language)
  return (
    <Stack>
      <Chart label={`${texts.chart}: ${table}`} bars={bars} format={format} />
      {total > groupsMax ? <Text size="sm">{texts.more(groupsMax, total)}</Text> : null}
      <Sideways label={texts.value} mah={420}>
        <Table maw={560}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{question.by}</Table.Th>
              <Table.Th>{texts.value}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {bars.map(({ label, value }) => (
              <Table.Tr key={label}>
                <Table.Td>{label}</Table.Td>
                <Table.Td>{value.toLocaleString(language)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Sideways>
      {hasCode ? (
        <div>
          <Text size="sm" fw={600}>
            {texts.code}
          </Text>
          <Code block>{codeOf(app, table, query)}</Code>
        </div>
      ) : null}
    </Stack>
  )
}

/** Reads the table of a question, and shows its answer. */
export function QuestionAnswer({ site, question }: { site: string; question: Question }) {
  const { app = '', table = '' } = question
  const { data, error, refetch } = useQuery(tableQuery(site, app, table))
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  const { fields } = data.json_schema
  return <Answers site={site} app={app} table={table} question={question} fields={fields} />
}

function Total({ value }: { value: number | string | null }) {
  const { language } = use(LanguageContext)
  return (
    <Text fz={40} fw={700} role="status">
      {value === null ? '–' : Number(value).toLocaleString(language)}
    </Text>
  )
}

/** The formats of the start of a period. */
const periods: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  year: { year: 'numeric' },
  month: { year: 'numeric', month: 'short' },
}
const day: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'numeric', day: 'numeric' }

function labelOf(label: unknown, bucket: string | undefined, language: Language, empty: string): string {
  if (label === null || label === undefined) return empty
  if (bucket === undefined) return String(label)
  return new Date(String(label)).toLocaleDateString(language, {
    ...(periods[bucket] ?? day),
    timeZone: 'UTC',
  })
}

const codeOf = (app: string, table: string, query: Readonly<Record<string, string | number>>): string =>
  `await client.request({
  path: '/api/apps/${app}/datatables/${table}/data/',
  query: ${JSON.stringify(query, null, 2).replaceAll('\n', '\n  ')},
})`
