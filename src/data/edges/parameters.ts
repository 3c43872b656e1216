/** What is asked of a list of edges. Spec: Edges; G5. */
import { shown } from '../../lib/shown.ts'
import type { Table, TableGraph } from '../datatables/table.ts'
import type { Range } from '../query/ast.ts'
import type { Problems } from '../query/problems.ts'
import { parseRange } from '../query/range.ts'
import { unknownType } from './body.ts'
import type { EdgeFilter } from './store.ts'

const valuesMax = 1000

/** The part of the list; knows no table. */
export const readEdgeRange = (parameters: URLSearchParams, problems: Problems): Range =>
  parseRange((name) => parameters.get(name) ?? undefined, problems)

export function readEdgeFilter(
  parameters: URLSearchParams,
  { graph: { key, types } }: Table & { graph: TableGraph },
  problems: Problems,
): EdgeFilter {
  const list = (name: 'from_id' | 'to_id' | 'types'): string[] | undefined => {
    const values = parameters.getAll(name).flatMap((text) => text.split(','))
    if (values.length > valuesMax) problems.add(name, `A list may have ${valuesMax} values at most.`)
    return values.length > 0 ? values.slice(0, valuesMax) : undefined
  }
  const keys = (name: 'from_id' | 'to_id') =>
    list(name)?.flatMap((text): string[] => {
      const value = key.type.parse(text)
      if (value === undefined) problems.add(name, `${shown(text)} is not a value of "${key.name}", which is of type ${key.schema.type}.`)
      return value === undefined ? [] : [value]
    })
  return { from: keys('from_id'), to: keys('to_id'), types: readTypes(list('types'), types, 'types', problems) }
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
