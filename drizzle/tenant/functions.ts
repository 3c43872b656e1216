/** Functions, what triggers them, and their runs. */
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  json,
  jsonb,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Subscriber } from '../../src/runtime/events/schema.ts'
import type { Invocation } from '../../src/runtime/functions/invocations/schema.ts'
import type { FunctionRecord } from '../../src/runtime/functions/schema.ts'
import type { SkippedRuns } from '../../src/runtime/functions/skipped-runs/schema.ts'
import { bigNumber, moment } from '../columns.ts'
import { apps } from './apps.ts'
import { identity, isGone, provenance, siteId, tenant } from './columns.ts'

/** Functions of clients: their own code, a call of a URL, or a system function. */
export const functions = tenant.table(
  '_functions',
  {
    siteId: siteId(),
    id: identity(),
    appId: bigNumber('app_id').notNull(),
    name: text('name').notNull(),
    slug: text('slug').notNull(),
    description: text('description').notNull().default(''),
    executionMode: text('execution_mode').$type<FunctionRecord['execution_mode']>().notNull(),
    code: text('code').notNull().default(''),
    allowedHosts: jsonb('allowed_hosts').$type<string[]>().notNull().default([]),
    webhookUrl: text('webhook_url').notNull().default(''),
    /** By name, each with a placeholder for its value. The values are in `sealed`. */
    headers: jsonb('headers').$type<Record<string, string>>().notNull().default({}),
    systemFunction: text('system_function').$type<FunctionRecord['system_function']>().notNull().default(''),
    timeoutSeconds: integer('timeout_seconds').notNull(),
    isActive: boolean('is_active').notNull(),
    filterConditions: text('filter_conditions').notNull().default(''),
    /** The schedule as a cron expression; empty if it has none. `schedule_zone` is its time zone. */
    schedule: text('schedule').notNull().default(''),
    scheduleZone: text('schedule_zone').notNull().default('UTC'),
    /** The keys of the secrets that its code gets. */
    secrets: jsonb('secrets').$type<string[]>().notNull().default([]),
    /** The texts that its code gets, by name. */
    variables: jsonb('variables').$type<Record<string, string>>().notNull().default({}),
    /**
     * The rights of its code in its own app: those of the service, or those of the caller who caused the run.
     */
    runsAs: text('runs_as').$type<FunctionRecord['as']>().notNull().default('service'),
    /** `record`: the events of one record run in order, one at a time. Otherwise, all events run at once. */
    ordering: text('ordering').$type<FunctionRecord['ordering']>().notNull().default('none'),
    /** The encrypted values are bound to this id, which is known before the row is inserted. */
    uuid: uuid('uuid').notNull(),
    /** The signing secret and the values of the headers, encrypted for this row and version. */
    sealed: text('sealed'),
    version: integer('version').notNull().default(1),
    ...provenance(),
    isGone: isGone(),
  },
  (t) => [
    primaryKey({ name: '_functions_pkey', columns: [t.siteId, t.id] }),
    unique('_functions_app_id_slug_key').on(t.siteId, t.appId, t.slug),
    foreignKey({
      name: '_functions_app_id_fkey',
      columns: [t.siteId, t.appId],
      foreignColumns: [apps.siteId, apps.id],
    }).onDelete('cascade'),
    check('_functions_ordering_check', sql`${t.ordering} in ('none', 'record')`),
    check('_functions_execution_mode_check', sql`${t.executionMode} in ('app', 'proxy', 'system')`),
    // The columns that belong to only one mode.
    check('_functions_code_check', sql`(${t.executionMode} = 'app') = (${t.code} <> '')`),
    check('_functions_allowed_hosts_check', sql`${t.executionMode} = 'app' or ${t.allowedHosts} = '[]'`),
    check('_functions_schedule_check', sql`${t.schedule} = '' or ${t.runsAs} = 'service'`),
    check('_functions_secrets_check', sql`${t.executionMode} = 'app' or ${t.secrets} = '[]'`),
    check('_functions_variables_check', sql`${t.executionMode} = 'app' or ${t.variables} = '{}'`),
    check(
      '_functions_runs_as_check',
      sql`${t.runsAs} = 'service' or ${t.runsAs} = 'caller' and ${t.executionMode} = 'app'`,
    ),
    check('_functions_webhook_url_check', sql`(${t.executionMode} = 'proxy') = (${t.webhookUrl} <> '')`),
    check('_functions_headers_check', sql`${t.executionMode} = 'proxy' or ${t.headers} = '{}'`),
    check(
      '_functions_system_function_check',
      sql`(${t.executionMode} = 'system') = (${t.systemFunction} <> '')`,
    ),
  ],
)

/** The versions of a function, one for each change of its code or its settings. The newest ones are kept. */
export const functionVersions = tenant.table(
  '_function_versions',
  {
    siteId: siteId(),
    functionId: bigNumber('function_id').notNull(),
    number: integer('number').notNull(),
    /** The settings by column of the function, except credentials, names and dates. */
    settings: jsonb('settings').notNull(),
    code: text('code').notNull(),
    /** The hash of the settings and the code: versions with the same content have the same hash. */
    hash: text('hash').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    userId: bigNumber('user_id'),
    /** The name is stored with the id because a tenant cannot reach `public.users`. */
    username: text('username'),
  },
  (t) => [
    primaryKey({
      name: '_function_versions_pkey',
      columns: [t.siteId, t.functionId, t.number],
    }),
    foreignKey({
      name: '_function_versions_function_id_fkey',
      columns: [t.siteId, t.functionId],
      foreignColumns: [functions.siteId, functions.id],
    }).onDelete('cascade'),
  ],
)

/** The functions that run when an event happens. */
export const subscribers = tenant.table(
  '_subscribers',
  {
    siteId: siteId(),
    id: identity(),
    event: text('event').$type<Subscriber['event']>().notNull(),
    functionId: bigNumber('function_id').notNull(),
    /** The ids of the tables whose events run the function. Null: all tables of its app. */
    tables: bigNumber('tables').array(),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
    isGone: isGone(),
  },
  (t) => [
    primaryKey({ name: '_subscribers_pkey', columns: [t.siteId, t.id] }),
    unique('_subscribers_event_function_id_key').on(t.siteId, t.event, t.functionId),
    index('_subscribers_function_id_idx').on(t.siteId, t.functionId),
    foreignKey({
      name: '_subscribers_function_id_fkey',
      columns: [t.siteId, t.functionId],
      foreignColumns: [functions.siteId, functions.id],
    }).onDelete('cascade'),
  ],
)

/**
 * The outbox: runs of functions that are to be started. The transaction that causes them writes the row,
 * which is deleted when the last of its invocations has ended.
 */
export const deliveries = tenant.table(
  '_deliveries',
  {
    siteId: siteId(),
    id: identity(),
    /** Null: a request has started the runs, without an event. */
    event: text('event'),
    appSlug: text('app_slug'),
    datatable: text('datatable'),
    /** The names of the fields that are the records' primary key. */
    key: text('key').array(),
    /** The functions that were subscribed when the event happened. */
    functions: bigNumber('functions').array().notNull(),
    /**
     * The records of the event, as the text of a JSON array, until their invocations are created. `previous`
     * has their earlier state.
     */
    records: text('records'),
    /** The number of these records whose invocations are created. */
    expanded: integer('expanded').notNull().default(0),
    previous: text('previous'),
    userId: bigNumber('user_id'),
    /** The depth of its runs in the chain of causes: one more than that of the run that made the change. */
    depth: integer('depth').notNull().default(1),
    /** The function whose next tick the row waits for. This row has no runs: each tick gets its own row. */
    scheduleOf: bigNumber('schedule_of'),
    /** The time of the tick. Null: it is not computed yet. */
    scheduledAt: moment('scheduled_at'),
    /** When the sweep checks whether the delivery is stuck. */
    dueAt: moment('due_at').notNull(),
    /** When the queue gave up a message about the row. Runs in order do not wait for such a row. */
    stuckAt: moment('stuck_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
    isGone: isGone(),
  },
  (t) => [
    primaryKey({ name: '_deliveries_pkey', columns: [t.siteId, t.id] }),
    unique('_deliveries_schedule_of_key').on(t.siteId, t.scheduleOf),
    // For the sweep over all sites.
    index('_deliveries_due_at_idx').on(t.dueAt),
  ],
)

/** Runs of functions. A run outlives its function, so it has the function's name. */
export const invocations = tenant.table(
  '_invocations',
  {
    siteId: siteId(),
    id: identity(),
    /** The delivery that starts the run. Without a foreign key, because a finished delivery is deleted. */
    deliveryId: bigNumber('delivery_id').notNull(),
    /**
     * The first delivery of the event, and the place of the record in it. A function runs once for the two.
     * E5.
     */
    eventId: bigNumber('event_id').notNull(),
    place: integer('place').notNull().default(0),
    functionId: bigNumber('function_id').notNull(),
    functionName: text('function_name').notNull(),
    functionSlug: text('function_slug').notNull(),
    triggerType: text('trigger_type').$type<Invocation['trigger_type']>().notNull(),
    event: text('event'),
    status: text('status').$type<Invocation['status']>().notNull(),
    attempts: integer('attempts').notNull().default(0),
    params: json('params').notNull(),
    result: json('result'),
    error: text('error'),
    logs: json('logs').$type<Invocation['logs']>().notNull().default([]),
    userId: bigNumber('user_id'),
    /** The hash of the record or account, if the function gets the events of each in order. */
    orderKey: text('order_key'),
    /** The depth of the run in the chain of causes. */
    depth: integer('depth').notNull().default(1),
    /** For a waiting run: the time from which it may start. */
    dueAt: moment('due_at').notNull(),
    /** For an active run: the end of its lease. */
    leasedUntil: moment('leased_until'),
    startedAt: moment('started_at'),
    finishedAt: moment('finished_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
    isGone: isGone(),
  },
  (t) => [
    primaryKey({ name: '_invocations_pkey', columns: [t.siteId, t.id] }),
    unique('_invocations_event_id_place_function_id_key').on(t.siteId, t.eventId, t.place, t.functionId),
    index('_invocations_open_idx')
      .on(t.siteId, t.deliveryId, t.id)
      .where(sql`${t.status} in ('PENDING', 'STARTED', 'RETRY')`),
    index('_invocations_skipped_idx').on(t.siteId, t.functionId, t.id).where(sql`${t.status} = 'SKIPPED'`),
    index('_invocations_failed_idx').on(t.siteId, t.id).where(sql`${t.status} = 'FAILURE'`),
    index('_invocations_order_idx')
      .on(t.siteId, t.functionId, t.orderKey, t.eventId, t.place)
      .where(sql`${t.orderKey} is not null and ${t.status} in ('PENDING', 'STARTED', 'RETRY')`),
    index('_invocations_created_at_idx').on(t.siteId, t.createdAt),
    index('_invocations_function_slug_idx').on(t.siteId, t.functionSlug, t.id),
    check('_invocations_trigger_type_check', sql`${t.triggerType} in ('api', 'event', 'schedule')`),
    check(
      '_invocations_status_check',
      sql`${t.status} in ('PENDING', 'STARTED', 'SUCCESS', 'FAILURE', 'RETRY', 'SKIPPED')`,
    ),
  ],
)

/** The skipped runs of a function on a day, counted by reason. Only the newest ones are kept as runs. E8. */
export const skippedRuns = tenant.table(
  '_skipped_runs',
  {
    siteId: siteId(),
    functionId: bigNumber('function_id').notNull(),
    functionName: text('function_name').notNull(),
    functionSlug: text('function_slug').notNull(),
    reason: text('reason').$type<SkippedRuns['reason']>().notNull(),
    /** The day in UTC. */
    day: date('day').notNull(),
    count: bigNumber('count').notNull(),
  },
  (t) => [primaryKey({ name: '_skipped_runs_pkey', columns: [t.siteId, t.functionId, t.reason, t.day] })],
)
