/** From what was said to what it means for a table: names become fields, strings become typed values, ceilings hold. */
import type { Field, Table } from '../datatables/table.ts'
import type { Condition, Filter, RecordQuery, SortTerm } from './ast.ts'
import { equality, type Operator, operators } from './operators.ts'
import type { Problems } from './problems.ts'

export type Predicate =
  | { kind: 'and' | 'or'; of: readonly Predicate[] }
  | { kind: 'not'; of: Predicate }
  /** The boolean field is false or null. */
  | { kind: 'notTrue'; field: Field }
  | { kind: 'one'; field: Field; operator: Operator; value: string }
  | { kind: 'list'; field: Field; operator: Operator; values: readonly string[] }

export interface Order {
  field: Field
  descending: boolean
}

export interface ReadPlan {
  table: Table
  where: Predicate
  order: readonly Order[]
  limit: number
  offset: number
}

const conditionsMax = 100
const listLengthMax = 1000
const sortTermsMax = 10

/** What is wrong is added to `problems`; where anything was, the plan is not to be run. */
export function planRead(table: Table, query: RecordQuery, problems: Problems): ReadPlan {
  if (query.sort.length > sortTermsMax) problems.add('_sort', `There may be ${sortTermsMax} fields to sort by at most.`)
  const state = planning(table, problems)
  const where = all(query.filters.map((filter) => planFilter(state, filter)))
  const order = planOrder(table, query.sort, problems)
  return { table, where: all([where, ...visible(table)]), order, limit: query.pageSize, offset: (query.page - 1) * query.pageSize }
}

/** Soft-deleted records are not seen. D5. */
function visible(table: Table): Predicate[] {
  return table.softDelete ? [{ kind: 'notTrue', field: table.softDelete }] : []
}

/** One conjunction of them all, without any inside it. */
function all(predicates: readonly Predicate[]): Predicate {
  const of = predicates.flatMap((predicate) => (predicate.kind === 'and' ? predicate.of : [predicate]))
  return of.length === 1 ? (of[0] as Predicate) : { kind: 'and', of }
}

/** The planning of one query: where names are looked up, what was found wrong, how many conditions there are so far. */
export interface Planning {
  table: Table
  problems: Problems
  conditions: number
}

export const planning = (table: Table, problems: Problems): Planning => ({ table, problems, conditions: 0 })

export function planFilter(state: Planning, filter: Filter): Predicate {
  if ('and' in filter) return all(filter.and.map((member) => planFilter(state, member)))
  if ('or' in filter) return { kind: 'or', of: filter.or.map((member) => planFilter(state, member)) }
  if ('not' in filter) return { kind: 'not', of: planFilter(state, filter.not) }
  return planCondition(state, filter)
}

function planCondition(state: Planning, condition: Condition): Predicate {
  const { table, problems } = state
  const refuse = (message: string): Predicate => {
    problems.add(condition.parameter, message)
    return all([])
  }
  const resolved = resolve(table, condition.name)
  if ('unknown' in resolved) return refuse(resolved.unknown)
  const { field, name, operator } = resolved
  if (!operator.on(field.type)) return refuse(`"${name}" does not work on "${field.name}", which is of type ${field.schema.type}.`)

  const before = state.conditions
  state.conditions += operator.takes === 'list' ? 1 : condition.values.length
  if (before > conditionsMax) return all([])
  if (state.conditions > conditionsMax) return refuse(`There may be ${conditionsMax} conditions at most.`)

  const texts = condition.values.flatMap((value) => (operator.takes === 'list' && typeof value === 'string' ? value.split(',') : [value]))
  const values: string[] = []
  for (const value of texts) {
    const parsed = typed(field, value)
    if (parsed === undefined) return refuse(`${asText(value)} is not a value of "${field.name}", which is of type ${field.schema.type}.`)
    values.push(parsed)
  }
  if (operator.takes === 'one') return all(values.map((value) => ({ kind: 'one', field, operator, value })))
  if (values.length > listLengthMax) return refuse(`A list may have ${listLengthMax} values at most.`)
  return { kind: 'list', field, operator, values }
}

interface Resolved {
  field: Field
  name: string
  operator: Operator
}

/** `field`, `field__operator`, and `field_operator` where no field has that name. R2. */
function resolve(table: Table, name: string): Resolved | { unknown: string } {
  const exact = table.fields.get(name)
  if (exact) return { field: exact, name: equality, operator: operators.get(equality) as Operator }
  const double = name.lastIndexOf('__')
  if (double > 0) {
    const field = table.fields.get(name.slice(0, double))
    const operator = operators.get(name.slice(double + 2))
    if (field && operator) return { field, name: name.slice(double + 2), operator }
    if (field) return { unknown: `There is no operator "${name.slice(double + 2)}". Operators: ${[...operators.keys()].join(', ')}.` }
  }
  for (const [operatorName, operator] of operators) {
    const field = name.endsWith(`_${operatorName}`) ? table.fields.get(name.slice(0, -operatorName.length - 1)) : undefined
    if (field) return { field, name: operatorName, operator }
  }
  return { unknown: `There is no field or parameter "${name}". Fields: ${[...table.fields.keys()].join(', ')}.` }
}

/** The value to bind: query strings are read by the field's type; JSON values have to be of it. */
function typed(field: Field, value: unknown): string | undefined {
  if (typeof value === 'string') return field.type.parse(value)
  if (value === null || field.type.problem(value)) return undefined
  return field.type.parse(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

const shownMax = 60
const asText = (value: unknown): string => {
  const text = JSON.stringify(value)
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text
}

/** The terms, and after them the primary key, so that the order of any two records is fixed and pages never overlap. */
function planOrder(table: Table, terms: readonly SortTerm[], problems: Problems): Order[] {
  const order: Order[] = []
  for (const term of terms) {
    const field = table.fields.get(term.name)
    if (!field) problems.add(term.parameter, `There is no field "${term.name}". Fields: ${[...table.fields.keys()].join(', ')}.`)
    else if (!field.type.comparable) problems.add(term.parameter, `"${term.name}" is of type ${field.schema.type}, which has no order.`)
    else order.push({ field, descending: term.descending })
  }
  const tieBreakers = table.primaryKey.filter((key) => order.every(({ field }) => field !== key))
  return [...order, ...tieBreakers.map((field) => ({ field, descending: false }))]
}

/** The record of an id in a path; undefined when it can be none. */
export function planOne(table: Table, id: string): Predicate | undefined {
  const values = keyValues(table, id)
  const operator = operators.get(equality) as Operator
  const key = values?.map((value, position): Predicate => ({ kind: 'one', field: table.primaryKey[position] as Field, operator, value }))
  return key && all([...key, ...visible(table)])
}

/** The values to bind of an id in a path: those of the key in its order, joined by commas. Undefined when it can be none. R7. */
export function keyValues(table: Table, id: string): string[] | undefined {
  const texts = table.primaryKey.length === 1 ? [id] : id.split(',')
  const values = table.primaryKey.flatMap((field, position) => field.type.parse(texts[position] ?? '') ?? [])
  return values.length === table.primaryKey.length && texts.length === values.length ? values : undefined
}
