/**
 * The shapes of edges in requests and responses. Their ends have the type of the table's primary key. Spec:
 * Edge.
 */

import * as z from 'zod'
import { limitText, sizeText } from '../../kernel/http/lists/range.ts'
import { count, timestamp, uuid } from '../../kernel/http/openapi/bodies.ts'
import { listParam } from '../../kernel/http/params.ts'
import { dryRunMark } from '../records/schema.ts'
import { dryRun } from '../records/write-query-schema.ts'

const end = z.union([z.string(), z.number()])
const from_id = end.describe('The primary key of the record where the edge begins.')
const to_id = end.describe('The primary key of the record where the edge ends.')
const type = z.string().max(50).describe('The name of the relationship type.')
const metadata = z.record(z.string(), z.unknown())
const storedWith = 'Any object, stored with the edge.'

export const edge = z
  .object({
    id: uuid.describe('The id of the edge.'),
    from_id,
    to_id,
    type,
    metadata: metadata.describe(storedWith),
    created_at: timestamp.describe('When the edge was created.'),
  })
  .meta({
    id: 'Edge',
    description: 'Leads from one record to another: an edge a → b of type T means that the T of a is b.',
  })

/** An edge to write: also the body of replacing one. */
export const newEdge = z
  .object({ from_id, to_id, type, metadata: metadata.nullable().optional().describe(storedWith) })
  .meta({
    id: 'NewEdge',
    description:
      'An edge to write. `from` and `to` are accepted for `from_id` and `to_id`. `id` and `created_at` are ' +
      'ignored.',
  })

const edges = z.array(edge)

/** A page of edges. */
export const edgeList = z.object({
  total: count.nullable().describe('The number of edges on all pages; null with `_total=none`.'),
  page: z.int().describe('The number of the page, counted from 1.'),
  page_size: z.int().describe('The maximum number of edges on a page.'),
  results: edges.describe('The edges of the page.'),
  data: edges.meta({ description: 'The same as `results`.' }),
})
/** The answer of creating edges. */
export const createdEdges = z.object({
  total: count.describe('The number of created edges.'),
  results: edges.describe('The edges, in the order of the request.'),
  data: edges.meta({ description: 'The same as `results`.' }),
  ...dryRunMark,
})
/** The answer of replacing an edge. */
export const oneEdge = z.object({ data: edge.describe('The edge.'), ...dryRunMark })
/** The body of creating edges. */
export const newEdges = z.array(newEdge)
/** The body of deleting edges. */
export const edgeIds = z.object({ edge_ids: z.array(uuid).describe('The ids of the edges to delete.') })
/** The answer of deleting edges. */
export const deletedEdges = z.object({
  deleted: count.describe('The number of deleted edges.'),
  message: z.string().describe('The same in a sentence.'),
  ...dryRunMark,
})

const list = (description: string) =>
  listParam(`${description}. Separate several by commas, or repeat the parameter.`).optional()

/** The parameters of writing edges. */
export const writeQuery = z.object(dryRun)
/** The parameters of a list of edges. */
export const edgesQuery = z.object({
  from_id: list('Keys of records where the edges begin'),
  to_id: list('Keys of records where the edges end'),
  types: list('Names of relationship types'),
  page: z
    .string()
    .optional()
    .meta({ type: 'integer', minimum: 1, description: 'The number of the page, from 1.' }),
  page_size: z
    .string()
    .optional()
    .meta({
      type: 'integer',
      minimum: 1,
      description: `The number of items on a page. ${sizeText(20, 1000)}`,
    }),
  limit: z
    .string()
    .optional()
    .meta({
      type: 'integer',
      minimum: 0,
      description: limitText(20, 1000),
    }),
  offset: z.string().optional().meta({
    type: 'integer',
    minimum: 0,
    description: 'The number of items to skip, as an alternative to pages. Default: 0.',
  }),
  _total: z
    .string()
    .optional()
    .meta({
      enum: ['exact', 'none'],
      description: 'Default: `exact`. `none` does not count: `total` is null.',
    }),
})
