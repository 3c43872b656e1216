/** Finds the problems of a table schema's indexes. D6. */
import { quoteValue } from '../../kernel/lib/quote-value.ts'
import { type FieldType, fieldTypes } from './field-types.ts'
import {
  type NamedValue,
  namedValue,
  namesOf,
  type Property,
  pathProblem,
  propertyTypeNamed,
  propertyTypes,
} from './property.ts'
import type { FieldSchema, IndexSchema } from './schema-form.ts'
import { typeOf } from './types.ts'

/** The indexes of a schema that can be read. */
interface Indexes {
  /** The names of fields that cannot be read. */
  unreadable: ReadonlySet<string>
  indexes?: readonly (IndexSchema | undefined)[] | undefined
}

/** Returns all problems, each with its place before it. */
export function indexProblems(schema: Indexes, fields: ReadonlyMap<string, FieldSchema>): string[] {
  const indexes = schema.indexes ?? []
  const names = indexes.map((index) => index?.name)
  return indexes.flatMap((index, position) => {
    if (!index) return []
    const { name } = index
    const problems = names.indexOf(name) === position ? [] : [`there are two indexes named "${name}"`]
    const values = index.fields.map((text) => valueNamed(text, schema, fields))
    const unknown = values.flatMap((value) => ('problem' in value ? (value.problem ?? []) : []))
    const known = values.flatMap((value) => ('problem' in value ? [] : [value]))
    const twice = known.filter(({ value }, at, all) => all.findIndex((one) => one.value === value) !== at)
    problems.push(...[...unknown, ...twice.map(({ text }) => `"${text}" is listed twice`)].map(inFields))
    problems.push(...directionProblems(index))
    if (known.length === values.length) problems.push(...methodProblems(index, known))
    return problems.map((problem) => placed(`indexes[${position}]`, problem))
  })
}

function directionProblems({ method, fields, descending = [] }: IndexSchema): string[] {
  const others = descending.filter((name) => !fields.includes(name))
  const problems = others.map((name) => `descending: ${quoteValue(name)} is not one of the fields`)
  const isOrdered = method === 'btree' || descending.length === 0
  return isOrdered ? problems : [...problems, 'only a btree index can be descending']
}

const inFields = (problem: string): string => `.fields: ${problem}`
const placed = (place: string, problem: string): string =>
  problem.startsWith('.fields') ? `${place}${problem}` : `${place}: ${problem}`

/** The value that an index contains. */
interface Indexed {
  text: string
  /** The same text for every way to write the value. */
  value: string
  /** The type of its values. */
  type: FieldType
  typeName: string
  isProperty: boolean
}

/**
 * Resolves a name in an index, or returns its problem. A field that cannot be read has no problem here,
 * because it is reported elsewhere.
 */
function valueNamed(
  text: string,
  { unreadable }: Indexes,
  fields: ReadonlyMap<string, FieldSchema>,
): Indexed | { problem: string | undefined } {
  const named = namedValue(text, { has: (name) => fields.has(name) || unreadable.has(name) })
  if ('problem' in named) return { problem: `${quoteValue(text)}: ${named.problem}` }
  const { inside } = named
  const field = fields.get(named.field)
  if (!field) {
    const isUnreadable = unreadable.has(named.field)
    return { problem: isUnreadable ? undefined : `there is no field ${quoteValue(named.field)}` }
  }
  const type = typeOf(field)
  const as = readingOf(named)
  const value = JSON.stringify([field.name, ...namesOf(inside), as ?? null])
  if (inside.length === 0) {
    return named.type === undefined
      ? { text, value, type, typeName: field.type, isProperty: false }
      : { problem: `"${text}": only a property has a type of its own; "${field.name}" is a field` }
  }
  if (type.comparable) return { problem: `"${field.name}" is of type ${field.type}, which has no properties` }
  const problem = pathProblem(field, inside)
  if (problem) return { problem: `${quoteValue(text)}: ${problem}` }
  if (!as) return { problem: `${quoteValue(text)}: unknown type. Types: ${propertyTypes.join(', ')}` }
  const read = fieldTypes.get(as === 'json' ? 'object' : as) as FieldType
  return { text, value, type: read, typeName: as === 'json' ? 'JSON' : as, isProperty: true }
}

/** Returns how a property in an index is read. Undefined: it is a field, or its type is unknown. */
export function readingOf({
  inside,
  type,
}: NamedValue): Exclude<Property['as'], 'any' | 'value'> | undefined {
  if (inside.length === 0) return undefined
  return type === undefined ? 'json' : propertyTypeNamed(type)
}

/**
 * The types that an index of each method supports, with the text for messages. Omitted: all types that can be
 * compared.
 */
const takes: Readonly<Record<string, { accepts(type: FieldType): boolean; rule: string }>> = {
  gin: { accepts: ({ comparable }) => !comparable, rule: 'supports only fields of type object or array' },
  trigram: {
    accepts: (type) => type.base === 'string' || type === fieldTypes.get('string'),
    rule: 'takes only strings',
  },
}
const others = {
  accepts: ({ comparable }: FieldType): boolean => comparable,
  rule: 'takes no objects or arrays',
}

function methodProblems({ method, unique, fields }: IndexSchema, values: readonly Indexed[]): string[] {
  const { accepts, rule } = takes[method] ?? others
  const problems = values
    .filter(({ type }) => !accepts(type))
    .map(({ text, typeName, isProperty }) => {
      const hint = isProperty && typeName === 'JSON' ? `; write its type after it: ${text}::string` : ''
      return `a ${method} index ${rule}; "${text}" is of type ${typeName}${hint}`
    })
  if (method === 'brin' && values.some(({ type }) => type === fieldTypes.get('boolean')))
    problems.push('a brin index does not support booleans')
  if (unique && method !== 'btree') problems.push('only a btree index can be unique')
  if (unique && values.some(({ isProperty }) => isProperty))
    problems.push('a unique index can contain fields, but not properties')
  if (method === 'hash' && fields.length > 1) problems.push('a hash index can contain only one field')
  return problems
}
