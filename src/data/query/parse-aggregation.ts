/** From the parameters of an aggregation to what was said in them. Spec: Aggregations; R11, R15. */
import { shown } from '../../lib/shown.ts'
import type { Aggregation, ResultCondition, SaidExpression } from './ast.ts'
import { parseNamed } from './expression/parse.ts'
import { RefusedExpression } from './expression/syntax.ts'
import { type Token, tokensOf } from './expression/tokens.ts'
import type { Problems } from './problems.ts'

export const aggregationParameters = ['_aggregate', '_group_by', '_having'] as const

/** What is given more than once adds up. Undefined where nothing is aggregated. */
export function parseAggregation(parameters: URLSearchParams, problems: Problems): Aggregation | undefined {
  const texts = (name: (typeof aggregationParameters)[number]) => parameters.getAll(name).filter((text) => text.trim() !== '')
  const expressions = (parameter: SaidExpression['parameter']) => texts(parameter).flatMap((text) => parseExpressions(parameter, text, problems))
  if (aggregationParameters.every((name) => texts(name).length === 0)) return undefined
  return {
    aggregates: expressions('_aggregate'),
    groupBy: texts('_group_by').length > 0 ? expressions('_group_by') : undefined,
    having: texts('_having').flatMap((text) => parseHaving(text, problems)),
  }
}

/** Expressions with commas between them. What is wrong with one is said beside what is wrong with the others. */
function parseExpressions(parameter: SaidExpression['parameter'], text: string, problems: Problems): SaidExpression[] {
  const refused = <Result>(run: () => Result): Result | undefined => {
    try {
      return run()
    } catch (error) {
      if (!(error instanceof RefusedExpression)) throw error
      problems.add(parameter, error.told)
      return undefined
    }
  }
  const parts = refused(() => splitAtCommas(tokensOf(text))) ?? []
  return parts.flatMap((tokens) => {
    const named = refused(() => parseNamed(tokens))
    return named ? [{ parameter, ...named }] : []
  })
}

/** Each part ends with an end, which stands where the comma was. */
function splitAtCommas(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    const sign = token.kind === 'symbol' ? token.text : ''
    depth += Number(sign === '(') - Number(sign === ')')
    const isBetween = sign === ',' && depth <= 0
    parts.at(-1)?.push(isBetween ? { ...token, kind: 'end', text: '' } : token)
    if (isBetween) parts.push([])
  }
  return parts
}

/** `name__op=value`, with commas between them. A value with a comma in it stands in quotes, which are doubled to stand for themselves. */
const condition = /(?<name>[^=,]*)__(?<operator>[^=,_]*)=(?:\s*'(?<quoted>(?:[^']|'')*)'\s*(?=,|$)|(?<plain>[^,]*))(?:,|$)/y

function parseHaving(text: string, problems: Problems): ResultCondition[] {
  const conditions: ResultCondition[] = []
  for (condition.lastIndex = 0; condition.lastIndex < text.length; ) {
    const start = condition.lastIndex
    const { name = '', operator = '', quoted, plain = '' } = condition.exec(text)?.groups ?? {}
    if (condition.lastIndex === 0) {
      problems.add('_having', `${shown(text.slice(start).trim())} is no condition, as count__gt=5 is one.`)
      return conditions
    }
    conditions.push({ name: name.trim(), operator: operator.trim(), value: quoted === undefined ? plain.trim() : quoted.replace(/''/g, "'") })
  }
  return conditions
}
