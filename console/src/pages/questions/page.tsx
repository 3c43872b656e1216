/** A form for questions to a table, which shows the answer as a chart and as a table. */
import { Group, Select, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useSite } from '../../session/client.ts'
import { type Field, tableQuery } from '../../session/queries.ts'
import { AppAndTableSelects, useAppAndTable } from '../../shared/app-and-table.tsx'
import { Problem } from '../../shared/problem.tsx'
import { Empty, Loading, PageHead, Waiting } from '../../shared/states.tsx'
import { useTexts } from '../../texts/define.ts'
import { FilterBar } from '../data/filter-bar.tsx'
import { Answers } from './answers.tsx'
import { buckets, isGroupable, isNumeric, isTemporal, measures, type Question } from './question.ts'
import { type Opened, SaveQuestion } from './save-question.tsx'
import { SavedQuestions } from './saved-questions.tsx'
import { questionsTexts } from './texts.ts'

/** Shows the question in the address with its answer. */
export function Page() {
  const texts = useTexts(questionsTexts)
  const { site } = useSite()
  const navigate = useNavigate()
  const { saved, version, ...search } = useSearch({ strict: false }) as Question & Opened
  const opened = { ...(saved ? { saved } : {}), ...(version ? { version } : {}) }
  const choice = useAppAndTable(site)
  const { apps, app, table } = choice
  const show = (question: Question, next: Opened) =>
    void navigate({ to: '.', search: { ...question, ...next } as never })
  return (
    <Stack maw={1100}>
      <PageHead title={texts.title} hint={texts.hint} />
      <Waiting query={apps} />
      {apps.data?.count === 0 ? <Empty title={texts.none}>{texts.noneText}</Empty> : null}
      <SavedQuestions site={site} shown={saved} />
      <AppAndTableSelects choice={choice} choose={(chosen) => show(chosen, {})} />
      {app !== undefined && table !== undefined ? (
        <TableQuestion
          site={site}
          question={{ ...search, app, table }}
          app={app}
          table={table}
          opened={opened}
          show={show}
        />
      ) : null}
    </Stack>
  )
}

interface QuestionProps {
  site: string
  app: string
  table: string
  question: Question
  opened: Opened
  show(question: Question, opened: Opened): void
}

function TableQuestion({ site, app, table, question, opened, show }: QuestionProps) {
  const { data, error, refetch } = useQuery(tableQuery(site, app, table))
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  const { fields } = data.json_schema
  const ask = (next: Question) => show(next, opened)
  const filterBy = (filters: NonNullable<Question['filters']>) => {
    const { filters: _, ...rest } = question
    ask(Object.keys(filters).length > 0 ? { ...rest, filters } : rest)
  }
  return (
    <>
      <Choices question={question} fields={fields} ask={ask} />
      <FilterBar fields={fields} filters={question.filters ?? {}} change={filterBy} />
      <Answers site={site} app={app} table={table} question={question} fields={fields} hasCode />
      <SaveQuestion key={opened.saved ?? 'new'} site={site} question={question} opened={opened} show={show} />
    </>
  )
}

interface ChoicesProps extends Pick<QuestionProps, 'question'> {
  ask(question: Question): void
  fields: readonly Field[]
}

function Choices({ question, fields, ask }: ChoicesProps) {
  const texts = useTexts(questionsTexts)
  const { measure = 'count', of, by, bucket = 'month' } = question
  const numbers = fields.filter(isNumeric).map(({ name }) => name)
  const group = fields.find(({ name }) => name === by)
  const choose = (measured: Question['measure'] | null) => {
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
