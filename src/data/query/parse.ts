/** From the query string to what was said. Knows the parameters, and no table. Spec: Query parameters for record lists. */
import type { Condition, Filter, RecordQuery, SortTerm } from './ast.ts'
import type { Problems } from './problems.ts'

const pageSizeDefault = 20
/** R1. A larger one is this. */
const pageSizeMax = 1000

/** Parameters that are no filter. */
const reserved = new Set(['page', 'page_size', '_sort', '_order', 'ordering'])

export const parseRecordQuery = (parameters: URLSearchParams, problems: Problems): RecordQuery => ({
  filters: parseConditions(parameters),
  sort: parseSort(parameters, problems),
  page: wholeNumber(parameters, 'page', 1, problems),
  pageSize: Math.min(wholeNumber(parameters, 'page_size', pageSizeDefault, problems), pageSizeMax),
})

function parseConditions(parameters: URLSearchParams): Condition[] {
  const values = new Map<string, string[]>()
  for (const [name, value] of parameters) {
    if (reserved.has(name)) continue
    const said = values.get(name)
    if (said) said.push(value)
    else values.set(name, [value])
  }
  return [...values].map(([name, said]) => ({ parameter: name, name, values: said }))
}

function wholeNumber(parameters: URLSearchParams, name: string, otherwise: number, problems: Problems): number {
  const text = once(parameters, name, problems)
  if (text === null) return otherwise
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  problems.add(name, 'A whole number from 1 is required.')
  return otherwise
}

/** `_sort` with `_order`, or `ordering`. A `-` before a name is descending, and turns what `_order` says of it around. */
function parseSort(parameters: URLSearchParams, problems: Problems): SortTerm[] {
  const orders = commaSeparated(once(parameters, '_order', problems))
  for (const order of orders) {
    if (order !== 'asc' && order !== 'desc') problems.add('_order', `"${order}" is neither asc nor desc.`)
  }
  if (orders.length > 0 && !parameters.has('_sort')) problems.add('_order', 'Orders the fields of _sort, which is missing.')
  const terms = (parameter: string) =>
    commaSeparated(once(parameters, parameter, problems)).map((term, position): SortTerm => {
      const minus = term.startsWith('-')
      const descending = minus !== (parameter === '_sort' && orders[position] === 'desc')
      return { parameter, name: minus ? term.slice(1) : term, descending }
    })
  return [...terms('_sort'), ...terms('ordering')]
}

/** The value of a parameter that may be given once. */
function once(parameters: URLSearchParams, name: string, problems: Problems): string | null {
  const values = parameters.getAll(name)
  if (values.length > 1) problems.add(name, 'May be given once.')
  return values[0] ?? null
}

const commaSeparated = (text: string | null): string[] => (text ? text.split(',').map((part) => part.trim()) : [])

/** A filter written as JSON: members are ANDed; `and`, `or` take arrays of filters, `not` takes one. R3. */
export function parseFilter(parameter: string, input: unknown, problems: Problems, depth = 1): Filter {
  if (depth > filterDepthMax) {
    problems.add(parameter, `Filters may be nested ${filterDepthMax} deep.`)
    return { and: [] }
  }
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    problems.add(parameter, 'A filter is an object, as {"status": "open", "price__gt": 10}.')
    return { and: [] }
  }
  const list = (name: string, value: unknown): Filter[] => {
    if (Array.isArray(value)) return value.map((member) => parseFilter(parameter, member, problems, depth + 1))
    problems.add(parameter, `"${name}" takes an array of filters.`)
    return []
  }
  const members = Object.entries(input).map(([name, value]): Filter => {
    if (name === 'and') return { and: list(name, value) }
    if (name === 'or') return { or: list(name, value) }
    if (name === 'not') return { not: parseFilter(parameter, value, problems, depth + 1) }
    return { parameter, name, values: Array.isArray(value) ? value : [value] }
  })
  return { and: members }
}

const filterDepthMax = 10
