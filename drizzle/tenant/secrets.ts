/** Secrets with their types, tags, versions and reads. */
import { sql } from 'drizzle-orm'
import {
  check,
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
import type { JsonObject } from '../../src/kernel/lib/json-object.ts'
import type { SensitivityLevel } from '../../src/secrets/schema.ts'
import type { SecretType } from '../../src/secrets/types/schema.ts'
import { bigNumber, moment } from '../columns.ts'
import { apps } from './apps.ts'
import { identity, isGone, siteId, tenant } from './columns.ts'

export const secretTypes = tenant.table(
  '_secret_types',
  {
    siteId: siteId(),
    id: identity(),
    type: text('type').$type<SecretType['type']>().notNull(),
    name: text('name').notNull(),
    slug: text('slug').notNull(),
    description: text('description').notNull().default(''),
    sensitivityLevel: text('sensitivity_level').$type<SensitivityLevel>().notNull(),
    /** `json`, as in `_datatables`. Null: every object is a valid value. */
    schema: json('schema').$type<JsonObject>(),
    /**
     * Increases with each change of the schema. A value that was validated by another version is not stored.
     */
    version: integer('version').notNull().default(1),
    createdAt: moment('created_at').notNull().defaultNow(),
    modifiedAt: moment('modified_at').notNull().defaultNow(),
    isGone: isGone(),
  },
  (t) => [
    primaryKey({ name: '_secret_types_pkey', columns: [t.siteId, t.id] }),
    unique('_secret_types_name_key').on(t.siteId, t.name),
    unique('_secret_types_slug_key').on(t.siteId, t.slug),
    check('_secret_types_type_check', sql`${t.type} in ('system', 'custom')`),
    check(
      '_secret_types_sensitivity_level_check',
      sql`${t.sensitivityLevel} in ('public', 'private', 'sensitive')`,
    ),
  ],
)

export const tags = tenant.table(
  '_tags',
  {
    siteId: siteId(),
    id: identity(),
    name: text('name').notNull(),
    slug: text('slug').notNull(),
    description: text('description').notNull().default(''),
    color: text('color').notNull(),
    isGone: isGone(),
  },
  (t) => [
    primaryKey({ name: '_tags_pkey', columns: [t.siteId, t.id] }),
    unique('_tags_name_key').on(t.siteId, t.name),
    unique('_tags_slug_key').on(t.siteId, t.slug),
  ],
)

/**
 * A value is in one of two columns: in plain text, or encrypted for exactly this row, key, level and version.
 */
export const secrets = tenant.table(
  '_secrets',
  {
    siteId: siteId(),
    id: uuid('id').notNull(),
    key: text('key').notNull(),
    /** Null: the secret belongs to the site. */
    appId: bigNumber('app_id'),
    typeId: bigNumber('type_id').notNull(),
    publicValue: text('public_value'),
    ciphertext: text('ciphertext'),
    version: integer('version').notNull().default(1),
    createdAt: moment('created_at').notNull().defaultNow(),
    modifiedAt: moment('modified_at').notNull().defaultNow(),
    createdBy: bigNumber('created_by').notNull(),
    /**
     * The name is stored with the id because a tenant cannot reach `public.users`, and user names do not
     * change.
     */
    createdByUsername: text('created_by_username').notNull(),
    isGone: isGone(),
  },
  (t) => [
    primaryKey({ name: '_secrets_pkey', columns: [t.siteId, t.id] }),
    unique('_secrets_key_app_id_key').on(t.siteId, t.key, t.appId).nullsNotDistinct(),
    index('_secrets_app_id_idx').on(t.siteId, t.appId),
    index('_secrets_type_id_idx').on(t.siteId, t.typeId),
    index('_secrets_created_at_idx').on(t.siteId, t.createdAt),
    foreignKey({
      name: '_secrets_app_id_fkey',
      columns: [t.siteId, t.appId],
      foreignColumns: [apps.siteId, apps.id],
    }).onDelete('cascade'),
    foreignKey({
      name: '_secrets_type_id_fkey',
      columns: [t.siteId, t.typeId],
      foreignColumns: [secretTypes.siteId, secretTypes.id],
    }),
    check('_secrets_key_check', sql`${t.key} not in ('', '.', '..')`),
    check('_secrets_one_value', sql`num_nonnulls(${t.publicValue}, ${t.ciphertext}) = 1`),
  ],
)

export const secretTags = tenant.table(
  '_secret_tags',
  {
    siteId: siteId(),
    secretId: uuid('secret_id').notNull(),
    tagId: bigNumber('tag_id').notNull(),
    isGone: isGone(),
  },
  (t) => [
    primaryKey({
      name: '_secret_tags_pkey',
      columns: [t.siteId, t.secretId, t.tagId],
    }),
    index('_secret_tags_tag_id_idx').on(t.siteId, t.tagId),
    foreignKey({
      name: '_secret_tags_secret_id_fkey',
      columns: [t.siteId, t.secretId],
      foreignColumns: [secrets.siteId, secrets.id],
    }).onDelete('cascade'),
    foreignKey({
      name: '_secret_tags_tag_id_fkey',
      columns: [t.siteId, t.tagId],
      foreignColumns: [tags.siteId, tags.id],
    }).onDelete('cascade'),
  ],
)

/**
 * The changes of secrets. A row outlives its secret, so it has the key of the secret; it never has a value.
 */
export const secretHistory = tenant.table(
  '_secret_history',
  {
    siteId: siteId(),
    id: identity(),
    /** The id, because a secret keeps its history when its key changes. */
    secretId: uuid('secret_id').notNull(),
    key: text('key').notNull(),
    appId: bigNumber('app_id'),
    action: text('action').notNull(),
    userId: bigNumber('user_id').notNull(),
    username: text('username').notNull(),
    timestamp: moment('timestamp').notNull().defaultNow(),
    changes: jsonb('changes').notNull().default({}),
  },
  (t) => [
    primaryKey({ name: '_secret_history_pkey', columns: [t.siteId, t.id] }),
    index('_secret_history_key_app_id_idx').on(t.siteId, t.key, t.appId, t.id),
    index('_secret_history_secret_id_idx').on(t.siteId, t.secretId, t.id),
    check('_secret_history_action_check', sql`${t.action} in ('+', '~', '-')`),
  ],
)

/** Who has read a private or sensitive value, and when. */
export const secretReads = tenant.table(
  '_secret_reads',
  {
    siteId: siteId(),
    /** Created by the code that notes the read, so that it can repeat the insert. */
    id: uuid('id').notNull(),
    secretId: uuid('secret_id').notNull(),
    key: text('key').notNull(),
    appId: bigNumber('app_id'),
    userId: bigNumber('user_id').notNull(),
    username: text('username').notNull(),
    requestId: text('request_id').notNull(),
    readAt: moment('read_at').notNull(),
  },
  (t) => [primaryKey({ name: '_secret_reads_pkey', columns: [t.siteId, t.id] })],
)
