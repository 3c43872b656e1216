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
  kind: z.enum(kinds).optional().describe('What kind of object was changed.'),
  action: z.enum(actions).optional().describe('What was done to it.'),
  object: z.string().max(254).optional().meta({ description: 'The name of what was changed: a user name, a slug, a key, a domain.' }),
  actor: z.string().max(254).optional().meta({ description: 'The user name of whoever changed it.' }),
  since: moment.optional().describe('Changes at this moment or later.'),
  until: moment.optional().describe('Changes before this moment.'),
})
export type AuditQuery = z.infer<typeof auditQuery>

export const auditEntry = z
  .object({
    id: id.describe('The id of the entry.'),
    at: timestamp.describe('When the change was made.'),
    site: z.string().nullable().meta({ description: 'The slug of the site; null where the change is about no site.' }),
    actor: z
      .object({ id: id.describe('The id of the account.'), username: z.string().describe('The user name.') })
      .nullable()
      .meta({ description: 'Null: the service itself, or somebody who was not signed in.' }),
    request_id: z.string().nullable().describe('The id of the request that made the change, as in its header X-Request-Id.'),
    address: z.string().nullable().meta({ description: 'Of an IPv6 client its network.' }),
    kind: z.enum(kinds).describe('What kind of object was changed.'),
    action: z.enum(actions).describe('What was done to it.'),
    object_id: z.string().describe('The id of the object.'),
    object: z.string().nullable().describe('The name of the object.'),
    changed: z.array(z.string()).meta({ description: 'The names of what was changed.' }),
    values: z.record(z.string(), z.unknown()).meta({ description: 'Of what may be shown, `{from, to}`. Never a value of a secret or a record.' }),
  })
  .meta({ id: 'AuditEntry', description: 'A change of something other than records.' })
export type AuditEntry = z.infer<typeof auditEntry>
