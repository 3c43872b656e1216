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

/** The place of a record whose unique value another one has, and the name of its index. */
export interface Taken {
  place: number
  index: string
}

const duplicateKey = 11000
const indexName = /index: (?:.*\.\$)?(\S+) dup key/

/** Returns what is taken, for an error about a unique value. */
export function takenBy(error: unknown, place: number): Taken | undefined {
  if (!(error instanceof MongoServerError) || error.code !== duplicateKey) return undefined
  const [first] = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : []
  const [, index = ''] = indexName.exec(first?.errmsg ?? error.message) ?? []
  return { place: first?.index ?? place, index }
}

const byZero = /\$(?:divide|mod) by zero/
const divisionByZero = 'Division by zero in some records. Use nullif(…, 0) to turn such a divisor into null.'

/** What codes of the server mean for people. */
const meanings = new Map<number, [Failed['failed'], string]>([
  [13, ['refused', 'The server does not give this user the rights for it.']],
  [18, ['unreachable', 'The server does not accept the user name and the password.']],
  [8000, ['unreachable', 'The server does not accept the user name and the password.']],
  [50, ['too slow', 'The server did not end in time.']],
  [241, ['not computed', 'Some records have a value that cannot be cast, or a number is out of range.']],
  [28714, ['not computed', 'Some records have a number below zero, of which there is no root.']],
  [121, ['refused', 'A record does not pass the validator of its collection in MongoDB.']],
  [10334, ['refused', 'A record is larger than the 16 MB of a document of MongoDB.']],
  [17419, ['refused', 'A record is larger than the 16 MB of a document of MongoDB.']],
  [17420, ['refused', 'A record is larger than the 16 MB of a document of MongoDB.']],
])

const tooLarge = /larger than the maximum size|offset.*out of range|out of bounds/i

/** An error of the server ends a transaction, unless it says that nobody knows. */
const isUnwritten = (error: unknown): boolean =>
  error instanceof Refusal ||
  (error instanceof MongoServerError &&
    !(error instanceof MongoWriteConcernError) &&
    !error.hasErrorLabel(MongoErrorLabel.UnknownTransactionCommitResult))

/** Returns why a question failed. */
export const failureOf = (error: unknown): Failed => ({
  ...reasonOf(error),
  ...(isUnwritten(error) && { isUnwritten: true }),
})

function reasonOf(error: unknown): Failed {
  if (error instanceof Refusal) return error.failed
  if (error instanceof MongoServerError) {
    if (byZero.test(error.message)) return { failed: 'not computed', reason: divisionByZero }
    const [failed, reason] = meanings.get(Number(error.code)) ?? []
    if (failed && reason) return { failed, reason }
    return {
      failed: 'refused',
      reason: `The server answers ${error.codeName ?? 'with an error'} (${error.code}).`,
    }
  }
  if (error instanceof MongoServerSelectionError || error instanceof MongoNetworkError)
    return { failed: 'unreachable', reason: 'No server of the connection string answers.' }
  if (error instanceof Error && tooLarge.test(error.message))
    return { failed: 'refused', reason: 'A record is larger than the 16 MB of a document of MongoDB.' }
  return { failed: 'unreachable', reason: 'The server could not be asked.' }
}
