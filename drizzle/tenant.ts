/**
 * The tables that every site's schema has. Their names begin with an underscore, and the name of a client's
 * own table, `<app>_<table>`, never does, so that they cannot collide in the schema.
 */
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'

const id = () => bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity()
const reference = (name: string) => bigint(name, { mode: 'number' })
const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'string' })

/**
 * Who created and last changed a row, and when. The ids are of `public.users`, without a foreign key, because
 * a tenant cannot reach that table.
 */
const provenance = () => ({
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
  createdBy: reference('created_by').notNull(),
  modifiedBy: reference('modified_by'),
})

export const apps = pgTable(
  '_apps',
  {
    id: id(),
    name: text('name').notNull(),
    slug: text('slug').notNull(),
    description: text('description').notNull().default(''),
    isActive: boolean('is_active').notNull().default(true),
    ...provenance(),
  },
  (t) => [unique('_apps_slug_key').on(t.slug)],
)

export const datasources = pgTable(
  '_datasources',
  {
    id: id(),
    appId: reference('app_id').notNull(),
    name: text('name').notNull(),
    slug: text('slug').notNull(),
    providerType: text('provider_type').notNull(),
    providerConfig: jsonb('provider_config').notNull().default({}),
    description: text('description').notNull().default(''),
    isActive: boolean('is_active').notNull().default(true),
    ...provenance(),
  },
  (t) => [
    unique('_datasources_app_id_slug_key').on(t.appId, t.slug),
    foreignKey({ name: '_datasources_app_id_fkey', columns: [t.appId], foreignColumns: [apps.id] }).onDelete(
      'cascade',
    ),
  ],
)

/**
 * A table of an app; or, with a `source_id`, a reference table: a table of another app under its own name. A
 * reference table has no schema, datasource or physical table, but uses those of its source.
 */
export const datatables = pgTable(
  '_datatables',
  {
    id: id(),
    /**
     * The app of the datasource, repeated here because names are unique in an app; for a reference table, the
     * app that has it.
     */
    appId: reference('app_id').notNull(),
    dataSourceId: reference('data_source_id'),
    sourceId: reference('source_id'),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    /** `json`, not `jsonb`: clients get their schema back in the order in which they wrote it. */
    jsonSchema: json('json_schema'),
    schemaHash: text('schema_hash'),
    physicalTableName: text('physical_table_name'),
    isMaterialized: boolean('is_materialized').notNull().default(false),
    /**
     * When each of its foreign keys was added, in seconds, by the fields of the key (tessera.date_keys). The
     * names of relationships depend on it.
     */
    keysSince: jsonb('keys_since').notNull().default({}),
    ...provenance(),
  },
  (t) => [
    unique('_datatables_app_id_name_key').on(t.appId, t.name),
    unique('_datatables_physical_table_name_key').on(t.physicalTableName),
    index('_datatables_data_source_id_idx').on(t.dataSourceId),
    index('_datatables_source_id_idx').on(t.sourceId),
    foreignKey({ name: '_datatables_app_id_fkey', columns: [t.appId], foreignColumns: [apps.id] }).onDelete(
      'cascade',
    ),
    foreignKey({
      name: '_datatables_data_source_id_fkey',
      columns: [t.dataSourceId],
      foreignColumns: [datasources.id],
    }).onDelete('cascade'),
    foreignKey({ name: '_datatables_source_id_fkey', columns: [t.sourceId], foreignColumns: [t.id] }),
    check(
      '_datatables_table_or_reference',
      sql`num_nulls(${t.dataSourceId}, ${t.jsonSchema}, ${t.schemaHash}, ${t.physicalTableName}) = case when ${t.sourceId} is null then 0 else 4 end`,
    ),
  ],
)

/**
 * Deleted datatables, which can be restored until `drop_at`. They are in no catalog. Their physical tables
 * are renamed after their ids, so that the original names are free.
 */
export const deletedDatatables = pgTable(
  '_deleted_datatables',
  {
    /** The id of the row of `_datatables`, which a restoration inserts again. */
    id: reference('id').primaryKey(),
    appId: reference('app_id').notNull(),
    dataSourceId: reference('data_source_id').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    jsonSchema: json('json_schema').notNull(),
    schemaHash: text('schema_hash').notNull(),
    /** The original name of its physical table. */
    physicalTableName: text('physical_table_name').notNull(),
    isMaterialized: boolean('is_materialized').notNull(),
    keysSince: jsonb('keys_since').notNull(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
    createdBy: reference('created_by').notNull(),
    modifiedBy: reference('modified_by'),
    deletedAt: moment('deleted_at').notNull().defaultNow(),
    deletedBy: reference('deleted_by').notNull(),
    dropAt: moment('drop_at').notNull(),
    /** The schema change whose steps renamed its physical table. Null if it has none: there were no steps. */
    migrationId: uuid('migration_id'),
  },
  (t) => [
    index('_deleted_datatables_app_id_name_idx').on(t.appId, t.name, t.deletedAt),
    index('_deleted_datatables_drop_at_idx').on(t.dropAt),
    foreignKey({
      name: '_deleted_datatables_app_id_fkey',
      columns: [t.appId],
      foreignColumns: [apps.id],
    }).onDelete('cascade'),
    foreignKey({
      name: '_deleted_datatables_data_source_id_fkey',
      columns: [t.dataSourceId],
      foreignColumns: [datasources.id],
    }).onDelete('cascade'),
  ],
)

/** Erasures of versions of records: a log. */
export const erasures = pgTable('_erasures', {
  id: id(),
  /** `<app>/<table>/<record>`; without the record if its key may identify a person. */
  record: text('record').notNull(),
  versions: integer('versions').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
  /** Null: the service itself. */
  createdBy: reference('created_by'),
})

/** Schema changes, with the state of the datatable before each. Their steps are in `_operations`. */
export const migrations = pgTable(
  '_migrations',
  {
    id: uuid('id').primaryKey(),
    appId: reference('app_id').notNull(),
    /** Without a foreign key, because the history outlives its table. */
    datatableId: reference('datatable_id').notNull(),
    jsonSchema: json('json_schema').notNull(),
    schemaHash: text('schema_hash').notNull(),
    /** The SQL that undoes the change uses this name of the table. */
    physicalTableName: text('physical_table_name').notNull(),
    isMaterialized: boolean('is_materialized').notNull(),
    /** The former names of renamed fields, by their new names. */
    renames: jsonb('renames').notNull().default({}),
    /** Whether it is the deletion of the datatable. It is undone by restoring the datatable. */
    isDeletion: boolean('is_deletion').notNull().default(false),
    createdAt: moment('created_at').notNull().defaultNow(),
    createdBy: reference('created_by').notNull(),
  },
  (t) => [
    foreignKey({ name: '_migrations_app_id_fkey', columns: [t.appId], foreignColumns: [apps.id] }).onDelete(
      'cascade',
    ),
  ],
)

/** The history of schema changes: one row per DDL step. It outlives its table, so it has the table's name. */
export const operations = pgTable(
  '_operations',
  {
    id: id(),
    appId: reference('app_id').notNull(),
    datatableName: text('datatable_name').notNull(),
    /** Null for a failed step, which changed nothing. */
    migrationId: uuid('migration_id'),
    operationType: text('operation_type').notNull(),
    description: text('description').notNull(),
    sql: text('sql').notNull(),
    rollbackSql: text('rollback_sql').notNull(),
    status: text('status').notNull(),
    executionTimeMs: integer('execution_time_ms').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    createdBy: reference('created_by').notNull(),
  },
  (t) => [
    index('_operations_app_id_datatable_name_idx').on(t.appId, t.datatableName, t.id),
    index('_operations_migration_id_idx').on(t.migrationId),
    foreignKey({ name: '_operations_app_id_fkey', columns: [t.appId], foreignColumns: [apps.id] }).onDelete(
      'cascade',
    ),
    foreignKey({
      name: '_operations_migration_id_fkey',
      columns: [t.migrationId],
      foreignColumns: [migrations.id],
    }),
  ],
)

export const secretTypes = pgTable(
  '_secret_types',
  {
    id: id(),
    type: text('type').notNull(),
    name: text('name').notNull(),
    slug: text('slug').notNull(),
    description: text('description').notNull().default(''),
    sensitivityLevel: text('sensitivity_level').notNull(),
    /** `json`, as in `_datatables`. Null: every object is a valid value. */
    schema: json('schema'),
    /**
     * Increases with each change of the schema. A value that was validated by another version is not stored.
     */
    version: integer('version').notNull().default(1),
    createdAt: moment('created_at').notNull().defaultNow(),
    modifiedAt: moment('modified_at').notNull().defaultNow(),
  },
  (t) => [
    unique('_secret_types_name_key').on(t.name),
    unique('_secret_types_slug_key').on(t.slug),
    check('_secret_types_type_check', sql`${t.type} in ('system', 'custom')`),
    check(
      '_secret_types_sensitivity_level_check',
      sql`${t.sensitivityLevel} in ('public', 'private', 'sensitive')`,
    ),
  ],
)

export const tags = pgTable(
  '_tags',
  {
    id: id(),
    name: text('name').notNull(),
    slug: text('slug').notNull(),
    description: text('description').notNull().default(''),
    color: text('color').notNull(),
  },
  (t) => [unique('_tags_name_key').on(t.name), unique('_tags_slug_key').on(t.slug)],
)

/**
 * A value is in one of two columns: in plain text, or encrypted for exactly this row, key, level and version.
 */
export const secrets = pgTable(
  '_secrets',
  {
    id: uuid('id').primaryKey(),
    key: text('key').notNull(),
    /** Null: the secret belongs to the site. */
    appId: reference('app_id'),
    typeId: reference('type_id').notNull(),
    publicValue: text('public_value'),
    ciphertext: text('ciphertext'),
    version: integer('version').notNull().default(1),
    createdAt: moment('created_at').notNull().defaultNow(),
    modifiedAt: moment('modified_at').notNull().defaultNow(),
    createdBy: reference('created_by').notNull(),
    /**
     * The name is stored with the id because a tenant cannot reach `public.users`, and user names do not
     * change.
     */
    createdByUsername: text('created_by_username').notNull(),
  },
  (t) => [
    unique('_secrets_key_app_id_key').on(t.key, t.appId).nullsNotDistinct(),
    index('_secrets_app_id_idx').on(t.appId),
    index('_secrets_type_id_idx').on(t.typeId),
    index('_secrets_created_at_idx').on(t.createdAt),
    foreignKey({ name: '_secrets_app_id_fkey', columns: [t.appId], foreignColumns: [apps.id] }).onDelete(
      'cascade',
    ),
    foreignKey({ name: '_secrets_type_id_fkey', columns: [t.typeId], foreignColumns: [secretTypes.id] }),
    check('_secrets_key_check', sql`${t.key} not in ('', '.', '..')`),
    check('_secrets_one_value', sql`num_nonnulls(${t.publicValue}, ${t.ciphertext}) = 1`),
  ],
)

export const secretTags = pgTable(
  '_secret_tags',
  {
    secretId: uuid('secret_id').notNull(),
    tagId: reference('tag_id').notNull(),
  },
  (t) => [
    primaryKey({ name: '_secret_tags_pkey', columns: [t.secretId, t.tagId] }),
    index('_secret_tags_tag_id_idx').on(t.tagId),
    foreignKey({
      name: '_secret_tags_secret_id_fkey',
      columns: [t.secretId],
      foreignColumns: [secrets.id],
    }).onDelete('cascade'),
    foreignKey({ name: '_secret_tags_tag_id_fkey', columns: [t.tagId], foreignColumns: [tags.id] }).onDelete(
      'cascade',
    ),
  ],
)

/**
 * The changes of secrets. A row outlives its secret, so it has the key of the secret; it never has a value.
 */
export const secretHistory = pgTable(
  '_secret_history',
  {
    id: id(),
    /** The id, because a secret keeps its history when its key changes. */
    secretId: uuid('secret_id').notNull(),
    key: text('key').notNull(),
    appId: reference('app_id'),
    action: text('action').notNull(),
    userId: reference('user_id').notNull(),
    username: text('username').notNull(),
    timestamp: moment('timestamp').notNull().defaultNow(),
    changes: jsonb('changes').notNull().default({}),
  },
  (t) => [
    index('_secret_history_key_app_id_idx').on(t.key, t.appId, t.id),
    index('_secret_history_secret_id_idx').on(t.secretId, t.id),
    check('_secret_history_action_check', sql`${t.action} in ('+', '~', '-')`),
  ],
)

/** Who has read a private or sensitive value, and when. */
export const secretReads = pgTable('_secret_reads', {
  /** Created by the code that notes the read, so that it can repeat the insert. */
  id: uuid('id').primaryKey(),
  secretId: uuid('secret_id').notNull(),
  key: text('key').notNull(),
  appId: reference('app_id'),
  userId: reference('user_id').notNull(),
  username: text('username').notNull(),
  requestId: text('request_id').notNull(),
  readAt: moment('read_at').notNull(),
})

/** Creates a table of objects that users save for the whole site, by name. */
const saved = (name: string) =>
  pgTable(
    name,
    {
      id: id(),
      name: text('name').notNull(),
      content: jsonb('content').notNull(),
      /** The number of changes. It is the ETag. */
      version: integer('version').notNull().default(1),
      ...provenance(),
    },
    (t) => [unique(`${name}_name_key`).on(t.name)],
  )

/** Saved questions: aggregates of a table. */
export const questions = saved('_questions')

/** Dashboards: several questions that are shown together. */
export const dashboards = saved('_dashboards')

/**
 * Providers that people sign in with. The secret and the key are encrypted for exactly this row and version.
 */
export const socialApps = pgTable(
  '_social_apps',
  {
    id: id(),
    /** The encrypted texts are bound to this id, which is known before the row is inserted. */
    uid: uuid('uid').notNull(),
    provider: text('provider').notNull(),
    providerId: text('provider_id').notNull().default(''),
    /** Its name in paths. */
    handle: text('handle').notNull().generatedAlwaysAs(sql`coalesce(nullif(provider_id, ''), provider)`),
    name: text('name').notNull(),
    clientId: text('client_id').notNull(),
    secret: text('secret').notNull(),
    /** Encrypted; empty if there is none. */
    key: text('key').notNull().default(''),
    /** Increases when the secret or the key changes. */
    version: integer('version').notNull().default(1),
    /** Increases with every change, so that a change applies only to the row that was read. */
    revision: integer('revision').notNull().default(1),
    settings: jsonb('settings').notNull().default({}),
    /** The issuer of the discovery document, after that was read and validated. */
    issuer: text('issuer'),
    ...provenance(),
  },
  (t) => [
    unique('_social_apps_handle_key').on(t.handle),
    check('_social_apps_handle_check', sql`${t.handle} not in ('', '.', '..')`),
  ],
)

/**
 * Started sign-ins at a provider: the values that were sent, to compare the response with. Each can be
 * finished once.
 */
export const socialAttempts = pgTable(
  '_social_attempts',
  {
    /** A hash, so that a reader of the table cannot finish somebody's sign-in. */
    state: text('state').primaryKey(),
    socialAppId: reference('social_app_id').notNull(),
    nonce: text('nonce').notNull(),
    codeVerifier: text('code_verifier').notNull(),
    redirectUri: text('redirect_uri').notNull(),
    /** The path on this host to which the browser returns afterwards. */
    next: text('next').notNull(),
    /**
     * The account to link the provider to, and the sign-in that requested it. Null: the attempt is a sign-in.
     */
    linkUserId: bigint('link_user_id', { mode: 'number' }),
    linkSignIn: uuid('link_sign_in'),
    /**
     * For SAML: a hash of the code that finishes the sign-in, and the person whom the provider has asserted.
     * Null until the response of the provider arrives.
     */
    codeHash: text('code_hash'),
    identity: jsonb('identity'),
    /** Whether the sign-in was started at the provider, without a request of ours. */
    isUnsolicited: boolean('is_unsolicited').notNull().default(false),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [
    index('_social_attempts_expires_at_idx').on(t.expiresAt),
    index('_social_attempts_social_app_id_idx').on(t.socialAppId),
    foreignKey({
      name: '_social_attempts_social_app_id_fkey',
      columns: [t.socialAppId],
      foreignColumns: [socialApps.id],
    }).onDelete('cascade'),
  ],
)

/** Functions of clients: their own code, a call of a URL, or a system function. */
export const functions = pgTable(
  '_functions',
  {
    id: id(),
    appId: reference('app_id').notNull(),
    name: text('name').notNull(),
    slug: text('slug').notNull(),
    description: text('description').notNull().default(''),
    executionMode: text('execution_mode').notNull(),
    code: text('code').notNull().default(''),
    allowedHosts: jsonb('allowed_hosts').notNull().default([]),
    webhookUrl: text('webhook_url').notNull().default(''),
    /** By name, each with a placeholder for its value. The values are in `sealed`. */
    headers: jsonb('headers').notNull().default({}),
    systemFunction: text('system_function').notNull().default(''),
    timeoutSeconds: integer('timeout_seconds').notNull(),
    isActive: boolean('is_active').notNull(),
    filterConditions: text('filter_conditions').notNull().default(''),
    /** The schedule as a cron expression; empty if it has none. `schedule_zone` is its time zone. */
    schedule: text('schedule').notNull().default(''),
    scheduleZone: text('schedule_zone').notNull().default('UTC'),
    /** The keys of the secrets that its code gets. */
    secrets: jsonb('secrets').notNull().default([]),
    /** The texts that its code gets, by name. */
    variables: jsonb('variables').notNull().default({}),
    /**
     * The rights of its code in its own app: those of the service, or those of the caller who caused the run.
     */
    runsAs: text('runs_as').notNull().default('service'),
    /** `record`: the events of one record run in order, one at a time. Otherwise, all events run at once. */
    ordering: text('ordering').notNull().default('none'),
    /** The encrypted values are bound to this id, which is known before the row is inserted. */
    uuid: uuid('uuid').notNull(),
    /** The signing secret and the values of the headers, encrypted for this row and version. */
    sealed: text('sealed'),
    version: integer('version').notNull().default(1),
    ...provenance(),
  },
  (t) => [
    unique('_functions_app_id_slug_key').on(t.appId, t.slug),
    foreignKey({ name: '_functions_app_id_fkey', columns: [t.appId], foreignColumns: [apps.id] }).onDelete(
      'cascade',
    ),
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
export const functionVersions = pgTable(
  '_function_versions',
  {
    functionId: reference('function_id').notNull(),
    number: integer('number').notNull(),
    /** The settings by column of the function, except credentials, names and dates. */
    settings: jsonb('settings').notNull(),
    code: text('code').notNull(),
    /** The hash of the settings and the code: versions with the same content have the same hash. */
    hash: text('hash').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    userId: reference('user_id'),
    /** The name is stored with the id because a tenant cannot reach `public.users`. */
    username: text('username'),
  },
  (t) => [
    primaryKey({ name: '_function_versions_pkey', columns: [t.functionId, t.number] }),
    foreignKey({
      name: '_function_versions_function_id_fkey',
      columns: [t.functionId],
      foreignColumns: [functions.id],
    }).onDelete('cascade'),
  ],
)

/** The functions that run when an event happens. */
export const subscribers = pgTable(
  '_subscribers',
  {
    id: id(),
    event: text('event').notNull(),
    functionId: reference('function_id').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [
    unique('_subscribers_event_function_id_key').on(t.event, t.functionId),
    index('_subscribers_function_id_idx').on(t.functionId),
    foreignKey({
      name: '_subscribers_function_id_fkey',
      columns: [t.functionId],
      foreignColumns: [functions.id],
    }).onDelete('cascade'),
  ],
)

/**
 * The outbox: runs of functions that are to be started. The transaction that causes them writes the row,
 * which is deleted when the last of its invocations has ended.
 */
export const deliveries = pgTable('_deliveries', {
  id: id(),
  /** Null: a request has started the runs, without an event. */
  event: text('event'),
  appSlug: text('app_slug'),
  datatable: text('datatable'),
  /** The names of the fields that are the records' primary key. */
  key: text('key').array(),
  /** The functions that were subscribed when the event happened. */
  functions: bigint('functions', { mode: 'number' }).array().notNull(),
  /**
   * The records of the event, as the text of a JSON array, until their invocations are created. `previous`
   * has their earlier state.
   */
  records: text('records'),
  /** The number of these records whose invocations are created. */
  expanded: integer('expanded').notNull().default(0),
  previous: text('previous'),
  userId: reference('user_id'),
  /** The depth of its runs in the chain of causes: one more than that of the run that made the change. */
  depth: integer('depth').notNull().default(1),
  /** The function whose next tick the row waits for. This row has no runs: each tick gets its own row. */
  scheduleOf: reference('schedule_of').unique('_deliveries_schedule_of_key'),
  /** The time of the tick. Null: it is not computed yet. */
  scheduledAt: moment('scheduled_at'),
  /** When the sweep checks whether the delivery is stuck. */
  dueAt: moment('due_at').notNull(),
  /** When the queue gave up a message about the row. Runs in order do not wait for such a row. */
  stuckAt: moment('stuck_at'),
  createdAt: moment('created_at').notNull().defaultNow(),
})

/** Runs of functions. A run outlives its function, so it has the function's name. */
export const invocations = pgTable(
  '_invocations',
  {
    id: id(),
    /** The delivery that starts the run. Without a foreign key, because a finished delivery is deleted. */
    deliveryId: reference('delivery_id').notNull(),
    /**
     * The first delivery of the event, and the place of the record in it. A function runs once for the two.
     * E5.
     */
    eventId: reference('event_id').notNull(),
    place: integer('place').notNull().default(0),
    functionId: reference('function_id').notNull(),
    functionName: text('function_name').notNull(),
    functionSlug: text('function_slug').notNull(),
    triggerType: text('trigger_type').notNull(),
    event: text('event'),
    status: text('status').notNull(),
    attempts: integer('attempts').notNull().default(0),
    params: json('params').notNull(),
    result: json('result'),
    error: text('error'),
    logs: json('logs').notNull().default([]),
    userId: reference('user_id'),
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
  },
  (t) => [
    unique('_invocations_event_id_place_function_id_key').on(t.eventId, t.place, t.functionId),
    index('_invocations_open_idx')
      .on(t.deliveryId, t.id)
      .where(sql`${t.status} in ('PENDING', 'STARTED', 'RETRY')`),
    index('_invocations_failed_idx').on(t.id).where(sql`${t.status} = 'FAILURE'`),
    index('_invocations_order_idx')
      .on(t.functionId, t.orderKey, t.eventId, t.place)
      .where(sql`${t.orderKey} is not null and ${t.status} in ('PENDING', 'STARTED', 'RETRY')`),
    index('_invocations_created_at_idx').on(t.createdAt),
    index('_invocations_function_slug_idx').on(t.functionSlug, t.id),
    check('_invocations_trigger_type_check', sql`${t.triggerType} in ('api', 'event', 'schedule')`),
    check(
      '_invocations_status_check',
      sql`${t.status} in ('PENDING', 'STARTED', 'SUCCESS', 'FAILURE', 'RETRY', 'SKIPPED')`,
    ),
  ],
)

/** The sessions of Postgres that are changing large tables. */
export const claims = pgTable('_claims', {
  tableName: text('table_name').primaryKey(),
  /** The process id of the session. */
  session: integer('session').notNull(),
})

/** The answers to requests with an Idempotency-Key, which are kept for a day. */
export const keptAnswers = pgTable(
  '_kept_answers',
  {
    /** The hash of the caller, the method, the path and the key. */
    key: text('key').primaryKey(),
    /** The hash of the query string and the body. */
    request: text('request').notNull(),
    /** A UUID of the request that wrote the row. */
    writer: uuid('writer').notNull(),
    /**
     * The data from which src/db/kept-answers.ts builds the answer. Null only until the end of the
     * transaction.
     */
    answer: text('answer'),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [index('_kept_answers_expires_at_idx').on(t.expiresAt)],
)

/** Rows that writers lock to wait for each other. */
export const locks = pgTable('_locks', { name: text('name').primaryKey() })
