/**
 * The tables that every site's schema has a copy of. Their names begin with an underscore, which the name
 * of a client's own table, `<app>_<table>`, never does: the two share one schema and cannot collide.
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

/** Who made and last changed a row, and when. The ids are of `public.users`, out of a tenant's reach: no foreign key. */
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
 * A table of an app; or, with a `source_id`, a reference: a table of another app under a name of its own. A reference
 * has nothing else: its schema, its datasource and its physical table are its source's.
 */
export const datatables = pgTable(
  '_datatables',
  {
    id: id(),
    /** The datasource's app, repeated here because names are unique in the app; of a reference the one it stands in. */
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
    /** When each of its foreign keys came, in seconds, by its fields (tessera.date_keys): the names of relationships depend on it. */
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
 * Datatables that were deleted and can be restored until `drop_at`. None of them is in a catalog. Their physical tables
 * are named after their ids, so that their own names are free.
 */
export const deletedDatatables = pgTable(
  '_deleted_datatables',
  {
    /** Of the row of `_datatables`, which restoring makes anew. */
    id: reference('id').primaryKey(),
    appId: reference('app_id').notNull(),
    dataSourceId: reference('data_source_id').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    jsonSchema: json('json_schema').notNull(),
    schemaHash: text('schema_hash').notNull(),
    /** What its physical table was called. */
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
    /** Whose steps have put it aside. Null of one without a physical table: there were no steps. */
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
  /** `<app>/<table>/<record>`; the record is left out if its key may say who it is about. */
  record: text('record').notNull(),
  versions: integer('versions').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
  /** Null of the service itself. */
  createdBy: reference('created_by'),
})

/** Changes of schemas: what a datatable was before each. Their steps are `_operations`. */
export const migrations = pgTable(
  '_migrations',
  {
    id: uuid('id').primaryKey(),
    appId: reference('app_id').notNull(),
    /** No foreign key: the history outlives its table. */
    datatableId: reference('datatable_id').notNull(),
    jsonSchema: json('json_schema').notNull(),
    schemaHash: text('schema_hash').notNull(),
    /** The SQL that undoes it is about the table of this name. */
    physicalTableName: text('physical_table_name').notNull(),
    isMaterialized: boolean('is_materialized').notNull(),
    /** What fields were called before, by the names that they got. */
    renames: jsonb('renames').notNull().default({}),
    /** Its steps have put the datatable aside: what undoes them is to restore it. */
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

/** The history of schema changes: one row a DDL step. It outlives its table, so it keeps the table's name. */
export const operations = pgTable(
  '_operations',
  {
    id: id(),
    appId: reference('app_id').notNull(),
    datatableName: text('datatable_name').notNull(),
    /** Null of one that failed: it changed nothing. */
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
    /** `json`, as above. Null: any object is a value. */
    schema: json('schema'),
    /** Moves with the schema: a value that was validated by another one is not stored. */
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

/** A value stands in one of two columns: as it is, or encrypted for this very row, key, level and version. */
export const secrets = pgTable(
  '_secrets',
  {
    id: uuid('id').primaryKey(),
    key: text('key').notNull(),
    /** Null: the level of the site. */
    appId: reference('app_id'),
    typeId: reference('type_id').notNull(),
    publicValue: text('public_value'),
    ciphertext: text('ciphertext'),
    version: integer('version').notNull().default(1),
    createdAt: moment('created_at').notNull().defaultNow(),
    modifiedAt: moment('modified_at').notNull().defaultNow(),
    createdBy: reference('created_by').notNull(),
    /** Names stand beside ids where they are shown: `public.users` is out of a tenant's reach, and names do not change. */
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

/** What was done to secrets. It outlives them, so it keeps their keys; it never has a value in it. */
export const secretHistory = pgTable(
  '_secret_history',
  {
    id: id(),
    /** A secret keeps its history when it gets another key. */
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

/** Who was shown a private or sensitive value, and when. */
export const secretReads = pgTable('_secret_reads', {
  /** Made by whoever notes the read, so that noting it twice is noting it once. */
  id: uuid('id').primaryKey(),
  secretId: uuid('secret_id').notNull(),
  key: text('key').notNull(),
  appId: reference('app_id'),
  userId: reference('user_id').notNull(),
  username: text('username').notNull(),
  requestId: text('request_id').notNull(),
  readAt: moment('read_at').notNull(),
})

/** What people save for the whole site by its name. */
const saved = (name: string) =>
  pgTable(
    name,
    {
      id: id(),
      name: text('name').notNull(),
      content: jsonb('content').notNull(),
      /** Counts the changes: it is the ETag. */
      version: integer('version').notNull().default(1),
      ...provenance(),
    },
    (t) => [unique(`${name}_name_key`).on(t.name)],
  )

/** Saved questions: aggregates of a table. */
export const questions = saved('_questions')

/** Dashboards: several questions that are shown together. */
export const dashboards = saved('_dashboards')

/** Providers that people sign in with. The secret and the key are encrypted for this very row and version. */
export const socialApps = pgTable(
  '_social_apps',
  {
    id: id(),
    /** What the encrypted texts are bound to: known before the row is made. */
    uid: uuid('uid').notNull(),
    provider: text('provider').notNull(),
    providerId: text('provider_id').notNull().default(''),
    /** How paths name it. */
    handle: text('handle').notNull().generatedAlwaysAs(sql`coalesce(nullif(provider_id, ''), provider)`),
    name: text('name').notNull(),
    clientId: text('client_id').notNull(),
    secret: text('secret').notNull(),
    /** Empty, or encrypted. */
    key: text('key').notNull().default(''),
    /** Moves with the secret and the key. */
    version: integer('version').notNull().default(1),
    /** Moves with every change: a change was prepared for the row as it was read. */
    revision: integer('revision').notNull().default(1),
    settings: jsonb('settings').notNull().default({}),
    /** Of the discovery document, once it was read and found to be right. */
    issuer: text('issuer'),
    ...provenance(),
  },
  (t) => [
    unique('_social_apps_handle_key').on(t.handle),
    check('_social_apps_handle_check', sql`${t.handle} not in ('', '.', '..')`),
  ],
)

/** Sign-ins that have begun at a provider: what was sent there, to compare what comes back with. Each ends once. */
export const socialAttempts = pgTable(
  '_social_attempts',
  {
    /** A hash: who reads the table cannot end somebody's sign-in. */
    state: text('state').primaryKey(),
    socialAppId: reference('social_app_id').notNull(),
    nonce: text('nonce').notNull(),
    codeVerifier: text('code_verifier').notNull(),
    redirectUri: text('redirect_uri').notNull(),
    /** Where the browser goes afterwards: a path of this host. */
    next: text('next').notNull(),
    /** The account that the provider is linked to, and the sign-in that asked for it. Null: it signs in. */
    linkUserId: bigint('link_user_id', { mode: 'number' }),
    linkSignIn: uuid('link_sign_in'),
    /**
     * Of SAML: a hash of the code by which the sign-in is finished, and whom the provider has asserted. Null
     * until its response has come.
     */
    codeHash: text('code_hash'),
    identity: jsonb('identity'),
    /** Whether the sign-in has begun at the provider. */
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

/** What clients have run: their code, a call of theirs, or a function of the system's. */
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
    /** By name, each with what stands for its value. The values are in `sealed`. */
    headers: jsonb('headers').notNull().default({}),
    systemFunction: text('system_function').notNull().default(''),
    timeoutSeconds: integer('timeout_seconds').notNull(),
    isActive: boolean('is_active').notNull(),
    filterConditions: text('filter_conditions').notNull().default(''),
    /** When it runs by itself, as cron has it, and in which zone. Empty: it does not. */
    schedule: text('schedule').notNull().default(''),
    scheduleZone: text('schedule_zone').notNull().default('UTC'),
    /** The keys of the secrets that its code gets. */
    secrets: jsonb('secrets').notNull().default([]),
    /** The texts that its code gets, by name. */
    variables: jsonb('variables').notNull().default({}),
    /** Whose rights its code has in its own app: those of the service, or those of who caused the run. */
    runsAs: text('runs_as').notNull().default('service'),
    /** Whether events of one record run in their order, one at a time: `record`. Otherwise all run as they come. */
    ordering: text('ordering').notNull().default('none'),
    /** Names the row for what is encrypted in it: known before the row is there. */
    uuid: uuid('uuid').notNull(),
    /** Encrypted for this row and version: the signing secret and the values of the headers. */
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
    // What each mode has, and the others have not.
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

/** What a function was made of after each change of its code or its settings. The newest ones stay. */
export const functionVersions = pgTable(
  '_function_versions',
  {
    functionId: reference('function_id').notNull(),
    number: integer('number').notNull(),
    /** By the columns of the function, but for those that are credentials, names or dates. */
    settings: jsonb('settings').notNull(),
    code: text('code').notNull(),
    /** Of the settings and the code: versions with the same content have the same. */
    hash: text('hash').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    userId: reference('user_id'),
    /** The name stands beside the id: `public.users` is out of a tenant's reach. */
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

/** Which functions run when an event happens. */
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
 * The outbox: runs of functions that are to be brought about, written by the transaction that is the cause of them. A row
 * is gone when the last of its invocations has ended.
 */
export const deliveries = pgTable('_deliveries', {
  id: id(),
  /** Null of runs that nothing but a request is the cause of. */
  event: text('event'),
  appSlug: text('app_slug'),
  datatable: text('datatable'),
  /** The names of the fields that are the records' primary key. */
  key: text('key').array(),
  /** The functions that were subscribed when it happened. */
  functions: bigint('functions', { mode: 'number' }).array().notNull(),
  /** The records that it happened to, as the text of a JSON array, until their invocations are made; and what they were before. */
  records: text('records'),
  /** Of how many of them the invocations are made. */
  expanded: integer('expanded').notNull().default(0),
  previous: text('previous'),
  userId: reference('user_id'),
  /** Of its runs in the chain of causes: one more than that of the run whose function made the change. */
  depth: integer('depth').notNull().default(1),
  /** The function whose next tick the row waits for. It has no runs: each tick has a row of its own. */
  scheduleOf: reference('schedule_of').unique('_deliveries_schedule_of_key'),
  /** The tick. Null: it has yet to be computed. */
  scheduledAt: moment('scheduled_at'),
  /** When to look whether anything has been forgotten. */
  dueAt: moment('due_at').notNull(),
  /** When the queue gave up a message about the row. Runs in order do not wait for such a row. */
  stuckAt: moment('stuck_at'),
  createdAt: moment('created_at').notNull().defaultNow(),
})

/** Runs of functions. They outlive their functions, so they keep their names. */
export const invocations = pgTable(
  '_invocations',
  {
    id: id(),
    /** What brings it about. No foreign key: it is gone when that is done. */
    deliveryId: reference('delivery_id').notNull(),
    /** The delivery that was the first to be about it, and its place there: of these a function runs once. E5. */
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
    /** The hash of the record or account, if the function takes the events of each in their order. */
    orderKey: text('order_key'),
    /** Its number in the chain of causes. */
    depth: integer('depth').notNull().default(1),
    /** Of one that waits: from when on it may run. */
    dueAt: moment('due_at').notNull(),
    /** Of one that runs: until when whoever runs it is believed to. */
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

/** Which session of Postgres changes a large table at the moment. */
export const claims = pgTable('_claims', {
  tableName: text('table_name').primaryKey(),
  /** The process id of the session. */
  session: integer('session').notNull(),
})

/** The answers of requests with an Idempotency-Key, which are kept for a day. */
export const keptAnswers = pgTable(
  '_kept_answers',
  {
    /** The hash of the caller, the method, the path and the key. */
    key: text('key').primaryKey(),
    /** The hash of the query string and the body. */
    request: text('request').notNull(),
    /** A UUID of the request that wrote the row. */
    writer: uuid('writer').notNull(),
    /** What src/db/kept-answers.ts makes the answer from. Null only until the end of the transaction. */
    answer: text('answer'),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [index('_kept_answers_expires_at_idx').on(t.expiresAt)],
)

/** Rows that writers lock so that they wait for each other. */
export const locks = pgTable('_locks', { name: text('name').primaryKey() })
