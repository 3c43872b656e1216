/** Secrets in the API. Spec: Secret; K3, K5, K6. */
import * as z from 'zod'
import { type ListForm, listQuery } from '../../kernel/http/lists/list.ts'
import { timestamp } from '../../kernel/http/openapi/bodies.ts'
import { booleanParam } from '../../kernel/http/params.ts'
import { withReadOnly } from '../../kernel/http/with-read-only.ts'
import { isRawNumber } from '../../kernel/lib/exact-json.ts'
import { jsonObject } from '../../kernel/lib/json-object.ts'
import { isPathSegment, pathSegmentRule } from '../../kernel/lib/path-segment.ts'
import { sensitivityLevels } from '../schema.ts'

/** How clients can sort and search the list of secrets. */
export const listForm = {
  orderings: ['key', 'created_at', 'modified_at', 'type__name', 'created_by__username'],
  ordering: '-created_at',
  searched: 'the key',
} as const satisfies ListForm

/** A key. It is part of paths and of lists of keys, so it has no slashes, commas or invisible characters. */
export const secretKey = z
  .string()
  .max(255)
  .regex(
    /^[^\s,/\\\p{C}](?:[^,/\\\p{C}]*[^\s,/\\\p{C}])?$/u,
    'A key must not contain slashes or commas or control characters, and must not begin or end with a space.',
  )
  .refine(isPathSegment, pathSegmentRule)

const valueBytesMax = 65_536
const valuePartsMax = 2000

const value = jsonObject
  .refine(
    (object) => new TextEncoder().encode(JSON.stringify(object)).length <= valueBytesMax,
    `A value can have at most ${valueBytesMax} bytes.`,
  )
  .refine(
    (object) => partsOf(object) <= valuePartsMax,
    `A value can have at most ${valuePartsMax} members and elements.`,
  )

/** Counts a value and, recursively, its members and elements. */
function partsOf(part: unknown): number {
  if (typeof part !== 'object' || part === null || isRawNumber(part)) return 1
  return Object.values(part).reduce((sum: number, member) => sum + partsOf(member), 1)
}

const tags = z
  .array(z.string())
  .max(50)
  .transform((names) => [...new Set(names)])
const secretType = z.string().meta({ description: 'The slug of the secret type.' })

/** Parses a list of names or slugs, separated by commas. */
const commaSeparated = (maximum: number) =>
  z
    .string()
    .transform((text) => [...new Set(text.split(',').flatMap((part) => part.trim() || []))])
    .refine((parts) => parts.length <= maximum, `There can be at most ${maximum}.`)
    .optional()

const app = z
  .string()
  .optional()
  .transform((slug) => slug || null)
  .meta({ type: 'string', description: 'The slug of an app, to select its level.' })

/** The query parameters of writes: they select the level. */
export const levelQuery = z.object({ app })

/** The query parameters of a read by key. */
export const readQuery = z.object({
  app: app.meta({ description: 'The slug of an app. Its level is searched before that of the site.' }),
  tags: commaSeparated(50).meta({
    type: 'string',
    description: 'Names of tags, separated by commas. The secret must have one of them.',
  }),
})
/** The parsed query parameters. */
export type ReadQuery = z.infer<typeof readQuery>

/** The query parameters of the list of secrets. */
export const secretsQuery = listQuery(listForm, {
  key: z.string().optional().describe('Only the secret with this key.'),
  app: app.meta({
    description: 'The slug of the app whose secrets are listed. Without it, those of the site are listed.',
  }),
  tags: commaSeparated(50).meta({
    type: 'string',
    description: 'Slugs of tags, separated by commas. Only secrets with one of them.',
  }),
  secret_type: z.string().optional().meta({ description: 'Only secrets of the type with this slug.' }),
  created_by: z
    .string()
    .optional()
    .meta({ description: 'Only secrets that the user with this name created.' }),
  keys: commaSeparated(100).meta({
    type: 'string',
    description: 'Keys, separated by commas. The response is an object with their values.',
  }),
  include_metadata: booleanParam
    .default(false)
    .meta({ description: 'With `keys`: adds the tags, the type and the sensitivity of each secret.' }),
})
/** The parsed query parameters. */
export type SecretsQuery = z.infer<typeof secretsQuery>

const object = z.record(z.string(), z.unknown())
const level = z.enum(sensitivityLevels)

/** A secret in responses. Spec: Secret; K6. */
export const secret = z
  .object({
    key: z.string().describe('The key, unique within its level.'),
    secret_type: z.string().meta({ description: 'The name of the secret type.' }),
    value: object.describe('The value: an object that matches the schema of the type.'),
    tags: z.array(z.string()).describe('The names of its tags.'),
    app: z.string().nullable().describe('The slug of its app; null at the site level.'),
    sensitivity_level: level.describe('The sensitivity of its type.'),
    created_at: timestamp.describe('When the secret was created.'),
    modified_at: timestamp.describe('When the secret was last changed.'),
    created_by: z.string().describe('The name of the user who created it.'),
  })
  .meta({ id: 'Secret', description: 'A secret.' })
/** A secret in responses. */
export type Secret = z.infer<typeof secret>

/**
 * The sensitivity, which is only checked. If it were ignored, a value that the client calls sensitive could
 * be stored in plain text.
 */
const sensitivity = z
  .string()
  .optional()
  .meta({
    enum: [...sensitivityLevels],
    description: 'The sensitivity of the secret type. Other values are rejected.',
  })

/** The body of POST. */
export const secretInput = withReadOnly(
  {
    secret_type: secretType,
    key: secretKey,
    value,
    tags: tags.default([]),
    app: z
      .string()
      .nullable()
      .default(null)
      .meta({ description: 'The slug of an app; null for the site level.' }),
    sensitivity_level: sensitivity,
  },
  secret,
)
/** The parsed body of POST. */
export type SecretInput = z.infer<typeof secretInput>

/** The body of PUT. Omitted fields are unchanged. K2. */
export const secretChange = withReadOnly(
  {
    secret_type: secretType.optional(),
    key: secretKey.optional(),
    value: z.optional(value),
    tags: tags.optional(),
    app: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'The level, which `?app=` selects. It cannot be changed.' }),
    sensitivity_level: sensitivity,
  },
  secret,
)
/** The parsed body of PUT. */
export type SecretChange = z.infer<typeof secretChange>

/** A secret in an object of secrets by key. K5. */
const secretWithMetadata = z.object({
  value: object.describe('The value: an object that matches the schema of the type.'),
  tags: z.array(z.string()).describe('The names of its tags.'),
  secret_type: z.string().describe('The name of the secret type.'),
  sensitivity_level: level.describe('The sensitivity of its type.'),
})

/** The response to a read of several keys. */
export const secretsByKey = z.record(z.string(), z.union([secretWithMetadata, object])).meta({
  id: 'SecretsByKey',
  description: 'Values by key. With `include_metadata`, objects with the value, its tags and its type.',
})
/** The response to a read of several keys. */
export type SecretsByKey = z.infer<typeof secretsByKey>
