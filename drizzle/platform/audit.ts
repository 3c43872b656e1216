/** The audit log. */
import { sql } from 'drizzle-orm'
import { check, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import type { AuditEntry } from '../../src/identity/audit/schema.ts'
import { bigNumber, id, moment } from '../columns.ts'

/**
 * The audit: who changed what, when and from where. It covers accounts, roles, permissions, keys, domains,
 * invitations, and the parts of a site other than its records. Triggers write it in the transaction of the
 * change (public.note_change); nothing changes it.
 */
export const auditEntries = pgTable(
  'audit_entries',
  {
    id: id(),
    at: moment('at').notNull().default(sql`clock_timestamp()`),
    /** Null: the change is of an account without an organization. */
    organizationId: bigNumber('organization_id'),
    siteId: bigNumber('site_id'),
    /** Null: the service itself, or somebody who is not signed in. The name is the one at that time. */
    actorId: bigNumber('actor_id'),
    actor: text('actor'),
    requestId: text('request_id'),
    /** The id that the client gave the request. */
    clientRequestId: text('client_request_id'),
    address: text('address'),
    /** The kind of the object, for example `user` or `domain`. */
    kind: text('kind').$type<AuditEntry['kind']>().notNull(),
    action: text('action').$type<AuditEntry['action']>().notNull(),
    objectId: text('object_id').notNull(),
    object: text('object'),
    /** The names of the changed columns. */
    changed: text('changed').array().notNull(),
    /** The values before and after, of the columns whose values may be shown. */
    values: jsonb('values').$type<AuditEntry['values']>().notNull().default({}),
  },
  (t) => [
    index('audit_entries_organization_id_idx').on(t.organizationId, t.id),
    index('audit_entries_site_id_idx').on(t.siteId, t.id),
    index('audit_entries_at_idx').on(t.at),
    check('audit_entries_action_check', sql`${t.action} in ('create', 'change', 'delete')`),
  ],
)
