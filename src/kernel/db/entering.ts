/** The common parts of every batch that enters: its kind, its time limits, and its errors. */
import type { RequestContext } from '../context.ts'
import {
  type AppError,
  addressNotAllowed,
  apiKeyNotAccepted,
  apiKeyOfOtherKind,
  factorMissing,
  forbidden,
  invalidCredentials,
  invalidFields,
  limitReached,
  notFound,
  schemaChanging,
  unauthenticated,
} from '../errors.ts'
import { DatabaseFailure, sqlstates } from './failures.ts'

/**
 * The kind of a batch. `try` is a read that may take too long and has a fallback; `single` writes one
 * record.
 */
export type Mode = 'read' | 'try' | 'single' | 'write' | 'schema'

/** The milliseconds after which Postgres cancels a statement. */
export const timeoutMs: Record<Mode, number> = {
  read: 5_000,
  try: 1_000,
  single: 2_000,
  write: 15_000,
  schema: 30_000,
}
/** The additional milliseconds for which the answer is awaited. */
export const graceMs = 3_000

/** The catalog has changed since the statements were planned. They must be planned again. */
export class CatalogMoved extends Error {}

/** Returns the caller of a request. Throws 401 if there is none. */
export function requireCaller(ctx: RequestContext) {
  if (!ctx.caller) throw unauthenticated()
  return ctx.caller
}

/** The errors of keys that an operation does not accept, by the detail of public.enter_with_key. */
const keyErrors: ReadonlyMap<string, () => AppError> = new Map([
  ['not accepted', apiKeyNotAccepted],
  ['needs scopes', () => apiKeyOfOtherKind('with')],
  ['has scopes', () => apiKeyOfOtherKind('without')],
])

/** The errors of the functions that enter, by their SQLSTATEs, except the 404. */
const entryErrors: Record<string, (cause: DatabaseFailure) => AppError | CatalogMoved> = {
  TS401: ({ detail }) => (keyErrors.get(detail ?? '') ?? invalidCredentials)(),
  TS403: ({ detail }) => (detail === 'address' ? addressNotAllowed() : forbidden()),
  TS409: () => new CatalogMoved(),
  TS433: (cause) => limitReached(JSON.parse(cause.detail ?? '{}'), cause),
  TS434: factorMissing,
  TS435: schemaChanging,
  TS436: ({ detail }) => invalidFields(JSON.parse(detail ?? '{}'), 'read_only'),
}

/**
 * Converts an error of a function that enters to the error of the request. `missing` creates the 404 from the
 * error's detail. Returns other errors unchanged.
 */
export function asRequestError(
  error: unknown,
  missing: (detail?: string) => AppError = () => notFound(),
): unknown {
  if (!(error instanceof DatabaseFailure)) return error
  return error.sqlstate === sqlstates.missing
    ? missing(error.detail)
    : (entryErrors[error.sqlstate]?.(error) ?? error)
}
