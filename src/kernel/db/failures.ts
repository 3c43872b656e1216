/** Errors of the database, and tests of their SQLSTATEs. */

/** The fields of a Postgres error, apart from its message. */
export interface FailureFields {
  code: string
  constraint?: string | undefined
  table?: string | undefined
  column?: string | undefined
  detail?: string | undefined
  /** For a step of a batch: `step 3`. Otherwise Postgres's advice. */
  hint?: string | undefined
}

/** An error from Postgres. Its text is for the log, never for a client. */
export class DatabaseFailure extends Error {
  readonly sqlstate: string
  readonly constraint: string | undefined
  readonly table: string | undefined
  readonly column: string | undefined
  /** Postgres's text about the row, for example `Key (sku)=(A-1) already exists.` */
  readonly detail: string | undefined
  /** The number of the failed step of a batch, from 1. */
  readonly step: number | undefined

  constructor(error: FailureFields) {
    super(`SQLSTATE ${error.code}`, { cause: error })
    this.name = 'DatabaseFailure'
    this.sqlstate = error.code
    this.constraint = error.constraint
    this.table = error.table
    this.column = error.column
    this.detail = error.detail
    const [, step] = /^step (\d+)$/.exec(error.hint ?? '') ?? []
    this.step = step === undefined ? undefined : Number(step)
  }
}

/**
 * Postgres could not be reached, is starting or stopping, has no free connection, or did not answer in time.
 */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('The database is unavailable.', { cause })
    this.name = 'DatabaseUnavailable'
  }
}

/** Shutdown, crash, starting up, too many connections, no such database, wrong credentials. */
const unavailable = new Set(['57P01', '57P02', '57P03', '57P05', '53300', '3D000', '28P01', '28000'])

/** Tells whether Postgres cannot run statements now, or the connection broke. */
export function isUnavailable(sqlstate: string): boolean {
  return unavailable.has(sqlstate) || sqlstate.startsWith('08')
}

/**
 * Tells whether somebody has canceled a statement: an operator, or a proxy. Its own time limit has the same
 * SQLSTATE, and another message. A server that writes its messages in another language does not tell.
 */
export const isCanceledByOthers = (sqlstate: string, message: string): boolean =>
  sqlstate === sqlstates.queryCanceled && message.includes('due to user request')

/** Too many connections, no such database, wrong credentials. */
const connectionRefusals = new Set(['53300', '3D000', '28P01', '28000'])

/** Tells whether a running Postgres refused the connection. */
export const isConnectionRefusal = (sqlstate: string): boolean => connectionRefusals.has(sqlstate)

/** Tells whether a code is an SQLSTATE. Network errors have codes of other forms, for example ECONNRESET. */
export const isSqlState = (code: unknown): code is string =>
  typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)

/**
 * Tells whether the same transaction may succeed if repeated: after a serialization failure or a deadlock, or
 * if a migration has replaced a type or function after the transaction had looked it up.
 */
export const isRetryable = ({ sqlstate, cause }: DatabaseFailure): boolean =>
  sqlstate === '40001' ||
  sqlstate === '40P01' ||
  (sqlstate === 'XX000' && cause instanceof Error && objectMoved.test(cause.message))

const objectMoved = /^(cache lookup failed for|could not open relation|tuple concurrently (updated|deleted))/

/**
 * Tells whether a statement may succeed later: after waiting for a lock, a time-out, or a lack of memory for
 * its result, or in Postgres, for example for its locks.
 */
export function isTemporary(sqlstate: string): boolean {
  const { lockNotAvailable, queryCanceled, noResultMemory, outOfMemory } = sqlstates
  return [lockNotAvailable, queryCanceled, noResultMemory, outOfMemory].some((one) => one === sqlstate)
}

/** Tells whether an expression is invalid: its syntax, or the types of its functions and operators. */
export function isInvalidExpression(sqlstate: string): boolean {
  return expressionErrors.has(sqlstate)
}

const expressionErrors = new Set([
  '42601',
  '42725',
  '42803',
  '42804',
  '42846',
  '42883',
  '42P18',
  '42P38',
  '0A000',
  '54001',
])

/**
 * Tells whether a value does not match its type, or is out of range. Our own checks should find such values
 * before Postgres does.
 */
export function isInvalidValue(sqlstate: string): boolean {
  return sqlstate.startsWith('22') || sqlstate === '54000'
}

/** Tells whether a constraint was violated. */
export const isConstraintViolation = (sqlstate: string): boolean => sqlstate.startsWith('23')

/** Tells whether a plain value could not be compared beside ranges, because the extension btree_gist lacks. */
export const lacksGist = ({ sqlstate, cause }: DatabaseFailure): boolean =>
  sqlstate === sqlstates.undefinedObject && cause instanceof Error && cause.message.includes('"gist"')

/** The SQLSTATEs that the service handles by name. Those that begin with TS are our own. */
export const sqlstates = {
  /** A foreign key with the rule RESTRICT, since Postgres 18. Earlier versions use `foreignKey`. */
  restrict: '23001',
  notNull: '23502',
  foreignKey: '23503',
  unique: '23505',
  check: '23514',
  exclusion: '23P01',
  insufficientPrivilege: '42501',
  /** From `on conflict`, which may change a row once. */
  repeatedRow: '21000',
  invalidRegularExpression: '2201B',
  limitExceeded: '54000',
  lockNotAvailable: '55P03',
  dependentObjects: '2BP01',
  /** The time limit of the statement: see `isCanceledByOthers`. */
  queryCanceled: '57014',
  divisionByZero: '22012',
  outOfRange: '22003',
  outOfMemory: '53200',
  stackTooDeep: '54001',
  /** From public.guard_member. */
  lastOwner: 'TS400',
  /** From tessera.check_edge_limits and tessera.check_edge_cycles. */
  edgeRule: 'TS422',
  /** From tessera.try_patterns. */
  patternTooSlow: 'TS423',
  /** From tessera.hold_quota. */
  quota: 'TS424',
  /** From tessera.refuse_answer and public.run, with the maximum number of bytes as the detail. */
  answerTooLong: 'TS425',
  duplicateColumn: '42701',
  duplicateObject: '42710',
  duplicateTable: '42P07',
  undefinedObject: '42704',
  /** From public.enter: the site has its own time limit, which one call cannot set. */
  ownTimeLimit: 'TS408',
  /** From the functions that enter: the site or organization does not exist, or does not answer. */
  missing: 'TS404',
  /** From public.require_active_site, among others. */
  gone: 'TS410',
  /** From public.set_site_state and public.set_organization_state, with the reason as the detail. */
  wrongState: 'TS432',
  /** From public.require_site_of_host. */
  misdirected: 'TS421',
  /** From tessera.run_step. */
  conflicts: 'TS427',
  /** The statements were not planned for the scopes of the API key. */
  scopesMoved: 'TS426',
  undefinedTable: '42P01',
  undefinedFunction: '42883',
  /** The statements were not planned for the standing of the guest. */
  standingMoved: 'TS428',
  /** From public.claims_of_person and public.explain_as. */
  noSuchPerson: 'TS431',
  /** The caller lacks the permission. The detail of public.enter is the caller's standing. */
  forbidden: 'TS403',
  /** From tessera.refuse_losses, with the values that would be lost as the detail. */
  otherLosses: 'TS437',
  /** From tessera.convert_field, with the new type and the value as the detail. */
  doesNotFit: 'TS438',
  /** From public.add_scim_key. */
  tooManyKeys: 'TS440',
  /** From public.require_free_names. */
  nameTaken: 'TS441',
  /** From public.join_scim_group. */
  noSuchMember: 'TS442',
  /** From public.scim_account. */
  protectedAccount: 'TS443',
  /** From public.accept_invitation. */
  wrongCode: 'TS444',
  /** From public.keep_guards, with the functions and their events as the detail. */
  guardsEvent: 'TS445',
  /** From public.keep_roles, with the uses of the roles as the detail. */
  roleUsed: 'TS446',
  /** From public.require_roles and public.keep_roles, with the name of the role as the detail. */
  noSuchRole: 'TS447',
  /** From public.begin_transfer. */
  tooManyTransfers: 'TS450',
  /** From public.begin_transfer, with the number of bytes as the detail. */
  tooLargeForTransfer: 'TS451',
  /** From public.note_transfer. */
  transferLost: 'TS452',
  /** From result-memory.ts. */
  noResultMemory: 'TS429',
} as const

/** Tells whether the path of a request names one site and its host another. */
export const isMisdirected = (error: unknown): boolean =>
  error instanceof DatabaseFailure && error.sqlstate === sqlstates.misdirected

export function isViolationOf(error: unknown, constraint: string): boolean {
  return error instanceof DatabaseFailure && error.constraint === constraint
}
