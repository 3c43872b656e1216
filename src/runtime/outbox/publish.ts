/** What came of an event: the result of publishing. Spec: Events, rule 6; E9. */
import { log } from '../../kernel/lib/log.ts'

/** A subscriber of an event and its task: the run of the function. */
export interface PublishedTask {
  function_id: number
  function_name: string
  /** Null: the run could not be started. */
  task_id: string | null
  invocation_id: number
  status?: 'error'
  error?: string
}

/** The result of publishing the events of an outbox row. */
export interface PublishResult {
  event: string
  task_ids: PublishedTask[]
  /** The number of subscribed functions. */
  total_subscribers: number
}

/** The most tasks in a line of the log. A row can have thousands of records. */
const loggedMax = 100

/** Logs the result of publishing the events of an outbox row. */
export const logPublished = (siteId: number, rowId: number, publish: PublishResult): void =>
  log({
    level: 'info',
    job: 'process-outbox-row',
    site: siteId,
    row: rowId,
    publish: { ...publish, task_ids: publish.task_ids.slice(0, loggedMax) },
  })
