/** What Postgres refused, and that it could not be asked. */
import type { NeonDbError } from '@neondatabase/serverless'

/** Postgres answered with an error. Its text is for the log, never for a client. */
export class DatabaseFailure extends Error {
  readonly sqlstate: string
  readonly constraint: string | undefined
  readonly table: string | undefined
  readonly column: string | undefined
  /** Postgres's own words about the row, as `Key (sku)=(A-1) already exists.` */
  readonly detail: string | undefined

  constructor(error: NeonDbError & { code: string }) {
    super(`SQLSTATE ${error.code}`, { cause: error })
    this.name = 'DatabaseFailure'
    this.sqlstate = error.code
    this.constraint = error.constraint
    this.table = error.table
    this.column = error.column
    this.detail = error.detail
  }
}

/** Postgres could not be reached, is starting or stopping, has no place left, or did not answer in time. */
export class DatabaseAway extends Error {
  constructor(cause: unknown) {
    super('the database is away', { cause })
    this.name = 'DatabaseAway'
  }
}

/** SQLSTATEs that say "not now": shutdown, crash, starting up, too many connections, a wrong door, a broken connection. */
const away = new Set(['57P01', '57P02', '57P03', '57P05', '53300', '3D000', '28P01', '28000'])

export function isAway(sqlstate: string): boolean {
  return away.has(sqlstate) || sqlstate.startsWith('08')
}

/** SQLSTATEs with which a running Postgres refuses a connection: too many connections, no such database, wrong credentials. */
const connectionRefusals = new Set(['53300', '3D000', '28P01', '28000'])

export const isRefusal = (sqlstate: string): boolean => connectionRefusals.has(sqlstate)

/** Whether a code is one of Postgres's. Failures of the network have codes of other forms, as ECONNRESET. */
export const isSqlState = (code: unknown): code is string => typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)

/** SQLSTATEs after which the same transaction may succeed: serialization failure, deadlock. */
export function isWorthRepeating(sqlstate: string): boolean {
  return sqlstate === '40001' || sqlstate === '40P01'
}

/** SQLSTATEs of what may succeed in a moment: a lock that others hold, a statement that took too long under load, no room for an answer. */
export function isPassing(sqlstate: string): boolean {
  return sqlstate === '55P03' || sqlstate === sqlstates.queryCanceled || sqlstate === sqlstates.noRoom
}

/** SQLSTATEs that say that functions, operators or types do not fit: 42501, of rights, is none of them, nor what is undefined. */
export function isMisfit(sqlstate: string): boolean {
  return misfits.has(sqlstate)
}

const misfits = new Set(['42601', '42725', '42803', '42804', '42846', '42883', '42P18', '42P38', '0A000', '54001'])

/** SQLSTATEs that say of a value that it is none of its type, or too large: the net under every check of our own. */
export function isBadValue(sqlstate: string): boolean {
  return sqlstate.startsWith('22') || sqlstate === '54000'
}

/** SQLSTATEs that say that a constraint does not hold. */
export const isConstraintViolation = (sqlstate: string): boolean => sqlstate.startsWith('23')

export const sqlstates = {
  /** Of a foreign key whose rule is RESTRICT, from Postgres 18 on; before, it is `foreignKey`. */
  restrict: '23001',
  notNull: '23502',
  foreignKey: '23503',
  unique: '23505',
  check: '23514',
  insufficientPrivilege: '42501',
  invalidRegularExpression: '2201B',
  limitExceeded: '54000',
  lockNotAvailable: '55P03',
  dependentObjects: '2BP01',
  queryCanceled: '57014',
  divisionByZero: '22012',
  outOfRange: '22003',
  outOfMemory: '53200',
  stackTooDeep: '54001',
  /** Ours: public.guard_member. */
  lastOwner: 'TS400',
  /** Ours: tessera.hold_edges. */
  edgeRule: 'TS422',
  /** Ours: tessera.try_pattern. */
  patternTooSlow: 'TS423',
  /** Ours: tessera.hold_quota. */
  quota: 'TS424',
  /** Ours: tessera.refuse_answer. */
  answerTooLong: 'TS425',
  duplicateTable: '42P07',
  gone: 'TS410',
  /** Ours: public.require_site_of_host. */
  misdirected: 'TS421',
  /** Ours: answers.ts. */
  noRoom: 'TS429',
} as const

/** Whether a request names one site by its path and another by its host. */
export const isMisdirected = (error: unknown): boolean => error instanceof DatabaseFailure && error.sqlstate === sqlstates.misdirected

/** Whether Postgres refused something for the sake of this constraint. */
export function isViolationOf(error: unknown, constraint: string): boolean {
  return error instanceof DatabaseFailure && error.constraint === constraint
}
