import { z } from 'zod'
import { listQuery } from '../../http/lists/list.ts'
import { timestamp } from '../../http/openapi/bodies.ts'
import { returnable } from '../../http/returnable.ts'
import { isRawNumber } from '../../lib/exact-json.ts'
import { jsonObject } from '../../lib/json-object.ts'
import { isPathSegment, pathSegmentRule } from '../../lib/path-segment.ts'
import { sensitivityLevels } from '../schema.ts'
import { list } from './store.ts'

/** What stands in a path and in a list of keys: no slash, no comma, nothing that cannot be seen. */
const key = z
  .string()
  .max(255)
  .regex(/^[^\s,/\\\p{C}](?:[^,/\\\p{C}]*[^\s,/\\\p{C}])?$/u, 'A key has no slashes, commas and control characters, and no spaces around it.')
  .refine(isPathSegment, pathSegmentRule)

const valueBytesMax = 65_536
const valuePartsMax = 2000

const value = jsonObject
  .refine((object) => new TextEncoder().encode(JSON.stringify(object)).length <= valueBytesMax, `A value has at most ${valueBytesMax} bytes.`)
  .refine((object) => partsOf(object) <= valuePartsMax, `A value has at most ${valuePartsMax} members and elements.`)

function partsOf(part: unknown): number {
  if (typeof part !== 'object' || part === null || isRawNumber(part)) return 1
  return Object.values(part).reduce((sum: number, member) => sum + partsOf(member), 1)
}

const tags = z
  .array(z.string())
  .max(50)
  .transform((names) => [...new Set(names)])
const secretType = z.string().meta({ description: 'The slug of the secret type.' })

/** Names or slugs, separated by commas. */
const severalOf = (maximum: number) =>
  z
    .string()
    .transform((text) => [...new Set(text.split(',').flatMap((part) => part.trim() || []))])
    .refine((parts) => parts.length <= maximum, `At most ${maximum} can be named.`)
    .optional()

const app = z
  .string()
  .optional()
  .transform((slug) => slug || null)
  .meta({ type: 'string', description: 'The slug of an app, whose level is looked at.' })

export const levelQuery = z.object({ app })

export const readQuery = z.object({
  app: app.meta({ description: 'The slug of an app: its level is looked at first, then the site’s.' }),
  tags: severalOf(50).meta({ type: 'string', description: 'Names of tags, separated by commas: the secret has one of them.' }),
})
export type ReadQuery = z.infer<typeof readQuery>

export const secretsQuery = listQuery(list, {
  key: z.string().optional().describe('The key of a secret.'),
  app: app.meta({ description: 'The slug of an app, whose secrets are listed; without it, those of the site.' }),
  tags: severalOf(50).meta({ type: 'string', description: 'Slugs of tags, separated by commas: secrets with any of them.' }),
  secret_type: z.string().optional().meta({ description: 'The slug of a secret type.' }),
  created_by: z.string().optional().meta({ description: 'A user name.' }),
  keys: severalOf(100).meta({ type: 'string', description: 'Keys, separated by commas: the answer is an object of their values.' }),
  include_metadata: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true')
    .meta({ description: 'With `keys`: beside each value its tags, type and sensitivity.' }),
})
export type SecretsQuery = z.infer<typeof secretsQuery>

const object = z.record(z.string(), z.unknown())
const level = z.enum(sensitivityLevels)

/** Spec: Secret; K6. */
export const secret = z
  .object({
    key: z.string().describe('The key, unique within its level.'),
    secret_type: z.string().meta({ description: 'The name of the secret type.' }),
    value: object.describe('The value: an object that fits the schema of the type.'),
    tags: z.array(z.string()).describe('The names of its tags.'),
    app: z.string().nullable().describe('The slug of its app; null: of the site.'),
    sensitivity_level: level.describe('The sensitivity of its type.'),
    created_at: timestamp.describe('When the secret was created.'),
    modified_at: timestamp.describe('When the secret was last changed.'),
    created_by: z.string().describe('The user name of whoever created it.'),
  })
  .meta({ id: 'Secret', description: 'A secret.' })
export type Secret = z.infer<typeof secret>

/** Ignoring another one could store a value in plain text that somebody has called sensitive. */
const sensitivity = z
  .string()
  .optional()
  .meta({ enum: [...sensitivityLevels], description: 'That of the secret type: no other can be given.' })

export const secretInput = returnable(
  {
    secret_type: secretType,
    key,
    value,
    tags: tags.default([]),
    app: z.string().nullable().default(null).meta({ description: 'The slug of an app; null for the whole site.' }),
    sensitivity_level: sensitivity,
  },
  secret,
)
export type SecretInput = z.infer<typeof secretInput>

/** What is omitted stays. K2. */
export const secretChange = returnable(
  {
    secret_type: secretType.optional(),
    key: key.optional(),
    value: z.optional(value),
    tags: tags.optional(),
    app: z.string().nullable().optional().meta({ description: 'The level, which `?app=` names: it cannot be changed.' }),
    sensitivity_level: sensitivity,
  },
  secret,
)
export type SecretChange = z.infer<typeof secretChange>

/** K5 */
const secretWithMetadata = z.object({
  value: object.describe('The value: an object that fits the schema of the type.'),
  tags: z.array(z.string()).describe('The names of its tags.'),
  secret_type: z.string().describe('The name of the secret type.'),
  sensitivity_level: level.describe('The sensitivity of its type.'),
})
export const secretsByKey = z
  .record(z.string(), z.union([secretWithMetadata, object]))
  .meta({ id: 'SecretsByKey', description: 'Values by key; with `include_metadata`, each in an object with its tags and type.' })
export type SecretsByKey = z.infer<typeof secretsByKey>
