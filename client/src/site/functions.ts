/** Functions, their runs, and events. docs/guide/functions-and-events.md. */
import type { CallOptions, Transport } from '../connection/transport.ts'
import { type ItemOptions, type Items, readItems } from './lists.ts'

export interface FunctionRecord {
  id: number
  name: string
  slug: string
  execution_mode: 'app' | 'proxy' | 'system'
  is_active: boolean
  timeout_seconds: number
  /** The keys of the secrets that its code gets. */
  secrets: readonly string[]
  /** The texts that its code gets, by name. Omitted for callers without `manage_site`. */
  variables?: Readonly<Record<string, string>>
  [member: string]: unknown
}

/** A version of a function, without its content. */
export interface FunctionVersionItem {
  number: number
  /** The SHA-256 of code and settings. */
  hash: string
  created_at: string
  /** The user name of the author; null: the service. */
  changed_by: { id: number; username: string | null } | null
  [member: string]: unknown
}

export interface FunctionVersion extends FunctionVersionItem {
  code: string
  settings: { name: string; [member: string]: unknown }
}

/** A run of a function. */
export interface Invocation<Result = unknown> {
  id: number
  function_slug: string
  trigger_type: 'api' | 'event'
  status: string
  attempts: number
  result: Result
  [member: string]: unknown
}

/** A finished run. `data` is the function's return value; null if it failed, see `invocation`. */
export interface Execution<Result> {
  data: Result | null
  invocation: Invocation<Result>
}

/** The members of a function to create or change. */
export type FunctionInput = { name: string; code?: string } & Readonly<Record<string, unknown>>

/** Creates the calls of an app's functions. `app`: `/api/apps/shop/`. */
export function functionCalls(transport: Transport, app: string) {
  const path = `${app}functions/`
  const one = (slug: string) => `${path}${encodeURIComponent(slug)}/`
  const version = (slug: string, number: number) => `${one(slug)}versions/${encodeURIComponent(number)}/`
  const execute = (slug: string, body: object, signal: AbortSignal | undefined) =>
    transport.json<never>({ method: 'POST', path: `${one(slug)}execute/`, body, signal })
  return {
    list: (options?: ItemOptions): Promise<Items<FunctionRecord>> => readItems(transport, path, options),
    get: (slug: string, { signal }: CallOptions = {}): Promise<FunctionRecord> =>
      transport.json({ path: one(slug), signal }),
    create: (input: FunctionInput, { signal }: CallOptions = {}): Promise<FunctionRecord> =>
      transport.json({ method: 'POST', path, body: input, signal }),
    update: (
      slug: string,
      changes: Partial<FunctionInput>,
      { signal }: CallOptions = {},
    ): Promise<FunctionRecord> => transport.json({ method: 'PATCH', path: one(slug), body: changes, signal }),
    delete: (slug: string, { signal }: CallOptions = {}): Promise<void> =>
      transport.json({ method: 'DELETE', path: one(slug), signal }),
    /** Lists the versions of a function, newest first. */
    versions: (slug: string, options?: ItemOptions): Promise<Items<FunctionVersionItem>> =>
      readItems(transport, `${one(slug)}versions/`, options),
    version: (slug: string, number: number, { signal }: CallOptions = {}): Promise<FunctionVersion> =>
      transport.json({ path: version(slug, number), signal }),
    /** Gives a function the code and the settings of a version. This creates a new version. */
    restore: (slug: string, number: number, { signal }: CallOptions = {}): Promise<FunctionRecord> =>
      transport.json({ method: 'POST', path: `${version(slug, number)}restore/`, signal }),
    /** Runs a function and waits for its result. The request is not repeated if its response is lost. */
    run: <Result = unknown>(
      slug: string,
      params: object = {},
      options: CallOptions = {},
    ): Promise<Execution<Result>> => execute(slug, { params }, options.signal),
    /** Queues a run. */
    queue: (
      slug: string,
      params: object = {},
      options: CallOptions = {},
    ): Promise<{ [member: string]: unknown }> => execute(slug, { params, async: true }, options.signal),
  }
}

/** The skipped runs of a function for a reason on a day, in UTC. */
export interface SkippedRuns {
  function: number
  function_name: string
  function_slug: string
  reason: 'conditions' | 'inactive' | 'paused'
  day: string
  count: number
}

/** An e-mail of a function. */
export interface Mail {
  id: number
  /** The id of the run that has sent it. */
  invocation: number
  number: number
  function_slug: string
  app: string
  to: string
  subject: string
  text: string
  html: string | null
  reply_to: string | null
  /** `kept`: the site was paused, so it was not sent. */
  state: 'waiting' | 'sent' | 'kept' | 'dropped'
  reason: string | null
  created_at: string
  sent_at: string | null
}

/** Creates the calls of runs. */
export function invocationCalls(transport: Transport) {
  const path = '/api/invocations/'
  const one = (id: number) => `${path}${encodeURIComponent(id)}/`
  return {
    list: ({
      functionSlug,
      status,
      trigger,
      ...options
    }: ItemOptions & {
      functionSlug?: string | undefined
      status?: string | undefined
      trigger?: string | undefined
    } = {}): Promise<Items<Invocation>> =>
      readItems(transport, path, options, { function_slug: functionSlug, status, trigger_type: trigger }),
    get: (id: number, { signal }: CallOptions = {}): Promise<Invocation> =>
      transport.json({ path: one(id), signal }),
    /** Counts the skipped runs by function, reason and day, the newest days first. */
    skipped: ({
      functionSlug,
      reason,
      ...options
    }: ItemOptions & {
      functionSlug?: string | undefined
      reason?: SkippedRuns['reason'] | undefined
    } = {}): Promise<Items<SkippedRuns>> =>
      readItems(transport, '/api/skipped-runs/', options, { function_slug: functionSlug, reason }),
    /** Lists the e-mails of functions, the newest first. */
    mails: ({
      functionSlug,
      state,
      ...options
    }: ItemOptions & {
      functionSlug?: string | undefined
      state?: Mail['state'] | undefined
    } = {}): Promise<Items<Mail>> =>
      readItems(transport, '/api/mails/', options, { function_slug: functionSlug, state }),
    /** Runs a failed invocation again. */
    replay: (id: number, { signal }: CallOptions = {}): Promise<{ [member: string]: unknown }> =>
      transport.json({ method: 'POST', path: `${one(id)}replay/`, signal }),
  }
}

/** A subscription of a function to an event. */
export interface Subscription {
  event: string
  function_slug: string
  app_slug: string
  /** Null: all tables of the app. */
  tables: string[] | null
  [member: string]: unknown
}

export function eventCalls(transport: Transport) {
  const path = '/api/cloud/events/'
  const change = (event: string, verb: string, body: object, { signal }: CallOptions) =>
    transport.json<{ data: Subscription }>({
      method: 'POST',
      path: `${path}${encodeURIComponent(event)}/${verb}/`,
      body,
      signal,
    })
  return {
    async list({ signal }: CallOptions = {}): Promise<string[]> {
      return (await transport.json<{ data: { events: string[] } }>({ path, signal })).data.events
    },
    /** Subscribes a function. `tables`: the tables whose record events run it; omitted: all of its app. */
    async subscribe(
      event: string,
      functionId: number,
      { tables = null, ...options }: CallOptions & { tables?: readonly string[] | null | undefined } = {},
    ): Promise<Subscription> {
      return (await change(event, 'subscribe', { function_id: functionId, tables }, options)).data
    },
    async unsubscribe(event: string, functionId: number, options: CallOptions = {}): Promise<void> {
      await change(event, 'unsubscribe', { function_id: functionId }, options)
    },
  }
}
