import { z } from 'zod'
import { listQuery } from '../../http/lists/list.ts'
import { count } from '../../http/openapi/bodies.ts'
import { returnable } from '../../http/returnable.ts'
import { jsonObject } from '../../lib/json-object.ts'
import { prepareSchema } from '../../lib/json-schema/prepare.ts'
import { name, sensitivityLevels } from '../schema.ts'
import { list } from './store.ts'

const kinds = ['system', 'custom'] as const
const description = z.string().max(2000)

/** A schema that values can be validated by. Null: any object is a value. */
const schema = jsonObject
  .superRefine((value, refinement) => {
    const prepared = prepareSchema(value)
    if ('problems' in prepared) for (const message of prepared.problems) refinement.addIssue({ code: 'custom', message })
  })
  .nullable()
  .meta({
    description:
      'JSON Schema of the draft 04, 06, 07, 2019-09 or 2020-12, as `$schema` says; without it 2020-12, with `format` checked. ' +
      'References stay within the schema: no other document is fetched. Null: any object is a value.',
  })

export const typesQuery = listQuery(list, {
  type: z.enum(kinds).optional().describe('System types, or custom ones.'),
  sensitivity_level: z.enum(sensitivityLevels).optional().describe('Types of this sensitivity.'),
})
export type TypesQuery = z.infer<typeof typesQuery>

export const changeQuery = z.object({
  dry_run: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true')
    .meta({ description: '`true` changes nothing, and answers which values would no longer fit.' }),
})

const level = z.enum(sensitivityLevels)
export const secretType = z
  .object({
    type: z.enum(kinds).describe('Whether it belongs to the service or to the site.'),
    name: z.string().describe('The name, which is unique.'),
    slug: z.string().describe('The slug, made from the name.'),
    description: z.string().describe('A description for people.'),
    sensitivity_level: level.describe(
      'How values are guarded: `public` ones are stored as they are; others are encrypted, and each reading of them is logged.',
    ),
    schema: z.record(z.string(), z.unknown()).nullable().describe('The JSON Schema of the values; null: any object.'),
  })
  .meta({ id: 'SecretType', description: 'A type of secrets.' })
export type SecretType = z.infer<typeof secretType>

/** K1 */
export const typeInput = returnable(
  {
    type: z.enum(kinds).default('custom'),
    name,
    description: description.default(''),
    sensitivity_level: z.enum(sensitivityLevels).default('private'),
    schema: schema.default(null),
  },
  secretType,
)
export type TypeInput = z.infer<typeof typeInput>

/** What can be changed; and what cannot, which may be sent as it is. K2. */
export const typeChange = returnable(
  {
    name: name.optional(),
    description: description.optional(),
    schema: schema.optional(),
    type: z.string().optional().describe('The present one: it cannot be changed.'),
    sensitivity_level: z.string().optional().describe('The present one: it cannot be changed.'),
  },
  secretType,
)
export type TypeChange = z.infer<typeof typeChange>

/** Alone, without its schema. Spec: Endpoints, secret types. */
export const typeDetail = secretType.omit({ schema: true }).meta({ id: 'SecretTypeDetail', description: 'A type of secrets, without its schema.' })
export type TypeDetail = z.infer<typeof typeDetail>

export const typeCreated = typeDetail.omit({ description: true }).meta({ id: 'NewSecretType', description: 'A type of secrets as it was created.' })
export type TypeCreated = z.infer<typeof typeCreated>

/** What a change of the schema would mean for the values there are. */
export const dryRun = z
  .object({
    checked: count.meta({ description: 'How many secrets there are of this type.' }),
    misfits: z
      .array(
        z.object({
          key: z.string().describe('The key of the secret.'),
          app: z.string().nullable().describe('The slug of its app; null: of the site.'),
        }),
      )
      .meta({ description: 'Those whose values would no longer fit.' }),
  })
  .meta({ id: 'DryRun', description: 'What a change of the schema would mean.' })
export type DryRun = z.infer<typeof dryRun>
