/** The order of a list: the fields that were asked for, the rank of a search, and last the primary key. R13. */
import type { Field } from '../datatables/table.ts'
import type { SortTerm } from './ast.ts'
import { singleField } from './path.ts'
import type { Planning } from './plan.ts'
import { type Predicate, requiresValue } from './predicate.ts'
import type { Relationship } from './relationships.ts'

export type Order = FieldOrder | { by: 'rank'; search: Predicate & { kind: 'search' } }

export interface FieldOrder {
  by: 'field'
  /** To the record that the field is of: each to one. */
  relationships: readonly Relationship[]
  field: Field
  descending: boolean
  /** Whether there may be records without a value, which come last. */
  nullable: boolean
}

export const termsMax = 10

/** After the terms comes the primary key, so that the order of any two records is fixed and pages never overlap. */
export function planOrder(state: Planning, terms: readonly SortTerm[], where: Predicate): Order[] {
  const { table, problems } = state
  if (terms.length > termsMax) problems.add((terms[0] as SortTerm).parameter, `There may be ${termsMax} fields to sort by at most.`)
  const order: Order[] = terms.slice(0, termsMax).flatMap((term) => planTerm(state, term, where))
  const isOrdered = (field: Field) => order.some((one) => one.by === 'field' && one.relationships.length === 0 && one.field === field)
  const tieBreakers = table.primaryKey
    .filter((field) => !isOrdered(field))
    .map((field): Order => ({ by: 'field', relationships: [], field, descending: false, nullable: false }))
  return [...(terms.length === 0 ? rank(where) : order), ...tieBreakers]
}

function planTerm(state: Planning, { parameter, name, descending }: SortTerm, where: Predicate): Order[] {
  const refuse = (problem: string) => {
    state.problems.add(parameter, problem)
    return []
  }
  const found = singleField(state, name, 'there is no order by what is theirs')
  if ('problem' in found) return refuse(found.problem)
  const { relationships, field } = found
  if (!field.type.comparable || field.type.ordinal) return refuse(`"${name}" is of type ${field.schema.type}, which has no order.`)
  const nullable = relationships.length > 0 || !(field.required || requiresValue(where, field))
  return [{ by: 'field', relationships, field, descending, nullable }]
}

/** What a search finds comes in the order of how well it fits, unless another is asked for. */
function rank(where: Predicate): Order[] {
  const search = (where.kind === 'and' ? where.of : [where]).find((member) => member.kind === 'search')
  return search ? [{ by: 'rank', search }] : []
}
