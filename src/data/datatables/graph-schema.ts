/** `hierarchy` and `graph` of a table's schema: which types of edges there are between its records, and what they keep to. G1. */
import { z } from 'zod'

const typeName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,49}$/, 'a relationship is named by a letter and up to 49 letters, digits, underscores and hyphens after it')

const limit = z.int().min(1).max(1_000_000).optional()

const relationshipType = z.strictObject({
  name: typeName,
  /** What the same edges are called from their other end. */
  inverse: typeName.optional(),
  constraints: z.strictObject({ max_outgoing: limit, max_incoming: limit }).optional(),
  description: z.string().max(2000).optional(),
})

const typesMax = 50

export const graphMembers = {
  hierarchy: z.boolean().optional(),
  graph: z.strictObject({ enabled: z.boolean(), types: z.array(relationshipType).max(typesMax).optional() }).optional(),
}

export interface GraphSchema {
  hierarchy?: boolean | undefined
  graph?: { enabled: boolean; types?: z.infer<typeof relationshipType>[] | undefined } | undefined
}

export interface RelationshipType {
  name: string
  inverse: string
  maxOutgoing: number | undefined
  maxIncoming: number | undefined
  /** No edges of it lead back to where they began. */
  acyclic: boolean
}

/** What a hierarchy has that says no more of itself. */
const parent: RelationshipType = { name: 'parent', inverse: 'children', maxOutgoing: 1, maxIncoming: undefined, acyclic: true }

/** Undefined: there are no edges between the table's records. */
export function relationshipTypesOf({ hierarchy = false, graph }: GraphSchema): RelationshipType[] | undefined {
  const types = graph?.enabled ? (graph.types ?? []) : []
  if (types.length === 0) return hierarchy ? [parent] : undefined
  return types.map(({ name, inverse, constraints }) => ({
    name,
    inverse: inverse ?? `${name}_inverse`,
    maxOutgoing: constraints?.max_outgoing,
    maxIncoming: constraints?.max_incoming,
    acyclic: hierarchy,
  }))
}

/** The member of a tree's node that has the nodes below it. */
export const childrenMember = 'children'
/** Beside it stand the nodes that an answer lists under the names of relationships. */
const startMember = 'data'

/** Their values are written in the body of an edge, and find its record exactly. */
const keyTypes: readonly string[] = ['string', 'integer', 'uuid', 'date', 'time', 'datetime']

interface Keyed extends GraphSchema {
  fields: readonly { name: string; type: string }[]
  primaryKey?: readonly string[] | undefined
}

export function graphProblems(schema: Keyed): string[] {
  const { hierarchy, graph, fields, primaryKey = [] } = schema
  const types = graph?.types ?? []
  const problems = types.flatMap(({ name, inverse }, position) => [
    ...(types.findIndex((type) => type.name === name) === position ? [] : [`graph.types: there are two types named "${name}"`]),
    ...([name, inverse].includes(startMember)
      ? [`graph.types[${position}]: "${startMember}" is the name of another member of what is answered`]
      : []),
  ])
  if (graph?.enabled && !hierarchy && types.length === 0) problems.push('graph.types: a graph that is no hierarchy has to name its types')
  if (!relationshipTypesOf(schema)) return problems
  const keys = fields.filter(({ name }) => primaryKey.includes(name))
  if (primaryKey.length > 1) problems.push('primaryKey: edges lead to records that have a key of one field')
  else if (keys[0] && !keyTypes.includes(keys[0].type))
    problems.push(`primaryKey: edges lead to keys of type ${keyTypes.join(', ')}; "${keys[0].name}" is of type ${keys[0].type}`)
  if (fields.some(({ name }) => name === childrenMember))
    problems.push(`fields: "${childrenMember}" is what a tree's nodes have their children under`)
  return problems
}
