/** The runs of a site's functions: live, with their results and output, and a button to run them again. */
import { Badge, Button, Code, Group, Select, Stack, Table, Text } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { queryClient, useSite } from '../../session/client.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { Facts } from '../../shared/facts.tsx'
import { Problem } from '../../shared/problem.tsx'
import { Sideways } from '../../shared/sideways.tsx'
import { Empty, PageHead, Waiting } from '../../shared/states.tsx'
import { useTell } from '../../shared/tell.ts'
import { When } from '../../shared/when.tsx'
import { useTexts } from '../../texts/define.ts'
import { Outcome } from '../function/run-now.tsx'
import { runsQuery } from '../functions/queries.ts'
import { type Run, runStates } from '../functions/types.ts'
import { Skipped } from './skipped.tsx'
import { runsTexts } from './texts.ts'

const colors: Readonly<Record<string, string>> = { SUCCESS: 'green', FAILURE: 'red', RETRY: 'orange' }

/** The state in the address: the filter of runs, and the open run. */
interface Shown {
  function?: string
  status?: string
  run?: number
}

/** Lists the newest runs. */
export function Page() {
  const texts = useTexts(runsTexts)
  const { site } = useSite()
  const shown = useSearch({ strict: false }) as Shown
  const navigate = useNavigate()
  const show = (changes: Shown) =>
    void navigate({ to: '.', search: { ...shown, ...changes } as never, replace: true })
  const filter = {
    ...(shown.function ? { slug: String(shown.function) } : {}),
    ...(shown.status ? { status: String(shown.status) } : {}),
  }
  const query = useQuery({ ...runsQuery(site, filter), placeholderData: keepPreviousData })
  const { data } = query
  const open = data?.data.find(({ id }) => id === shown.run)
  return (
    <Stack maw={1200}>
      <PageHead title={texts.title} hint={texts.live} />
      <Group align="end">
        <Select
          label={texts.state}
          placeholder={texts.all}
          data={[...runStates]}
          value={shown.status ?? null}
          onChange={(status) => show({ status: status ?? undefined } as Shown)}
          clearable
        />
        {shown.function ? (
          <Button variant="default" onClick={() => show({ function: undefined } as unknown as Shown)}>
            {shown.function} ×
          </Button>
        ) : null}
      </Group>
      <Waiting query={query} />
      {data?.data.length === 0 ? <Empty title={texts.none}>{texts.noneText}</Empty> : null}
      {data && data.data.length > 0 ? (
        <Sideways label={texts.title}>
          <Table striped highlightOnHover miw={640}>
            <Table.Thead>
              <Table.Tr>
                {[
                  texts.run,
                  texts.functionName,
                  texts.state,
                  texts.trigger,
                  texts.started,
                  texts.duration,
                ].map((name) => (
                  <Table.Th key={name}>{name}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.data.map((run) => (
                <Row key={run.id} run={run} open={() => show({ run: run.id })} />
              ))}
            </Table.Tbody>
          </Table>
        </Sideways>
      ) : null}
      {shown.status === 'SKIPPED' ? <Skipped slug={filter.slug} /> : null}
      <Dialog
        isOpen={open !== undefined}
        close={() => show({ run: undefined } as unknown as Shown)}
        size="lg"
        title={open ? `${texts.run} ${open.id}` : ''}
      >
        {open ? <Details run={open} /> : null}
      </Dialog>
    </Stack>
  )
}

function Row({ run, open }: { run: Run; open: () => void }) {
  const texts = useTexts(runsTexts)
  return (
    <Table.Tr>
      <Table.Td>
        <Button size="compact-sm" variant="subtle" onClick={open} aria-label={texts.open(run.id)}>
          {run.id}
        </Button>
      </Table.Td>
      <Table.Td>{run.function_name}</Table.Td>
      <Table.Td>
        <Badge variant="outline" color={colors[run.status] ?? 'gray'}>
          {run.status}
        </Badge>
      </Table.Td>
      <Table.Td>{run.event ?? run.trigger_type}</Table.Td>
      <Table.Td>
        <When at={run.created_at} />
      </Table.Td>
      <Table.Td>{run.duration_ms === null ? '' : texts.ms(run.duration_ms)}</Table.Td>
    </Table.Tr>
  )
}

function Details({ run }: { run: Run }) {
  const texts = useTexts(runsTexts)
  const tell = useTell()
  const { site, client } = useSite()
  const replay = useMutation({
    mutationFn: () => client.invocations.replay(run.id),
    async onSuccess() {
      tell(texts.replayed)
      await queryClient.invalidateQueries({ queryKey: [site, 'runs'] })
    },
  })
  return (
    <Stack>
      <Facts
        facts={[
          [texts.functionName, run.function_name],
          [texts.state, run.status],
          [texts.trigger, run.event ?? run.trigger_type],
          [texts.attempts, run.attempts],
          [texts.started, <When key="at" at={run.created_at} />],
          [texts.duration, run.duration_ms === null ? null : texts.ms(run.duration_ms)],
        ]}
      />
      <div>
        <Text size="sm" fw={600}>
          {texts.params}
        </Text>
        <Code block>{JSON.stringify(run.params, null, 2)}</Code>
      </div>
      {run.finished_at === null ? null : <Outcome run={run} />}
      {run.status === 'FAILURE' ? (
        <Group>
          <Button onClick={() => replay.mutate()} loading={replay.isPending}>
            {texts.replay}
          </Button>
        </Group>
      ) : null}
      {replay.error ? <Problem error={replay.error} /> : null}
    </Stack>
  )
}
