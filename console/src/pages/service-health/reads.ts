/** The status of the service, and its dead jobs. docs/operate/watching.md. */
import { queryOptions } from '@tanstack/react-query'
import { service } from '../../session/client.ts'

/** Postgres's estimates for a list without an index and with it. */
export interface Trial {
  cost_before: number
  cost_after: number
}

/** The status of the service, for superusers. */
export interface Status {
  isolate: {
    since: string
    requests: number
    failed_requests: number
    round_trips: number
    round_trip_ms: number
  }
  slow_statements: { statements: string[]; count: number; mean_ms: number; max_ms: number }[]
  advice: {
    site_id: number
    app: string
    table: string
    fields: string[]
    method: string
    count: number
    max_ms: number
    /** Postgres's estimate for the index. Null: not tested. */
    trial: Trial | null
  }[]
  queue: { rows: number; overdue: number; oldest: string | null; waiting: number }
  dead_letters: {
    invocations: number
    jobs: { kind: string; count: number; newest: string; error: string | null }[]
  }
  sites: { count: number; max: number; limited: number; outdated: number; measured: string | null }
  keys: {
    master: { kid: string; is_current: boolean; data_keys: number; oldest: string | null }[]
    signing: { kid: string; is_current: boolean }[]
  }
}

/** How often the status is loaded while the page is open, in milliseconds. */
const liveMs = 10_000

export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => service.request<Status>({ path: '/api/cloud/status/', signal }),
  refetchInterval: liveMs,
})

/** Queues dead jobs of a kind again. Returns their number. */
export async function replayJobs(kind: string): Promise<number> {
  const answer = await service.request<{ replayed: number }>({
    method: 'POST',
    path: '/api/cloud/dead-jobs/replay/',
    body: { kind, limit: 1_000 },
  })
  return answer.replayed
}
