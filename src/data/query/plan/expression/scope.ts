/** Finds the related records that an aggregate function in an annotation is about. */
import { quoteValue } from '../../../../kernel/lib/quote-value.ts'
import { locate, type Path } from '../../../model/path.ts'
import { type Relationship, relationshipsOf } from '../../../model/relationships.ts'
import { type Call, ExpressionError, partsOfCall, type Syntax } from '../../parse/expression/syntax.ts'
import { follow, type SingleValue, unknownField, valueAt } from '../path.ts'
import type { Planning } from '../planning.ts'

interface Scope {
  /** The relationships that lead to the records. The last one is to many. */
  scope: readonly Relationship[]
  /** Whether the function counts the records themselves: `count(reviews)`. */
  isOfRecords: boolean
}

/** Returns the scope of a call. Throws an ExpressionError unless all of its names lead to the same records. */
export function scopeOf(state: Planning, call: Call): Scope {
  const counted = relationshipsCounted(state, call)
  const parts = partsOfCall(counted ? { ...call, operands: '*' } : call)
  const scopes = [
    ...(counted ? [{ at: call.at, scope: counted }] : []),
    ...parts.flatMap(columnsOf).map((column) => scopeOfName(state, column)),
  ]
  const [first] = scopes
  if (!first) throw new ExpressionError(call.at, ofNothing(call.name))
  for (const { at, scope } of scopes) {
    if (scope.length === 0) throw new ExpressionError(at, ofNothing(call.name))
    if (!isSamePath(scope, first.scope)) throw new ExpressionError(at, ofSeveral(first.scope))
  }
  return { scope: first.scope, isOfRecords: counted !== undefined }
}

const ofNothing = (name: string): string =>
  name === 'count'
    ? 'An annotation counts related records: write count(relationship) or count(relationship.field).'
    : `An annotation aggregates fields of related records: write ${name}(relationship.field).`

const ofSeveral = (scope: readonly Relationship[]): string =>
  'All names in an aggregate function must lead to the same related records; the first one leads to ' +
  `${quoteValue(scope.map(({ name }) => name).join('.'))}.`

/** Tells whether two paths lead over the same relationships. */
export const isSamePath = (one: readonly Relationship[], other: readonly Relationship[]): boolean =>
  one.length === other.length && one.every((relationship, index) => relationship === other[index])

type Named = Syntax & { kind: 'column' }

/** Returns the names in an expression. */
function columnsOf(syntax: Syntax): Named[] {
  switch (syntax.kind) {
    case 'column':
      return [syntax]
    case 'constant':
      return []
    case 'operation':
      return syntax.operands.flatMap(columnsOf)
    case 'cast':
      return columnsOf(syntax.operand)
    case 'case':
      return [
        ...syntax.branches.flatMap(({ when, result }) => [when, result]),
        ...(syntax.otherwise ? [syntax.otherwise] : []),
      ].flatMap(columnsOf)
    case 'call':
      return partsOfCall(syntax).flatMap(columnsOf)
  }
}

function scopeOfName(
  state: Planning,
  { at, path, name }: Named,
): { at: number; scope: readonly Relationship[] } {
  const end = follow(state, path)
  if ('problem' in end) throw new ExpressionError(at, end.problem)
  const { relationships, table, rest } = end
  const scope = relationships.slice(0, relationships.findLastIndex(({ to }) => to === 'many') + 1)
  if (!locate(table.fields, end.parts)) {
    const isRelationship = relationshipsOf(state.graph, table).byName.has(rest)
    throw new ExpressionError(at, isRelationship ? ofRecords(name) : unknownField(state, end).problem)
  }
  return { at, scope }
}

const ofRecords = (name: string): string =>
  `${quoteValue(name)} is a relationship. Write a field after it, as in ${name}.id; only count takes the ` +
  'relationship itself, without distinct.'

/** Returns the relationships to the records that a call counts; undefined if it counts values. */
function relationshipsCounted(state: Planning, call: Call): readonly Relationship[] | undefined {
  const [only] = call.operands
  if (call.name !== 'count' || call.distinct || call.operands.length !== 1) return undefined
  if (typeof only !== 'object' || only.kind !== 'column') return undefined
  // A trial must not count against the limit of paths.
  const unbound = { ...state, used: { ...state.used, paths: new Set<string>() } }
  const end = follow(unbound, only.path)
  if ('problem' in end || locate(end.table.fields, end.parts)) return undefined
  if (!relationshipsOf(state.graph, end.table).byName.has(end.rest)) return undefined
  const whole = follow(state, only.path, true)
  if ('problem' in whole) throw new ExpressionError(only.at, whole.problem)
  const { relationships } = whole
  if (relationships.at(-1)?.to === 'many') return relationships
  throw new ExpressionError(only.at, `A record has one ${quoteValue(only.name)} at most: count its field.`)
}

/** Resolves a value of the records at the end of a scope, or of a record that they reference. */
export function valueInScope(
  state: Planning,
  scope: readonly Relationship[],
  path: Path,
): SingleValue | { problem: string } {
  const end = follow(state, path)
  if ('problem' in end) return end
  const found = valueAt(state, end)
  return 'problem' in found ? found : { ...found, relationships: found.relationships.slice(scope.length) }
}
