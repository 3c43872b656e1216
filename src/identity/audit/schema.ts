/** The bodies and query parameters of the audit. */
import * as z from 'zod'
import { type ListForm, listQuery } from '../../kernel/http/lists/list.ts'
import { id, timestamp } from '../../kernel/http/openapi/bodies.ts'

/** The orderings and the search of the list of entries. */
export const listForm = {
  orderings: ['id', 'at'],
  ordering: '-id',
  searched: 'the name of the object or of the actor',
  pageSize: 50,
} as const satisfies ListForm

/**
 * The kinds of audited objects. Each is a row of migrations/triggers/platform/audit.sql or
 * migrations/triggers/tenant/audit.sql, with three exceptions: public.enter_viewing writes `view_as` (a read
 * as another person), public.run_in_part writes `records_read` (a read in several sites), and
 * public.judge_use writes `limit` when a site reaches a soft limit.
 */
const kinds = [
  'user',
  'organization',
  'membership',
  'group',
  'group_membership',
  'site',
  'permission',
  'api_key',
  'scim_key',
  'scim_user',
  'invitation',
  'social_account',
  'second_factor',
  'passkey',
  'domain',
  'app',
  'datasource',
  'datatable',
  'erasure',
  'function',
  'subscription',
  'social_app',
  'secret_type',
  'secret',
  'question',
  'dashboard',
  'view_as',
  'records_read',
  'limit',
  'transfer',
] as const

const actions = ['create', 'change', 'delete'] as const
const moment = z.iso.datetime({
  offset: true,
  error: 'Send a date and time with an offset, for example 2027-01-31T18:30:00Z.',
})

/** The query parameters of the list of entries. */
export const auditQuery = listQuery(listForm, {
  kind: z.enum(kinds).optional().describe('The kind of the object that was changed.'),
  action: z.enum(actions).optional().describe('The action: create, change or delete.'),
  object: z
    .string()
    .max(254)
    .optional()
    .meta({ description: 'The name of the object that was changed: a username, a slug, a key or a domain.' }),
  actor: z.string().max(254).optional().meta({ description: 'The username of the actor.' }),
  since: moment.optional().describe('Only changes at or after this time.'),
  until: moment.optional().describe('Only changes before this time.'),
})
export type AuditQuery = z.infer<typeof auditQuery>

/** An entry in an answer. */
export const auditEntry = z
  .object({
    id: id.describe('The id of the entry.'),
    at: timestamp.describe('The time of the change.'),
    site: z
      .string()
      .nullable()
      .meta({ description: 'The slug of the site. Null if the change concerns no site.' }),
    actor: z
      .object({
        id: id.nullable().describe('The id of the account. Null for the key of a directory.'),
        username: z
          .string()
          .describe('The username, or the name of the key. Empty for people who have deleted their account.'),
      })
      .nullable()
      .meta({
        description:
          'The user, or the key of a directory (SCIM), who made the change. Null for the service itself ' +
          'and for users who were not signed in.',
      }),
    request_id: z
      .string()
      .nullable()
      .describe("The id of the request that made the change: the answer's header X-Request-Id."),
    client_request_id: z
      .string()
      .nullable()
      .describe("The id that the client gave the request: the request's header X-Request-Id."),
    address: z
      .string()
      .nullable()
      .meta({ description: 'The IP address of the client. For IPv6 it is the network of the client.' }),
    kind: z.enum(kinds).describe('The kind of the object that was changed.'),
    action: z.enum(actions).describe('The action: create, change or delete.'),
    object_id: z.string().describe('The id of the object.'),
    object: z.string().nullable().describe('The name of the object.'),
    changed: z.array(z.string()).meta({ description: 'The names of the fields that were changed.' }),
    values: z.record(z.string(), z.unknown()).meta({
      description: 'The old and new values by field, as `{from, to}`. Never values of secrets or records.',
    }),
  })
  .meta({ id: 'AuditEntry', description: 'A change in the audit log. Changes of records are not included.' })
export type AuditEntry = z.infer<typeof auditEntry>
