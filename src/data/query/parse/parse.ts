/**
 * Parses the query string of records. It knows the parameters, but no table. Spec: Query parameters for
 * record lists.
 */

import { booleanOf } from '../../../kernel/lib/boolean-text.ts'
import { quoteValue } from '../../../kernel/lib/quote-value.ts'
import { unknownParameterMessage } from '../../../kernel/lib/unknown-parameter.ts'
import { searchLanguages } from '../../model/schema-form.ts'
import type { Problems } from '../problems.ts'
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
import { parseFilterText } from './filter-tree.ts'
import { aggregationParameters, parseAggregation } from './parse-aggregation.ts'
import { annotationParameter, parseAnnotations } from './parse-expressions.ts'
import { parseRange } from './range.ts'
import { checkSeek, seekParameters } from './seek.ts'
import { commaSeparated, parseTerms, parseView } from './view.ts'

/** The parameter for the time at which records are read. */
export const asOfParameter = 'as_of'

/** The parameters of one record. http/envelope.ts evaluates `_envelope`. */
const oneRecordParameters = [
  'populate',
  'fields',
  annotationParameter,
  'include_deleted',
  asOfParameter,
  'format',
  '_envelope',
]

/** The parameter for the fields whose combinations of values are each listed once. */
export const distinctParameter = '_distinct'

/** The parameters of walks in a graph, for one record and for a list. */
export const graphParameters = ['include', 'depth', 'relationship_type']

/** The parameters of a list that apply neither to one record nor to a traversal from it. */
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
  ...seekParameters,
  'only_deleted',
  distinctParameter,
  '_count',
  '_total',
  '_bom',
  '_rank',
  '_highlight',
  ...aggregationParameters,
]

/** The parameters of a list and of the nodes of a walk. */
export const selectionParameters = ['_sort', '_order', 'ordering', 'filters', 'search', '_language', '_fuzzy']

/** The parameters of a list that are not filters. A field with such a name is filtered by `<name>__exact`. */
export const listParameters: ReadonlySet<string> = new Set([
  ...oneRecordParameters,
  ...listOnlyParameters,
  ...selectionParameters,
  ...graphParameters,
])

/**
 * Parses the query of a list, or of an aggregation. `limitMax` is the maximum page size; omitted: that of an
 * envelope. Adds each problem to `problems`.
 */
export function parseRecordQuery(
  parameters: URLSearchParams,
  problems: Problems,
  limitMax?: number,
): RecordQuery {
  requireFormat(parameters, problems)
  const countOnly = flag(parameters, '_count', problems)
  const read = (name: string) => once(parameters, name, problems)
  checkSeek(read, problems)
  return {
    ...parseSelection(parameters, problems),
    range: parseRange(read, problems, limitMax),
    distinct: commaSeparated(read(distinctParameter)),
    countOnly,
    total: parseTotal(parameters, countOnly, problems),
    aggregation: parseAggregation(parameters, problems),
    showsRank: flag(parameters, '_rank', problems),
    highlights: commaSeparated(once(parameters, '_highlight', problems)),
  }
}

/**
 * Parses which records are requested, in which order, and with which related records. Adds each problem to
 * `problems`.
 */
export function parseSelection(parameters: URLSearchParams, problems: Problems): Selection {
  const conditions = parseConditions(parameters)
  return {
    ...parseView((name) => once(parameters, name, problems), problems),
    annotations: parseAnnotations(parameters, problems),
    deleted: parseDeleted(parameters, problems),
    filters: [...conditions, ...parseFilters(parameters, problems)],
    search: once(parameters, 'search', problems)?.trim() || undefined,
    searching: {
      language: parseLanguage(once(parameters, '_language', problems), problems),
      fuzzy: flag(parameters, '_fuzzy', problems),
    },
    sort: parseSort(parameters, problems),
  }
}

/** Parses the query of one record. Adds each problem to `problems`. */
export function parseOneQuery(parameters: URLSearchParams, problems: Problems): OneQuery {
  for (const name of new Set(parameters.keys())) {
    if (selectionParameters.includes(name)) problems.add(name, onlyForWalks)
    else if (!oneRecordParameters.includes(name))
      problems.add(
        name,
        unknownParameterMessage(name, [...oneRecordParameters, ...graphParameters, ...selectionParameters]),
      )
  }
  const deleted = flag(parameters, 'include_deleted', problems) ? 'included' : 'excluded'
  requireFormat(parameters, problems)
  return {
    ...parseView((name) => once(parameters, name, problems), problems),
    annotations: parseAnnotations(parameters, problems),
    deleted,
  }
}

/** The problem of a parameter that applies only to a traversal. */
export const onlyForWalks = 'Only applies to a traversal: add include, format=tree or format=graph.'

const formats = ['flat', 'tree', 'graph']

/** Rejects unknown formats. Trees and graphs are parsed by data/graph. */
function requireFormat(parameters: URLSearchParams, problems: Problems): void {
  const format = once(parameters, 'format', problems)
  if (format !== undefined && !formats.includes(format)) problems.add('format', unknownFormat(format))
}

/** Returns the problem of an unknown `format`. */
export const unknownFormat = (format: string): string =>
  `Unknown format ${quoteValue(format)}. Formats: ${formats.join(', ')}.`

function parseLanguage(text: string | undefined, problems: Problems): string | undefined {
  if (text === undefined || searchLanguages.some((language) => language === text)) return text
  const known = searchLanguages.join(', ')
  problems.add('_language', `Unknown language ${quoteValue(text)}. Languages: ${known}.`)
  return undefined
}

function parseTotal(
  parameters: URLSearchParams,
  countOnly: boolean,
  problems: Problems,
): TotalMode | undefined {
  const text = once(parameters, '_total', problems)
  const mode = totalModes.find((one) => one === text)
  if (text !== undefined && !mode)
    problems.add('_total', `Must be one of: ${totalModes.join(', ')}; ${quoteValue(text)} is not.`)
  if (mode === 'none' && countOnly)
    problems.add('_total', 'Cannot be none with _count=true, which returns only the total.')
  return mode
}

function parseDeleted(parameters: URLSearchParams, problems: Problems): Deleted {
  const isIncluded = flag(parameters, 'include_deleted', problems)
  if (flag(parameters, 'only_deleted', problems)) return 'only'
  return isIncluded ? 'included' : 'excluded'
}

function parseConditions(parameters: URLSearchParams): Condition[] {
  const valuesByName = new Map<string, string[]>()
  for (const [name, value] of parameters) {
    if (listParameters.has(name)) continue
    const values = valuesByName.get(name)
    if (values) values.push(value)
    else valuesByName.set(name, [value])
  }
  return [...valuesByName].map(([name, values]) => ({ parameter: name, name, values, json: false }))
}

/**
 * Parses `_sort` with `_order`, in any case, or `ordering`. A `-` before a name sorts in descending order,
 * and reverses `_order`.
 */
function parseSort(parameters: URLSearchParams, problems: Problems): SortTerm[] {
  const written = commaSeparated(once(parameters, '_order', problems))
  const orders = written.map((order) => order.toLowerCase())
  for (const [position, order] of orders.entries()) {
    if (order !== 'asc' && order !== 'desc')
      problems.add('_order', `Must be asc or desc; ${quoteValue(written[position])} is not.`)
  }
  if (orders.length > 0 && !parameters.has('_sort'))
    problems.add('_order', 'Needs _sort, for example _sort=name&_order=desc.')
  const terms = (parameter: string) =>
    parseTerms(parameter, once(parameters, parameter, problems)).map((term, position): SortTerm => {
      const isReversed = parameter === '_sort' && orders[position] === 'desc'
      return { ...term, descending: term.descending !== isReversed }
    })
  const sorted = terms('_sort')
  if (sorted.length > 0 && orders.length > sorted.length)
    problems.add('_order', `Has ${orders.length} entries, but _sort has ${sorted.length}.`)
  return [...sorted, ...terms('ordering')]
}

/** Returns the value of a parameter that may not be repeated. Adds each problem to `problems`. */
export function once(parameters: URLSearchParams, name: string, problems: Problems): string | undefined {
  const values = parameters.getAll(name)
  if (values.length > 1) problems.add(name, 'This parameter may be given only once.')
  return values[0]
}

/** Returns whether a parameter is true; false if it is not given. Adds each problem to `problems`. */
export function flag(parameters: URLSearchParams, name: string, problems: Problems): boolean {
  const text = once(parameters, name, problems) ?? 'false'
  const value = booleanOf(text)
  if (value === undefined) problems.add(name, `Must be true or false; ${quoteValue(text)} is not.`)
  return value === true
}

function parseFilters(parameters: URLSearchParams, problems: Problems): Filter[] {
  const text = once(parameters, 'filters', problems)
  return text ? [parseFilterText('filters', text, problems)] : []
}
