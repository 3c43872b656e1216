/** The payloads of events: the first argument of functions. Spec: Events, table and rule 4; E1. */
import * as z from 'zod'
import { id, timestamp, uuid } from '../../kernel/http/openapi/bodies.ts'

const person = z.strictObject({
  username: z.string().describe('The user name.'),
  email: z.string().describe('The e-mail address.'),
  first_name: z.string().describe('The first name.'),
  last_name: z.string().describe('The last name.'),
})

/** How accounts are created. E8. */
const phase = z
  .enum(['invited', 'created', 'signed_up', 'joined', 'provider'])
  .describe(
    'How the account is created: by an invitation, an administrator, its owner, or a provider; ' +
      '`joined`: its owner had it already.',
  )
export type Phase = z.infer<typeof phase> | 'accepted'

/** An account that is about to be created, after its validation and without its password. */
export const accountToBe = person
  .extend({ phase })
  .meta({ id: 'AccountToBe', description: 'An account that is about to be created.' })

/** An account before its deletion. */
export const account = person
  .extend({
    id: id.describe('The id of the account.'),
    uuid: uuid.describe('The UUID of the account.'),
    full_name: z.string().describe('The first and the last name.'),
    is_active: z.boolean().describe('Whether the account can sign in.'),
    is_superuser: z.boolean().describe('Whether the account may do everything on the platform.'),
    date_joined: timestamp.describe('When the account was created.'),
    last_login: timestamp.nullable().describe('When the account last signed in; null if it never did.'),
  })
  .meta({ id: 'AnnouncedAccount', description: 'An account before its deletion.' })

export const createdAccount = account
  .extend({ phase })
  .meta({ id: 'CreatedAccount', description: 'An account that was created.' })

/** An account after a change. */
export const changedAccount = account
  .extend({
    phase: z.literal('accepted').optional().describe('`accepted` if an invitation was accepted.'),
  })
  .meta({ id: 'ChangedAccount', description: 'An account after a change.' })

const record = z.record(z.string(), z.unknown())

export const recordPayload = <Name extends string>(type: Name) =>
  z.strictObject({
    type: z.literal(type).describe('The name of the event.'),
    app_slug: z.string().describe('The slug of the app.'),
    datatable: z.string().describe('The name of the table.'),
    record_id: z
      .union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))])
      .describe('The primary key of the record. A composite key is an array of its values.'),
    data: record.describe('The record.'),
  })

/** The payload of an update, with the record before the change. */
export const changedRecordPayload = <Name extends string>(type: Name) =>
  recordPayload(type).extend({ previous: record.describe('The record before the change.') })

/** The body of a call of a `proxy` function. E6. */
export const webhookBody = (type: string, payload: z.ZodType) =>
  z.object({
    type: z.literal(type).describe('The name of the event.'),
    timestamp: timestamp.describe('When the event happened.'),
    data: payload.describe('The payload of the event.'),
    context: z
      .looseObject({
        invocation_id: id.describe('The id of the invocation.'),
        attempt: z.int().min(1).describe('The number of the attempt, counted from 1.'),
      })
      .meta({ id: 'InvocationContext', description: 'Facts about an invocation.' })
      .describe('The invocation that the call belongs to.'),
  })
