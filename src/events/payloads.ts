/** What functions are told of an event: their parameters. Spec: Events, table and rule 4; E1. */
import { z } from 'zod'
import { id, timestamp, uuid } from '../http/openapi/bodies.ts'

/** The account that is about to be made, as it was validated; without the password. */
export const accountToBe = z
  .strictObject({
    username: z.string().describe('The user name.'),
    email: z.string().describe('The e-mail address.'),
    first_name: z.string().describe('The first name.'),
    last_name: z.string().describe('The last name.'),
  })
  .meta({ id: 'AccountToBe', description: 'An account that is about to be created.' })

/** The account as it is, or was. */
export const account = accountToBe
  .extend({
    id: id.describe('The id of the account.'),
    uuid: uuid.describe('The UUID of the account.'),
    full_name: z.string().describe('First and last name.'),
    is_active: z.boolean().describe('Whether the account can sign in.'),
    is_superuser: z.boolean().describe('Whether the account may do everything on the platform.'),
    date_joined: timestamp.describe('When the account was created.'),
    last_login: timestamp.nullable().describe('When the account last signed in; null: never.'),
  })
  .meta({ id: 'AnnouncedAccount', description: 'An account.' })

const record = z.record(z.string(), z.unknown())

export const recordPayload = <Name extends string>(type: Name) =>
  z.strictObject({
    type: z.literal(type).describe('The name of the event.'),
    app_slug: z.string().describe('The slug of the app.'),
    datatable: z.string().describe('The name of the table.'),
    record_id: z.union([z.string(), z.number()]).meta({
      description:
        'The primary key as it is written in a path: the values of a composite one joined by commas, texts with a comma or a quote in double quotes.',
    }),
    data: record.describe('The record.'),
  })

/** Of a change: with the record as it was before. */
export const changedRecordPayload = <Name extends string>(type: Name) =>
  recordPayload(type).extend({ previous: record.describe('The record before the change.') })

/** What a `proxy` function's server gets. E6. */
export const webhookBody = (type: string, payload: z.ZodType) =>
  z.object({
    type: z.literal(type).describe('The name of the event.'),
    timestamp: timestamp.describe('When the event happened.'),
    data: payload.describe('What the event is about.'),
    context: z
      .looseObject({
        invocation_id: id.describe('The id of the run.'),
        attempt: z.int().min(1).describe('The number of the attempt, counted from 1.'),
      })
      .meta({ id: 'RunContext', description: 'A run of a function.' })
      .describe('The run of the function that the call belongs to.'),
  })
