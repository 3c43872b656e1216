/** What is asked of a list of edges. Spec: Edges; G5. */
import type { Table, TableGraph } from '../datatables/table.ts'
import type { Range } from '../query/ast.ts'
import { splitLists } from '../query/keys.ts'
import { type Problems, shown } from '../query/problems.ts'
import { parseRange } from '../query/range.ts'
import { unknownType } from './body.ts'
import type { EdgeFilter } from './store.ts'

const names = ['from_id', 'to_id', 'types', 'page', 'page_size'] as const
const valuesMax = 1000

/** The part of the list; knows no table. */
export function readEdgeRange(parameters: URLSearchParams, problems: Problems): Range {
  for (const name of new Set(parameters.keys())) {
    if (!names.some((known) => known === name)) problems.add(name, `There is no parameter ${shown(name)} here. Parameters: ${names.join(', ')}.`)
  }
  const given = (name: string): string | undefined => {
    const values = name === 'page' || name === 'page_size' ? parameters.getAll(name) : []
    if (values.length > 1) problems.add(name, 'May be given once.')
    return values[0]
  }
  return parseRange(given, problems)
}

export function readEdgeFilter(
  parameters: URLSearchParams,
  { graph: { key, types } }: Table & { graph: TableGraph },
  problems: Problems,
): EdgeFilter {
  const limited = (name: (typeof names)[number], values: readonly string[]): readonly string[] | undefined => {
    if (values.length > valuesMax) problems.add(name, `A list may have ${valuesMax} values at most.`)
    return parameters.has(name) ? values.slice(0, valuesMax) : undefined
  }
  const keysIn = (name: 'from_id' | 'to_id') => splitLists(name, parameters.getAll(name), problems).map(({ text }) => text)
  const keys = (name: 'from_id' | 'to_id') =>
    limited(name, keysIn(name))?.flatMap((text): string[] => {
      const value = key.type.parse(text)
      if (value === undefined) problems.add(name, `${shown(text)} is not a value of "${key.name}", which is of type ${key.schema.type}.`)
      return value === undefined ? [] : [value]
    })
  const said = parameters.getAll('types').flatMap((text) => text.split(','))
  return { from: keys('from_id'), to: keys('to_id'), types: readTypes(limited('types', said), types, 'types', problems) }
}

/** Names of types that there are; undefined: none was given. */
export function readTypes(
  said: readonly string[] | undefined,
  types: TableGraph['types'],
  parameter: string,
  problems: Problems,
): readonly string[] | undefined {
  for (const name of said ?? []) if (!types.some((type) => type.name === name)) problems.add(parameter, unknownType(name, types))
  return said
}
