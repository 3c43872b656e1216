/** Random checks and computed fields for random schemas. */
import type { CheckSchema, FieldSchema } from '../../src/data/model/schema-form.ts'

/** See Dice in schemas.ts. */
interface Choices {
  one<Item>(items: readonly Item[]): Item
  chance(percent: number): boolean
}

interface Schema {
  fields: FieldSchema[]
  checks?: CheckSchema[] | undefined
  indexes?: unknown[] | undefined
}

const quoted = (name: string) => `"${name}"`

/**
 * Computed fields by the type of a field, without names. Postgres can compute each of them for every value.
 */
const formulas: Record<string, (name: string) => Pick<FieldSchema, 'type' | 'generated'>[]> = {
  string: (name) => [
    { type: 'string', generated: `lower(${name})` },
    { type: 'integer', generated: `length(${name})` },
  ],
  integer: (name) => [
    { type: 'boolean', generated: `${name} > 0` },
    { type: 'number', generated: `coalesce(${name}, 0) / 2.0` },
  ],
  number: (name) => [
    { type: 'number', generated: `round(${name}, 1)` },
    { type: 'string', generated: `${name}::text` },
  ],
  date: (name) => [{ type: 'date', generated: `date_trunc('month', ${name})` }],
  boolean: (name) => [{ type: 'boolean', generated: `not ${name}` }],
}

const isPlain = ({ generated }: FieldSchema): boolean => generated === undefined

function formulaOf(dice: Choices, fields: readonly FieldSchema[]): Pick<FieldSchema, 'type' | 'generated'> {
  const { name, type } = dice.one(fields.filter(isPlain))
  const missing = { type: 'boolean', generated: `${quoted(name)} is null` }
  return dice.one([...(formulas[type]?.(quoted(name)) ?? []), missing])
}

/** Returns a check that every record meets, or with `strict` one that some do not meet. */
function checkOf(dice: Choices, fields: readonly FieldSchema[], strict: boolean): string {
  const name = quoted(dice.one(fields).name)
  return strict ? `${name} is not null` : `${name} = ${name} or ${name} is null`
}

/** Adds some checks and computed fields. `strict`: existing records may break the checks. */
export function withExpressions<Of extends Schema>(dice: Choices, schema: Of, strict: boolean): Of {
  const fields = [...schema.fields]
  if (!fields.some(isPlain)) return schema
  const indexes = [...(schema.indexes ?? [])]
  for (const name of ['g', 'h'])
    if (dice.chance(20) && !fields.some((field) => field.name === name)) {
      fields.push({ name, ...formulaOf(dice, schema.fields) } as FieldSchema)
      if (dice.chance(50)) indexes.push({ name: `of_${name}`, fields: [name] })
    }
  const checks = [...(schema.checks ?? [])]
  for (const name of ['c1', 'c2'])
    if (dice.chance(15) && !checks.some((check) => check.name === name))
      checks.push({ name, expression: checkOf(dice, fields, strict && dice.chance(50)) })
  return { ...schema, fields, indexes, ...(checks.length > 0 ? { checks } : {}) }
}

/**
 * Returns expressions with the new names of fields; undefined for one that names a field that is gone.
 * `nameOf` returns the new name of a field.
 */
const renamed =
  (nameOf: (name: string) => string | undefined) =>
  (expression: string): string | undefined => {
    const names = [...expression.matchAll(/"([^"]*)"/g)].map(([, name]) => name as string)
    if (names.some((name) => nameOf(name) === undefined)) return undefined
    return expression.replaceAll(/"([^"]*)"/g, (_, name: string) => quoted(nameOf(name) as string))
  }

/**
 * Returns a changed schema with the computed fields and checks of `before` under the new names of the fields,
 * some of them changed, and new ones.
 */
export function carryExpressions<Of extends Schema>(
  dice: Choices,
  before: Schema,
  schema: Of,
  origins: ReadonlyMap<string, string>,
): Of {
  if (!schema.fields.some(isPlain)) return schema
  const now = new Map(schema.fields.map(({ name }) => [origins.get(name) ?? name, name]))
  const rename = renamed((name) => now.get(name))
  const fields = schema.fields.map((field): FieldSchema => {
    const { generated, ...plain } = field
    if (generated === undefined)
      return dice.chance(5) ? ({ name: field.name, ...formulaOf(dice, schema.fields) } as FieldSchema) : field
    if (dice.chance(20)) return { ...plain, ...formulaOf(dice, schema.fields) } as FieldSchema
    const kept = rename(generated)
    return kept === undefined ? (plain as FieldSchema) : ({ ...plain, generated: kept } as FieldSchema)
  })
  const checks = (before.checks ?? []).flatMap((check) => {
    const expression = rename(check.expression)
    return expression === undefined || dice.chance(20) ? [] : [{ ...check, expression }]
  })
  return withExpressions(dice, { ...schema, fields, checks }, true)
}
