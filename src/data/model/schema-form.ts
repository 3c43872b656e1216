/**
 * The form of a table's `json_schema`: its members and their types. schema-problems.ts checks their meaning.
 * D4–D6, D14.
 */
import '../../kernel/lib/zod-messages.ts'
import * as z from 'zod'
import { storageProblem } from '../../kernel/lib/storable.ts'
import { accessSchema } from './access.ts'
import { exclusionSchema, exclusionsMax, rangesSchema } from './exclusion-form.ts'
import { graphMembers } from './graph-schema.ts'
import { itemTypes } from './standard-types.ts'
import { typeNames } from './types.ts'

/** A member that only schema changes have; it is never stored (schema-changes/renames.ts). */
const renameMember = 'x-rename-from'

/** Creates a strict object that also keeps unknown members whose names begin with `x-`. D14. */
function open<Shape extends z.ZodRawShape>(strict: z.ZodObject<Shape, z.core.$strict>) {
  const isOthers = (name: string) => name.startsWith('x-') && name !== renameMember && !(name in strict.shape)
  return z.unknown().transform((input, context): z.output<typeof strict> => {
    if (typeof input !== 'object' || input === null || Array.isArray(input))
      return parseStrict(strict, input, context)
    const others = Object.entries(input).filter(([name]) => isOthers(name))
    for (const [name, value] of others) {
      const problem = storageProblem(value)
      if (problem) context.addIssue({ code: 'custom', path: [name], message: problem })
    }
    const known = parseStrict(
      strict,
      Object.fromEntries(Object.entries(input).filter(([name]) => !isOthers(name))),
      context,
    )
    return { ...known, ...Object.fromEntries(others) }
  })
}

/** Parses with a schema, and adds its issues to the context. */
function parseStrict<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  context: z.RefinementCtx,
): z.output<Schema> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues) {
    const messages =
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => `unknown key ${JSON.stringify(key)}`)
        : [issue.message]
    for (const message of messages) context.addIssue({ code: 'custom', path: issue.path, message })
  }
  return z.NEVER
}

/** A text that Postgres can store as a comment. */
const storable = (max: number, min = 0) =>
  z
    .string()
    .min(min)
    .max(max)
    .superRefine((text, context) => {
      const problem = storageProblem(text)
      if (problem) context.addIssue({ code: 'custom', message: problem })
    })

const bound = z.union([z.number(), z.string()]).optional()
/** A value in the form of a file. It is stored, and has no effect on records. */
const lexical = z.union([
  z.string().max(200),
  z.strictObject({ value: z.union([z.string(), z.number()]), label: z.string().optional() }),
])
const missingValues = z.array(lexical).max(1000).optional()

const constraintsSchema = open(
  z.strictObject({
    required: z.boolean().optional(),
    /** `deferred`: checked after each statement, so that one write can exchange values. */
    unique: z.union([z.boolean(), z.literal('deferred')]).optional(),
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

/** An expression of `checks` or `generated`. Its grammar is that of annotations. */
const expressionText = storable(2000, 1)

/** The form of a field's name. */
export const fieldName = /^[A-Za-z][A-Za-z0-9_]{0,62}$/

/** A field of a table schema. */
export const fieldSchema = open(
  z.strictObject({
    name: z
      .string()
      .regex(fieldName, 'a field name begins with a letter and has up to 63 letters, digits and underscores'),
    /** Omitted: string, as in the first version of the standard. */
    type: z.enum(typeNames as [string, ...string[]]).default('string'),
    format: z.string().max(100).optional(),
    title: storable(200).optional(),
    description: storable(2000).optional(),
    example: z.json().optional(),
    examples: z.json().optional(),
    constraints: constraintsSchema.optional(),
    default: z.json().optional(),
    /** The expression by which Postgres computes the field from the others. D19. */
    generated: expressionText.optional(),
    // These describe values in files or elsewhere. They are kept and returned, without effect.
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

/** One field name or a list of them; always a list once parsed. */
export const fieldNames = z
  .union([z.string().min(1), z.array(z.string().min(1)).min(1).max(32)], {
    error: 'Must be the name of a field, or an array of 1 to 32 of them.',
  })
  .transform((value) => (typeof value === 'string' ? [value] : value))

/** The effect of a foreign key when the referenced record is deleted. */
export const deleteRules = ['CASCADE', 'SET NULL', 'SET DEFAULT', 'RESTRICT', 'NO ACTION'] as const

/** A foreign key of a table schema. D6. */
export const foreignKeySchema = open(
  z.strictObject({
    fields: fieldNames,
    reference: open(
      z.strictObject({
        /** The name of a table of the same app. '' is the table itself. */
        resource: z.string().default(''),
        fields: fieldNames,
      }),
    ),
    'x-actions': z
      .strictObject({ onDelete: z.enum(deleteRules).default('RESTRICT') })
      .default({ onDelete: 'RESTRICT' }),
  }),
)

/** The methods of indexes: those of Postgres, and `trigram`, a GIN index of the parts of texts. */
export const indexMethods = ['btree', 'hash', 'gin', 'brin', 'trigram'] as const

/** An index of a table schema. D6. */
export const indexSchema = open(
  z.strictObject({
    name: z
      .string()
      .regex(
        /^[a-z][a-z0-9_]{0,47}$/,
        'an index name begins with a lower-case letter ' +
          'and has up to 48 lower-case letters, digits and underscores',
      ),
    /** Fields, and properties inside them: `specification.power::number`. */
    fields: fieldNames,
    /** Those of `fields` whose values are in descending order, as `-name` in an order. */
    descending: fieldNames.optional(),
    unique: z.boolean().default(false),
    method: z.enum(indexMethods).default('btree'),
    /** A filter, as in `?filters=`: the index has only the rows that match it. */
    where: z.record(z.string(), z.json()).optional(),
  }),
)

/** A condition on the fields of a record. D19. */
export const checkSchema = open(
  z.strictObject({
    name: z
      .string()
      .regex(
        /^[a-z][a-z0-9_]{0,47}$/,
        'a check name begins with a lower-case letter ' +
          'and has up to 48 lower-case letters, digits and underscores',
      ),
    expression: expressionText,
    /** What a client reads whose record breaks it. */
    message: storable(500, 1).optional(),
  }),
)

/** A field that is searched, with its weight: A counts most, D least. D6. */
export const searchField = z.union(
  [
    z.string().transform((field) => ({ field, weight: 'D' as const })),
    z.strictObject({ field: z.string(), weight: z.enum(['A', 'B', 'C', 'D']).default('D') }),
  ],
  { error: 'Must be the name of a field, or {"field", "weight"} with a weight of A, B, C or D.' },
)

/** The text search configurations that every Postgres has. */
export const searchLanguages = [
  'arabic', 'armenian', 'basque', 'catalan', 'danish', 'dutch', 'english', 'finnish', 'french', 'german',
  'greek', 'hindi', 'hungarian', 'indonesian', 'irish', 'italian', 'lithuanian', 'nepali', 'norwegian',
  'portuguese', 'romanian', 'russian', 'serbian', 'simple', 'spanish', 'swedish', 'tamil', 'turkish',
  'yiddish',
] as const // biome-ignore format: a list of names

/** The most fields that a schema is read with. Quotas for tables are lower (datatables/quotas.ts). */
export const fieldsMax = 1000
const indexesMax = 200
const checksMax = 50

/** Creates a list whose length is checked before its elements. */
const listOf = <Schema extends z.ZodType>(element: Schema, min: number, max: number) =>
  z.array(z.unknown()).min(min).max(max).pipe(z.array(element))

/** The most days for which versions can be kept. To keep them longer, a history has no limit. */
const historyDaysMax = 36_500

/** Whether every version of a record is kept: without a limit, or for a number of days. */
const historySchema = z.union([z.boolean(), z.strictObject({ days: z.int().min(1).max(historyDaysMax) })], {
  error: `Must be true, false, or {"days": <1 to ${historyDaysMax}>}.`,
})

/** A whole table schema. */
export const tableSchema = open(
  z.strictObject({
    fields: listOf(fieldSchema, 1, fieldsMax),
    primaryKey: fieldNames.optional(),
    uniqueKeys: listOf(fieldNames, 0, indexesMax).optional(),
    foreignKeys: listOf(foreignKeySchema, 0, 50).optional(),
    indexes: listOf(indexSchema, 0, indexesMax).optional(),
    ranges: rangesSchema.optional(),
    exclusions: listOf(exclusionSchema, 0, exclusionsMax).optional(),
    checks: listOf(checkSchema, 0, checksMax).optional(),
    search_fields: listOf(searchField, 1, 20).optional(),
    search_language: z.enum(searchLanguages).optional(),
    ...graphMembers,
    history: historySchema.optional(),
    /** The access rules for guests. */
    access: accessSchema.optional(),
    title: storable(200).optional(),
    description: storable(2000).optional(),
    $schema: z.string().max(500).optional(),
    name: z.string().max(200).optional(),
    fieldsMatch: z.union([z.string().max(20), z.array(z.string().max(20)).max(5)]).optional(),
    missingValues,
  }),
)

/** A field as it is stored. */
export type FieldSchema = z.output<typeof fieldSchema>
/** The constraints of a field as they are stored. */
export type ConstraintsSchema = z.output<typeof constraintsSchema>
/** A foreign key as it is stored. */
export type ForeignKeySchema = z.output<typeof foreignKeySchema>
/** An index as it is stored. */
export type IndexSchema = z.output<typeof indexSchema>
/** A check as it is stored. */
export type CheckSchema = z.output<typeof checkSchema>
/** A searched field as it is stored. */
export type SearchField = z.output<typeof searchField>
/** A schema as it is stored: the primary key is always there, as an array. */
export type TableSchema = z.output<typeof tableSchema> & { primaryKey: string[] }
