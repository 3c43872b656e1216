/**
 * Plans annotations: computed values of each record, next to its fields. Filters, orders and `fields` refer
 * to them by name, like fields.
 */
import { identifier } from '../../../kernel/db/sql.ts'
import { quoteValue } from '../../../kernel/lib/quote-value.ts'
import type { Field } from '../../model/field.ts'
import { systemColumns } from '../../model/field-problems.ts'
import { type FieldType, fieldTypes } from '../../model/field-types.ts'
import { relationshipsOf } from '../../model/relationships.ts'
import { fieldName } from '../../model/schema-form.ts'
import { searchColumn } from '../../model/search-vector.ts'
import type { Table } from '../../model/table.ts'
import type { ExpressionInput } from '../parse/ast.ts'
import { listParameters } from '../parse/parse.ts'
import { annotationParameter } from '../parse/parse-expressions.ts'
import { all, fieldsOf, type Predicate } from '../predicate.ts'
import { planResults, type Result, resultsByName } from './aggregation/results.ts'
import type { Expression } from './expression/expression.ts'
import { list, localDatetime, type Type } from './expression/types.ts'
import type { Order } from './order.ts'
import type { Planning } from './planning.ts'
import type { Shown } from './shown.ts'

/** A computed value of a record, and the field that represents it in the plan. */
export interface Annotation extends Result {
  field: Field
}

/** The annotations of a list by their use. */
export interface Annotations {
  all: readonly Annotation[]
  /** Annotations that the records show. */
  shown: readonly Annotation[]
  /** Annotations that filters use. */
  where: readonly Annotation[]
  /** Annotations that filters or the order use. */
  page: readonly Annotation[]
  /**
   * If related records are grouped only for some records: `where` finds these, and `rest` has the other
   * conditions. Undefined: related records are grouped for all records.
   */
  among: { where: Predicate; rest: Predicate } | undefined
}

const annotationsMax = 20

/** The planning of a query that can refer to annotations by name. */
export interface AnnotatedPlanning extends Planning {
  annotations: readonly Annotation[]
}

/**
 * Plans annotations. Returns a planning in which they are fields of the table. Adds each problem to
 * `state.problems`.
 */
export function planAnnotations(state: Planning, inputs: readonly ExpressionInput[]): AnnotatedPlanning {
  if (inputs.length === 0) return { ...state, annotations: [] }
  const results = planResults(state, inputs, annotationsMax)
  const annotations = [...resultsByName(state, results).values()].flatMap((result): Annotation[] => {
    const problem = nameProblem(state, result.name)
    if (problem) state.problems.add(annotationParameter, problem)
    return problem ? [] : [{ ...result, field: fieldOf(result) }]
  })
  const fields = new Map([
    ...state.table.fields,
    ...annotations.map(({ name, field }) => [name, field] as const),
  ])
  const table: Table = { ...state.table, fields }
  const graph = new Map([...state.graph, [table, relationshipsOf(state.graph, state.table)]])
  return { ...state, table, graph, annotations }
}

/** Returns why an annotation cannot have a name; undefined if it can. */
function nameProblem({ table, graph }: Planning, name: string): string | undefined {
  const quoted = quoteValue(name)
  const hint = 'To give it another name, write "as <alias>" after the expression.'
  if (!fieldName.test(name))
    return (
      `${quoted} cannot be the name of an annotation: a name begins with a letter and has only letters, ` +
      `digits and underscores. ${hint}`
    )
  if (table.fields.has(name)) return `${quoted} is a field of "${table.name}". ${hint}`
  if (relationshipsOf(graph, table).byName.has(name))
    return `${quoted} is a relationship of "${table.name}". ${hint}`
  const isColumn =
    systemColumns.has(name) || identifier(name).strings[0] === searchColumn(table.schema).strings[0]
  return listParameters.has(name) || isColumn ? `The name ${quoted} is reserved. ${hint}` : undefined
}

const fieldOf = ({ name, expression }: Result): Field => ({
  name,
  schema: { name, type: expression.type.name },
  type: fieldTypeOf(expression.type),
  column: identifier(name),
  rules: [],
  required: hasAlwaysValue(expression),
  default: undefined,
  generated: false,
  formula: undefined,
})

const hasAlwaysValue = (expression: Expression): boolean =>
  (expression.kind === 'related' && expression.isCount) ||
  (expression.kind === 'column' && expression.relationships.length === 0 && expression.field.required)

const object = fieldTypes.get('object') as FieldType
const { output: _, ...datetime } = fieldTypes.get('datetime') as FieldType
const localType: FieldType = { ...datetime, column: localDatetime.column, parse: localDatetime.parse }

/** Returns the type of a field with the values of an expression. */
function fieldTypeOf(type: Type): FieldType {
  if (type === list) return fieldTypes.get('array') as FieldType
  if (type === localDatetime) return localType
  return fieldTypes.get(type.name) ?? { ...object, parse: type.parse }
}

/** The parts of a plan that may need annotations. */
interface Use extends Pick<Shown, 'fields'> {
  where: Predicate
  order: readonly Order[]
  distinct: readonly Expression[]
}

/** Groups annotations by their use. Returns undefined if there are none. */
export function annotationsFor(
  { annotations, table }: AnnotatedPlanning,
  { where, order, distinct, fields }: Use,
): Annotations | undefined {
  if (annotations.length === 0) return undefined
  const conditions = new Set([...fieldsOf(where), ...distinct.flatMap(ownField)])
  const ordered = new Set(order.flatMap((term) => (term.by === 'value' ? ownField(term.expression) : [])))
  const computed = new Set(annotations.map(({ field }) => field))
  const members = where.kind === 'and' ? where.of : [where]
  const isOther = (one: Predicate) => fieldsOf(one).every((field) => !computed.has(field))
  const others = members.filter(isOther)
  const isSelective = others.some((one) => !(one.kind === 'isTrue' && one.field === table.softDelete))
  const page = annotations.filter(({ field }) => conditions.has(field) || ordered.has(field))
  const isGrouped = page.some(({ expression }) => isOfRelated(expression))
  const rest = members.filter((one) => !isOther(one))
  return {
    all: annotations,
    shown: annotations.filter(({ field }) => !fields || fields.includes(field)),
    where: annotations.filter(({ field }) => conditions.has(field)),
    page,
    among: isSelective && isGrouped ? { where: all(others), rest: all(rest) } : undefined,
  }
}

/** Tells whether an expression has aggregates of related records. */
const isOfRelated = (expression: Expression): boolean =>
  expression.kind === 'related' || (expression.kind === 'application' && expression.of.some(isOfRelated))

const ownField = (expression: Expression): readonly Field[] =>
  'field' in expression && expression.relationships.length === 0 ? [expression.field] : []
