/**
 * Steps: the statements of a write, with everything that explains its failures. A plain write is one step. A
 * batch has several, which run one after another in one transaction and one round trip; each can take values
 * from the records of earlier ones.
 */
import { type DatabaseFailure, sqlstates } from '../../../kernel/db/failures.ts'
import { runAs, type Sql } from '../../../kernel/db/sql.ts'
import { AppError, type Json } from '../../../kernel/errors.ts'
import type { RecordsBody } from '../../failures/body.ts'
import { tooManyExclusions } from '../../failures/exclusion-errors.ts'
import type { WriteBatch } from '../../providers/provider.ts'
import { holdExclusions, type LockQuery } from '../../providers/writes/exclusions.ts'
import { type KnownRecords, lockInOrder } from '../../providers/writes/lock.ts'
import type { Target } from './target.ts'

/** The row of a step of a batch. */
export interface StepRow {
  /** The records in the order of the body, as the text of a JSON array. */
  data?: string | null
  /** The version of the records. */
  etag?: string | null
  /** Their keys in the same order, as the text of a JSON array. */
  ids?: string | null
  /** For an upsert: the number of created records. */
  created?: number
}

/** The statements of steps by name. Each step has one statement; other statements are in lists. */
export type StepBatch = Readonly<Record<string, Sql<StepRow> | readonly Sql[]>>

/** What the row of a step says about the success of a write. */
export interface Checked {
  /** Each member is null, or contains the places of its conflicts. */
  conflicts?: object | null | undefined
  /** The number of written records. Omitted: the step failed. */
  written?: number
  /** For an edge: whether it exists. */
  found?: boolean
}

/** A planned step. */
export interface Step<Row extends object = StepRow> {
  /** Its records, with their names in messages. */
  body: RecordsBody
  statements: WriteBatch<Row>
  /** Returns the records that it changes, as far as they are known before the first step. */
  known?(): KnownRecords | undefined
  /** The queries of the locks of exclusions that it takes before the first step. */
  lockKeys?: readonly LockQuery[]
  /** Tells whether the failure may not occur if changes may exchange unique values. Omitted: it does. */
  canShift?(failure: DatabaseFailure): boolean
  /** Throws the error if the statements have written nothing because of a conflict. */
  check(row: Checked): void
  /** Returns the error for a failure of the database; undefined if the client did not cause it. */
  errorOf(failure: DatabaseFailure): AppError | undefined | Promise<AppError | undefined>
}

/** A step of a batch. */
export interface NamedStep extends Step {
  /** The name of its statement. A stored answer has the row of the step under this name. */
  name: string
}

/** The most parts of the expressions of the locks of exclusions. Each step that changes records has its own. */
const lockPartsMax = 5_000

/**
 * Returns the statements of steps. If several steps change known records, these are locked first, all in the
 * same order.
 */
export function batchOf(steps: readonly NamedStep[]): StepBatch {
  const members = steps.flatMap(
    ({
      name,
      lockKeys = [],
      statements: { holding: own, numbering, first, written },
    }): [string, StepBatch[string]][] => [
      // The rows of a list are not kept, so that `$2` contains only the rows of steps.
      ...(own && lockKeys.length === 0 ? [[`holding ${name}`, [own]] satisfies [string, Sql[]]] : []),
      ...(numbering ? [[`numbering ${name}`, [numbering]] satisfies [string, Sql[]]] : []),
      ...(first ? [[`first ${name}`, [runAs('ofStep', first)]] satisfies [string, Sql[]]] : []),
      [name, runAs('step', written)],
    ],
  )
  const known = steps.flatMap((step) => step.known?.() ?? [])
  const lockKeys = steps.flatMap((step) => step.lockKeys ?? [])
  if (lockKeys.reduce((sum, { parts }) => sum + parts, 0) > lockPartsMax) throw tooManyExclusions()
  const holding = holdExclusions(lockKeys)
  return {
    locks: [...(holding ? [holding] : []), ...(known.length > 1 ? lockInOrder(known) : [])],
    ...Object.fromEntries(members),
  }
}

/**
 * Tells whether a write that failed may succeed if its records may exchange unique values. Only then it is
 * planned in two statements, so that all other writes take one.
 */
export function canShift(
  { sqlstate, constraint }: DatabaseFailure,
  { catalog, table }: Pick<Target, 'catalog' | 'table'>,
): boolean {
  if (sqlstate !== sqlstates.unique) return false
  const fields = table.constraints.get(constraint ?? '')?.fields ?? []
  const mayWait = (name: string) => {
    const field = table.fields.get(name)
    return field?.required === false || field?.schema.constraints?.unique === 'deferred'
  }
  return catalog.standing === undefined && fields.some(mayWait)
}

/** Returns the step that failed; undefined if the failure is not that of a step. */
export const failedStep = ({ step }: DatabaseFailure, steps: readonly Step[]): Step | undefined =>
  step === undefined ? undefined : steps[step - 1]

/**
 * Returns the error for a failure of steps; undefined if the client did not cause it. In a step of several
 * records, Postgres does not always name the first record that fails. So `oneByOne` looks for its error.
 */
export async function stepError(
  failure: DatabaseFailure,
  steps: readonly Step[],
  oneByOne?: () => Promise<AppError | undefined>,
): Promise<AppError | undefined> {
  if (failure.sqlstate === sqlstates.answerTooLong) return undefined
  const step = failedStep(failure, steps)
  if (!step) return undefined
  const error =
    failure.sqlstate === sqlstates.conflicts
      ? errorIn(() => step.check(conflictsIn(failure)))
      : await step.errorOf(failure)
  if (!error) return undefined
  const named = withName(error, nameOfAll(step.body))
  return step.body.records.length === 1 ? named : ((await oneByOne?.()) ?? named)
}

/** Returns the error that a function throws for the client; undefined if it throws none. */
export function errorIn(run: () => void): AppError | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

/** Runs a function, and changes the error that it throws for the client. */
export function changingError<Result>(run: () => Result, change: (error: AppError) => AppError): Result {
  try {
    return run()
  } catch (error) {
    throw error instanceof AppError ? change(error) : error
  }
}

export const hasConflicts = (row: Checked): boolean =>
  Object.values(row.conflicts ?? {}).some((conflict) => conflict !== null)

/** Returns the conflicts for which a step of several statements has failed. */
export const conflictsIn = ({ detail }: DatabaseFailure): Checked => ({
  conflicts: JSON.parse(detail ?? '{}') as object,
})

/** Returns the name of the records of a body: the name of the record, or of the first and the last one. */
function nameOfAll({ records, nameOf = String }: RecordsBody): string {
  const [first, last] = [nameOf(0), nameOf(records.length - 1)]
  return first === last ? first : `${first} to ${last}`
}

/** Puts a name before each message of an error that does not begin with a name yet. */
export function withName(error: AppError, name: string): AppError {
  const [kind = ''] = name.split('[')
  const named = (message: Json): Json =>
    typeof message !== 'string' || message.startsWith(`${kind}[`) ? message : `${name}: ${message}`
  const members = Object.entries(error.body as Readonly<Record<string, Json>>).map(([member, value]) => {
    if (member === 'detail' || member === 'hint') return [member, named(value)]
    return [member, member === 'details' ? namedDetails(value, named) : value]
  })
  return error.withBody(Object.fromEntries(members) as Json)
}

const namedDetails = (details: Json, named: (message: Json) => Json): Json =>
  Object.fromEntries(
    Object.entries(details as Readonly<Record<string, Json[]>>).map(([field, messages]) => [
      field,
      messages.map(named),
    ]),
  )
