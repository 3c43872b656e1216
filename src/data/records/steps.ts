/**
 * Steps: writes that run one after another in one transaction and one round trip. Each can take values from
 * the records of earlier steps.
 */
import { type DatabaseFailure, sqlstates } from '../../db/failures.ts'
import { runAs, type Sql } from '../../db/sql.ts'
import { AppError, type Json } from '../../errors.ts'
import type { RecordsBody } from '../failures/body.ts'
import { type KnownRecords, lockInOrder } from '../providers/writes/lock.ts'

/** The row of a step. */
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

/** A planned step. */
export interface Step {
  /** The name of its statement. A stored answer has the row of the step under this name. */
  name: string
  /** Its records, with their names in messages. */
  body: RecordsBody
  statements: { numbering?: Sql | undefined; first?: Sql | undefined; written: Sql<StepRow> }
  /** The records that it changes, as far as they are known before the first step. */
  changed?: KnownRecords | undefined
  /** Tells whether the failure may not occur if changes may exchange unique values. Omitted: it does. */
  canShift?(failure: DatabaseFailure): boolean
  /** Throws the error for its conflicts, which are in the column `conflicts` of its statement. */
  check(conflicts: object): void
  /** Returns the error for a failure of the database; undefined if the client did not cause it. */
  errorOf(failure: DatabaseFailure): AppError | undefined | Promise<AppError | undefined>
}

/**
 * Returns the statements of steps. If several steps change known records, these are locked first, all in the
 * same order.
 */
export function batchOf(steps: readonly Step[]): StepBatch {
  const members = steps.flatMap(
    ({ name, statements: { numbering, first, written } }): [string, StepBatch[string]][] => [
      // The rows of a list are not kept, so that `$2` contains only the rows of steps.
      ...(numbering ? [[`numbering ${name}`, [numbering]] satisfies [string, Sql[]]] : []),
      ...(first ? [[`first ${name}`, [runAs('f', first)]] satisfies [string, Sql[]]] : []),
      [name, runAs('b', written)],
    ],
  )
  const changed = steps.flatMap((step) => step.changed ?? [])
  return {
    locks: changed.length > 1 ? lockInOrder(changed) : [],
    ...Object.fromEntries(members),
  }
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
    failure.sqlstate === sqlstates.conflicts ? conflictError(step, failure) : await step.errorOf(failure)
  if (!error) return undefined
  const named = withName(error, nameOfAll(step.body))
  return step.body.records.length === 1 ? named : ((await oneByOne?.()) ?? named)
}

function conflictError({ check }: Step, { detail }: DatabaseFailure): AppError | undefined {
  try {
    check(JSON.parse(detail ?? '{}') as object)
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

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
