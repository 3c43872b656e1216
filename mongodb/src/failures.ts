/** Turns errors of the driver into reasons without any part of the connection string. */
import {
  MongoBulkWriteError,
  MongoErrorLabel,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
  MongoWriteConcernError,
} from 'mongodb'
import type { Failed } from '../../src/data/providers/mongodb/wire.ts'

/** A question that cannot be answered. */
export class Refusal extends Error {
  readonly failed: Failed

  constructor(failed: Failed['failed'], reason: string) {
    super(reason)
    this.failed = { failed, reason }
  }
}

/** An error of an attempt, after another one that may have written. */
export class MaybeWritten extends Error {
  constructor(cause: unknown) {
    super('may be written', { cause })
  }
}

/** A write was repeated until its time was over. */
export class OutOfTime extends Error {
  /** `cause`: the error of the last attempt. */
  constructor(cause: unknown) {
    super('out of time', { cause })
  }
}

/**
 * The place of a record whose unique value another one has, the name of its index, and the first path of
 * that.
 */
export interface Taken {
  place: number
  index: string
  paths: string[]
}

/** Returns the conflict of a record that has a unique value of another one. */
export const takenConflict = ({ index, paths }: Taken, place: number) => ({ taken: [[place, index, paths]] })

const duplicateKey = 11000
const indexName = /index: (?:.*\.\$)?(\S+) dup key/
/** The driver does not pass on which fields an index has. */
const firstPath = /dup key: \{ ?([^:{}" ]+):/
/** The collections of ours beside those of tables. */
const ofService = /collection: [^ ]*\.tessera_/

/** Returns what is taken, for an error about a unique value. */
export function takenBy(error: unknown, place: number): Taken | undefined {
  if (!(error instanceof MongoServerError) || error.code !== duplicateKey) return undefined
  const [first] = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : []
  const text = first?.errmsg ?? error.message
  if (ofService.test(text)) return undefined
  const [, index = ''] = indexName.exec(text) ?? []
  const [, path] = firstPath.exec(text) ?? []
  return { place: first?.index ?? place, index, paths: path === undefined ? [] : [path] }
}

const byZero = /\$(?:divide|mod) by zero/
const divisionByZero = 'Division by zero in some records. Use nullif(…, 0) to turn such a divisor into null.'

const lostRace = 'Another request has changed the same records at the same time. Nothing was changed.'
const recordTooLarge = 'A record is larger than the 16 MB of a document of MongoDB.'

/** What codes of the server mean for people. */
const meanings = new Map<number, [Failed['failed'], string]>([
  [13, ['refused', 'The server does not give this user the rights for it.']],
  [18, ['unreachable', 'The server does not accept the user name and the password.']],
  [8000, ['unreachable', 'The server does not accept the user name and the password.']],
  [50, ['too slow', 'The server did not end in time.']],
  // A record or an index of another write in progress, or a note of ours that another write has made.
  ...[24, 112, 246, 251, duplicateKey].map((code) => [code, ['lost race', lostRace]] as const),
  [241, ['not computed', 'Some records have a value that cannot be cast, or a number is out of range.']],
  [28714, ['not computed', 'Some records have a number below zero, of which there is no root.']],
  [121, ['refused', 'A record does not pass the validator of its collection in MongoDB.']],
] as [number, [Failed['failed'], string]][])

/** Documents above 16 MB, and stages that need more memory than the server gives them. */
const tooLargeCodes: ReadonlySet<unknown> = new Set([
  ...[146, 292, 4568, 10334, 16819, 16945, 17419, 17420, 4031700, 5126600],
])
const tooLargeText = /larger than (?:the maximum size|16777216)|offset.*out of range|out of bounds/i

/** An error of the server ends a transaction, unless it says that nobody knows. */
const isUnwritten = (error: unknown): boolean =>
  error instanceof Refusal ||
  (error instanceof OutOfTime && isUnwritten(error.cause)) ||
  (isOfServer(error) && !(error instanceof MongoWriteConcernError) && !isUnknown(error))

/** Errors of several operations can be those of a connection: these have no code. */
const isOfServer = (error: unknown): error is MongoServerError =>
  error instanceof MongoServerError && error.code !== undefined

/** Tells whether the server has ended a command because its time was over. */
export const isOutOfTime = (error: unknown): boolean => error instanceof MongoServerError && error.code === 50

/** Tells whether a document does not pass the validator of its collection. */
export const isInvalid = (error: unknown): boolean => error instanceof MongoServerError && error.code === 121

const isUnknown = (error: unknown): boolean =>
  error instanceof MongoServerError && error.hasErrorLabel(MongoErrorLabel.UnknownTransactionCommitResult)

/** Returns why a question failed. */
export const failureOf = (error: unknown, isWrite: boolean): Failed => ({
  ...reasonOf(error, isWrite),
  ...(isUnwritten(error) && { isUnwritten: true }),
})

function reasonOf(error: unknown, isWrite: boolean): Failed {
  if (error instanceof MaybeWritten || error instanceof OutOfTime) return reasonOf(error.cause, isWrite)
  if (error instanceof Refusal) return error.failed
  const isTooLarge =
    error instanceof Error && (tooLargeCodes.has(Object(error).code) || tooLargeText.test(error.message))
  if (isTooLarge)
    return isWrite
      ? { failed: 'too large', reason: recordTooLarge }
      : { failed: 'answer too large', reason: 'The server needs too much memory for the answer.' }
  if (isUnknown(error))
    return { failed: 'unreachable', reason: 'The server did not say whether it has written.' }
  if (isOfServer(error)) {
    if (byZero.test(error.message)) return { failed: 'not computed', reason: divisionByZero }
    const [failed, reason] = meanings.get(Number(error.code)) ?? []
    if (failed && reason) return { failed, reason }
    return {
      failed: 'refused',
      reason: `The server answers ${error.codeName ?? 'with an error'} (${error.code}).`,
    }
  }
  if (
    error instanceof MongoServerSelectionError ||
    error instanceof MongoNetworkError ||
    error instanceof MongoBulkWriteError
  )
    return { failed: 'unreachable', reason: 'No server of the connection string answers.' }
  return { failed: 'unreachable', reason: 'The server could not be asked.' }
}

/** What the reasons since version 4 were before. */
const before: Partial<Record<Failed['failed'], Failed['failed']>> = {
  'lost race': 'unreachable',
  'stale plan': 'unreachable',
  'too large': 'refused',
}

/** Returns a failure as a Worker with an earlier version of the form knows it. */
export const inVersion = (version: number, failure: Failed): Failed =>
  version >= 4 ? failure : { ...failure, failed: before[failure.failed] ?? failure.failed }
