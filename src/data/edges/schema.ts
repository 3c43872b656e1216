/** Edges on the wire, for the reference: the type of their ends is that of their table's primary key. Spec: Edge. */
import { z } from 'zod'
import { count, timestamp, uuid } from '../../http/openapi/bodies.ts'
import { listParam } from '../../http/params.ts'

/** What no two edges have in common. */
export const edgeKey = ['from_id', 'to_id', 'type'] as const

const end = z.union([z.string(), z.int()])
const from_id = end.describe('The primary key of the record that the edge begins at.')
const to_id = end.describe('The primary key of the record that the edge leads to.')
const type = z.string().max(50).describe('The name of the relationship type.')
const metadata = z.record(z.string(), z.unknown())
const storedWith = 'Any object that is stored with the edge.'

const edge = z
  .object({
    id: uuid.describe('The id of the edge.'),
    from_id,
    to_id,
    type,
    metadata: metadata.describe(storedWith),
    created_at: timestamp.describe('When the edge was created.'),
  })
  .meta({ id: 'Edge', description: 'Leads from a record to another: an edge a → b of the type T says that the T of a is b.' })

const newEdge = z
  .object({ from_id, to_id, type, metadata: metadata.nullable().optional().describe(storedWith) })
  .meta({ id: 'NewEdge', description: 'An edge as it is written. `from` and `to` are understood as `from_id` and `to_id`.' })

const edges = z.array(edge)

export const edgeList = z.object({
  total: count.describe('How many there are on all pages.'),
  page: z.int().describe('The number of the page, counted from 1.'),
  page_size: z.int().describe('How many a page has at most.'),
  results: edges.describe('The page.'),
  data: edges.meta({ description: 'The same as `results`.' }),
})
export const createdEdges = z.object({
  total: count.describe('How many were created.'),
  results: edges.describe('The edges, in the order of the request.'),
  data: edges.meta({ description: 'The same as `results`.' }),
})
export const oneEdge = z.object({ data: edge.describe('The edge.') })
export const newEdges = z.array(newEdge)
export const edgeChange = newEdge
export const edgeIds = z.object({ edge_ids: z.array(uuid).describe('The ids of the edges.') })
export const deletedEdges = z.object({
  deleted: count.describe('How many edges were deleted.'),
  message: z.string().describe('The same in a sentence.'),
})

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
