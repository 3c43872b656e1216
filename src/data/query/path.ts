/** What a name in a query leads to: relationships to follow, then a field, perhaps a property in it, then an operator. R2, R4. */
import { nearest } from '../../lib/nearest.ts'
import { shown } from '../../lib/shown.ts'
import { storageProblem } from '../../lib/storable.ts'
import type { Field, Table } from '../datatables/table.ts'
import { equality, operators, operatorsOn } from './operators.ts'
import { listParameters } from './parse.ts'
import type { Planning } from './plan.ts'
import { type Relationship, relationshipsOf } from './relationships.ts'

interface Problem {
  problem: string
}

/** Where a path ends, and what is said of it there. */
interface End {
  relationships: readonly Relationship[]
  table: Table
  rest: string
}

const hopsMax = 3
const pathsMax = 5

/** Follows the relationships that a name begins with. Paths are counted: the same one counts once. */
export function follow({ table: start, graph, paths }: Planning, name: string): End | Problem {
  const relationships: Relationship[] = []
  let table = start
  let rest = name
  for (let dot = rest.indexOf('.'); dot !== -1; dot = rest.indexOf('.')) {
    const relationship = relationshipsOf(graph, table).byName.get(rest.slice(0, dot))
    if (!relationship) break
    relationships.push(relationship.same ?? relationship)
    table = relationship.target
    rest = rest.slice(dot + 1)
    if (relationships.length > hopsMax) return { problem: `A path may have ${hopsMax} relationships at most.` }
  }
  if (relationships.length > 0) paths.add(relationships.map((relationship) => relationship.name).join('.'))
  if (paths.size > pathsMax) return { problem: `There may be ${pathsMax} different paths to related records at most.` }
  return { relationships, table, rest }
}

/** Why a name is no field of a table. */
export function unknownField(planning: Planning, { table, rest }: End): Problem {
  const dot = rest.indexOf('.')
  if (dot !== -1) {
    const names = relationshipsOf(planning.graph, table).all.map((relationship) => relationship.name)
    return { problem: `There is no relationship ${shown(rest.slice(0, dot))} of "${table.name}". Relationships: ${names.join(', ') || 'none'}.` }
  }
  const isOwn = table === planning.table
  const what = isOwn ? `field or parameter ${shown(rest)}` : `field ${shown(rest)} of "${table.name}"`
  const meant = nearest(rest.replace(/__.*/s, ''), isOwn ? [...table.fields.keys(), ...listParameters] : table.fields.keys())
  return { problem: `There is no ${what}.${meant ? ` Did you mean "${meant}"?` : ''} Fields: ${[...table.fields.keys()].join(', ')}.` }
}

/** A field of the record, or of a record that it references: it has one value at most. `otherwise`: what there is not, of many. */
export function singleField(planning: Planning, name: string, otherwise: string): { relationships: readonly Relationship[]; field: Field } | Problem {
  const end = follow(planning, name)
  if ('problem' in end) return end
  const { relationships, table, rest } = end
  const many = relationships.find(({ to }) => to === 'many')
  if (many) return { problem: `A record has many "${many.name}": ${otherwise}.` }
  const field = table.fields.get(rest)
  return field ? { relationships, field } : unknownField(planning, end)
}

/** A field of a table, or a property in one, with the name of an operator. */
export interface Target {
  field: Field
  path: readonly string[]
  operator: string
}

const fieldNameMax = 63
const propertyDepthMax = 10

/** `field`, `field__operator`, `field__property__operator`, and `field_operator` where no field has that name; undefined: no field. */
export function targetOf(table: Table, name: string): Target | Problem | undefined {
  const exact = table.fields.get(name)
  if (exact) return { field: exact, path: [], operator: equality }
  for (let at = name.lastIndexOf('__', fieldNameMax); at > 0; at = name.lastIndexOf('__', at - 1)) {
    const field = table.fields.get(name.slice(0, at))
    if (field) return insideOf(field, name.slice(at + 2).split('__'))
  }
  for (const operator of operators.keys()) {
    const field = name.endsWith(`_${operator}`) ? table.fields.get(name.slice(0, -operator.length - 1)) : undefined
    if (field) return { field, path: [], operator }
  }
  return undefined
}

const isArray = ({ schema }: Field): boolean => schema.type === 'array'

/** From 0; of a negative one Postgres counts from the end. */
const memberIndex = /^-?\d{1,9}$/

function unknownOperator({ name, type }: Field, said: string): string {
  const known = operatorsOn(type)
  const meant = nearest(said, known)
  return `There is no operator ${shown(said)}.${meant ? ` Did you mean "${meant}"?` : ''} Operators of "${name}": ${known.join(', ')}`
}

/** What stands after a field: an operator is the last word if it is one; the others are names in the field's JSON. */
function insideOf(field: Field, words: readonly string[]): Target | Problem {
  const last = words.at(-1) as string
  const isOperator = operators.has(last)
  const path = isOperator ? words.slice(0, -1) : words
  const [first] = path
  if (first !== undefined && field.type.comparable) return { problem: `${unknownOperator(field, path.join('__'))}.` }
  if (first !== undefined && isArray(field) && !memberIndex.test(first)) {
    return { problem: `${unknownOperator(field, first)}. A member is named by its index, as ${field.name}__0.` }
  }
  if (path.length > propertyDepthMax) return { problem: `A property may be ${propertyDepthMax} levels deep at most.` }
  if (path.includes('')) return { problem: 'Between two underscores and the next two, the name of a property is missing.' }
  if (path.some((name) => storageProblem(name))) return { problem: 'The name of a property has a character that nothing stored can have.' }
  return { field, path, operator: isOperator ? last : equality }
}
