/** The dead letters of a site, and their replay. docs/operate/queues.md. */
import { queryOptions } from '@tanstack/react-query'
import { clientOf } from '../../session/client.ts'

/** An invocation that has failed permanently. */
export interface DeadLetter {
  id: number
  function_name: string
  function_slug: string
  trigger_type: string
  event: string | null
  attempts: number
  error: string | null
  reason: string
  advice: string
  failed_at: string | null
}

/** The filter of dead letters, for a list and for a replay. */
export interface LetterFilter {
  function_slug?: string
  reason?: string
  trigger_type?: string
  since?: string
  until?: string
  ids?: number[]
}

/** The result of a replay. */
export interface Replayed {
  matched: number
  replayed: number
  left: number
}

/** The reasons why invocations fail permanently. */
export const reasons = [
  'error',
  'timeout',
  'resources',
  'conditions',
  'server_answer',
  'call_failed',
  'result',
  'secrets',
  'interrupted',
  'over_limit',
  'chain_too_deep',
  'function_deleted',
]

/** How an invocation was triggered. */
export const triggers = ['api', 'event', 'schedule']

/** The size of a page of the list. */
export const pageSize = 50
/** The maximum number that a replay queues at once. */
const replayedMax = 10_000

const path = '/api/dead-letters/'

/** A page of the dead letters, newest first. */
export const lettersQuery = (site: string, filter: LetterFilter, page: number) =>
  queryOptions({
    queryKey: [site, 'dead-letters', filter, page],
    queryFn: ({ signal }) => {
      const { ids: _, ...query } = filter
      return clientOf(site).request<{ count: number; results: DeadLetter[] }>({
        path,
        query: { ...query, page, page_size: pageSize },
        signal,
      })
    },
  })

/** Replays the dead letters that match a filter, or only counts them. */
export const replayLetters = (site: string, filter: LetterFilter, isDryRun: boolean): Promise<Replayed> =>
  clientOf(site).request({
    method: 'POST',
    path: `${path}replay/`,
    body: { ...filter, limit: replayedMax, dry_run: isDryRun },
  })
