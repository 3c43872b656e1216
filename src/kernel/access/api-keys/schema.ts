/** The request and response bodies of API keys. A4, X1. */
import * as z from 'zod'
import { identity } from '../../http/fixed-members.ts'
import { type ListForm, listQuery } from '../../http/lists/list.ts'
import { id, timestamp } from '../../http/openapi/bodies.ts'
import { withFixed, withReadOnly } from '../../http/with-read-only.ts'
import { network } from '../../lib/client-address.ts'
import { abilities } from '../../scopes.ts'

/** The orders and the search of the list. */
export const listForm = {
  orderings: ['id', 'name', 'created_at', 'expires_at', 'last_used_at'],
  ordering: 'id',
  searched: 'the name or the prefix',
} as const satisfies ListForm

/** The query string of the list. */
export const apiKeysQuery = listQuery(listForm, {})
export type ApiKeysQuery = z.infer<typeof apiKeysQuery>

const scope = z
  .strictObject({
    app: z.string().min(1).max(100).describe('The slug of the app.'),
    tables: z
      .array(z.string().min(1).max(100))
      .min(1)
      .max(200)
      .describe('The names of the tables. `*` means all tables of the app, including future ones.'),
    can: z
      .array(z.enum(abilities))
      .min(1)
      .describe('What the key may do with records. `update` also allows writing edges.'),
  })
  .refine(({ can }) => can.includes('read') || !(can.includes('update') || can.includes('delete')), {
    path: ['can'],
    error: 'update and delete show the records that they write: add read.',
  })
  .meta({ id: 'ApiKeyScope', description: 'What an API key may do with records, by app and table.' })

const scopes = z
  .array(scope)
  .min(1)
  .max(50)
  .nullable()
  .describe(
    'What the key may do, within the rights of its user. Null: it can create and upsert records, run ' +
      'functions and manage subscriptions.',
  )

const allowedAddresses = z
  .array(network.meta({ description: 'An IP address, or a network such as 192.0.2.0/24.' }))
  .min(1)
  .max(50)
  .nullable()
  .describe('The IP addresses and networks from which the key is accepted. Null: all.')

const common = {
  id: id.describe('The id of the key.'),
  name: z.string().describe('The name of the key.'),
  prefix: z.string().meta({ description: 'The first characters of the key.' }),
  created_at: timestamp.describe('When the key was created.'),
  expires_at: timestamp.nullable().describe('When the key expires. Null if it never does.'),
}

/** A key as the list shows it. */
export const apiKey = z
  .object({
    ...common,
    scopes,
    allowed_addresses: allowedAddresses,
    last_used_at: timestamp.nullable().describe('When the key was last used, to the minute.'),
  })
  .meta({ id: 'ApiKey', description: 'An API key, without the key itself.' })
export type ApiKey = z.infer<typeof apiKey>

/** The response that creates a key. */
export const newApiKey = z
  .object({
    ...common,
    key: z.string().describe('The key. Only this response shows it.'),
    scopes: scopes.optional(),
    allowed_addresses: allowedAddresses.optional(),
  })
  .meta({
    id: 'NewApiKey',
    description: 'An API key, with the key itself. Scopes and addresses are present only if they were sent.',
  })
export type NewApiKey = z.infer<typeof newApiKey>

const input = {
  name: z.string().trim().min(1).max(100),
  expires_at: z.iso
    .datetime({
      offset: true,
      error: 'Must be a date and time with an offset, such as 2027-01-31T18:30:00Z.',
    })
    .refine((moment) => !(Date.parse(moment) <= Date.now()), 'Must be in the future.')
    .nullable(),
  scopes,
  allowed_addresses: allowedAddresses,
}

/** The body that creates a key. */
export const apiKeyInput = withReadOnly(
  {
    name: input.name,
    expires_at: input.expires_at.default(null),
    scopes: input.scopes.default(null),
    allowed_addresses: input.allowed_addresses.default(null),
  },
  newApiKey,
  apiKey,
)
export type ApiKeyInput = z.infer<typeof apiKeyInput>

const replaced = 'Replace the key with `POST …/rotate/`.'

/** The body that changes a key. */
export const apiKeyChange = withFixed(
  { ...identity, prefix: replaced, key: replaced },
  {
    name: input.name.optional(),
    expires_at: input.expires_at.optional(),
    scopes: input.scopes.optional(),
    allowed_addresses: input.allowed_addresses.optional(),
  },
  apiKey,
  newApiKey,
)
export type ApiKeyChange = z.infer<typeof apiKeyChange>

const overlapSecondsMax = 7 * 86_400

/** The body that replaces a key. */
export const rotation = z.strictObject({
  overlap_seconds: z
    .int()
    .min(0)
    .max(overlapSecondsMax)
    .default(3_600)
    .describe('For how long the old key is still accepted, in seconds.'),
})
export type Rotation = z.infer<typeof rotation>
