/** Copies, exports and imports of sites. */
import { sql } from 'drizzle-orm'
import { check, index, integer, json, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { Transfer } from '../../src/operation/transfers/schema.ts'
import { bigNumber, moment } from '../columns.ts'
import { users } from './accounts.ts'
import { bytes, created } from './columns.ts'
import { ofOrganization } from './organizations.ts'
import { sites } from './sites.ts'

/**
 * Copies, exports and imports of sites, which jobs carry out in steps. The transaction of a step also saves
 * the progress.
 */
export const transfers = pgTable(
  'transfers',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').$type<Transfer['kind']>().notNull(),
    organizationId: ofOrganization(),
    /** The source site; for an import, the site that it creates. Null: it was erased. */
    siteId: bigNumber('site_id').references(() => sites.id, { onDelete: 'set null' }),
    /** The site that the transfer creates. Null: it creates none, or the site was erased. */
    targetId: bigNumber('target_id').references(() => sites.id, { onDelete: 'set null' }),
    /** The slug of the created or exported site. */
    slug: text('slug').notNull(),
    state: text('state').$type<Transfer['state']>().notNull(),
    /** Whether to include records and secrets, and the public key that encrypts secrets. */
    options: jsonb('options').notNull().default({}),
    /**
     * The encrypted private key that decrypts the secrets of an archive. Null after the transfer has ended.
     */
    sealed: text('sealed'),
    /** The tasks, in order. Null: the first step determines them. */
    tasks: json('tasks'),
    /** How many of the tasks are done. */
    position: integer('position').notNull().default(0),
    /** Where the current task continues. Null: at its start. */
    place: jsonb('place'),
    /** How many records, edges and secrets were read or created. */
    counts: jsonb('counts').$type<Record<string, number>>().notNull().default({}),
    /** The things that people must do by hand, one sentence each. */
    notes: jsonb('notes').$type<string[]>().notNull().default([]),
    /** Why the transfer has failed. */
    error: text('error'),
    /** The lease of the Worker that carries out the transfer; `leased_until` is its end. */
    lease: uuid('lease'),
    leasedUntil: moment('leased_until'),
    /** How many times a Worker has started since the last finished step. */
    attempts: integer('attempts').notNull().default(0),
    /** How many times the archive of an export was downloaded; null: never. */
    downloads: integer('downloads'),
    createdBy: bigNumber('created_by').references(() => users.id, { onDelete: 'set null' }),
    /**
     * The generation of the account when it requested the transfer. If the account's sign-ins are ended, the
     * transfer ends, too.
     */
    generation: integer('generation').notNull(),
    created: created(),
    endedAt: moment('ended_at'),
    /** When the transfer is removed, with its archive. */
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [
    index('transfers_organization_id_idx').on(t.organizationId),
    index('transfers_site_id_idx').on(t.siteId),
    index('transfers_target_id_idx').on(t.targetId),
    index('transfers_created_by_idx').on(t.createdBy),
    index('transfers_expires_at_idx').on(t.expiresAt),
    index('transfers_running_idx').on(t.leasedUntil).where(sql`${t.state} = 'running'`),
    check('transfers_kind_check', sql`${t.kind} in ('copy', 'export', 'import')`),
    check(
      'transfers_state_check',
      sql`${t.state} in ('uploading', 'running', 'done', 'failed', 'cancelled')`,
    ),
  ],
)

/** The files of archives, in parts: the files that an export writes, and those that an import reads. */
export const transferParts = pgTable(
  'transfer_parts',
  {
    transferId: uuid('transfer_id')
      .notNull()
      .references(() => transfers.id, { onDelete: 'cascade' }),
    /** The file's path in the archive. Empty: the archive itself, as it was uploaded. */
    path: text('path').notNull(),
    number: integer('number').notNull(),
    /** For a file, compressed data: the parts in order are one compressed file. */
    content: bytes('content').notNull(),
    /** The bytes of the part before it was compressed. */
    size: integer('size').notNull(),
    /** The CRC-32 of the file up to the end of the part. */
    crc: bigNumber('crc').notNull(),
    /** The number of lines, and the sum of their digests. */
    digest: text('digest').notNull(),
  },
  (t) => [primaryKey({ name: 'transfer_parts_pkey', columns: [t.transferId, t.path, t.number] })],
)
