/** Parses the parameters of a walk along edges, from one record or from all roots. G3–G5, R11. */
import { quoteValue } from '../../kernel/lib/quote-value.ts'
import { rejectAsOf } from '../query/parse/as-of.ts'
import type { Selection } from '../query/parse/ast.ts'
import {
  graphParameters,
  listOnlyParameters,
  once,
  onlyForWalks,
  parseSelection,
  unknownFormat,
} from '../query/parse/parse.ts'

import { annotationParameter } from '../query/parse/parse-expressions.ts'
import type { Problems } from '../query/problems.ts'
import { depthExceeded } from './errors.ts'

/** The direction of a walk: descendants are found along incoming edges, ancestors along outgoing ones. */
export type Direction = 'descendants' | 'ancestors'

/** The form of the answer. `include` lists nodes under the names of relationships. */
export type Form = 'include' | 'tree' | 'graph'

/** A query for a walk. */
export interface GraphQuery extends Selection {
  form: Form
  directions: readonly Direction[]
  /** The most edges between the start and a node. */
  depth: number
  /** Whether the client gave a depth. */
  hasDepth: boolean
  /** The names of the types to follow. Undefined means all. */
  types: readonly string[] | undefined
}

/** The walk from each record of a list. G5. */
export type IncludeQuery = Pick<GraphQuery, 'directions' | 'depth' | 'types'>

const directions: ReadonlyMap<string, readonly Direction[]> = new Map<string, readonly Direction[]>([
  ['descendants', ['descendants']],
  ['ancestors', ['ancestors']],
  ['both', ['descendants', 'ancestors']],
])

const forms = ['tree', 'graph']

/** Tells whether a request asks for a tree or a graph. */
export const asksForForm = (parameters: URLSearchParams): boolean =>
  parameters.getAll('format').some((format) => forms.includes(format))

/** Tells whether a request has any parameter of walks. */
export const asksForWalk = (parameters: URLSearchParams): boolean =>
  graphParameters.some((name) => parameters.has(name)) || asksForForm(parameters)

/** The parameters that are errors in a traversal, which has no pages. */
const rejectedParameters = {
  roots: [annotationParameter, ...listOnlyParameters.filter((name) => name !== 'only_deleted')],
  record: [annotationParameter, ...listOnlyParameters],
}

/**
 * Parses a walk from one record or from all roots. Adds each problem to `problems`. Throws 400 for too large
 * a depth.
 */
export function parseGraphQuery(
  parameters: URLSearchParams,
  start: 'record' | 'roots',
  depthMax: number,
  problems: Problems,
): GraphQuery {
  const format = once(parameters, 'format', problems) ?? 'flat'
  if (![...forms, 'flat'].includes(format)) problems.add('format', unknownFormat(format))
  const include = once(parameters, 'include', problems)
  const form: Form = format === 'tree' || format === 'graph' ? format : 'include'
  if (include !== undefined && !directions.has(include)) {
    problems.add('include', unknownDirection(include))
  } else if (include !== undefined && start === 'roots') {
    problems.add('include', notFromRoots)
  } else if (form === 'include' && include === undefined) {
    rejectAlone(parameters, problems)
  } else if (form === 'tree' && include === 'both') {
    problems.add('include', 'A tree has one direction: use descendants or ancestors.')
  }
  rejectAsOf(parameters, problems)
  for (const name of rejectedParameters[start])
    if (parameters.has(name)) problems.add(name, 'Only applies to a list, not to a traversal.')
  return {
    ...parseSelection(parameters, problems),
    form,
    directions: directions.get(include ?? 'descendants') ?? [],
    depth: parseDepth(
      once(parameters, 'depth', problems),
      form === 'include' ? 1 : depthMax,
      depthMax,
      problems,
    ),
    hasDepth: parameters.has('depth'),
    types: parseTypes(parameters),
  }
}

const notFromRoots =
  'Only applies to one record, or to each record of a list. ' +
  'A tree or graph from all roots contains their descendants anyway.'

/**
 * Parses the walk from each record of a list. Adds each problem to `problems`. Throws 400 for too large a
 * depth.
 */
export function parseInclude(
  parameters: URLSearchParams,
  depthMax: number,
  problems: Problems,
): IncludeQuery {
  rejectAsOf(parameters, problems)
  const include = once(parameters, 'include', problems)
  if (include === undefined) rejectAlone(parameters, problems)
  else if (!directions.has(include)) problems.add('include', unknownDirection(include))
  return {
    directions: directions.get(include ?? 'descendants') ?? [],
    depth: parseDepth(once(parameters, 'depth', problems), 1, depthMax, problems),
    types: parseTypes(parameters),
  }
}

const unknownDirection = (include: string): string =>
  `Must be one of: ${[...directions.keys()].join(', ')}; ${quoteValue(include)} is not.`

/** Rejects parameters of a traversal if there is none. */
function rejectAlone(parameters: URLSearchParams, problems: Problems): void {
  const parameter = graphParameters.find((name) => parameters.has(name)) as string
  problems.add(parameter, onlyForWalks)
}

function parseTypes(parameters: URLSearchParams): string[] | undefined {
  const types = parameters.getAll('relationship_type').flatMap((text) => text.split(','))
  return types.length > 0 ? types : undefined
}

/** Returns the depth. Throws 400 above the maximum. R11 */
function parseDepth(
  text: string | undefined,
  otherwise: number,
  depthMax: number,
  problems: Problems,
): number {
  if (text === undefined) return Math.min(otherwise, depthMax)
  if (!/^\d{1,9}$/.test(text)) {
    problems.add('depth', 'Must be a whole number, 0 or greater.')
    return 0
  }
  if (Number(text) > depthMax) throw depthExceeded(depthMax)
  return Number(text)
}
