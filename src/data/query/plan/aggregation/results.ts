/** Plans the results of an aggregation: expressions with names. R15. */

import { identifierBytesMax, utf8Length } from '../../../../kernel/db/sql.ts'
import { quoteValue } from '../../../../kernel/lib/quote-value.ts'
import { type Path, pathText } from '../../../model/path.ts'
import type { ExpressionInput } from '../../parse/ast.ts'
import { sizeOf } from '../../parse/expression/size.ts'
import { ExpressionError, type Syntax } from '../../parse/expression/syntax.ts'
import { aggregates } from '../expression/aggregates.ts'
import { bounded } from '../expression/bounded.ts'
import { type Expression, isAggregated } from '../expression/expression.ts'
import { type ExpressionPlace, planExpression } from '../expression/plan.ts'
import { roles } from '../expression/plan-aggregate.ts'
import { singleValue } from '../path.ts'
import type { Planning } from '../planning.ts'

/** A column of the groups, or of each record. */
export interface Result {
  name: string
  /** The path of a field or property. Undefined: another expression. */
  path: Path | undefined
  parameter: ExpressionInput['parameter']
  expression: Expression
}

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

const places: Readonly<Record<ExpressionInput['parameter'], ExpressionPlace>> = {
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
  if (utf8Length(name) > identifierBytesMax)
    throw new ExpressionError(
      syntax.at,
      `The name would be longer than ${identifierBytesMax} bytes. Write " as <alias>" after the expression.`,
    )
  return { name, path: pathOfSyntax(syntax), parameter, expression }
}

/**
 * Returns the name of a result without an alias; undefined if it needs one. The result is named after the
 * field as it is written, the function, or both for an aggregate of a field: `sum_price`. A cast of a field
 * and a time zone do not change the name. R15.
 */
function nameOf(syntax: Syntax): string | undefined {
  const path = pathOfSyntax(syntax)
  if (path) return pathText(path.parts)
  if (syntax.kind === 'operation' && syntax.operator === 'at time zone') return nameOfCall(syntax.operands[0])
  if (syntax.kind !== 'call') return undefined
  const { values } = aggregates.has(syntax.name) ? roles(syntax) : { values: [] }
  const fields = values.flatMap((one) => (one.kind === 'column' ? [one.name] : []))
  if (fields.length === 0 || fields.length < values.length) return syntax.name
  return [syntax.name, ...(syntax.distinct ? ['distinct'] : []), ...fields].join('_')
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

/** Returns the path of a field or property, perhaps with a cast; undefined for another expression. */
const pathOfSyntax = (syntax: Syntax): Path | undefined => {
  const operand = syntax.kind === 'cast' ? syntax.operand : syntax
  return operand.kind === 'column' ? operand.path : undefined
}

/** Finds a result by its name, or a key by another spelling of its path; undefined if there is none. */
export function resultNamed(
  state: Planning,
  name: string,
  results: ReadonlyMap<string, Result>,
): Result | undefined {
  const named = results.get(name)
  if (named) return named
  const keys = [...results.values()].filter(({ parameter, path }) => parameter === '_group_by' && path)
  // A trial must not count against the limit of paths.
  const trial = { ...state, used: { ...state.used, paths: new Set<string>() } }
  const textOf = (path: string | Path) => {
    const found = singleValue(trial, path, '')
    if ('problem' in found) return undefined
    const { relationships, field, path: inside } = found
    return JSON.stringify([relationships.map((relationship) => relationship.name), field.name, inside])
  }
  const wanted = keys.length > 0 ? textOf(name) : undefined
  return wanted === undefined ? undefined : keys.find(({ path }) => textOf(path as Path) === wanted)
}

/** Returns the problem of a name that no result has. */
export const unknownResult = (name: string, results: ReadonlyMap<string, Result>) =>
  `Unknown result ${quoteValue(name)}. Results: ${[...results.keys()].join(', ')}.`
