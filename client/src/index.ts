/** The entry point of the package: `import { createClient } from 'tessera-client'`. */
export { type AppClient, type Client, type ClientOptions, createClient } from './client.ts'
export { browserStore } from './connection/browser-store.ts'
export type { ErrorCode } from './connection/error-code.ts'
export {
  ConflictError,
  ConnectionError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  StaleError,
  TesseraError,
  TooManyRequestsError,
  UnauthenticatedError,
  UnavailableError,
  UnprocessableError,
} from './connection/errors.ts'
export type { Auth } from './connection/session.ts'
export { memoryStore, type TokenStore, type Tokens } from './connection/token-store.ts'
export type { LiveList } from './live/apply.ts'
export { LiveEnded } from './live/connection.ts'
export type { Live, LiveState } from './live/source.ts'
export type { CsvRow } from './records/lines.ts'
export type { Page } from './records/pages.ts'
export { computed } from './records/query.ts'
export type { Version } from './records/writes.ts'
export type { SchemaChange, SchemaHashes } from './schema-watch.ts'
export { challengeOf, type SignInChallenge } from './site/accounts.ts'
export type {
  FunctionContext,
  FunctionMail,
  FunctionRequests,
  RecordEvent,
} from './types/function-context.ts'
export type { Json, Table, UnknownApps, UnknownTable } from './types/schema.ts'
export type { TableClient } from './types/table-client.ts'
