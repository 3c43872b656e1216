/** Questions to a table by clicks: the answer as a chart and as a table. */
import { Code, Table as Grid, Group, ScrollArea, Select, Stack, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { use } from 'react'
import { clientOf, useSite } from '../../session/client.ts'
import { appsQuery, type Field, tableQuery, tablesQuery } from '../../session/queries.ts'
import { Problem } from '../../shared/problem.tsx'
import { Empty, Loading } from '../../shared/states.tsx'
import { useTexts } from '../../texts/define.ts'
import { type Language, LanguageContext } from '../../texts/language.tsx'
import { Bars } from './bars.tsx'
import {
  type Answer,
  buckets,
  groupsMax,
  isGroupable,
  isNumeric,
  isTemporal,
  measures,
  type Question,
  queryOf,
} from './question.ts'
import { questionsTexts } from './texts.ts'

/** Shows the question of the address with its answer. */
export function Page() {
  const texts = useTexts(questionsTexts)
  const { site } = useSite()
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as Question
  const apps = useQuery(appsQuery(site))
  const app = search.app ?? apps.data?.results[0]?.slug
  const tables = useQuery({ ...tablesQuery(site, app ?? ''), enabled: app !== undefined })
  const names = (tables.data ?? []).filter((table) => table.is_materialized).map(({ name }) => name)
  const table = search.table ?? names[0]
  const ask = (question: Question) => void navigate({ to: '.', search: question as never })
  return (
    <Stack maw={1100}>
      <Title order={1} size="h2">
        {texts.title}
      </Title>
      <Text size="sm" className="muted">
        {texts.hint}
      </Text>
      {apps.error ? <Problem error={apps.error} retry={() => void apps.refetch()} /> : null}
      {!apps.data && !apps.error ? <Loading /> : null}
      {apps.data?.count === 0 ? <Empty title={texts.none}>{texts.noneText}</Empty> : null}
      {app === undefined ? null : (
        <Group align="end">
          <Select
            label={texts.app}
            data={(apps.data?.results ?? []).map(({ slug, name }) => ({ value: slug, label: name }))}
            value={app}
            onChange={(value) => ask(value ? { app: value } : {})}
            allowDeselect={false}
          />
          <Select
            label={texts.table}
            data={names}
            value={table ?? null}
            onChange={(value) => ask({ app, ...(value ? { table: value } : {}) })}
            allowDeselect={false}
            searchable
          />
        </Group>
      )}
      {app !== undefined && table !== undefined ? (
        <TableQuestion site={site} question={{ ...search, app, table }} app={app} table={table} ask={ask} />
      ) : null}
    </Stack>
  )
}

interface QuestionProps {
  site: string
  app: string
  table: string
  question: Question
  ask: (question: Question) => void
}

function TableQuestion({ site, app, table, question, ask }: QuestionProps) {
  const { data, error, refetch } = useQuery(tableQuery(site, app, table))
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  const { fields } = data.json_schema
  return (
    <>
      <Choices question={question} fields={fields} ask={ask} />
      <Answers site={site} app={app} table={table} question={question} fields={fields} />
    </>
  )
}

interface ChoicesProps extends Pick<QuestionProps, 'question' | 'ask'> {
  fields: readonly Field[]
}

function Choices({ question, fields, ask }: ChoicesProps) {
  const texts = useTexts(questionsTexts)
  const { measure = 'count', of, by, bucket = 'month' } = question
  const numbers = fields.filter(isNumeric).map(({ name }) => name)
  const group = fields.find(({ name }) => name === by)
  const choose = (measured: string | null) => {
    const { of: _, ...rest } = question
    const first = of ?? numbers[0]
    ask(
      measured === 'count' || first === undefined
        ? { ...rest, measure: 'count' }
        : { ...rest, measure: measured ?? 'count', of: first },
    )
  }
  const groupBy = (name: string | null) => {
    const { by: _, bucket: __, ...rest } = question
    ask(name === null ? rest : { ...rest, by: name })
  }
  return (
    <Group align="end">
      <Select
        label={texts.measure}
        data={measures.map((value) => ({ value, label: texts.measures[value] ?? value }))}
        value={measure}
        onChange={choose}
        allowDeselect={false}
      />
      {measure === 'count' ? null : (
        <Select
          label={texts.of}
          data={numbers}
          value={of ?? null}
          onChange={(value) => ask(value ? { ...question, of: value } : question)}
          allowDeselect={false}
        />
      )}
      <Select
        label={texts.by}
        placeholder={texts.each}
        data={fields.filter(isGroupable).map(({ name }) => name)}
        value={by ?? null}
        onChange={groupBy}
        clearable
        searchable
      />
      {group && isTemporal(group) ? (
        <Select
          label={texts.bucket}
          data={buckets.map((value) => ({ value, label: texts.buckets[value] ?? value }))}
          value={bucket}
          onChange={(value) => ask({ ...question, bucket: value ?? 'month' })}
          allowDeselect={false}
        />
      ) : null}
    </Group>
  )
}

interface AnswersProps extends Omit<QuestionProps, 'ask'> {
  fields: readonly Field[]
}

function Answers({ site, app, table, question, fields }: AnswersProps) {
  const texts = useTexts(questionsTexts)
  const { language } = use(LanguageContext)
  const query = queryOf(question, fields)
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
    label: labelOf(label, isTime, language, texts.empty),
    value: Number(value ?? 0),
  }))
  const total = data.total ?? bars.length
  return (
    <Stack>
      <Bars label={`${texts.chart}: ${table}`} bars={bars} />
      {total > groupsMax ? <Text size="sm">{texts.more(groupsMax, total)}</Text> : null}
      <ScrollArea type="auto" mah={420} tabIndex={0} aria-label={texts.value}>
        <Grid maw={560}>
          <Grid.Thead>
            <Grid.Tr>
              <Grid.Th>{question.by}</Grid.Th>
              <Grid.Th>{texts.value}</Grid.Th>
            </Grid.Tr>
          </Grid.Thead>
          <Grid.Tbody>
            {bars.map(({ label, value }) => (
              <Grid.Tr key={label}>
                <Grid.Td>{label}</Grid.Td>
                <Grid.Td>{value.toLocaleString(language)}</Grid.Td>
              </Grid.Tr>
            ))}
          </Grid.Tbody>
        </Grid>
      </ScrollArea>
      <div>
        <Text size="sm" fw={600}>
          {texts.code}
        </Text>
        <Code block>{codeOf(app, table, query)}</Code>
      </div>
    </Stack>
  )
}

function Total({ value }: { value: number | string | null }) {
  const { language } = use(LanguageContext)
  return (
    <Text fz={40} fw={700} role="status">
      {value === null ? '–' : Number(value).toLocaleString(language)}
    </Text>
  )
}

function labelOf(label: unknown, isTime: boolean, language: Language, empty: string): string {
  if (label === null || label === undefined) return empty
  if (!isTime) return String(label)
  return new Date(String(label)).toLocaleDateString(language, { timeZone: 'UTC' })
}

const codeOf = (app: string, table: string, query: Readonly<Record<string, string | number>>): string =>
  `await client.request({
  path: '/api/apps/${app}/datatables/${table}/data/',
  query: ${JSON.stringify(query, null, 2).replaceAll('\n', '\n  ')},
})`
