/** Asks the server of a datasource, by the Worker that is bound as MONGODB. */
import type { RequestContext } from '../../../kernel/context.ts'
import { answerBytesMax } from '../../../kernel/db/answer-bytes.ts'
import { CatalogMoved } from '../../../kernel/db/entering.ts'
import type { Sql } from '../../../kernel/db/sql.ts'
import { asService } from '../../../kernel/db/tenant.ts'
import type { Config, Env } from '../../../kernel/env.ts'
import { AppError, answerTooLarge, busy, keyReused, unavailable } from '../../../kernel/errors.ts'
import type { JsonObject } from '../../../kernel/lib/json-object.ts'
import { describeFailure, log } from '../../../kernel/lib/log.ts'
import { isAddress, isPublicAddress } from '../../../kernel/lib/public-address.ts'
import { addressesOf } from '../../../kernel/outgoing/resolve.ts'
import { withdrawNote } from '../../../runtime/events/records/service.ts'
import { readForDatasource } from '../../../secrets/entries/service.ts'
import { checkConnectionString } from './connection-string.ts'
import { type ConnectionRow, Elsewhere } from './elsewhere.ts'
import { type BringNotes, bringSoon } from './sweep-notes.ts'
import {
  type Answers,
  type Ask,
  type Connection,
  type Failed,
  type MongodbService,
  type RepeatForm,
  wireVersion,
} from './wire.ts'
import type { WroteRow } from './wire-rows.ts'

const lookupMs = 5_000

/** The 422 for a datasource whose server cannot be used as its settings say. */
export const unusable = (reason: string) =>
  new AppError(422, 'not_supported', { error: 'MongoDB cannot be used', detail: reason })

const tooSlow = (reason: string) =>
  new AppError(422, 'time_limit_exceeded', { error: 'Too slow in MongoDB', detail: reason })

const unreachable = (reason: string) =>
  new AppError(
    503,
    'unavailable',
    { detail: `MongoDB does not answer. ${reason} Check the datasource: POST …/check/.` },
    { headers: { 'Retry-After': '5' } },
  )

/** The errors for questions without an answer. */
const errors: Readonly<Record<Failed['failed'], (reason: string) => AppError>> = {
  'other version': () => unavailable(),
  'not connected': () => unavailable(),
  unreachable,
  refused: unusable,
  'too slow': tooSlow,
  'too busy': () => busy(),
  'answer too large': () => answerTooLarge(answerBytesMax),
  'needs transactions': unusable,
  'key reused': () => keyReused(),
  'not computed': (reason) =>
    new AppError(422, 'not_supported', { error: 'Cannot be computed', detail: reason }),
  'not ours': unusable,
  changing: (reason) =>
    new AppError(409, 'schema_change_in_progress', {
      error: 'Schema change in progress',
      detail: `${reason} Retry later.`,
    }),
  'lost race': (reason) =>
    new AppError(
      409,
      'changed_meanwhile',
      { error: 'Lost a race', detail: `${reason} Try again.` },
      { headers: { 'Retry-After': '1' } },
    ),
  // Of a question that is not planned again.
  'stale plan': () => unavailable(),
  'too large': (reason) =>
    new AppError(400, 'validation_failed', {
      error: 'Validation failed',
      details: { non_field_errors: [reason] },
    }),
}

/**
 * Returns the row that a statement promises: for one of `Elsewhere`, the answer of the server; otherwise the
 * row itself. Throws 422 for what the server refuses, and 503 if it does not answer. `tooSlow`: the error for
 * a question that takes too long, if it is another one. Throws CatalogMoved for a write whose plan is too
 * old.
 */
export async function answered<Row>(
  ctx: RequestContext,
  statement: Sql<Row>,
  row: Row,
  tooSlow?: () => AppError,
): Promise<Row> {
  if (!(statement instanceof Elsewhere)) return row
  const { question } = statement
  const to = row as unknown as ConnectionRow
  if (!('write' in question)) {
    const read = await tryToAsk(askerOf(ctx), to, question)
    if (!('failed' in read)) return read as Row
    throw (read.failed === 'too slow' && tooSlow?.()) || errorOf(read)
  }
  const { note, isDry } = question.write
  const asked = tryToAsk(askerOf(ctx), to, question, isDry ? undefined : repeatOf(ctx))
  if (note && ctx.entered && to.datasource !== null)
    ctx.waitUntil(settle(ctx, note.id, { siteId: ctx.entered.siteId, datasource: to.datasource }, asked))
  const answer = await asked
  if ('failed' in answer) throw answer.failed === 'stale plan' ? new CatalogMoved() : errorOf(answer)
  noteReplay(ctx, answer)
  return answer as Row
}

/**
 * Brings the note of a write that was announced, or takes the announcement away if there is none. If that
 * fails, the cron trigger finds the announcement.
 */
async function settle(
  { env, database }: RequestContext,
  note: string,
  where: Omit<BringNotes, 'kind'>,
  asked: Promise<WroteRow | Failed>,
): Promise<void> {
  // With wrong settings, nothing was asked.
  const answer = await asked.catch((): Partial<Failed> => ({ isUnwritten: true }))
  const isUnwritten = 'conflicts' in answer || ('isUnwritten' in answer && answer.isUnwritten)
  if (!isUnwritten) return bringSoon(env, where)
  await asService(database, where.siteId, { withdrawn: withdrawNote(note) }).catch((error: unknown) =>
    log({ level: 'error', notes: 'not withdrawn', ...describeFailure(error, false) }),
  )
}

/** Returns the key of a request that may be repeated. */
function repeatOf({ requestKey, entered }: RequestContext): RepeatForm | undefined {
  if (!requestKey) return undefined
  const { hash, request } = requestKey
  return { hash, request, catalog: entered?.catalogVersion ?? 0 }
}

/** Notes that an answer is that of an earlier request with the same key. */
function noteReplay({ requestKey }: RequestContext, { replayed }: WroteRow): void {
  if (!requestKey || !replayed) return
  requestKey.isReplayed = true
  requestKey.replayedCatalog = replayed.catalog
}

/** Who asks: a request, or the service itself for a site. */
export interface Asker {
  env: Env
  config: Config
  siteId: number | undefined
  /** Reads the secret with a key, for a datasource. */
  readSecret(key: string, to: ConnectionRow): Promise<JsonObject | undefined>
}

/** Returns a request as the one who asks. */
export const askerOf = (ctx: RequestContext): Asker => ({
  env: ctx.env,
  config: ctx.config,
  siteId: ctx.entered?.siteId,
  readSecret: (key, { app, datasource }) => readForDatasource(ctx, key, app, datasource),
})

/** Asks the server of a datasource. Throws as `answered` does. */
export async function ask<Asked extends Ask>(
  ctx: RequestContext,
  to: ConnectionRow,
  question: Asked,
  repeat?: RepeatForm,
): Promise<Answers[Asked['ask']]> {
  const answer = await tryToAsk(askerOf(ctx), to, question, repeat)
  if ('failed' in answer) throw errorOf(answer)
  return answer
}

const errorOf = ({ failed, reason }: Failed): AppError => errors[failed](reason)

/** The other Worker, or its object, has ended. */
const lost: Failed = { failed: 'unreachable', reason: 'The connection to the server was lost.' }

/** Asks the server of a datasource, and returns why there is no answer. Throws 422 for wrong settings. */
export async function tryToAsk<Asked extends Ask>(
  asker: Asker,
  to: ConnectionRow,
  question: Asked,
  repeat?: RepeatForm,
): Promise<Answers[Asked['ask']] | Failed> {
  const service = asker.env.MONGODB as unknown as MongodbService | undefined
  if (!service) throw unusable('This service runs without the Worker that asks servers of MongoDB.')
  const { database } = to
  if (database === null) throw unusable('The datasource names no database: provider_config.database.')
  const owner = [new URL(asker.config.DATABASE_URL).pathname, asker.siteId, to.datasource].join(' ')
  const send = async (connection?: Connection) => {
    const sent = { ...question, version: wireVersion, database, owner }
    const more = { ...(repeat && { repeat }), ...(connection && { connection }) }
    try {
      return await service.answer(`${owner} ${to.generation}`, to.location, { ...sent, ...more })
    } catch {
      return lost
    }
  }
  const first = await send()
  const answer =
    'failed' in first && first.failed === 'not connected' ? await send(await connectionFor(asker, to)) : first
  return answer as Answers[Asked['ask']] | Failed
}

/** Reads the connection string of a datasource. Throws 422 if it cannot be used. */
async function connectionFor({ config, readSecret }: Asker, to: ConnectionRow): Promise<Connection> {
  const { ALLOW_PRIVATE_HOSTS: allowsPrivate, DNS_OVER_HTTPS: resolver } = config
  const { secret } = to
  if (secret === null) throw unusable('The datasource names no secret: provider_config.secret.')
  const value = await readSecret(secret, to)
  if (!value) throw unusable(`There is no secret ${JSON.stringify(secret)}.`)
  const { url } = value
  if (typeof url !== 'string')
    throw unusable('The value of the secret has no member "url" with the connection string.')
  const checked = checkConnectionString(url, allowsPrivate)
  if ('problem' in checked) throw unusable(checked.problem)
  if (!allowsPrivate) await requirePublic(resolver, checked.hosts)
  return { url: checked.url, allowsPrivate, resolver }
}

/** Throws 422 unless every host has public addresses alone. The object looks them up again to connect. */
async function requirePublic(resolver: string, hosts: readonly string[]): Promise<void> {
  const names = hosts.filter((host) => !isAddress(host))
  const found = await Promise.all(
    names.map((host) => addressesOf(resolver, host, AbortSignal.timeout(lookupMs)).catch(() => [])),
  )
  for (const [place, addresses] of found.entries()) {
    if (addresses.length === 0)
      throw unusable(`The host number ${place + 1} of the connection string is not found.`)
    if (!addresses.every(isPublicAddress))
      throw unusable('A host of the connection string is not a public one.')
  }
}
