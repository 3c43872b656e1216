/** What functions are told of an event: their parameters. Spec: Events, table and rule 4; E1. */
import { z } from 'zod'
import { id, timestamp, uuid } from '../http/openapi/bodies.ts'

/** The account that is about to be made, as it was validated; without the password. */
export const accountToBe = z
  .strictObject({ username: z.string(), email: z.string(), first_name: z.string(), last_name: z.string() })
  .meta({ id: 'AccountToBe' })

/** The account as it is, or was. */
export const account = accountToBe
  .extend({
    id,
    uuid,
    full_name: z.string(),
    is_active: z.boolean(),
    is_superuser: z.boolean(),
    date_joined: timestamp,
    last_login: timestamp.nullable(),
  })
  .meta({ id: 'AnnouncedAccount' })

const record = z.record(z.string(), z.unknown())

export const recordPayload = <Name extends string>(type: Name) =>
  z.strictObject({
    type: z.literal(type),
    app_slug: z.string(),
    datatable: z.string(),
    record_id: z.union([z.string(), z.number()]).meta({
      description:
        'The primary key as it is written in a path: the values of a composite one joined by commas, texts with a comma or a quote in double quotes.',
    }),
    data: record,
  })

/** Of a change: with the record as it was before. */
export const changedRecordPayload = <Name extends string>(type: Name) => recordPayload(type).extend({ previous: record })

/** What a `proxy` function's server gets. E6. */
export const webhookBody = (type: string, payload: z.ZodType) =>
  z.object({
    type: z.literal(type),
    timestamp,
    data: payload,
    context: z.looseObject({ invocation_id: id, attempt: z.int().min(1) }).meta({ id: 'RunContext' }),
  })
