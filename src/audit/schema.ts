/** The audit on the wire. */
import { z } from 'zod'
import { listQuery } from '../http/lists/list.ts'
import { id, timestamp } from '../http/openapi/bodies.ts'
import { list } from './store.ts'

/** What the audit is about. One row of migrations/platform/triggers/audit.sql or migrations/tenant/0003_audit.sql each. */
const kinds = [
  'user',
  'organization',
  'membership',
  'group',
  'group_membership',
  'site',
  'permission',
  'api_key',
  'invitation',
  'social_account',
  'domain',
  'app',
  'datasource',
  'datatable',
  'function',
  'subscription',
  'social_app',
  'secret_type',
  'secret',
] as const

const actions = ['create', 'change', 'delete'] as const
const moment = z.iso.datetime({ offset: true, error: 'A date and time with its offset is required, as 2027-01-31T18:30:00Z.' })

export const auditQuery = listQuery(list, {
  kind: z.enum(kinds).optional(),
  action: z.enum(actions).optional(),
  object: z.string().max(254).optional().meta({ description: 'The name of what was changed: a user name, a slug, a key, a domain.' }),
  actor: z.string().max(254).optional().meta({ description: 'The user name of whoever changed it.' }),
  since: moment.optional(),
  until: moment.optional(),
})
export type AuditQuery = z.infer<typeof auditQuery>

export const auditEntry = z
  .object({
    id,
    at: timestamp,
    site: z.string().nullable().meta({ description: 'The slug of the site; null where the change is about no site.' }),
    actor: z.object({ id, username: z.string() }).nullable().meta({ description: 'Null: the service itself, or somebody who was not signed in.' }),
    request_id: z.string().nullable(),
    address: z.string().nullable().meta({ description: 'Of an IPv6 client its network.' }),
    kind: z.enum(kinds),
    action: z.enum(actions),
    object_id: z.string(),
    object: z.string().nullable(),
    changed: z.array(z.string()).meta({ description: 'The names of what was changed.' }),
    values: z.record(z.string(), z.unknown()).meta({ description: 'Of what may be shown, `{from, to}`. Never a value of a secret or a record.' }),
  })
  .meta({ id: 'AuditEntry' })
export type AuditEntry = z.infer<typeof auditEntry>
