/**
 * Stores the answers of requests with an Idempotency-Key for a day, in the table `_kept_answers` of their
 * site. Stores the rows of the request's statements in the same transaction, or the error that the client
 * got. A repetition builds its answer from these rows and writes nothing.
 */
import type { RequestKey } from '../context.ts'
import type { ErrorCode } from '../error-codes.ts'
import { AppError, keyReused } from '../errors.ts'
import { type Batch, type BatchRows, type Row, Rows } from './batch.ts'
import { runAs, type Sql, sql } from './sql.ts'

/** How long an answer is kept. */
const keptFor = sql`interval '24 hours'`

/** The answer of an earlier request with the same key. */
interface KeptRow {
  /** Whether that request had the same query string and body. */
  is_same: boolean
  answer: string
}

/** The kind of the text in `answer` of a KeptRow. */
type KeptAnswer =
  | {
      /** The names of the statements in their order; null for those whose rows are not kept. */
      names: (string | null)[]
      /** Each with the number of its statement, from 1. */
      rows: [statement: number, row: Row][]
      /** The version of the catalog that the statements were planned for. Null: they do not depend on it. */
      catalog: number | null
    }
  | (Pick<AppError, 'status' | 'body'> & { code?: ErrorCode; headers: Record<string, string> })

export interface SentBatch<Of extends Batch> {
  sent: Batch
  /** Returns the rows of the statements: now, or when they ran for an earlier request. */
  answersOf(site: BatchRows<Batch>): BatchRows<Of>
}

/**
 * Returns the batch for the statements of a request with a key. They run only if no answer is kept. If the
 * request is repeated while they run, the repetition waits for the end of their transaction.
 */
export function keepingBatch<Of extends Batch>(
  key: RequestKey,
  statements: Of,
  catalogVersion: number | null,
  isGuest: boolean,
): SentBatch<Of> {
  const claimed = isGuest ? ofGuests.claim(key) : claim(key)
  const found = runAs('stopIfFound', findAnswer(key, isGuest))
  const kept = Object.entries(statements).map(([name, member]): [string, Batch[string]] => [
    name,
    isOne(member) && member.kind === undefined ? runAs('kept', member) : member,
  ])
  const names = [null, null, ...kept.flatMap(([name, member]) => namesOf(name, member))]
  return {
    sent: {
      [claimedName]: claimed,
      [foundName]: found,
      ...Object.fromEntries(kept),
      [keptName]: (isGuest ? ofGuests.keep : keep)(key, keptText(names, catalogVersion)),
    },
    answersOf: (site) => (keptRows(key, site[foundName] as Rows<KeptRow>) ?? site) as BatchRows<Of>,
  }
}

const [claimedName, foundName, keptName] = ['_claimed', '_found', '_kept'] as const

const isOne = (member: Batch[string]): member is Sql => member !== undefined && !Array.isArray(member)

/** A statement in a list has no name of its own. */
const namesOf = (name: string, member: Batch[string]): (string | null)[] => {
  if (member === undefined) return []
  return isOne(member) ? [name] : (member as readonly Sql[]).map(() => null)
}

/** Waits for another transaction with the key, and takes the key if it is free or expired. */
const claim = ({ hash, request, writer }: RequestKey): Sql => sql`
  insert into _kept_answers as kept (key, request, writer, expires_at)
  values (${hash}, ${request}, ${writer}, now() + ${keptFor})
  on conflict (site_id, key) do update
     set request = excluded.request, writer = excluded.writer, answer = null, expires_at = excluded.expires_at
   where kept.expires_at <= now()`

const find = ({ hash, request }: RequestKey): Sql<KeptRow> => sql<KeptRow>`
  select request = ${request} as is_same, answer
    from _kept_answers where key = ${hash} and answer is not null and expires_at > now()`

/** Selects the kept answer for a key of a member or a guest, if there is one. */
export const findAnswer = (key: RequestKey, isGuest: boolean): Sql<KeptRow> =>
  isGuest ? ofGuests.find(key) : find(key)

/** Keeps the rows of the statements so far. */
const keep = ({ hash }: RequestKey, answer: Sql): Sql => sql`
  update _kept_answers set answer = ${answer} where key = ${hash}`

/** Returns the text of the rows of the statements so far. They are `$2`: see `tessera.run`. */
const keptText = (names: readonly (string | null)[], catalog: number | null): Sql => sql`
  concat('{"names":', ${JSON.stringify(names)}::text, ',"rows":[', array_to_string($2, ','),
         '],"catalog":', ${JSON.stringify(catalog)}::text, '}')`

/** The same for guests, whose role has no rights to the table: calls of functions of the platform. */
const ofGuests = {
  claim: ({ hash, request, writer }: RequestKey): Sql =>
    sql`select tessera.claim_answer(${hash}, ${request}, ${writer}::uuid)`,
  find: ({ hash, request }: RequestKey): Sql<KeptRow> =>
    sql<KeptRow>`select is_same, answer from tessera.find_answer(${hash}, ${request})`,
  keep: ({ hash }: RequestKey, answer: Sql): Sql => sql`select tessera.keep_answer(${hash}, ${answer})`,
  keepError: ({ hash, request, writer }: RequestKey, answer: string): Sql =>
    sql`select tessera.keep_error(${hash}, ${request}, ${writer}::uuid, ${answer})`,
}

/**
 * Returns the kept rows by name; undefined if none are kept. Throws the error that is kept, and 409 if the
 * key belongs to another request.
 */
export function keptRows(key: RequestKey, { first }: Rows<KeptRow>): BatchRows<Batch> | undefined {
  if (!first) return undefined
  if (!first.is_same) throw keyReused()
  key.isReplayed = true
  const kept = JSON.parse(first.answer) as KeptAnswer
  if ('status' in kept) {
    const { status, code = codesBefore[status] ?? 'validation_failed', body, headers } = kept
    throw new AppError(status, code, body, { headers })
  }
  const { names, rows, catalog } = kept
  key.replayedCatalog = catalog
  return Object.fromEntries(
    names.flatMap((name, index) =>
      name === null
        ? []
        : [[name, new Rows(rows.flatMap(([number, row]) => (number === index + 1 ? [row] : [])))]],
    ),
  )
}

/** The codes of errors that the release before has kept, which had none. */
const codesBefore: Partial<Record<number, ErrorCode>> = {
  404: 'record_not_found',
  409: 'duplicate_value',
  412: 'changed_meanwhile',
  413: 'too_many_items',
  422: 'quota_exceeded',
}

/** Keeps an error. It replaces rows that the same request has kept before. */
export function keepError(key: RequestKey, { status, code, body, headers }: AppError, isGuest: boolean): Sql {
  const answer = JSON.stringify({ status, code, body, headers })
  return isGuest ? ofGuests.keepError(key, answer) : insertError(key, answer)
}

function insertError({ hash, request, writer }: RequestKey, answer: string): Sql {
  return sql`
  insert into _kept_answers as kept (key, request, writer, answer, expires_at)
  values (${hash}, ${request}, ${writer}, ${answer}, now() + ${keptFor})
  on conflict (site_id, key) do update
     set request = excluded.request, writer = excluded.writer, answer = excluded.answer,
         expires_at = excluded.expires_at
   where kept.expires_at <= now() or kept.writer = excluded.writer`
}
