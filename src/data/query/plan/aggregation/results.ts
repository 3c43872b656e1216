/** Plans the results of an aggregation: expressions with names. R15. */

import { quoteValue } from '../../../../lib/quote-value.ts'
import type { ExpressionInput } from '../../parse/ast.ts'
import { sizeOf } from '../../parse/expression/size.ts'
import { ExpressionError, type Syntax } from '../../parse/expression/syntax.ts'
import { aggregates } from '../expression/aggregates.ts'
import { bounded } from '../expression/bounded.ts'
import { type Expression, isAggregated } from '../expression/expression.ts'
import { type Place, planExpression } from '../expression/plan.ts'
import type { Planning } from '../planning.ts'

/** A column of the groups, or of each record. */
export interface Result {
  name: string
  parameter: ExpressionInput['parameter']
  expression: Expression
}

const nameLengthMax = 63
const partsMax = 2_000

/** Plans up to `max` results. Adds each problem to `state.problems`. */
export function planResults(state: Planning, inputs: readonly ExpressionInput[], max: number): Result[] {
  const [first] = inputs
  if (first && inputs.length > max)
    state.problems.add(first.parameter, `At most ${max} expressions are allowed.`)
  return inputs.slice(0, max).flatMap((input) => {
    try {
      return planResult(state, input)
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      state.problems.add(input.parameter, error.located)
      return []
    }
  })
}

const places: Readonly<Record<ExpressionInput['parameter'], Place>> = {
  _aggregate: 'result',
  _annotate: 'annotation',
  _group_by: 'group',
}

function planResult(state: Planning, { parameter, syntax, alias }: ExpressionInput): Result {
  state.used.parts += sizeOf(syntax)
  if (state.used.parts > partsMax) {
    throw new ExpressionError(
      syntax.at,
      `The expressions of a query may have ${partsMax} parts at most. CASE x WHEN, BETWEEN and IN count x ` +
        'again for each comparison.',
    )
  }
  const expression = bounded(planExpression(state, places[parameter], syntax))
  if (parameter === '_aggregate' && !isAggregated(expression)) {
    throw new ExpressionError(
      syntax.at,
      `An aggregate function is required. Functions: ${[...aggregates.keys()].join(', ')}.`,
    )
  }
  const name = alias ?? nameOf(syntax)
  if (name === undefined)
    throw new ExpressionError(
      syntax.at,
      'This expression has no name of its own. Write " as <alias>" after it.',
    )
  if (name.length > nameLengthMax)
    throw new ExpressionError(
      syntax.at,
      `The name would be longer than ${nameLengthMax} characters. Write " as <alias>" after the expression.`,
    )
  return { name, parameter, expression }
}

/**
 * Returns the name of a result without an alias; undefined if it needs one. The result is named after the
 * field as it is written, the function, or both for an aggregate of a field: `sum_price`. A cast of a field
 * and a time zone do not change the name. R15.
 */
function nameOf(syntax: Syntax): string | undefined {
  if (syntax.kind === 'column') return syntax.name
  if (syntax.kind === 'cast' && syntax.operand.kind === 'column') return syntax.operand.name
  if (syntax.kind === 'operation' && syntax.operator === 'at time zone') return nameOfCall(syntax.operands[0])
  if (syntax.kind !== 'call') return undefined
  const [of] = syntax.operands
  if (!aggregates.has(syntax.name) || typeof of !== 'object' || of.kind !== 'column') return syntax.name
  return [syntax.name, ...(syntax.distinct ? ['distinct'] : []), of.name].join('_')
}

/**
 * Returns the default name of a call in a time zone. A field in a zone has none, because it would be confused
 * with the field itself.
 */
const nameOfCall = (syntax: Syntax | undefined): string | undefined =>
  syntax && syntax.kind !== 'column' ? nameOf(syntax) : undefined

/** Returns the results by name. Adds a problem for every repeated name. */
export function resultsByName(
  { problems }: Planning,
  results: readonly Result[],
): ReadonlyMap<string, Result> {
  const known = new Map<string, Result>()
  for (const result of results) {
    if (known.has(result.name)) {
      problems.add(
        result.parameter,
        `There are two results named ${quoteValue(result.name)}. Rename one: write " as <alias>" after it.`,
      )
    }
    known.set(result.name, result)
  }
  return known
}

/** Returns the problem of a name that no result has. */
export const unknownResult = (name: string, results: ReadonlyMap<string, Result>) =>
  `Unknown result ${quoteValue(name)}. Results: ${[...results.keys()].join(', ')}.`
