/** Secrets with their types, tags, versions and reads. */
import { sql } from 'drizzle-orm'
import {
  check,
  foreignKey,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { bigNumber, id, moment } from '../columns.ts'
import { apps } from './apps.ts'

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
    tagId: bigNumber('tag_id').notNull(),
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
    appId: bigNumber('app_id'),
    action: text('action').notNull(),
    userId: bigNumber('user_id').notNull(),
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
  appId: bigNumber('app_id'),
  userId: bigNumber('user_id').notNull(),
  username: text('username').notNull(),
  requestId: text('request_id').notNull(),
  readAt: moment('read_at').notNull(),
})
