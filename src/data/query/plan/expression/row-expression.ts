/**
 * The expressions of a schema: checks and computed fields. Each reads one record, and gives the same result
 * whenever Postgres computes it. D19.
 */
import { type Sql, sql, withInlineValues } from '../../../../kernel/db/sql.ts'
import { checkPlace, fieldsNamedIn } from '../../../model/checks.ts'
import type { Field } from '../../../model/field.ts'
import type { Path } from '../../../model/path.ts'
import type { CheckSchema } from '../../../model/schema-form.ts'
import { type Table, withColumns } from '../../../model/table.ts'
import { parseNamed } from '../../parse/expression/parse.ts'
import { sizeOf } from '../../parse/expression/size.ts'
import { ExpressionError } from '../../parse/expression/syntax.ts'
import { tokensOf } from '../../parse/expression/tokens.ts'
import { Problems } from '../../problems.ts'
import { planning } from '../planning.ts'
import { boundedForField } from './bounded.ts'
import { coerce, type Expression, fieldsIn, renderExpression } from './expression.ts'
import { requireImmutable } from './immutable.ts'
import { planExpression } from './plan.ts'
import { boolean, type Type, typeOf } from './types.ts'

const partsMax = 500

/** Plans an expression that has values of a type. Throws an ExpressionError. */
function planRow(table: Table, text: string, type: Type): Expression {
  const { syntax, alias } = parseNamed(tokensOf(text))
  if (alias !== undefined) throw new ExpressionError(1, 'The expression has no alias here.')
  const formulas = new Map(computedFields(table).map(({ name, formula }) => [name, formula]))
  if (sizeOf(syntax, sizeOfFormulas(formulas)) > partsMax)
    throw new ExpressionError(
      1,
      `The expression may have ${partsMax} parts at most. CASE x WHEN, BETWEEN and IN count x again for ` +
        'each comparison, and a computed field counts as its expression.',
    )
  const expression = coerce(type, planExpression(planning(table, new Problems()), 'schema', syntax))
  requireImmutable(expression)
  if (fieldsIn(expression).length === 0)
    throw new ExpressionError(1, 'The expression must name a field of the record.')
  return expression
}

/** Returns a function for the size of a column, which is that of its formula if it is computed. */
function sizeOfFormulas(formulas: ReadonlyMap<string, string>) {
  const sizes = new Map<string, number>()
  return ({ name, path: { parts } }: { name: string; path: Path }): number => {
    const [{ text } = { text: name }, ...others] = parts
    const field = others.length === 0 ? text : name
    const formula = formulas.get(field)
    if (formula === undefined) return 1
    const size = sizes.get(field) ?? sizeOfText(formula)
    sizes.set(field, size)
    return size
  }
}

/** Returns the size of an expression as it is written. One that cannot be read is a problem of its own. */
function sizeOfText(text: string): number {
  try {
    return sizeOf(parseNamed(tokensOf(text)).syntax)
  } catch (error) {
    if (error instanceof ExpressionError) return 1
    throw error
  }
}

/** Returns the condition of a check. Throws an ExpressionError. */
export const planCheck = (table: Table, { expression }: CheckSchema): Expression =>
  planRow(table, expression, boolean)

/** A field that Postgres computes. */
export type ComputedField = Field & { formula: string }

export const isComputed = (field: Field): field is ComputedField => field.formula !== undefined

export const computedFields = ({ fields }: Pick<Table, 'fields'>): ComputedField[] =>
  [...fields.values()].filter(isComputed)

/** Returns the value of a computed field. Throws an ExpressionError. */
export function planFormula(table: Table, field: ComputedField): Expression {
  const expression = planRow(table, field.formula, typeOf(field))
  const computed = fieldsIn(expression).find(({ formula }) => formula !== undefined)
  if (computed)
    throw new ExpressionError(
      1,
      `"${computed.name}" is computed, too. Write its expression in the place of its name.`,
    )
  return boundedForField(expression)
}

/** Renders an expression of a record in a statement without other rows, with constants in its text. */
export const rowSql = (expression: Expression): Sql =>
  withInlineValues(renderExpression(expression, { rowOf: () => undefined }))

/** Returns the value of a computed field as SQL. The schema of the table was checked. */
export const formulaSql = (table: Table, field: ComputedField): Sql => rowSql(planFormula(table, field))

/**
 * Returns the table with values in the place of its columns. Those of computed fields follow from the others.
 */
export function withValues(table: Table, valueFor: (field: Field) => Sql): Table {
  const written = withColumns(table, valueFor)
  return withColumns(written, (field) =>
    isComputed(field) ? sql`(${formulaSql(written, field)})` : field.column,
  )
}

/**
 * Returns the problems of all expressions of a schema, each with its place before it. `renamed` are the new
 * names of fields, by the old ones.
 */
export function rowExpressionProblems(
  table: Table,
  renamed: ReadonlyMap<string, string> = new Map(),
): string[] {
  const problems: string[] = []
  const tell = (place: string, text: string, plan: () => Expression) => {
    try {
      plan()
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      const old = fieldsNamedIn(text, renamed).filter((name) => !table.fields.has(name))
      const hints = old.map((name) => ` This change renames "${name}" to "${renamed.get(name)}": write that.`)
      problems.push(`${place}: ${error.located}${hints.join('')}`)
    }
  }
  for (const [position, check] of (table.schema.checks ?? []).entries())
    tell(checkPlace(position, check), check.expression, () => planCheck(table, check))
  for (const field of computedFields(table))
    tell(`fields.${field.name}.generated`, field.formula, () => planFormula(table, field))
  return problems
}
