/**
 * The members `hierarchy` and `graph` of a table's schema: the types of its edges and the rules of each. G1.
 */
import * as z from 'zod'

/** The name of a type. Lists of a query string and JSON write it without quotes. G7. */
const typeName = z
  .string()
  .regex(
    /^(?! )[\p{L}\p{M}\p{N}_ -]{1,50}(?<! )$/u,
    'a relationship name has up to 50 letters of any script, digits, blanks, underscores and hyphens, ' +
      'and no blank at its ends',
  )

const limit = z.int().min(1).max(1_000_000).optional()

const relationshipType = z.strictObject({
  name: typeName,
  /** The name of the same edges seen from their other end. */
  inverse: typeName.optional(),
  constraints: z.strictObject({ max_outgoing: limit, max_incoming: limit }).optional(),
  description: z.string().max(2000).optional(),
})

const typesMax = 50

/** The zod members of a table schema that declare a graph. */
export const graphMembers = {
  hierarchy: z.boolean().optional(),
  graph: z
    .strictObject({ enabled: z.boolean(), types: z.array(relationshipType).max(typesMax).optional() })
    .optional(),
}

/** The part of a table schema that declares a graph. */
export interface GraphSchema {
  hierarchy?: boolean | undefined
  graph?: { enabled: boolean; types?: z.infer<typeof relationshipType>[] | undefined } | undefined
}

/** A type of edges, with its rules. An undefined limit means none. */
export interface RelationshipType {
  name: string
  inverse: string
  maxOutgoing: number | undefined
  maxIncoming: number | undefined
  /** Whether edges of the type must not form a cycle. */
  acyclic: boolean
}

/** The type of a hierarchy that declares none. */
const defaultType: RelationshipType = {
  name: 'parent',
  inverse: 'children',
  maxOutgoing: 1,
  maxIncoming: undefined,
  acyclic: true,
}

/** Returns the types of a table's edges; undefined if the table has no edges. */
export function relationshipTypesOf({
  hierarchy = false,
  graph,
}: GraphSchema): RelationshipType[] | undefined {
  const types = graph?.enabled ? (graph.types ?? []) : []
  if (types.length === 0) return hierarchy ? [defaultType] : undefined
  return types.map(({ name, inverse, constraints }) => ({
    name,
    inverse: inverse ?? `${name}_inverse`,
    maxOutgoing: constraints?.max_outgoing,
    maxIncoming: constraints?.max_incoming,
    acyclic: hierarchy,
  }))
}

/** The member of a tree's node that lists the nodes below it. */
export const childrenMember = 'children'
/**
 * The member of an answer that contains the record. Nodes are listed next to it under the names of
 * relationships.
 */
const recordMember = 'data'

/** The types of keys that edges can lead to: a value in the body of an edge finds its record exactly. */
const keyTypes: readonly string[] = ['string', 'integer', 'number', 'uuid', 'date', 'time', 'datetime']

interface SchemaWithKey extends GraphSchema {
  fields: readonly { name: string; type: string }[]
  primaryKey?: readonly string[] | undefined
}

/** Returns the problems of a schema's graph, each with its place. */
export function graphProblems(schema: SchemaWithKey): string[] {
  const { hierarchy, graph, fields, primaryKey = [] } = schema
  const types = graph?.types ?? []
  const problems = types.flatMap(({ name, inverse }, position) => [
    ...(types.findIndex((type) => type.name === name) === position
      ? []
      : [`graph.types: there are two types named "${name}"`]),
    ...([name, inverse].includes(recordMember)
      ? [`graph.types[${position}]: "${recordMember}" is reserved: answers have the record under this name`]
      : []),
  ])
  if (graph?.enabled && !hierarchy && types.length === 0)
    problems.push('graph.types: name at least one type, or set hierarchy to true')
  if (!relationshipTypesOf(schema)) return problems
  const keys = fields.filter(({ name }) => primaryKey.includes(name))
  if (primaryKey.length > 1) problems.push('primaryKey: a table with edges needs a key of one field')
  else if (keys[0] && !keyTypes.includes(keys[0].type))
    problems.push(
      `primaryKey: a table with edges needs a key of type ${keyTypes.join(', ')}; ` +
        `"${keys[0].name}" is of type ${keys[0].type}`,
    )
  if (fields.some(({ name }) => name === childrenMember))
    problems.push(`fields: "${childrenMember}" is reserved: the nodes of a tree have their children under it`)
  return problems
}
