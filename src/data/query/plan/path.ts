/**
 * Resolves names in a query: relationships to follow, a field, an optional property inside it, and an
 * optional operator. R2, R4.
 */

import { nearest } from '../../../kernel/lib/nearest.ts'
import { quoteValue } from '../../../kernel/lib/quote-value.ts'
import type { Field } from '../../model/field.ts'
import { locate, type Part, type Path, pathOf, pathText } from '../../model/path.ts'
import {
  lacksIndex,
  namesOf,
  type PropertyType,
  pathProblem,
  propertyTypeNamed,
  propertyTypes,
} from '../../model/property.ts'
import { type Relationship, relationshipsOf } from '../../model/relationships.ts'
import type { Table } from '../../model/table.ts'
import { equality, operators, operatorsOn } from '../operators.ts'
import { listParameters } from '../parse/parse.ts'
import type { Planning } from './planning.ts'

interface Problem {
  problem: string
}

/** The end of a path: the table, and the rest of the path. */
export interface End {
  relationships: readonly Relationship[]
  table: Table
  /** The text of `parts`. */
  rest: string
  parts: readonly Part[]
  /** The text after `::`. */
  type: string | undefined
}

const hopsMax = 3
const pathsMax = 5

/**
 * Follows the relationships that a path begins with; `whole`: all of its names must be relationships. Each
 * distinct path counts once against the limit of paths.
 */
export function follow(planning: Planning, name: string | Path, whole = false): End | Problem {
  const path = typeof name === 'string' ? pathOf(name) : name
  if ('problem' in path) return path
  const { used, within, steps = 0 } = planning
  const { relationships, table, parts } = walk(planning, path.parts, whole)
  const blocked = relationships.slice(0, hopsMax - steps).find(({ problem }) => problem)
  if (blocked?.problem) return { problem: blocked.problem }
  if (steps + relationships.length > hopsMax)
    return { problem: `A path may follow ${hopsMax} relationships at most.` }
  if (relationships.length > 0)
    used.paths.add([within, ...relationships.map((relationship) => relationship.name)].join('.'))
  if (used.paths.size > pathsMax)
    return { problem: `A query may have ${pathsMax} different paths to related records at most.` }
  used.ends.push({ name: pathText(path.parts), table, parts })
  return { relationships, table, parts, rest: pathText(parts), type: path.type }
}

type Walk = Pick<End, 'relationships' | 'table' | 'parts'>

/** Walks the relationships that a path begins with. All of its names can be relationships if it is `whole`. */
function walk({ graph, table: start }: Planning, path: readonly Part[], whole: boolean): Walk {
  const relationships: Relationship[] = []
  let table = start
  let parts = path
  while (parts.length > 0 && (whole ? parts[0]?.separator !== '__' : parts[1]?.separator === '.')) {
    const relationship = relationshipsOf(graph, table).byName.get(parts[0]?.text ?? '')
    if (!relationship) break
    relationships.push(relationship.aliasOf ?? relationship)
    table = relationship.target
    parts = parts.slice(1)
  }
  return { relationships, table, parts }
}

/** The operators of relationships: for records that are there, or that meet conditions. */
const relationshipOperators = new Set(['null', 'nnull', 'some', 'none'])

/** A name that ends with a relationship: `maker.products__some`. */
export interface RelationshipName {
  /** The name without the operator. */
  path: Path
  operator: string
}

/** Returns the parts of a name that ends with a relationship and its operator; undefined for any other name. */
export function relationshipName(planning: Planning, name: string): RelationshipName | undefined {
  const path = pathOf(name)
  if ('problem' in path || path.type !== undefined) return undefined
  const { inside: parts, operator } = withoutOperator(path.parts, relationshipOperators)
  const { relationships, parts: rest } = walk(planning, parts, true)
  if (!relationshipOperators.has(operator) || rest.length > 0) return undefined
  // A relationship may have the name of its column, which has precedence.
  const { fields } = relationships.at(-2)?.target ?? planning.table
  if (operator.endsWith('null') && fields.has(parts.at(-1)?.text ?? '')) return undefined
  return { path: { parts, type: undefined }, operator }
}

/** Returns the problem of a name that is not a field of a table, with the nearest name that exists. */
export function unknownField(
  planning: Planning,
  { table, rest, parts }: Pick<End, 'table' | 'rest' | 'parts'>,
): Problem {
  const [first, second] = parts
  if (second?.separator === '.') return unknownRelationship(planning, table, first?.text ?? '')
  const isOwn = table === planning.table && planning.within === ''
  const what = isOwn
    ? `field or parameter ${quoteValue(rest)}`
    : `field ${quoteValue(rest)} of "${table.name}"`
  const names = [...table.fields.keys()]
  const suggestion = nearest(rest.replace(/__.*/s, ''), isOwn ? [...names, ...listParameters] : names)
  return { problem: `Unknown ${what}.${asQuestion(suggestion)} Fields: ${names.join(', ')}.` }
}

export function unknownRelationship({ graph }: Planning, table: Table, name: string): Problem {
  const names = relationshipsOf(graph, table).all.map((relationship) => relationship.name)
  const known = names.join(', ') || 'none'
  return { problem: `Unknown relationship ${quoteValue(name)} of "${table.name}". Relationships: ${known}.` }
}

const asQuestion = (suggestion: string | undefined): string =>
  suggestion ? ` Did you mean "${suggestion}"?` : ''

/** A value that each record has at most once. */
export interface SingleValue {
  relationships: readonly Relationship[]
  field: Field
  /** The names that lead to a property inside the field. Empty: the field itself. */
  path: readonly string[]
  /** The text after `::`. */
  type: string | undefined
}

/**
 * Resolves a name that has at most one value: a field of the record or of a record that it references, or a
 * property inside such a field. `otherwise` ends the message for a relationship to many.
 */
export function singleValue(
  planning: Planning,
  name: string | Path,
  otherwise: string,
): SingleValue | Problem {
  const end = follow(planning, name)
  if ('problem' in end) return end
  const many = end.relationships.find(({ to }) => to === 'many')
  if (many) return { problem: `A record can have many "${many.name}": ${otherwise}.` }
  return valueAt(planning, end)
}

/** Resolves the end of a path: a field, or a property inside one. */
export function valueAt(planning: Planning, end: End): SingleValue | Problem {
  const { relationships, table, type } = end
  const located = locate(table.fields, end.parts)
  if (!located) return unknownField(planning, end)
  const field = table.fields.get(located.field) as Field
  const { inside } = located
  if (inside.length === 0) return { relationships, field, path: [], type }
  const problem = propertyProblem(field, inside)
  return problem ? { problem } : { relationships, field, path: namesOf(inside), type }
}

const propertyProblem = (field: Field, inside: readonly Part[]): string | undefined =>
  field.type.comparable ? hasNoProperties(field) : pathProblem(field.schema, inside)

const hasNoProperties = ({ name, schema }: Field): string =>
  `"${name}" is of type ${schema.type}, which has no properties.`

/**
 * Returns the type with which a property is read. `path` is its text. Undefined: it is a field, which has its
 * own type.
 */
export function propertyTypeOf(
  { field, path, type }: SingleValue,
  text: string,
): PropertyType | undefined | Problem {
  const quoted = quoteValue(text)
  if (path.length === 0)
    return type === undefined
      ? undefined
      : { problem: `"${field.name}" has its own type: write it without "::".` }
  return (
    propertyTypeNamed(type ?? '') ?? {
      problem:
        `${quoted} is a property: write its type after it, as in ${text}::number. ` +
        `Types: ${propertyTypes.join(', ')}.`,
    }
  )
}

/** A field of a table, or a property inside it, with the name of an operator. */
export interface Target {
  field: Field
  path: readonly string[]
  operator: string
  /** The type that is written after a property. Undefined: the values determine how it is read. */
  as?: PropertyType
}

/**
 * Resolves `field`, `field__operator` and the path of a property with or without an operator; also
 * `field_operator`, if no field has that name. Returns undefined if the path begins with no field.
 */
export function targetOf({ table, parts, type }: End): Target | Problem | undefined {
  const located = locate(table.fields, parts)
  if (located) return targetInside(table.fields.get(located.field) as Field, located.inside, type)
  const [only, ...others] = parts as [Part, ...Part[]]
  if (only.isQuoted || others.length > 0 || type !== undefined) return undefined
  for (const operator of operators.keys()) {
    const field = only.text.endsWith(`_${operator}`)
      ? table.fields.get(only.text.slice(0, -operator.length - 1))
      : undefined
    if (field) return { field, path: [], operator }
  }
  return undefined
}

function unknownOperator({ name, type }: Field, operator: string): string {
  const known = operatorsOn(type)
  const question = asQuestion(nearest(operator, known))
  return `Unknown operator ${quoteValue(operator)}.${question} Operators of "${name}": ${known.join(', ')}.`
}

/** Takes one of the operators from the end of a path. A name in quotes is never an operator. */
function withoutOperator(
  inside: readonly Part[],
  known: { has(name: string): boolean } = operators,
): { inside: readonly Part[]; operator: string } {
  const last = inside.at(-1)
  if (!last || last.isQuoted) return { inside, operator: equality }
  const before = inside.slice(0, -1)
  if (last.separator === '__' && known.has(last.text)) return { inside: before, operator: last.text }
  const at = last.text.lastIndexOf('__')
  const operator = last.text.slice(at + 2)
  if (at === -1 || !known.has(operator)) return { inside, operator: equality }
  return { inside: [...before, { ...last, text: last.text.slice(0, at) }], operator }
}

/** Matches a type with the operator after it: `number__gt`. */
const typeAndOperator = /^(?<name>.*?)(?:__(?<operator>.*))?$/s

/** Resolves the names after a field. The last one may be an operator; the others are inside the field's JSON. */
function targetInside(field: Field, names: readonly Part[], type: string | undefined): Target | Problem {
  if (type !== undefined) return typedTarget(field, names, type)
  const { inside, operator } = withoutOperator(names)
  const [first] = inside
  if (first === undefined) return { field, path: [], operator }
  if (first.separator === '__' && field.type.comparable)
    return { problem: unknownOperator(field, namesOf(inside).join('__')) }
  if (first.separator === '__' && lacksIndex(field.schema, inside))
    return {
      problem: `${unknownOperator(field, first.text)} To filter by an item, use its index: ${field.name}__0.`,
    }
  const problem = propertyProblem(field, inside)
  return problem ? { problem } : { field, path: namesOf(inside), operator }
}

function typedTarget(field: Field, inside: readonly Part[], type: string): Target | Problem {
  const { name = '', operator = equality } = typeAndOperator.exec(type)?.groups ?? {}
  const problem = inside.length === 0 ? undefined : propertyProblem(field, inside)
  if (problem) return { problem }
  const path = namesOf(inside)
  const text = pathText([{ text: field.name, isQuoted: false, separator: '' }, ...inside])
  const as = propertyTypeOf({ relationships: [], field, path, type: name }, text)
  if (typeof as === 'object') return as
  if (!operators.has(operator)) return { problem: unknownOperator(field, operator) }
  return { field, path, operator, ...(as ? { as } : {}) }
}
