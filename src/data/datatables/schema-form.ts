/** The form of a table's `json_schema`: which members there are, and what stands in each. What they mean together, table-schema.ts judges. D4–D6, D14. */
import '../../lib/zod-messages.ts'
import { z } from 'zod'
import { storageProblem } from '../../lib/storable.ts'
import { graphMembers } from './graph-schema.ts'
import { itemTypes } from './standard-types.ts'
import { typeNames } from './types.ts'

/** A part of a change, and of no schema (migrations/renames.ts). */
const renameMember = 'x-rename-from'

/** The same, open to members of others' whose names begin with `x-`: they are kept. What is wrong with the rest is told as it would be without them. */
function open<Shape extends z.ZodRawShape>(strict: z.ZodObject<Shape, z.core.$strict>) {
  const isOthers = (name: string) => name.startsWith('x-') && name !== renameMember && !(name in strict.shape)
  return z.unknown().transform((input, context): z.output<typeof strict> => {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return judged(strict, input, context)
    const others = Object.entries(input).filter(([name]) => isOthers(name))
    for (const [name, value] of others) {
      const problem = storageProblem(value)
      if (problem) context.addIssue({ code: 'custom', path: [name], message: problem })
    }
    const said = judged(strict, Object.fromEntries(Object.entries(input).filter(([name]) => !isOthers(name))), context)
    return { ...said, ...Object.fromEntries(others) }
  })
}

function judged<Schema extends z.ZodType>(schema: Schema, input: unknown, context: z.RefinementCtx): z.output<Schema> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues) {
    const messages = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => `unknown key ${JSON.stringify(key)}`) : [issue.message]
    for (const message of messages) context.addIssue({ code: 'custom', path: issue.path, message })
  }
  return z.NEVER
}

/** It may become a comment in Postgres. */
const storable = (max: number) =>
  z
    .string()
    .max(max)
    .superRefine((text, context) => {
      const problem = storageProblem(text)
      if (problem) context.addIssue({ code: 'custom', message: problem })
    })

const bound = z.union([z.number(), z.string()]).optional()
/** Of a value as it is written in a file: nothing that records have. */
const lexical = z.union([z.string().max(200), z.strictObject({ value: z.union([z.string(), z.number()]), label: z.string().optional() })])
const missingValues = z.array(lexical).max(1000).optional()

const constraintsSchema = open(
  z.strictObject({
    required: z.boolean().optional(),
    unique: z.boolean().optional(),
    minLength: z.int().min(0).max(1_000_000_000).optional(),
    maxLength: z.int().min(1).max(1_000_000_000).optional(),
    minimum: bound,
    maximum: bound,
    exclusiveMinimum: bound,
    exclusiveMaximum: bound,
    pattern: z.string().min(1).optional(),
    enum: z.array(z.json()).min(1).max(1000).optional(),
    jsonSchema: z.union([z.record(z.string(), z.json()), z.boolean()]).optional(),
  }),
)

const fieldName = /^[A-Za-z][A-Za-z0-9_]{0,62}$/

export const fieldSchema = open(
  z.strictObject({
    name: z.string().regex(fieldName, 'a field name begins with a letter and has up to 63 letters, digits and underscores'),
    /** As the first version of the standard has it, a field that says nothing is a string. */
    type: z.enum(typeNames as [string, ...string[]]).default('string'),
    format: z.string().max(100).optional(),
    title: storable(200).optional(),
    description: storable(2000).optional(),
    example: z.json().optional(),
    examples: z.json().optional(),
    constraints: constraintsSchema.optional(),
    default: z.json().optional(),
    // How values are written in files, and what they mean elsewhere: kept, and given back.
    rdfType: z.string().max(500).optional(),
    missingValues,
    categories: z.array(lexical.or(z.number())).max(1000).optional(),
    categoriesOrdered: z.boolean().optional(),
    trueValues: z.array(z.string().max(200)).max(1000).optional(),
    falseValues: z.array(z.string().max(200)).max(1000).optional(),
    decimalChar: z.string().max(10).optional(),
    groupChar: z.string().max(10).optional(),
    bareNumber: z.boolean().optional(),
    delimiter: z.string().max(10).optional(),
    itemType: z.enum(itemTypes).optional(),
  }),
)

export const names = z
  .union([z.string().min(1), z.array(z.string().min(1)).min(1).max(32)], { error: 'Must be the name of a field, or an array of 1 to 32 of them.' })
  .transform((value) => (typeof value === 'string' ? [value] : value))

export const deleteRules = ['CASCADE', 'SET NULL', 'SET DEFAULT', 'RESTRICT', 'NO ACTION'] as const

export const foreignKeySchema = open(
  z.strictObject({
    fields: names,
    reference: open(
      z.strictObject({
        /** A table of the same app; '' is the table itself. */
        resource: z.string().default(''),
        fields: names,
      }),
    ),
    'x-actions': z.strictObject({ onDelete: z.enum(deleteRules).default('RESTRICT') }).default({ onDelete: 'RESTRICT' }),
  }),
)

export const indexMethods = ['btree', 'hash', 'gin', 'brin'] as const

export const indexSchema = open(
  z.strictObject({
    name: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,47}$/, 'an index name begins with a lower-case letter and has up to 48 lower-case letters, digits and underscores'),
    fields: names,
    unique: z.boolean().default(false),
    method: z.enum(indexMethods).default('btree'),
    /** A filter, as in `?filters=`: only rows that pass it are in the index. */
    where: z.record(z.string(), z.json()).optional(),
  }),
)

export const searchField = z.union(
  [
    z.string().transform((field) => ({ field, weight: 'D' as const })),
    z.strictObject({ field: z.string(), weight: z.enum(['A', 'B', 'C', 'D']).default('D') }),
  ],
  { error: 'Must be the name of a field, or {"field", "weight"} with a weight of A, B, C or D.' },
)

/** The text search configurations that every Postgres has. */
const searchLanguages = [
  'arabic', 'armenian', 'basque', 'catalan', 'danish', 'dutch', 'english', 'finnish', 'french', 'german', 'greek', 'hindi', 'hungarian',
  'indonesian', 'irish', 'italian', 'lithuanian', 'nepali', 'norwegian', 'portuguese', 'romanian', 'russian', 'serbian', 'simple', 'spanish',
  'swedish', 'tamil', 'turkish', 'yiddish',
] as const // biome-ignore format: a list of names

/** Of anything in a schema. How many fields and indexes a table may have, quotas.ts says. */
export const fieldsMax = 1000
const indexesMax = 200

/** Counted before anything in it is looked at. */
const listOf = <Schema extends z.ZodType>(element: Schema, min: number, max: number) => z.array(z.unknown()).min(min).max(max).pipe(z.array(element))

export const tableSchema = open(
  z.strictObject({
    fields: listOf(fieldSchema, 1, fieldsMax),
    primaryKey: names.optional(),
    uniqueKeys: listOf(names, 0, indexesMax).optional(),
    foreignKeys: listOf(foreignKeySchema, 0, 50).optional(),
    indexes: listOf(indexSchema, 0, indexesMax).optional(),
    search_fields: listOf(searchField, 1, 20).optional(),
    search_language: z.enum(searchLanguages).optional(),
    ...graphMembers,
    title: storable(200).optional(),
    description: storable(2000).optional(),
    $schema: z.string().max(500).optional(),
    name: z.string().max(200).optional(),
    fieldsMatch: z.union([z.string().max(20), z.array(z.string().max(20)).max(5)]).optional(),
    missingValues,
  }),
)

export type FieldSchema = z.output<typeof fieldSchema>
export type ConstraintsSchema = z.output<typeof constraintsSchema>
export type ForeignKeySchema = z.output<typeof foreignKeySchema>
export type IndexSchema = z.output<typeof indexSchema>
export type SearchField = z.output<typeof searchField>
/** The form in which a schema is kept: the primary key is always named, and is an array. */
export type TableSchema = z.output<typeof tableSchema> & { primaryKey: string[] }
