/** Parses the parameters of a list of edges. Spec: Edges; G5. */
import { quoteValue } from '../../kernel/lib/quote-value.ts'
import type { Table, TableGraph } from '../model/table.ts'
import type { Range } from '../query/parse/ast.ts'
import { parseRange } from '../query/parse/range.ts'
import { splitLists } from '../query/plan/keys.ts'
import type { Problems } from '../query/problems.ts'
import { unknownType } from '../write/parse/edges.ts'
import type { EdgeFilter } from './store.ts'

const valuesMax = 1000

/** Parses the page. Adds each problem to `problems`. */
export const readEdgeRange = (parameters: URLSearchParams, problems: Problems): Range =>
  parseRange((name) => parameters.get(name) ?? undefined, problems)

/** Parses whether to count the total. Adds each problem to `problems`. */
export function readIsCounted(parameters: URLSearchParams, problems: Problems): boolean {
  const mode = parameters.get('_total') ?? 'exact'
  if (mode !== 'exact' && mode !== 'none')
    problems.add('_total', `Must be one of: exact, none; ${quoteValue(mode)} is not.`)
  return mode !== 'none'
}

/** Parses the filter for a table. Adds each problem to `problems`. */
export function readEdgeFilter(
  parameters: URLSearchParams,
  { graph: { key, types } }: Table & { graph: TableGraph },
  problems: Problems,
): EdgeFilter {
  const limited = (
    name: 'from_id' | 'to_id' | 'types',
    values: readonly string[],
  ): readonly string[] | undefined => {
    if (values.length > valuesMax) problems.add(name, `A list may have ${valuesMax} values at most.`)
    return parameters.has(name) ? values.slice(0, valuesMax) : undefined
  }
  const keysIn = (name: 'from_id' | 'to_id') =>
    splitLists(name, parameters.getAll(name), problems).map(({ text }) => text)
  const keys = (name: 'from_id' | 'to_id') =>
    limited(name, keysIn(name))?.flatMap((text): string[] => {
      const value = key.type.parse(text)
      if (value === undefined)
        problems.add(
          name,
          `${quoteValue(text)} is not a value of "${key.name}", which is of type ${key.schema.type}.`,
        )
      return value === undefined ? [] : [value]
    })
  const names = parameters.getAll('types').flatMap((text) => text.split(','))
  return {
    from: keys('from_id'),
    to: keys('to_id'),
    types: readTypes(limited('types', names), types, 'types', problems),
  }
}

/**
 * Checks names of types, and returns them. Undefined means that none were given. Adds each problem to
 * `problems`.
 */
export function readTypes(
  names: readonly string[] | undefined,
  types: TableGraph['types'],
  parameter: string,
  problems: Problems,
): readonly string[] | undefined {
  for (const name of names ?? [])
    if (!types.some((type) => type.name === name)) problems.add(parameter, unknownType(name, types))
  return names
}
