/** The health of the service: what needs attention first, then the figures. For superusers. */
import { Alert, Badge, Button, List, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { PropsWithChildren } from 'react'
import { queryClient } from '../../session/client.ts'
import { Facts } from '../../shared/facts.tsx'
import { Problem } from '../../shared/problem.tsx'
import { PageHead, Waiting } from '../../shared/states.tsx'
import { useTell } from '../../shared/tell.ts'
import { When } from '../../shared/when.tsx'
import { useTexts } from '../../texts/define.ts'
import { DataTable } from './data-table.tsx'
import { replayJobs, type Status, statusQuery } from './reads.ts'
import { ServicePages } from './service-pages.tsx'
import { healthTexts } from './texts.ts'

const dayMs = 86_400_000

/** Shows the status. */
export function Page() {
  const texts = useTexts(healthTexts)
  const query = useQuery(statusQuery)
  const { data } = query
  return (
    <Stack maw={1300} mx="auto">
      <ServicePages />
      <div>
        <PageHead title={texts.title} hint={texts.live} />
      </div>
      <Waiting query={query} />
      {data ? (
        <>
          <Attention status={data} />
          <SimpleGrid cols={{ base: 1, md: 3 }}>
            <Queue status={data} />
            <Sites status={data} />
            <Isolate status={data} />
          </SimpleGrid>
          <DeadJobs status={data} />
          <SlowStatements status={data} />
          <Advice status={data} />
          <Keys status={data} />
        </>
      ) : null}
    </Stack>
  )
}

interface PartProps {
  status: Status
}

const Part = ({ title, children }: PropsWithChildren<{ title: string }>) => (
  <Paper component="section" aria-label={title} withBorder p="md" miw={0}>
    <Title order={2} size="h4" mb="xs">
      {title}
    </Title>
    {children}
  </Paper>
)

/** The items that an operator must look at, as sentences. */
function Attention({ status: { queue, sites, dead_letters, isolate } }: PartProps) {
  const texts = useTexts(healthTexts)
  const jobs = dead_letters.jobs.reduce((sum, { count }) => sum + count, 0)
  const lines = [
    [queue.overdue, texts.overdue],
    [sites.limited, texts.limited],
    [sites.outdated, texts.outdated],
    [jobs, texts.deadJobs],
    [isolate.failed_requests, texts.failed],
  ] as const
  const found = lines.flatMap(([count, line]) => (count > 0 ? [line(count)] : []))
  if (found.length === 0) return <Alert color="gray" role="status" title={texts.fine} />
  return (
    <Alert color="red" role="status">
      <List size="sm">
        {found.map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
    </Alert>
  )
}

function Queue({ status: { queue, dead_letters } }: PartProps) {
  const texts = useTexts(healthTexts)
  return (
    <Part title={texts.queue}>
      <Facts
        facts={[
          [texts.rows, queue.rows],
          [texts.overdueRows, queue.overdue],
          [texts.oldest, queue.oldest ? <When key="oldest" at={queue.oldest} /> : null],
          [texts.waiting, queue.waiting],
          [texts.invocations, dead_letters.invocations],
        ]}
      />
    </Part>
  )
}

function Sites({ status: { sites } }: PartProps) {
  const texts = useTexts(healthTexts)
  return (
    <Part title={texts.allSites}>
      <Facts
        facts={[
          [texts.allSites, sites.count],
          [texts.mostSites, sites.max],
          [texts.limitedSites, sites.limited],
          [texts.measured, sites.measured ? <When key="measured" at={sites.measured} /> : null],
        ]}
      />
    </Part>
  )
}

function Isolate({ status: { isolate } }: PartProps) {
  const texts = useTexts(healthTexts)
  return (
    <Part title={texts.isolate}>
      <Facts
        facts={[
          [texts.since, <When key="since" at={isolate.since} />],
          [texts.requests, isolate.requests],
          [texts.failedRequests, isolate.failed_requests],
          [texts.roundTrips, isolate.round_trips],
          [texts.roundTripMs, texts.ms(isolate.round_trip_ms)],
        ]}
      />
    </Part>
  )
}

function Keys({ status: { keys } }: PartProps) {
  const texts = useTexts(healthTexts)
  const ageOf = (oldest: string | null) =>
    oldest === null ? '' : texts.days(Math.floor((Date.now() - Date.parse(oldest)) / dayMs))
  const nameOf = (kid: string, isCurrent: boolean) => (
    <>
      {kid} {isCurrent ? <Badge variant="default">{texts.current}</Badge> : null}
    </>
  )
  return (
    <Part title={texts.keys}>
      {keys.master.length === 0 ? (
        <Text size="sm">{texts.noDataKeys}</Text>
      ) : (
        <DataTable
          label={texts.masterKeys}
          heads={[texts.masterKeys, texts.dataKeys, texts.age]}
          rows={keys.master.map(({ kid, is_current, data_keys, oldest }) => ({
            key: kid,
            cells: [nameOf(kid, is_current), data_keys, ageOf(oldest)],
          }))}
        />
      )}
      <DataTable
        label={texts.signingKeys}
        heads={[texts.signingKeys]}
        rows={keys.signing.map(({ kid, is_current }) => ({ key: kid, cells: [nameOf(kid, is_current)] }))}
      />
    </Part>
  )
}

function DeadJobs({ status: { dead_letters } }: PartProps) {
  const texts = useTexts(healthTexts)
  const tell = useTell()
  const replay = useMutation({
    mutationFn: replayJobs,
    async onSuccess(count) {
      tell(texts.replayed(count))
      await queryClient.invalidateQueries({ queryKey: statusQuery.queryKey })
    },
  })
  return (
    <Part title={texts.deadLetters}>
      {dead_letters.jobs.length === 0 ? <Text size="sm">{texts.noJobs}</Text> : null}
      {replay.error ? <Problem error={replay.error} /> : null}
      {dead_letters.jobs.length > 0 ? (
        <DataTable
          label={texts.deadLetters}
          heads={[texts.kind, texts.count, texts.newest, texts.error, texts.replay]}
          rows={dead_letters.jobs.map(({ kind, count, newest, error }) => ({
            key: kind,
            cells: [
              kind,
              count,
              <When key="newest" at={newest} />,
              error ?? '',
              <Button
                key="replay"
                size="compact-sm"
                variant="default"
                aria-label={texts.replayKind(kind)}
                onClick={() => replay.mutate(kind)}
              >
                {texts.replay}
              </Button>,
            ],
          }))}
        />
      ) : null}
    </Part>
  )
}

function SlowStatements({ status: { slow_statements } }: PartProps) {
  const texts = useTexts(healthTexts)
  return (
    <Part title={texts.slow}>
      <Text size="sm" className="muted">
        {texts.slowText}
      </Text>
      {slow_statements.length === 0 ? (
        <Text size="sm">{texts.noSlow}</Text>
      ) : (
        <DataTable
          label={texts.slow}
          heads={[texts.statements, texts.count, texts.mean, texts.max]}
          rows={slow_statements.map(({ statements, count, mean_ms, max_ms }) => ({
            key: statements.join(' '),
            cells: [statements.join(', ') || texts.unnamed, count, texts.ms(mean_ms), texts.ms(max_ms)],
          }))}
        />
      )}
    </Part>
  )
}

function Advice({ status: { advice } }: PartProps) {
  const texts = useTexts(healthTexts)
  return (
    <Part title={texts.advice}>
      {advice.length === 0 ? (
        <Text size="sm">{texts.noAdvice}</Text>
      ) : (
        <DataTable
          label={texts.advice}
          heads={[texts.site, texts.table, texts.fields, texts.method, texts.count, texts.max, texts.trial]}
          rows={advice.map(({ site_id, app, table, fields, method, count, max_ms, trial }) => ({
            key: `${site_id} ${app} ${table} ${method} ${fields.join(' ')}`,
            cells: [
              site_id,
              `${app} / ${table}`,
              fields.join(', '),
              method,
              count,
              texts.ms(max_ms),
              trial === null ? texts.untried : texts.tried(trial),
            ],
          }))}
        />
      )}
    </Part>
  )
}
