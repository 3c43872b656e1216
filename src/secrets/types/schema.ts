/** Secret types in the API. Spec: Secret type; K1, K2. */
import * as z from 'zod'
import { type ListForm, listQuery } from '../../kernel/http/lists/list.ts'
import { count } from '../../kernel/http/openapi/bodies.ts'
import { booleanParam } from '../../kernel/http/params.ts'
import { withFixed, withReadOnly } from '../../kernel/http/with-read-only.ts'
import { jsonObject } from '../../kernel/lib/json-object.ts'
import { prepareSchema } from '../../kernel/lib/json-schema/prepare-schema.ts'
import { name, sensitivityLevels } from '../schema.ts'

/** How clients can sort and search the list of types. */
export const listForm = {
  orderings: ['name', 'type', 'sensitivity_level', 'created_at', 'modified_at'],
  ordering: 'name',
  searched: 'the name or the description',
} as const satisfies ListForm

const kinds = ['system', 'custom'] as const
const description = z.string().max(2000)

/** The JSON Schema of values. Null accepts any object. */
const schema = jsonObject
  .superRefine((value, refinement) => {
    const prepared = prepareSchema(value)
    if ('problems' in prepared)
      for (const message of prepared.problems) refinement.addIssue({ code: 'custom', message })
    else if (value.type !== undefined && ![value.type].flat().includes('object'))
      refinement.addIssue({ code: 'custom', message: 'Values are objects, so "type" must be "object".' })
  })
  .nullable()
  .meta({
    description:
      'A JSON Schema of the draft 04, 06, 07, 2019-09 or 2020-12 that `$schema` names. Without `$schema` ' +
      'it is 2020-12, and `format` is checked. References stay within the schema: no other document is ' +
      'fetched. ' +
      'Null accepts any object.',
  })

/** The query parameters of the list of types. */
export const typesQuery = listQuery(listForm, {
  type: z.enum(kinds).optional().describe('Only system types, or only custom ones.'),
  sensitivity_level: z.enum(sensitivityLevels).optional().describe('Only types with this sensitivity.'),
})
/** The parsed query parameters. */
export type TypesQuery = z.infer<typeof typesQuery>

/** The query parameters of PUT. */
export const changeQuery = z.object({
  dry_run: booleanParam.default(false).meta({
    description: '`true`: nothing changes. The response lists the values that would no longer match.',
  }),
})

const level = z.enum(sensitivityLevels)
/** A secret type in lists. */
export const secretType = z
  .object({
    type: z.enum(kinds).describe('`system`: only superusers can change it. `custom`: made by the site.'),
    name: z.string().describe('The name, which is unique.'),
    slug: z.string().describe('The slug, made from the name.'),
    description: z.string().describe('A description.'),
    sensitivity_level: level.describe(
      '`public` values are stored in plain text. Others are encrypted, and each read of them is logged.',
    ),
    schema: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('The JSON Schema of the values; null accepts any object.'),
  })
  .meta({ id: 'SecretType', description: 'A secret type.' })
/** A secret type in lists. */
export type SecretType = z.infer<typeof secretType>

/** The body of POST. K1. */
export const typeInput = withReadOnly(
  {
    type: z.enum(kinds).default('custom'),
    name,
    description: description.default(''),
    sensitivity_level: z.enum(sensitivityLevels).default('private'),
    schema: schema.default(null),
  },
  secretType,
)
/** The parsed body of POST. */
export type TypeInput = z.infer<typeof typeInput>

/** The body of PUT. Fields that cannot be changed may be sent with their current value. K2. */
export const typeChange = withFixed(
  { slug: 'It is made from the name: change the name.' },
  {
    name: name.optional(),
    description: description.optional(),
    schema: schema.optional(),
    type: z.string().optional().describe('The current value. It cannot be changed.'),
    sensitivity_level: z.string().optional().describe('The current value. It cannot be changed.'),
  },
  secretType,
)
/** The parsed body of PUT. */
export type TypeChange = z.infer<typeof typeChange>

/** The response to a read of one type, without its schema. Spec: Endpoints, secret types. */
export const typeDetail = secretType
  .omit({ schema: true })
  .meta({ id: 'SecretTypeDetail', description: 'A secret type without its schema.' })
/** The response to a read of one type. */
export type TypeDetail = z.infer<typeof typeDetail>

/** The response to POST. Spec: Endpoints, secret types. */
export const typeCreated = typeDetail
  .omit({ description: true })
  .meta({ id: 'NewSecretType', description: 'A new secret type.' })
/** The response to POST. */
export type TypeCreated = z.infer<typeof typeCreated>

/** The stored values that do not match. */
const mismatches = z.object({
  invalid: z
    .array(
      z.object({
        key: z.string().describe('The key of the secret.'),
        app: z.string().nullable().describe('The slug of its app; null at the site level.'),
        unreadable: z
          .literal(true)
          .optional()
          .describe('Whether its value cannot be decrypted, and was not checked.'),
      }),
    )
    .describe('The secrets whose stored values do not match the new schema: 20 at most.'),
  invalid_count: count.describe('The number of all of them.'),
})
/** The stored values that do not match. */
export type Mismatches = z.infer<typeof mismatches>

/** The response to a change. */
export const changedType = secretType
  .extend(mismatches.partial().shape)
  .meta({ id: 'ChangedSecretType', description: 'A secret type, and the values that no longer match it.' })

/** The response to a dry run. */
export const dryRun = mismatches
  .extend({ checked: count.meta({ description: 'The number of secrets of this type.' }) })
  .meta({ id: 'DryRun', description: 'The effect of a change of the schema.' })
/** The response to a dry run. */
export type DryRun = z.infer<typeof dryRun>
