/** The dashboards of the site. The address contains the shown one. */
import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Dashboard, QuestionInput } from '../../../../client/src/site/questions.ts'
import { useSite } from '../../session/client.ts'
import { NameForm } from '../../shared/name-form.tsx'
import { Problem } from '../../shared/problem.tsx'
import { Empty, PageHead, Waiting } from '../../shared/states.tsx'
import { useTell } from '../../shared/tell.ts'
import { addressOf } from '../../shell/address.ts'
import { TextLink } from '../../shell/link.tsx'
import { useTexts } from '../../texts/define.ts'
import { dashboardsQuery, nameLengthMax, questionsQuery, useDashboardChanges } from '../questions/saved.ts'
import { QuestionsGrid } from './questions-grid.tsx'
import { dashboardsTexts } from './texts.ts'

/** Shows a dashboard. */
export function Page() {
  const texts = useTexts(dashboardsTexts)
  const { site } = useSite()
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as { id?: number }
  const query = useQuery(dashboardsQuery(site))
  const { data } = query
  const { put } = useDashboardChanges(site)
  const wanted = data?.find(({ id }) => id === search.id)
  const here = search.id === undefined ? data?.[0] : wanted
  const show = (id: number | undefined) =>
    void navigate({ to: '.', search: (id === undefined ? {} : { id }) as never })
  return (
    <Stack maw={1400}>
      <PageHead title={texts.title} hint={texts.hint} />
      <Waiting query={query} />
      {data?.length === 0 ? <Empty title={texts.none}>{texts.noneText}</Empty> : null}
      {data && data.length > 0 && !here ? <Empty title={texts.gone}>{texts.goneText}</Empty> : null}
      {data ? (
        <Group align="end">
          {data.length > 0 ? (
            <Select
              label={texts.dashboard}
              data={data.map(({ id, name }) => ({ value: String(id), label: name }))}
              value={here ? String(here.id) : null}
              onChange={(id) => show(Number(id))}
              allowDeselect={false}
              searchable
            />
          ) : null}
          <NameForm
            label={texts.name}
            button={texts.create}
            maxLength={nameLengthMax}
            save={async (name) => show((await put.mutateAsync({ input: { name } })).id)}
          />
        </Group>
      ) : null}
      {here ? <Shown key={here.id} site={site} dashboard={here} left={() => show(undefined)} /> : null}
    </Stack>
  )
}

interface ShownProps {
  site: string
  dashboard: Dashboard
  /** The dashboard was deleted. */
  left(): void
}

function Shown({ site, dashboard, left }: ShownProps) {
  const texts = useTexts(dashboardsTexts)
  const tell = useTell()
  const saved = useQuery(questionsQuery(site))
  const { put, remove } = useDashboardChanges(site)
  const { id, version, name, questions } = dashboard
  const change = (next: readonly QuestionInput[]) =>
    put.mutate({ input: { name, questions: next }, kept: { id, version } })
  const others = (saved.data ?? []).filter((one) => questions.every((other) => other.name !== one.name))
  const undo = () =>
    put.mutateAsync({ input: { name, questions } }).catch(() => tell(texts.notRestored, { isError: true }))
  return (
    <>
      <Group align="end">
        {others.length > 0 ? (
          <Select
            label={texts.add}
            data={others.map((one) => ({ value: String(one.id), label: one.name }))}
            value={null}
            onChange={(chosen) => {
              const one = others.find((other) => String(other.id) === chosen)
              if (one) change([...questions, asInput(one)])
            }}
            searchable
          />
        ) : null}
        <Button
          variant="outline"
          color="red"
          loading={remove.isPending}
          onClick={() =>
            remove.mutate(
              { id, version },
              {
                onSuccess() {
                  left()
                  tell(
                    <Group justify="space-between">
                      {texts.removed(name)}
                      <Button size="compact-sm" variant="default" onClick={() => void undo()}>
                        {texts.undo}
                      </Button>
                    </Group>,
                    { id: 'dashboard' },
                  )
                },
              },
            )
          }
        >
          {texts.remove}
        </Button>
      </Group>
      {put.error ? <Problem error={put.error} /> : null}
      {remove.error ? <Problem error={remove.error} /> : null}
      {questions.length === 0 ? (
        <Empty title={texts.noQuestions}>
          <Text>{texts.noQuestionsText}</Text>
          <TextLink to={addressOf(site, 'questions')}>{texts.toQuestions}</TextLink>
        </Empty>
      ) : (
        <QuestionsGrid site={site} questions={questions} change={change} isBusy={put.isPending} />
      )}
    </>
  )
}

/** Returns a saved question in the form of a dashboard's question. */
const asInput = ({
  name,
  app,
  table,
  measure,
  field,
  group_by,
  bucket,
  filters,
}: QuestionInput): QuestionInput => ({
  ...{ name, app, table, measure, filters: filters ?? {} },
  ...{ field: field ?? null, group_by: group_by ?? null, bucket: bucket ?? null },
})
