/** The columns of groups: expressions with names. R15. */
import { shown } from '../../lib/shown.ts'
import { aggregates } from './aggregates.ts'
import type { SaidExpression } from './ast.ts'
import { type Expression, isAggregated } from './expression/expression.ts'
import { planExpression } from './expression/plan.ts'
import { RefusedExpression, type Syntax } from './expression/syntax.ts'
import type { Planning } from './plan.ts'

export interface Result {
  name: string
  parameter: SaidExpression['parameter']
  expression: Expression
}

const nameLengthMax = 63

/** What is wrong is added to the problems. */
export function planResults(state: Planning, said: readonly SaidExpression[], max: number): Result[] {
  const [first] = said
  if (first && said.length > max) state.problems.add(first.parameter, `There may be ${max} expressions at most.`)
  return said.slice(0, max).flatMap((one) => {
    try {
      return planResult(state, one)
    } catch (error) {
      if (!(error instanceof RefusedExpression)) throw error
      state.problems.add(one.parameter, error.told)
      return []
    }
  })
}

function planResult(state: Planning, { parameter, syntax, alias }: SaidExpression): Result {
  const expression = planExpression(state, parameter === '_group_by' ? 'group' : 'result', syntax)
  if (parameter === '_aggregate' && !isAggregated(expression)) {
    throw new RefusedExpression(syntax.at, `An aggregate function is missing: ${[...aggregates.keys()].join(', ')}.`)
  }
  const name = alias ?? nameOf(syntax)
  if (name === undefined) throw new RefusedExpression(syntax.at, 'This has no name of its own: one is given with " as <alias>" after it.')
  if (name.length > nameLengthMax)
    throw new RefusedExpression(syntax.at, `Its name would be longer than ${nameLengthMax} characters: " as <alias>" after it gives another.`)
  return { name, parameter, expression }
}

/** A field is named as it is written, a function by itself, in a zone or not; an aggregate function of a field by both. R15. */
function nameOf(syntax: Syntax): string | undefined {
  if (syntax.kind === 'column') return syntax.name
  if (syntax.kind === 'operation' && syntax.operator === 'at time zone') return nameOfCall(syntax.operands[0])
  if (syntax.kind !== 'call') return undefined
  const [of] = syntax.operands
  if (!aggregates.has(syntax.name) || typeof of !== 'object' || of.kind !== 'column') return syntax.name
  return [syntax.name, ...(syntax.distinct ? ['distinct'] : []), of.name].join('_')
}

/** Of a field in a zone, whose name would be taken for the field's. */
const nameOfCall = (syntax: Syntax | undefined): string | undefined => (syntax && syntax.kind !== 'column' ? nameOf(syntax) : undefined)

export function resultsByName({ problems }: Planning, results: readonly Result[]): ReadonlyMap<string, Result> {
  const known = new Map<string, Result>()
  for (const result of results) {
    if (known.has(result.name)) {
      problems.add(result.parameter, `There are two results named ${shown(result.name)}: " as <alias>" after one gives it another name.`)
    }
    known.set(result.name, result)
  }
  return known
}

export const unknownResult = (name: string, results: ReadonlyMap<string, Result>) =>
  `There is no result ${shown(name)}. Results: ${[...results.keys()].join(', ')}.`
