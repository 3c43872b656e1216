/** Parses the parameters of an aggregation. Spec: Aggregations; R11, R15. */
import { quoteValue } from '../../../kernel/lib/quote-value.ts'
import type { Problems } from '../problems.ts'
import type { Aggregation, ResultCondition } from './ast.ts'
import { parseExpressions } from './parse-expressions.ts'

/** The parameters that make a list an aggregation. */
export const aggregationParameters = ['_aggregate', '_group_by', '_having'] as const

/**
 * Returns the aggregation; undefined without its parameters. Repeated parameters are combined. Adds each
 * problem to `problems`.
 */
export function parseAggregation(parameters: URLSearchParams, problems: Problems): Aggregation | undefined {
  const texts = (name: (typeof aggregationParameters)[number]) =>
    parameters.getAll(name).filter((text) => text.trim() !== '')
  const expressions = (parameter: '_aggregate' | '_group_by') =>
    texts(parameter).flatMap((text) => parseExpressions(parameter, text, problems))
  if (aggregationParameters.every((name) => texts(name).length === 0)) return undefined
  return {
    aggregates: expressions('_aggregate'),
    groupBy: texts('_group_by').length > 0 ? expressions('_group_by') : undefined,
    having: texts('_having').flatMap((text) => parseHaving(text, problems)),
  }
}

/**
 * Matches one `name__op=value` and the comma after it. The name may be a path with names in quotes. A value
 * with a comma must be in double quotes, as in every list, or in single quotes, as texts in expressions. A
 * quote of the same kind in it is written twice.
 */
const condition = new RegExp(
  '(?<name>(?:"(?:[^"]|"")*"|[^=,"])*)__(?<operator>[^=,_]*)=' +
    String.raw`(?:\s*(?<quote>["'])(?<quoted>(?:(?!\k<quote>)[^]|\k<quote>{2})*)\k<quote>\s*(?=,|$)` +
    '|(?<plain>[^,]*))(?:,|$)',
  'y',
)

function parseHaving(text: string, problems: Problems): ResultCondition[] {
  const conditions: ResultCondition[] = []
  condition.lastIndex = 0
  while (condition.lastIndex < text.length) {
    const start = condition.lastIndex
    const match = condition.exec(text)
    if (!match) {
      const rest = quoteValue(text.slice(start).trim())
      problems.add('_having', `${rest} is not a condition. Write it as name__operator=value: count__gt=5.`)
      return conditions
    }
    const { name = '', operator = '', quote = '', quoted, plain = '' } = match.groups ?? {}
    conditions.push({
      name: name.trim(),
      operator: operator.trim(),
      value: quoted === undefined ? plain.trim() : quoted.replaceAll(quote + quote, quote),
    })
  }
  return conditions
}
