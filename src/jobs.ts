/**
 * Handles the messages of the queues, one row for each kind. Each message is acknowledged or retried
 * separately.
 */

import type { SweepHistories } from './data/history/sweep.ts'
import type { BringNotes } from './data/providers/mongodb/sweep-notes.ts'
import type { CleanUpTable } from './data/schema-changes/orphans.ts'
import type { RemakeSite } from './data/schema-changes/remake-site.ts'
import type { DropDeleted } from './data/schema-changes/trash/expire.ts'
import type { SendAccountEmail } from './identity/accounts/emails/service.ts'
import type { SendInvitation, SendPasswordNotice } from './identity/invitations/emails.ts'
import type { SendCode } from './identity/login/social/confirm.ts'
import type { EraseSite } from './identity/organizations/sites/lifecycle/erase.ts'
import type { SendLimitNotice } from './identity/organizations/sites/use/notices.ts'
import { DatabaseFailure, sqlstates } from './kernel/db/failures.ts'
import { storeUseSoon } from './kernel/db/use.ts'
import { configOf, type Env } from './kernel/env.ts'
import { settlesWithin } from './kernel/lib/deadline.ts'
import { describeFailure, log } from './kernel/lib/log.ts'
// Jobs show messages of zod, too.
import './kernel/lib/zod-messages.ts'
import { record } from './kernel/telemetry/metrics.ts'
import type { StepTransfer } from './operation/transfers/job.ts'
import { keepDeadJob } from './operation/watching/dead-jobs/service.ts'
import type { SweepSite } from './operation/watching/sites/sweep.ts'
import type { SendMail } from './runtime/functions/mails/queue.ts'
import type { OutboxMessage } from './runtime/outbox/queue.ts'
import type { ReencryptSite } from './secrets/rotation/service.ts'

type AnyJob =
  | SendCode
  | SendAccountEmail
  | SendMail
  | EraseSite
  | CleanUpTable
  | DropDeleted
  | SweepHistories
  | BringNotes
  | RemakeSite
  | ReencryptSite
  | SweepSite
  | StepTransfer
  | SendLimitNotice
  | SendInvitation
  | SendPasswordNotice
  | OutboxMessage

type Kind = AnyJob['kind']

/** The body of a message, of one kind or of any kind. */
type Job<Of extends Kind = Kind> = { [One in Of]: Extract<AnyJob, { kind: One }> & { kind: One } }[Of]

type Handlers = { readonly [Of in Kind]: (env: Env, job: Job<Of>) => Promise<void> }

/** How each kind is handled. Its code is loaded with its first message. */
const handlers: Handlers = {
  'erase-site': async (env, job) =>
    (await import('./identity/organizations/sites/lifecycle/erase.ts')).eraseSite(env, job),
  'clean-up-table': async (env, job) =>
    (await import('./data/schema-changes/jobs/continue.ts')).cleanUpTable(env, job),
  'drop-deleted': async (env, job) =>
    (await import('./data/schema-changes/trash/expire.ts')).dropDeleted(env, job),
  'sweep-histories': async (env, job) => (await import('./data/history/sweep.ts')).sweepHistories(env, job),
  'bring-notes': async (env, job) =>
    (await import('./data/providers/mongodb/bring-notes.ts')).bringNotes(env, job),
  'remake-site': async (env, job) =>
    (await import('./data/schema-changes/remake-site.ts')).remakeSite(env, job),
  'reencrypt-site': async (env, job) =>
    (await import('./secrets/rotation/service.ts')).reencryptSite(await encryptedColumns())(env, job),
  'sweep-site': async (env, job) => (await import('./operation/watching/sites/sweep.ts')).sweepSite(env, job),
  'step-transfer': async (env, job) => (await import('./operation/transfers/job.ts')).stepTransfer(env, job),
  'send-limit-notice': async (env, job) =>
    (await import('./identity/organizations/sites/use/notices.ts')).sendLimitNotice(env, job),
  'process-outbox-row': async (env, job) =>
    void (await (await import('./runtime/outbox/process-outbox-row.ts')).processOutboxRow(env, job)),
  'send-invitation': async (env, job) =>
    (await import('./identity/invitations/emails.ts')).sendInvitation(env, job),
  'send-password-notice': async (env, job) =>
    (await import('./identity/invitations/emails.ts')).sendPasswordNotice(env, job),
  'send-code': async (env, job) => (await import('./identity/login/social/confirm.ts')).sendCode(env, job),
  'send-mail': async (env, job) => (await import('./operation/mails/send.ts')).sendMail(env, job),
  'send-account-email': async (env, job) =>
    (await import('./identity/accounts/emails/service.ts')).sendAccountEmail(env, job),
}

/** Loads the columns whose values a key of the site encrypts. */
async function encryptedColumns() {
  const [{ secretValues }, { socialAppCredentials }, { functionSecrets }] = await Promise.all([
    import('./secrets/entries/encrypted-column.ts'),
    import('./identity/login/social-apps/encrypted-columns.ts'),
    import('./runtime/functions/encrypted-column.ts'),
  ])
  return [secretValues, ...socialAppCredentials, functionSecrets]
}

/** Clean up after jobs that have failed permanently. */
const deadJobHandlers: Partial<Handlers> = {
  'send-invitation': async (env, job) =>
    (await import('./identity/invitations/emails.ts')).markInvitationFailed(env, job),
  'send-password-notice': async (env, job) =>
    (await import('./identity/invitations/emails.ts')).markNoticeFailed(env, job),
  'process-outbox-row': async (env, job) =>
    (await import('./runtime/outbox/mark-row-stuck.ts')).markRowStuck(env, job),
}

/** The suffix of the name of the queue for dead messages: each environment has its own queue. */
const deadQueueEnding = '-dead-jobs'

/** The number of deliveries of a message: `max_retries` of wrangler.toml, and the first one. */
const attemptsMax = 6

/** The part of the execution context that jobs need. */
type Background = Pick<ExecutionContext, 'waitUntil'>

/**
 * Handles a batch of messages. Without a valid configuration no job can run: the whole batch is retried in a
 * minute.
 */
export async function consume(
  batch: MessageBatch<unknown>,
  env: Env,
  background?: Background,
): Promise<void> {
  if (!isConfigured(env)) return batch.retryAll({ delaySeconds: 60 })
  await Promise.all(
    batch.messages.map((message) =>
      batch.queue.endsWith(deadQueueEnding)
        ? handleDeadJob(message, env)
        : runInTime(message, env, background),
    ),
  )
  if (background) storeUseSoon(configOf(env), background)
}

/** Tells whether the configuration is valid. Logs its problems. */
function isConfigured(env: Env): boolean {
  try {
    return Boolean(configOf(env))
  } catch (error) {
    log({ level: 'error', jobs: 'not done', ...describeFailure(error, false) })
    return false
  }
}

/**
 * Runs a job. The local queue delivers one batch at a time, so a slow function would delay all other jobs.
 * QUEUE_PATIENCE_MS is set there: work on an outbox row that takes longer continues in the background, and
 * its message is acknowledged. The state of the work is in Postgres, and a scheduled task queues it again if
 * it is lost.
 */
async function runInTime(
  message: Message<unknown>,
  env: Env,
  background: Background | undefined,
): Promise<void> {
  const work = run(message, env)
  const patienceMs = configOf(env).QUEUE_PATIENCE_MS
  if (patienceMs === undefined || !isJob(message.body) || message.body.kind !== 'process-outbox-row')
    return work
  background?.waitUntil(work)
  await settlesWithin(patienceMs, work)
}

/** Runs a job and acknowledges its message. If the job fails, logs the error and requests a retry. */
async function run(message: Message<unknown>, env: Env): Promise<void> {
  const job = message.body
  const started = performance.now()
  const kind = isJob(job) ? job.kind : 'unknown'
  const note = (result: string) =>
    record('tessera.job.duration', { kind, result }, (performance.now() - started) / 1000)
  try {
    if (!isJob(job)) throw new Error('no handler for this kind of job')
    await handle(handlers, env, job)
    note('done')
    message.ack()
  } catch (error) {
    if (isForNoSite(error)) return message.ack()
    note('failed')
    log({
      level: 'error',
      job: kind,
      message: message.id,
      attempts: message.attempts,
      ...describeFailure(error, env.ENVIRONMENT === 'development'),
    })
    if (message.attempts >= attemptsMax && isJob(job)) await keepDeadJob(env, job, error)
    message.retry({
      delaySeconds: error instanceof DatabaseFailure ? 60 : Math.min(600, 2 ** message.attempts),
    })
  }
}

/**
 * Tells whether a job concerns a site that was erased, or that does not answer. When the site answers again,
 * a scheduled task finds the work.
 */
const isForNoSite = (error: unknown): boolean =>
  error instanceof DatabaseFailure &&
  [sqlstates.missing, sqlstates.gone].some((one) => one === error.sqlstate)

/** Logs a job that has failed permanently, and cleans up after it. The message has only ids. */
async function handleDeadJob(message: Message<unknown>, env: Env): Promise<void> {
  log({ level: 'error', dead_job: message.body, message: message.id })
  if (isJob(message.body)) {
    await keepDeadJob(env, message.body)
    await handle(deadJobHandlers, env, message.body)
  }
  message.ack()
}

const isJob = (body: unknown): body is Job =>
  typeof body === 'object' &&
  body !== null &&
  'kind' in body &&
  typeof body.kind === 'string' &&
  Object.hasOwn(handlers, body.kind)

/** Calls the handler of a job's kind, if there is one. */
async function handle<Of extends Kind>(by: Partial<Handlers>, env: Env, job: Job<Of>): Promise<void> {
  await by[job.kind]?.(env, job)
}
