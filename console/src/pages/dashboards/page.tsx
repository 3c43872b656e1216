/** Dashboards. The address has the name of the open one, or a whole dashboard that came with a link. */
import { Alert, Button, Group, Select, Stack, Text, Title } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useSite } from '../../session/client.ts'
import { NameForm } from '../../shared/name-form.tsx'
import { Empty } from '../../shared/states.tsx'
import { useTell } from '../../shared/tell.ts'
import { addressOf } from '../../shell/address.ts'
import { TextLink } from '../../shell/link.tsx'
import { useTexts } from '../../texts/define.ts'
import {
  type Dashboard,
  dashboardOf,
  nameLengthMax,
  useDashboards,
  useSavedQuestions,
  withNamed,
} from '../questions/saved.ts'
import { QuestionsGrid } from './questions-grid.tsx'
import { dashboardsTexts } from './texts.ts'

/** The state in the address. */
interface Search {
  name?: string | number
  shared?: unknown
}

/** Shows a dashboard. */
export function Page() {
  const texts = useTexts(dashboardsTexts)
  const tell = useTell()
  const { site } = useSite()
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as Search
  const [dashboards, keep] = useDashboards(site)
  const shared = search.shared === undefined ? undefined : dashboardOf(search.shared)
  const here = dashboards.find(({ name }) => name === String(search.name)) ?? dashboards[0]
  const show = (name: string) => void navigate({ to: '.', search: { name } as never })
  const put = (dashboard: Dashboard) => {
    keep(withNamed(dashboards, dashboard))
    show(dashboard.name)
  }
  const remove = (dashboard: Dashboard) => {
    keep(dashboards.filter((other) => other !== dashboard))
    tell(
      <Group justify="space-between">
        {texts.removed(dashboard.name)}
        <Button size="compact-sm" variant="default" onClick={() => keep(dashboards)}>
          {texts.undo}
        </Button>
      </Group>,
      { id: 'dashboard' },
    )
  }
  return (
    <Stack maw={1400}>
      <Title order={1} size="h2">
        {texts.title}
      </Title>
      <Text size="sm" className="muted">
        {texts.hint}
      </Text>
      {search.shared !== undefined && !shared ? (
        <Alert color="red" role="alert">
          {texts.unreadable}
        </Alert>
      ) : null}
      {shared ? (
        <>
          <Group>
            <Text fw={600}>{texts.shared(shared.name)}</Text>
            <Button onClick={() => put(shared)}>{texts.keep}</Button>
          </Group>
          <QuestionsGrid site={site} questions={shared.questions} />
        </>
      ) : (
        <Group align="end">
          {here ? (
            <Select
              label={texts.dashboard}
              data={dashboards.map(({ name }) => name)}
              value={here.name}
              onChange={(name) => name && show(name)}
              allowDeselect={false}
            />
          ) : null}
          <NameForm
            label={texts.name}
            button={texts.create}
            maxLength={nameLengthMax}
            save={(name) => put({ name, questions: [] })}
          />
        </Group>
      )}
      {!shared && !here ? <Empty title={texts.none}>{texts.noneText}</Empty> : null}
      {!shared && here ? (
        <Shown key={here.name} site={site} dashboard={here} put={put} remove={() => remove(here)} />
      ) : null}
    </Stack>
  )
}

interface ShownProps {
  site: string
  dashboard: Dashboard
  put(dashboard: Dashboard): void
  remove(): void
}

function Shown({ site, dashboard, put, remove }: ShownProps) {
  const texts = useTexts(dashboardsTexts)
  const tell = useTell()
  const [saved] = useSavedQuestions(site)
  const { name, questions } = dashboard
  const others = saved.filter((one) => questions.every((other) => other.name !== one.name))
  async function copyLink(): Promise<void> {
    const address = new URL(`/console${addressOf(site, 'dashboards')}`, window.location.origin)
    address.searchParams.set('shared', JSON.stringify(dashboard))
    try {
      await navigator.clipboard.writeText(address.href)
      tell(texts.copied)
    } catch {
      tell(texts.notCopied, { isError: true })
    }
  }
  return (
    <>
      <Group align="end">
        {others.length > 0 ? (
          <Select
            label={texts.add}
            data={others.map((one) => one.name)}
            value={null}
            onChange={(chosen) => {
              const one = others.find((other) => other.name === chosen)
              if (one) put({ name, questions: [...questions, one] })
            }}
          />
        ) : null}
        <Button variant="default" onClick={() => void copyLink()} disabled={questions.length === 0}>
          {texts.copyLink}
        </Button>
        <Button variant="default" color="red" onClick={remove}>
          {texts.remove}
        </Button>
      </Group>
      {questions.length === 0 ? (
        <Empty title={texts.noQuestions}>
          <Text>{texts.noQuestionsText}</Text>
          <TextLink to={addressOf(site, 'questions')}>{texts.toQuestions}</TextLink>
        </Empty>
      ) : (
        <QuestionsGrid site={site} questions={questions} change={(next) => put({ name, questions: next })} />
      )}
    </>
  )
}
