/** Parses a tree of filters from JSON. R3. */

import { parseJson } from '../../../kernel/lib/parse-json.ts'
import type { Problems } from '../problems.ts'
import type { Filter } from './ast.ts'

/** Parses a filter from the text of JSON. Adds each problem to `problems`, under `parameter`. */
export function parseFilterText(parameter: string, text: string, problems: Problems): Filter {
  const parsed = parseJson(text)
  if ('value' in parsed) return parseFilter(parameter, parsed.value, problems)
  problems.add(parameter, parsed.problem)
  return { and: [] }
}

/**
 * Parses a filter in JSON: members are ANDed; `and` and `or` take arrays of filters, `not` takes one filter.
 * Adds each problem to `problems`, under `parameter`. R3.
 */
export function parseFilter(parameter: string, input: unknown, problems: Problems, depth = 1): Filter {
  if (depth > filterDepthMax) {
    problems.add(parameter, `Filters may be nested at most ${filterDepthMax} levels deep.`)
    return { and: [] }
  }
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    problems.add(parameter, 'A filter must be an object, for example {"status": "open", "price__gt": 10}.')
    return { and: [] }
  }
  const list = (name: string, value: unknown): Filter[] => {
    if (Array.isArray(value))
      return value.map((member) => parseFilter(parameter, member, problems, depth + 1))
    problems.add(parameter, `"${name}" must be an array of filters.`)
    return []
  }
  const members = Object.entries(input).map(([name, value]): Filter => {
    if (name === 'and') return { and: list(name, value) }
    if (name === 'or') return { or: list(name, value) }
    if (name === 'not') return { not: parseFilter(parameter, value, problems, depth + 1) }
    return { parameter, name, values: [value], json: true }
  })
  return { and: members }
}

/** Tells whether any part of a filter has no condition. */
export function lacksCondition(filter: Filter): boolean {
  if ('not' in filter) return lacksCondition(filter.not)
  const isNone = (parts: readonly Filter[]) => parts.length === 0 || parts.some(lacksCondition)
  if ('and' in filter) return isNone(filter.and)
  return 'or' in filter && isNone(filter.or)
}

const filterDepthMax = 10
