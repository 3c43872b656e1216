/** What a client said of a walk along edges, from one record or from all roots. Knows no table. Spec: Edges and graph traversal; G3–G5, R11. */
import { shown } from '../../lib/shown.ts'
import type { Selection } from '../query/ast.ts'
import { graphParameters, listOnlyParameters, once, parseSelection, unknownFormat } from '../query/parse.ts'
import { aggregationParameters } from '../query/parse-aggregation.ts'
import type { Problems } from '../query/problems.ts'
import { depthExceeded } from './errors.ts'

/** Descendants are found along incoming edges, ancestors along outgoing ones. */
export type Direction = 'descendants' | 'ancestors'

/** `include`: lists of nodes under the names of relationships. */
export type Form = 'include' | 'tree' | 'graph'

export interface GraphQuery extends Selection {
  form: Form
  directions: readonly Direction[]
  /** How many edges it is from the start at most. */
  depth: number
  /** Whether the client said how deep. */
  isDepthSaid: boolean
  /** Names of types; undefined: all. */
  types: readonly string[] | undefined
}

/** What each record of a list has beside it. G5. */
export type IncludeQuery = Pick<GraphQuery, 'directions' | 'depth' | 'types'>

const directions: ReadonlyMap<string, readonly Direction[]> = new Map<string, readonly Direction[]>([
  ['descendants', ['descendants']],
  ['ancestors', ['ancestors']],
  ['both', ['descendants', 'ancestors']],
])

const forms = ['tree', 'graph']

/** Whether a request asks for a tree or a graph. */
export const asksForForm = (parameters: URLSearchParams): boolean => parameters.getAll('format').some((format) => forms.includes(format))

/** Whether a request says anything of walks. */
export const asksForWalk = (parameters: URLSearchParams): boolean => graphParameters.some((name) => parameters.has(name)) || asksForForm(parameters)

/** A list has pages; a walk from all roots has none, and leaves what is said of them aside. */
const notOfWalks = { roots: ['_count', ...aggregationParameters], record: listOnlyParameters }

/** `start`: from one record, or from all roots. */
export function parseGraphQuery(parameters: URLSearchParams, start: 'record' | 'roots', depthMax: number, problems: Problems): GraphQuery {
  const format = once(parameters, 'format', problems) ?? 'flat'
  if (![...forms, 'flat'].includes(format)) problems.add('format', unknownFormat(format))
  const include = once(parameters, 'include', problems)
  const form: Form = format === 'tree' || format === 'graph' ? format : 'include'
  if (include !== undefined && !directions.has(include)) {
    problems.add('include', unknownDirection(include))
  } else if (include !== undefined && start === 'roots') {
    problems.add('include', 'Is of one record, or of each record of a list: a tree or graph from all roots leads to all that there is.')
  } else if (form === 'include' && include === undefined) {
    refuseAlone(parameters, problems)
  } else if (form === 'tree' && include === 'both') {
    problems.add('include', 'A tree leads one way: to descendants or to ancestors.')
  }
  for (const name of notOfWalks[start]) if (parameters.has(name)) problems.add(name, 'Is said of a list: a walk has no such thing.')
  return {
    ...parseSelection(parameters, problems),
    form,
    directions: directions.get(include ?? 'descendants') ?? [],
    depth: parseDepth(once(parameters, 'depth', problems), form === 'include' ? 1 : depthMax, depthMax, problems),
    isDepthSaid: parameters.has('depth'),
    types: parseTypes(parameters),
  }
}

/** What is said of walks in a list. */
export function parseInclude(parameters: URLSearchParams, depthMax: number, problems: Problems): IncludeQuery {
  const include = once(parameters, 'include', problems)
  if (include === undefined) refuseAlone(parameters, problems)
  else if (!directions.has(include)) problems.add('include', unknownDirection(include))
  return {
    directions: directions.get(include ?? 'descendants') ?? [],
    depth: parseDepth(once(parameters, 'depth', problems), 1, depthMax, problems),
    types: parseTypes(parameters),
  }
}

const unknownDirection = (include: string): string => `${shown(include)} is nothing to include. There are: ${[...directions.keys()].join(', ')}.`

function refuseAlone(parameters: URLSearchParams, problems: Problems): void {
  const said = graphParameters.find((name) => parameters.has(name)) as string
  problems.add(said, 'Is said of a walk, which include, format=tree or format=graph asks for.')
}

function parseTypes(parameters: URLSearchParams): string[] | undefined {
  const types = parameters.getAll('relationship_type').flatMap((text) => text.split(','))
  return types.length > 0 ? types : undefined
}

/** R11: what is too deep is its own refusal. */
function parseDepth(text: string | undefined, otherwise: number, depthMax: number, problems: Problems): number {
  if (text === undefined) return Math.min(otherwise, depthMax)
  if (!/^\d{1,9}$/.test(text)) {
    problems.add('depth', 'A whole number from 0 is required.')
    return 0
  }
  if (Number(text) > depthMax) throw depthExceeded(depthMax)
  return Number(text)
}
