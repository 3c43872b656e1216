/** Edges on the wire, for the reference: the type of their ends is that of their table's primary key. Spec: Edge. */
import { z } from 'zod'
import { count, timestamp, uuid } from '../../http/openapi/bodies.ts'
import { listParam } from '../../http/params.ts'

/** What no two edges have in common. */
export const edgeKey = ['from_id', 'to_id', 'type'] as const

const end = z.union([z.string(), z.int()])
const metadata = z.record(z.string(), z.unknown())

const edge = z
  .object({ id: uuid, from_id: end, to_id: end, type: z.string().max(50), metadata, created_at: timestamp })
  .meta({ id: 'Edge', description: 'Leads from a record to another: an edge a → b of the type T says that the T of a is b.' })

const newEdge = z
  .object({ from_id: end, to_id: end, type: z.string().max(50), metadata: metadata.nullable().optional() })
  .meta({ id: 'NewEdge', description: 'An edge as it is written. `from` and `to` are understood as `from_id` and `to_id`.' })

const edges = z.array(edge)

export const edgeList = z.object({
  total: count,
  page: z.int(),
  page_size: z.int(),
  results: edges,
  data: edges.meta({ description: 'The same as `results`.' }),
})
export const createdEdges = z.object({ total: count, results: edges, data: edges.meta({ description: 'The same as `results`.' }) })
export const oneEdge = z.object({ data: edge })
export const newEdges = z.array(newEdge)
export const edgeChange = newEdge
export const edgeIds = z.object({ edge_ids: z.array(uuid) })
export const deletedEdges = z.object({ deleted: count, message: z.string() })

const list = (description: string) => listParam(`${description}; several with commas between them, or repeated.`).optional()

export const edgesQuery = z.object({
  from_id: list('Where the edges begin'),
  to_id: list('Where they lead to'),
  types: list('Names of relationship types'),
  page: z.string().optional().meta({ type: 'integer', minimum: 1, description: 'Counted from 1.' }),
  page_size: z.string().optional().meta({ type: 'integer', minimum: 1, description: '20 when omitted; a larger one than 1000 is 1000.' }),
  limit: z
    .string()
    .optional()
    .meta({ type: 'integer', minimum: 0, description: 'In the place of pages: how many, as `page_size`; 0 asks for the total alone.' }),
  offset: z.string().optional().meta({ type: 'integer', minimum: 0, description: 'In the place of pages: how many come before it.' }),
})
