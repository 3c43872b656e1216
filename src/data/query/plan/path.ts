/**
 * Resolves names in a query: relationships to follow, a field, an optional property inside it, and an
 * optional operator. R2, R4.
 */

import { nearest } from '../../../lib/nearest.ts'
import { quoteValue } from '../../../lib/quote-value.ts'
import { lacksIndex, pathProblem } from '../../model/property.ts'
import { type Relationship, relationshipsOf } from '../../model/relationships.ts'
import type { Field, Table } from '../../model/table.ts'
import { equality, operators, operatorsOn } from '../operators.ts'
import { listParameters } from '../parse/parse.ts'
import type { Planning } from './planning.ts'

interface Problem {
  problem: string
}

/** The end of a path: the table, and the rest of the name. */
export interface End {
  relationships: readonly Relationship[]
  table: Table
  rest: string
}

const hopsMax = 3
const pathsMax = 5

/**
 * Follows the relationships that a name begins with. Each distinct path counts once against the limit of
 * paths.
 */
export function follow({ table: start, graph, used, within }: Planning, name: string): End | Problem {
  const relationships: Relationship[] = []
  let table = start
  let rest = name
  for (let dot = rest.indexOf('.'); dot !== -1; dot = rest.indexOf('.')) {
    const relationship = relationshipsOf(graph, table).byName.get(rest.slice(0, dot))
    if (!relationship) break
    if (relationship.problem) return { problem: relationship.problem }
    relationships.push(relationship.aliasOf ?? relationship)
    table = relationship.target
    rest = rest.slice(dot + 1)
    if (relationships.length > hopsMax)
      return { problem: `A path may follow ${hopsMax} relationships at most.` }
  }
  if (relationships.length > 0)
    used.paths.add([within, ...relationships.map((relationship) => relationship.name)].join('.'))
  if (used.paths.size > pathsMax)
    return { problem: `A query may have ${pathsMax} different paths to related records at most.` }
  return { relationships, table, rest }
}

/** Returns the problem of a name that is not a field of a table, with the nearest name that exists. */
export function unknownField(planning: Planning, { table, rest }: End): Problem {
  const dot = rest.indexOf('.')
  if (dot !== -1) return unknownRelationship(planning, table, rest.slice(0, dot))
  const isOwn = table === planning.table && planning.within === ''
  const what = isOwn
    ? `field or parameter ${quoteValue(rest)}`
    : `field ${quoteValue(rest)} of "${table.name}"`
  const names = [...table.fields.keys()]
  const suggestion = nearest(rest.replace(/__.*/s, ''), isOwn ? [...names, ...listParameters] : names)
  return { problem: `Unknown ${what}.${asQuestion(suggestion)} Fields: ${names.join(', ')}.` }
}

/** Returns the problem of a name that is not a relationship of a table. */
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
}

/**
 * Resolves a name that has at most one value: a field of the record or of a record that it references, or a
 * property inside such a field. `otherwise` ends the message for a relationship to many.
 */
export function singleValue(planning: Planning, name: string, otherwise: string): SingleValue | Problem {
  const end = follow(planning, name)
  if ('problem' in end) return end
  const many = end.relationships.find(({ to }) => to === 'many')
  if (many) return { problem: `A record can have many "${many.name}": ${otherwise}.` }
  return valueAt(planning, end)
}

/** Resolves the end of a path: a field, or a property inside one. */
export function valueAt(planning: Planning, end: End): SingleValue | Problem {
  const { relationships, table, rest } = end
  const [first = '', ...path] = rest.split('.')
  const field = table.fields.get(first)
  if (!field) return unknownField(planning, end)
  if (path.length === 0) return { relationships, field, path }
  if (field.type.comparable)
    return { problem: `"${field.name}" is of type ${field.schema.type}, which has no properties.` }
  const problem = pathProblem(field.schema, path)
  return problem ? { problem } : { relationships, field, path }
}

/** A field of a table, or a property inside it, with the name of an operator. */
export interface Target {
  field: Field
  path: readonly string[]
  operator: string
}

const fieldNameMax = 63

/**
 * Resolves `field`, `field__operator` and `field__property__operator`; also `field_operator`, if no field has
 * that name. Returns undefined if the name begins with no field.
 */
export function targetOf(table: Table, name: string): Target | Problem | undefined {
  const exact = table.fields.get(name)
  if (exact) return { field: exact, path: [], operator: equality }
  for (let at = name.lastIndexOf('__', fieldNameMax); at > 0; at = name.lastIndexOf('__', at - 1)) {
    const field = table.fields.get(name.slice(0, at))
    if (field) return targetInside(field, name.slice(at + 2).split('__'))
  }
  for (const operator of operators.keys()) {
    const field = name.endsWith(`_${operator}`)
      ? table.fields.get(name.slice(0, -operator.length - 1))
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

/**
 * Resolves the words after a field. The last one may be an operator; the others are names inside the field's
 * JSON.
 */
function targetInside(field: Field, words: readonly string[]): Target | Problem {
  const last = words.at(-1) as string
  const isOperator = operators.has(last)
  const path = isOperator ? words.slice(0, -1) : words
  const [first] = path
  if (first !== undefined && field.type.comparable)
    return { problem: unknownOperator(field, path.join('__')) }
  if (first !== undefined && lacksIndex(field.schema, path))
    return {
      problem: `${unknownOperator(field, first)} To filter by an item, use its index: ${field.name}__0.`,
    }
  const problem = first === undefined ? undefined : pathProblem(field.schema, path, '__')
  if (problem) return { problem }
  return { field, path, operator: isOperator ? last : equality }
}
