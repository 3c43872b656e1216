/** From the query string to what was said. Knows the parameters, and no table. Spec: Query parameters for record lists. */
import { shown } from '../../lib/shown.ts'
import { unknownParameter } from '../../lib/unknown-parameter.ts'
import {
  type Condition,
  type Deleted,
  type Filter,
  type OneQuery,
  type RecordQuery,
  type Selection,
  type SortTerm,
  type TotalMode,
  totalModes,
} from './ast.ts'
import { parseJson } from './json.ts'
import { aggregationParameters, parseAggregation } from './parse-aggregation.ts'
import type { Problems } from './problems.ts'
import { parseRange } from './range.ts'

/** Parameters of one record. What `_envelope` means is decided in http/envelope.ts. */
const ofOne = ['populate', 'include_deleted', 'format', '_envelope']

/** Of one record and of a list, where its table is a graph. */
export const graphParameters = ['include', 'depth', 'relationship_type']

/** Parameters of a list that say nothing of a single record, nor of the nodes to which a walk from it leads. */
export const listOnlyParameters = [
  'page',
  'page_size',
  'limit',
  'offset',
  '_start',
  '_end',
  '_page',
  '_per_page',
  '_limit',
  'only_deleted',
  '_count',
  '_total',
  ...aggregationParameters,
]

/** Parameters of a list, and of the nodes to which a walk leads. */
export const selectionParameters = ['_sort', '_order', 'ordering', 'filters', 'search']

/** Parameters of a list that are no filter. A field with such a name is filtered by `<name>__exact`. */
export const listParameters: ReadonlySet<string> = new Set([...ofOne, ...listOnlyParameters, ...selectionParameters, ...graphParameters])

export function parseRecordQuery(parameters: URLSearchParams, problems: Problems): RecordQuery {
  requireFlat(parameters, problems)
  const countOnly = flag(parameters, '_count', problems)
  return {
    ...parseSelection(parameters, problems),
    range: parseRange((name) => once(parameters, name, problems), problems),
    countOnly,
    total: parseTotal(parameters, countOnly, problems),
    aggregation: parseAggregation(parameters, problems),
  }
}

/** Which records are meant, in which order, and what of each is shown. */
export function parseSelection(parameters: URLSearchParams, problems: Problems): Selection {
  const conditions = parseConditions(parameters)
  return {
    populate: parsePopulate(parameters, problems),
    deleted: parseDeleted(parameters, problems),
    filters: [...conditions, ...parseFilters(parameters, problems)],
    search: once(parameters, 'search', problems)?.trim() || undefined,
    sort: parseSort(parameters, problems),
  }
}

/** Of one record there is no more to say than this. */
export function parseOneQuery(parameters: URLSearchParams, problems: Problems): OneQuery {
  for (const name of new Set(parameters.keys())) {
    if (selectionParameters.includes(name)) problems.add(name, 'Is said of a walk, which include, format=tree or format=graph asks for.')
    else if (!ofOne.includes(name)) problems.add(name, unknownParameter(name, [...ofOne, ...graphParameters, ...selectionParameters]))
  }
  const deleted = flag(parameters, 'include_deleted', problems) ? 'included' : 'excluded'
  requireFlat(parameters, problems)
  return { populate: parsePopulate(parameters, problems), deleted }
}

/** What has another format is no list, and is asked for in other words (data/graph). */
function requireFlat(parameters: URLSearchParams, problems: Problems): void {
  const format = once(parameters, 'format', problems)
  if (format !== undefined && format !== 'flat') problems.add('format', unknownFormat(format))
}

export const unknownFormat = (format: string): string => `${shown(format)} is no format. Formats: flat, tree, graph.`

function parseTotal(parameters: URLSearchParams, countOnly: boolean, problems: Problems): TotalMode | undefined {
  const said = once(parameters, '_total', problems)
  const mode = totalModes.find((one) => one === said)
  if (said !== undefined && !mode) problems.add('_total', `${shown(said)} is no way to count. There are: ${totalModes.join(', ')}.`)
  if (mode === 'none' && countOnly) problems.add('_total', 'With _count=true the total is all that is asked for.')
  return mode
}

const parsePopulate = (parameters: URLSearchParams, problems: Problems): string[] => commaSeparated(once(parameters, 'populate', problems))

function parseDeleted(parameters: URLSearchParams, problems: Problems): Deleted {
  const included = flag(parameters, 'include_deleted', problems)
  return flag(parameters, 'only_deleted', problems) ? 'only' : included ? 'included' : 'excluded'
}

function parseConditions(parameters: URLSearchParams): Condition[] {
  const values = new Map<string, string[]>()
  for (const [name, value] of parameters) {
    if (listParameters.has(name)) continue
    const said = values.get(name)
    if (said) said.push(value)
    else values.set(name, [value])
  }
  return [...values].map(([name, said]) => ({ parameter: name, name, values: said, json: false }))
}

/** `_sort` with `_order`, whose case does not matter, or `ordering`. A `-` before a name is descending, and turns what `_order` says of it around. */
function parseSort(parameters: URLSearchParams, problems: Problems): SortTerm[] {
  const said = commaSeparated(once(parameters, '_order', problems))
  const orders = said.map((order) => order.toLowerCase())
  for (const [position, order] of orders.entries()) {
    if (order !== 'asc' && order !== 'desc') problems.add('_order', `${shown(said[position])} is neither asc nor desc.`)
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
export function once(parameters: URLSearchParams, name: string, problems: Problems): string | undefined {
  const values = parameters.getAll(name)
  if (values.length > 1) problems.add(name, 'May be given once.')
  return values[0]
}

function flag(parameters: URLSearchParams, name: string, problems: Problems): boolean {
  const text = once(parameters, name, problems) ?? 'false'
  if (text !== 'true' && text !== 'false') problems.add(name, `${shown(text)} is neither true nor false.`)
  return text === 'true'
}

const commaSeparated = (text: string | undefined): string[] => (text ? text.split(',').map((part) => part.trim()) : [])

function parseFilters(parameters: URLSearchParams, problems: Problems): Filter[] {
  const text = once(parameters, 'filters', problems)
  return text ? [parseFilterText('filters', text, problems)] : []
}

/** A filter written as the text of JSON. */
export function parseFilterText(parameter: string, text: string, problems: Problems): Filter {
  const parsed = parseJson(text)
  if ('value' in parsed) return parseFilter(parameter, parsed.value, problems)
  problems.add(parameter, parsed.problem)
  return { and: [] }
}

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
    return { parameter, name, values: [value], json: true }
  })
  return { and: members }
}

const filterDepthMax = 10
