/** The service that gets the records: an app's addresses, and requests that wait when the service is busy. */
import { setTimeout as wait } from 'node:timers/promises'
import { type Client, RefusedError } from '../client.ts'

/** An app of a running service. */
export interface Service {
  client: Client
  /** The path of the API, for example `/api/` or `/sites/demo/api/`. */
  api: string
  /** The slug of the app. */
  app: string
}

export const tablePath = ({ api, app }: Service, table: string): string =>
  `${api}apps/${app}/datatables/${table}/`

/** How many times a request is repeated while the service is busy. */
export const triesMax = 8

/** Tells whether a refused request may succeed later. */
export const isBusy = ({ status }: RefusedError): boolean => status === 429 || status === 503

/** Waits as long as a busy service requests. */
export const waitFor = (error: RefusedError, tries: number): Promise<void> =>
  wait((error.retryAfterSeconds ?? 2 ** tries) * 1000)

/** Repeats a request that may be repeated, while the service is busy. */
export async function patiently<Result>(request: () => Promise<Result>): Promise<Result> {
  for (let tries = 0; ; tries++) {
    try {
      return await request()
    } catch (error) {
      if (!(error instanceof RefusedError && isBusy(error)) || tries >= triesMax) throw error
      await waitFor(error, tries)
    }
  }
}

/**
 * Counts the records of a table, including those that are marked as deleted. Unlike the total of a list, an
 * aggregate is always exact.
 */
export async function countRecords(service: Service, table: string, hasMarks: boolean): Promise<number> {
  const path = `${tablePath(service, table)}data/?_aggregate=count(*)${hasMarks ? '&include_deleted=true' : ''}`
  const { aggregates } = await patiently(() =>
    service.client.request<{ aggregates: { count: number } }>('GET', path),
  )
  return aggregates.count
}
