/** The second argument of the code of functions. docs/guide/functions-and-events.md. */
import type { AppTables } from '../app-tables.ts'
import type { Json } from './schema.ts'

/**
 * Calls of the API of the site, with paths relative to its address. A response with a status of 400 or more
 * throws an error with `status` and `body`.
 */
export interface FunctionRequests {
  get(path: string): Promise<unknown>
  post(path: string, body?: unknown): Promise<unknown>
  put(path: string, body?: unknown): Promise<unknown>
  patch(path: string, body?: unknown): Promise<unknown>
  delete(path: string, body?: unknown): Promise<unknown>
  /** Returns every response unchanged. */
  fetch(path: string, init?: RequestInit): Promise<Response>
}

/** The context of a function, without its secrets and variables. `S`: its app with the tables. */
interface FunctionFacts<S extends object> {
  /** The id of the run, the same in every attempt. */
  readonly invocation_id: number
  /** The number of the attempt, from 1. */
  readonly attempt: number
  readonly trigger_type: 'api' | 'event' | 'schedule'
  /** The name of the event; null for other triggers. */
  readonly event: string | null
  readonly function: { readonly id: number; readonly name: string; readonly slug: string }
  /** The slug of the app. */
  readonly app: string
  /** The account that caused the run; null if there is none. */
  readonly user: { readonly id: number; readonly username: string; readonly email: string } | null
  readonly client: FunctionRequests
  /** The tables of the app, with the rights of the run. */
  readonly db: { readonly [Slug in keyof S & string]: AppTables<S[Slug]> }
  readonly mail: FunctionMails
}

/** An e-mail of a function, to one address. */
export interface FunctionMail {
  to: string
  subject: string
  text: string
  /** It needs a mail server of the site: the secret `MAIL`. */
  html?: string
  /** It needs a mail server of the site: the secret `MAIL`. */
  reply_to?: string
}

/** The e-mails of a run. They leave when the run has succeeded, each once. */
interface FunctionMails {
  /** Adds an e-mail. Rejects with `status` 422 if it is not accepted. */
  readonly send: (mail: FunctionMail) => Promise<{ number: number }>
}

/** The secrets that a function declares. */
interface FunctionSecrets<Secret extends string> {
  /** Returns the value of a secret. Throws if neither the app nor the site has it. */
  readonly get: (key: Secret) => { readonly [member: string]: Json }
}

/**
 * The second argument of a function. `S`: its app with the tables, as `tessera types` writes it.
 * `Secret`: the keys of the secrets that it declares. `Variable`: the names of its variables.
 */
export type FunctionContext<
  S extends object,
  Secret extends string = never,
  Variable extends string = never,
> = FunctionFacts<S> & {
  readonly secrets: FunctionSecrets<Secret>
  readonly variables: { readonly [name in Variable]: string }
}

/** A value of a primary key. */
type EventKey = string | number

/** The parameters of a function in a run for an event of records. `Record`: a record of the table. */
export type RecordEvent<Record extends object = { readonly [field: string]: Json }> = {
  readonly app_slug: string
  readonly datatable: string
  readonly record_id: EventKey | readonly EventKey[]
  readonly data: Record
} & (
  | { readonly type: 'RECORD_CREATE' | 'RECORD_DELETE' }
  | { readonly type: 'RECORD_UPDATE'; readonly previous: Record }
)
