/** Work that is queued: one row a kind of message. Each message is acknowledged or retried on its own. */
import { type TidyTable, tidyTable } from './data/datatables/migrations/leftovers.ts'
import { type DropDeleted, dropDeleted } from './data/datatables/trash/expire.ts'
import type { Deliver } from './db/deliveries.ts'
import { DatabaseFailure } from './db/failures.ts'
import { configOf, type Env } from './env.ts'
import { deliver } from './events/deliveries/deliver.ts'
import { functionSecrets } from './functions/keeper.ts'
import { giveUpInvitation, giveUpNotice, type SendInvitation, sendInvitation, type TellOwner, tellOwner } from './invitations/letters.ts'
import { isDoneWithin } from './lib/deadline.ts'
import { describeFailure, log } from './lib/log.ts'
import { type SendCode, sendCode } from './login/social/confirm.ts'
import { socialAppCredentials } from './login/social-apps/keeper.ts'
import { type MigrateSite, migrateSiteToNewest } from './organizations/sites/migrate.ts'
import { secretValues } from './secrets/entries/keeper.ts'
import { type EncryptAnew, encryptAnew } from './secrets/rotation/service.ts'

type Job = SendCode | MigrateSite | TidyTable | DropDeleted | EncryptAnew | SendInvitation | TellOwner | Deliver

const handlers = new Map<unknown, (env: Env, job: never) => Promise<void>>([
  ['migrate-site', migrateSiteToNewest],
  ['tidy-table', tidyTable],
  ['drop-deleted', dropDeleted],
  ['encrypt-anew', encryptAnew([secretValues, ...socialAppCredentials, functionSecrets])],
  ['deliver', deliver],
  ['send-invitation', sendInvitation],
  ['tell-owner', tellOwner],
  ['send-code', sendCode],
])

/** What is done about a job that failed for good, beside the log. */
const burials = new Map<unknown, (env: Env, job: never) => Promise<void>>([
  ['send-invitation', giveUpInvitation],
  ['tell-owner', giveUpNotice],
])

const deadQueue = 'tessera-dead-jobs'

/** What of a request's context the jobs need. */
type Lasting = Pick<ExecutionContext, 'waitUntil'>

export async function consume(batch: MessageBatch<unknown>, env: Env, lasting?: Lasting): Promise<void> {
  if (!isConfigured(env)) return batch.retryAll({ delaySeconds: 60 })
  await Promise.all(batch.messages.map((message) => (batch.queue === deadQueue ? bury(message, env) : patiently(message, env, lasting))))
}

/** With a wrong configuration no job can be done: the queue keeps them, and the log says why. */
function isConfigured(env: Env): boolean {
  try {
    return Boolean(configOf(env))
  } catch (error) {
    log({ level: 'error', jobs: 'not done', ...describeFailure(error, false) })
    return false
  }
}

/**
 * The local queue hands out one batch at a time, so that a function that takes long would hold up everybody's. There a
 * delivery goes on after its message counts as done: what comes of it stands in Postgres, and what is lost is swept up.
 */
async function patiently(message: Message<unknown>, env: Env, lasting: Lasting | undefined): Promise<void> {
  const work = run(message, env)
  const patienceMs = configOf(env).QUEUE_PATIENCE_MS
  if (patienceMs === undefined || (message.body as Job | null)?.kind !== 'deliver') return work
  lasting?.waitUntil(work)
  await isDoneWithin(patienceMs, work)
}

async function run(message: Message<unknown>, env: Env): Promise<void> {
  const job = message.body as Job | null
  const handler = handlers.get(job?.kind)
  try {
    if (!job || !handler) throw new Error('no handler for this kind of job')
    await handler(env, job as never)
    message.ack()
  } catch (error) {
    const verbose = env.ENVIRONMENT === 'development'
    log({ level: 'error', job: handler ? job?.kind : 'unknown', message: message.id, attempts: message.attempts, ...describeFailure(error, verbose) })
    message.retry({ delaySeconds: error instanceof DatabaseFailure ? 60 : Math.min(600, 2 ** message.attempts) })
  }
}

/** What failed for good is kept in the log: which job it was, and nothing that it carried but ids. */
async function bury(message: Message<unknown>, env: Env): Promise<void> {
  log({ level: 'error', dead_job: message.body, message: message.id })
  const job = message.body as Job | null
  await burials.get(job?.kind)?.(env, job as never)
  message.ack()
}
