/**
 * Runs transfers: one task after the other, in turns of some seconds. Progress is saved with the work or
 * right after it, so that an interrupted task continues with what remains.
 */
import { ZodError } from 'zod'
import { unseal } from '../../kernel/access/derived-keys.ts'
import type { RequestContext } from '../../kernel/context.ts'
import { openDatabase } from '../../kernel/db/client.ts'
import { DatabaseFailure, sqlstates } from '../../kernel/db/failures.ts'
import {
  isTransferLost,
  noteTransfer,
  type TransferProgress,
  withTransfer,
} from '../../kernel/db/transfer-check.ts'
import { configOf, type Env } from '../../kernel/env.ts'
import { AppError } from '../../kernel/errors.ts'
import { createContext } from '../../kernel/http/request-context.ts'
import { log } from '../../kernel/lib/log.ts'
import { isDatabaseUrl } from '../../kernel/lib/variable-forms.ts'
import { isFactorMissing } from '../../kernel/page/required-factor.ts'
import { afterCommit } from '../../runtime/outbox/service.ts'
import { archiveSource } from './archive/archive-source.ts'
import { archiveTasks } from './archive/archive-tasks.ts'
import { endTransfer } from './end.ts'
import { attemptsMax, keepDays, rememberDays, turnMs } from './limits.ts'
import { type Done, makers } from './making/making.ts'
import { siteSource } from './source/site-source.ts'
import type { Source } from './source/source.ts'
import * as store from './store.ts'
import { exportTasks, type MakingKind, makingTasks, type Task } from './tasks.ts'

/** The queue message that continues with a transfer. */
export interface StepTransfer {
  kind: 'step-transfer'
  transferId: string
}

const deadlineMs = 60_000
const tasksAtOnce = 200
const stoppedMax = 50

/** Queues the transfers that no Worker is running, and ends those that cannot continue. */
export async function sweepTransfers(env: Env): Promise<void> {
  const database = openDatabase(configOf(env))
  const { hopeless } = await database.batch({ hopeless: store.selectHopeless(stoppedMax) }, deadlineMs)
  for (const { id, state } of hopeless.all)
    await (state === 'uploading'
      ? endTransfer(env, id, 'cancelled', 'The archive did not arrive in time.', rememberDays)
      : endTransfer(env, id, 'failed', stopped, rememberDays))
  const { stuck } = await database.batch(
    { stuck: store.selectStopped(stoppedMax), expired: store.deleteExpired },
    deadlineMs,
  )
  const messages = stuck.all.map(({ id }): { body: StepTransfer } => ({
    body: { kind: 'step-transfer', transferId: id },
  }))
  if (messages.length > 0) await env.JOBS.sendBatch(messages)
}

const stopped = "A step failed several times. The service's log has the reason."

/**
 * Continues a transfer for one turn. Does nothing if the transfer has ended, or if another Worker is running
 * it.
 */
export async function stepTransfer(env: Env, message: StepTransfer): Promise<void> {
  const { transferId: id } = message
  const database = openDatabase(configOf(env))
  const { claimed } = await database.batch(
    { claimed: store.claimTransfer(id, crypto.randomUUID()) },
    deadlineMs,
  )
  if (!claimed.first) return
  const turn = new Turn(env, claimed.first)
  try {
    const isDone = await turn.run()
    if (isDone) return
    await database.batch({ released: store.releaseTransfer(id, claimed.first.lease) }, deadlineMs)
    await env.JOBS.send(message)
  } catch (error) {
    if (isTransferLost(error)) return
    const problem = problemOf(error)
    if (problem === undefined && claimed.first.attempts < attemptsMax) {
      await database
        .batch({ released: store.releaseTransfer(id, claimed.first.lease) }, deadlineMs)
        .catch(() => undefined)
      throw error
    }
    // The log does not contain the reason, because it may quote a value of a record. The transfer stores it.
    log({ level: 'warn', transfer: id, failed: true })
    await endTransfer(env, id, 'failed', problem ?? stopped, rememberDays)
  }
}

/** Returns the reason why a transfer can never continue. Undefined: it may continue later. */
function problemOf(error: unknown): string | undefined {
  if (error instanceof ZodError) {
    const [issue] = error.issues
    return `The archive has a part that is not possible: ${issue?.path.join('.')}: ${issue?.message}`
  }
  if (error instanceof DatabaseFailure && error.sqlstate === sqlstates.quota) return error.detail
  if (!(error instanceof AppError) || error.status >= 500 || error.status === 429) return undefined
  if (error.status === 401 || (error.status === 403 && !isFactorMissing(error)))
    return 'The account that began it was signed out, or has lost the permission.'
  return messagesOf(error.body)
    .filter((text) => text !== error.code)
    .join(' ')
    .slice(0, 2_000)
}

const messagesOf = (body: unknown): string[] => {
  if (typeof body === 'string') return [body]
  return typeof body === 'object' && body !== null ? Object.values(body).flatMap(messagesOf) : []
}

/** One turn of a transfer: its progress and its tasks. */
class Turn {
  readonly #env: Env
  readonly #transfer: store.ClaimedTransfer
  #progress: TransferProgress
  /** The progress to save with the next write of records or edges. */
  #next: TransferProgress | null = null
  /** The number of tasks. Null: it is not known yet. */
  #total: number | null
  /** Runs after the statements of a step, for example to queue messages. */
  #work: Promise<unknown>[] = []
  /** The shares of an isolate that the current step uses. No request releases them. */
  readonly #shares: RequestContext['share'][] = []
  /** The bindings and variables of the database from which a site is restored. */
  #other: Env | undefined
  /** The tasks that remain, starting with the current one. */
  #tasks: Task[] = []

  constructor(env: Env, transfer: store.ClaimedTransfer) {
    this.#env = env
    this.#transfer = transfer
    const { position, place, counts, notes, total } = transfer
    this.#total = total
    this.#progress = { position, place, counts, notes }
  }

  /** Returns whether the transfer has ended. */
  async run(): Promise<boolean> {
    const { id, kind } = this.#transfer
    if (this.#total === null) await this.#releasing(this.#plan())
    for (const until = Date.now() + turnMs; this.#progress.position < (this.#total ?? 0); ) {
      if (Date.now() > until) return false
      await this.#releasing(this.#step(await this.#present()))
    }
    await endTransfer(this.#env, id, 'done', null, kind === 'export' ? keepDays : rememberDays)
    return true
  }

  /** Determines the tasks of the transfer. */
  async #plan(): Promise<void> {
    const { kind, options } = this.#transfer
    const wanted = { rows: options.rows ?? true, secrets: options.secrets ?? false }
    const tasks =
      kind === 'import'
        ? ([['unpack'], ['check']] as Task[])
        : (kind === 'export' ? exportTasks : makingTasks)(await (await this.#source()).outline(), wanted)
    await this.#save({ ...this.#progress, tasks })
  }

  async #present(): Promise<Task> {
    if (this.#tasks.length === 0) {
      const { tasks } = await openDatabase(configOf(this.#env)).batch(
        { tasks: store.selectTasks(this.#transfer.id, this.#progress.position, tasksAtOnce) },
        deadlineMs,
      )
      this.#tasks = tasks.all.map(({ task }) => task)
    }
    return this.#tasks[0] as Task
  }

  /** Waits for a part of the work, and then releases its share of the isolate. */
  async #releasing(work: Promise<void>): Promise<void> {
    try {
      await work
    } finally {
      for (const { release } of this.#shares.splice(0)) release()
    }
  }

  async #step([kind, app = '', name = '']: Task): Promise<void> {
    const before = this.#progress
    const make = makers[kind as MakingKind] as (typeof makers)[MakingKind] | undefined
    const done = make
      ? await make(
          {
            source: await this.#source(),
            target: this.#context(this.#transfer.target),
            place: before.place,
            withSecrets: this.#transfer.options.secrets ?? false,
            activates: this.#transfer.options.activate ?? false,
            saveWith: (one) => {
              this.#next = this.#after(one)
            },
          },
          app,
          name,
        )
      : await archiveTasks[kind as keyof typeof archiveTasks](
          {
            env: this.#env,
            transfer: this.#transfer,
            source: await this.#source(),
            context: () => this.#context(this.#transfer.site),
            place: before.place,
          },
          app,
          name,
        )
    await Promise.all(this.#work.splice(0))
    const next = this.#after(done)
    // A write has already saved the progress, unless there was nothing to write.
    if (this.#progress === before) await this.#save(next, done)
    if (next.position > before.position && !done.tasks) this.#tasks.shift()
  }

  /** Returns the progress after a part of the current task. */
  #after({ place = null, counts = {}, note, tasks }: Done): TransferProgress {
    const { position, counts: before, notes } = this.#progress
    const sums = Object.entries(counts).map(([name, count]) => [name, (before[name] ?? 0) + count])
    return {
      position: place === null ? position + 1 : position,
      place,
      counts: { ...before, ...Object.fromEntries(sums) },
      notes: note === undefined ? notes : [...notes, note],
      ...(tasks ? { tasks: [...Array.from({ length: position + 1 }, () => []), ...tasks] } : {}),
    }
  }

  async #save(next: TransferProgress, { statements = {} }: Done = {}): Promise<void> {
    await openDatabase(configOf(this.#env)).batch(
      { _transfer: noteTransfer(this.#transfer, next), ...statements },
      deadlineMs,
    )
    const { tasks, ...kept } = next
    this.#progress = kept
    if (!tasks) return
    this.#total = tasks.length
    this.#tasks = []
  }

  async #source(): Promise<Source> {
    const { kind, site, options } = this.#transfer
    if (kind === 'import') return archiveSource(this.#env, this.#transfer)
    if (options.restored === undefined) return siteSource(this.#context(site))
    this.#other ??= await otherDatabase(this.#env, this.#transfer)
    return siteSource(this.#contextIn(this.#other, options.restored))
  }

  /** Creates the context of a request to a site, on behalf of the account that began the transfer. */
  #context(slug: string | null): RequestContext {
    if (slug === null) throw gone()
    const ctx = this.#contextIn(this.#env, slug)
    ctx.database = withTransfer(ctx.database, this.#transfer, {
      next: () => this.#next,
      saved: () => {
        this.#progress = this.#next ?? this.#progress
        this.#next = null
      },
    })
    return ctx
  }

  #contextIn(env: Env, slug: string): RequestContext {
    const { id, user_id, generation } = this.#transfer
    if (user_id === null) throw gone()
    const origin = configOf(env).PUBLIC_URL?.origin ?? 'http://localhost'
    const ctx = createContext(env, new Request(`${origin}/sites/${slug}/api/`), {
      requestId: `transfer-${id}`,
      clientRequestId: null,
      waitUntil: (work) => void this.#work.push(work.catch(() => undefined)),
      afterCommit,
    })
    ctx.caller = { userId: user_id, generation, signedInAt: new Date(0) }
    ctx.permission = 'admin_site'
    this.#shares.push(ctx.share)
    return ctx
  }
}

const gone = () =>
  new AppError(409, 'changed_meanwhile', {
    detail: 'The site, or the account that began it, was deleted in the meantime.',
  })

/** Returns the bindings with another database, which has the site as of an earlier time: dev/restore-site.ts. */
async function otherDatabase(env: Env, { id, sealed }: store.ClaimedTransfer): Promise<Env> {
  const url = await unseal(configOf(env), 'transfers', [id], sealed ?? '')
  if (url === undefined || !isDatabaseUrl(url))
    throw new AppError(422, 'decryption_failed', {
      detail: 'The address of the other database can no longer be read. Begin again.',
    })
  return { ...env, DATABASE_URL: url, READ_DATABASE_URL: undefined, SCHEMA_DATABASE_URL: undefined }
}
