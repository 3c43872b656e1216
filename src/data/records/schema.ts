/** Records on the wire, for the reference: what a record is its table's schema says (validate.ts). R1. */
import { z } from 'zod'
import { envelopeQuery } from '../../http/envelope.ts'
import { count, errorDetail, uuid } from '../../http/openapi/bodies.ts'
import { listParam } from '../../http/params.ts'
import { aggregates } from '../query/aggregates.ts'
import { totalModes } from '../query/ast.ts'
import { scalarFunctions } from '../query/expression/functions.ts'
import { operators } from '../query/operators.ts'
import { countedMax } from '../query/render-list.ts'
import { rowsMax } from './body.ts'

export { type FieldFilter, filtersOf } from '../query/filters.ts'
export { graphParameters, selectionParameters } from '../query/parse.ts'

const anything = z.record(z.string(), z.unknown())

/** In the reference of one app, each table has its own in the place of these. A type named Record would hide that of TypeScript. */
const record = anything.meta({
  id: 'AnyRecord',
  description:
    'A record, shaped by the schema of its table. With `populate` its related records, and `_more`: how many there are of those that were cut at 100.',
})
export const newRecord = anything.meta({ id: 'NewRecord', description: 'The fields of a new record.' })
export const recordChange = anything.meta({ id: 'RecordChange', description: 'Fields of a record, in part.' })
const namedRecordChange = anything.meta({
  id: 'NamedRecordChange',
  description: 'Fields of a record, in part, with its primary key, which may be called `id` if it is one field.',
})

const group = anything.meta({ id: 'Group', description: 'What the records of a group have in common, and what is computed of them, by name.' })

const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    data: z.array(item).meta({ description: 'The page.' }),
    total: count.nullable().meta({ description: 'How many there are on all pages; null with `_total=none`.' }),
    page: z.int().meta({ description: 'The number of the page, counted from 1.' }),
    page_size: z.int().meta({ description: 'How many members a page has at most.' }),
    meta: z
      .object({
        offset: count.meta({ description: 'How many members come before the page.' }),
        limit: z.int().meta({ description: 'The same as `page_size`.' }),
        count: count.nullable().meta({ description: 'The same as `total`.' }),
        has_more: z.boolean().meta({ description: 'Whether there are members after this page.' }),
        total_is: z.enum(totalModes).optional().meta({ description: 'How the total was found; present if `_total` is sent.' }),
      })
      .meta({ description: 'The position of the page in the list.' }),
  })

export const recordList = pageOf(record).meta({ id: 'RecordList', description: 'A page of records.' })
export const groupList = pageOf(group).meta({ id: 'GroupList', description: 'With `_group_by`: a page of groups.' })

export const totals = z
  .object({
    data: z.array(z.unknown()).max(0).meta({ description: 'Always empty.' }),
    aggregates: anything.meta({ description: 'The results, by name.' }),
  })
  .meta({ id: 'RecordAggregates', description: 'With `_aggregate` and without `_group_by`: what is computed of all records, by name.' })

const depth = count.meta({ description: 'How many edges the record is away from the start.' })
const node = record.and(z.looseObject({ _depth: depth })).meta({ id: 'RecordNode', description: 'A record that a walk along edges reached.' })
const treeNode: z.ZodType = record
  .and(
    z.looseObject({
      _depth: depth,
      get children() {
        return z.array(treeNode).meta({ description: 'The nodes that edges lead to from here.' })
      },
    }),
  )
  .meta({ id: 'RecordTreeNode', description: 'A record of a tree.' })
const nodeTotal = count.meta({ description: 'How many different nodes there are.' })
export const tree = z
  .object({
    data: z.array(treeNode).meta({ description: 'The nodes at which the tree begins.' }),
    total: nodeTotal,
    omitted: count.optional().meta({
      description:
        'How many records the tree does not reach, if there are any: the depth or a cycle without an entry leaves them out. From one record, at most 10,000 are counted.',
    }),
  })
  .meta({ id: 'RecordTree', description: 'With `format=tree`: the nodes where it begins, each with its `children`, which have theirs.' })
const graphEdge = z
  .object({
    id: uuid.meta({ description: 'The id of the edge.' }),
    from: z.unknown().meta({ description: 'The primary key of the record that the edge begins at.' }),
    to: z.unknown().meta({ description: 'The primary key of the record that the edge leads to.' }),
    type: z.string().meta({ description: 'The name of the relationship type.' }),
    metadata: anything.meta({ description: 'What was stored with the edge.' }),
  })
  .meta({ id: 'GraphEdge', description: 'An edge of a graph.' })
export const graph = z
  .object({
    data: z
      .object({
        nodes: z.array(record.and(z.looseObject({ _depth: depth.nullable() }))).meta({
          description:
            'The records, each once. In the graph of a list, `_depth` is null for a record that no root leads to within the maximum depth.',
        }),
        edges: z.array(graphEdge).meta({ description: 'The edges between them.' }),
      })
      .meta({ description: 'The graph.' }),
    total: nodeTotal,
  })
  .meta({ id: 'RecordGraph', description: 'With `format=graph`: the nodes, and the edges between them.' })
export const related = z
  .object({ data: record.describe('The record.') })
  .catchall(z.array(node))
  .meta({
    id: 'RecordWithNodes',
    description: 'With `include`: beside the record the nodes, each under each name of a relationship by which it is reached.',
  })

export const oneRecord = z.object({ data: record.describe('The record.') })
/** The same answers without their envelope: an object is that of aggregates without groups, and of a graph. */
export const bareList = z.union([z.array(record), anything])
export const bareRecord = record
export const bareOneOrMany = z.union([record, z.array(record)])
export const bareRecords = z.array(record)
export const oneOrMany = z.object({ data: z.union([record, z.array(record)]).describe('The record, or the array of them where an array was sent.') })
export const newRecords = z.union([newRecord, z.array(newRecord).max(rowsMax)])
export const records = z.object({ data: z.array(record).describe('The records, in the order of the request.') })
export const recordChanges = z.array(namedRecordChange).max(rowsMax)
export const upsertBody = z.union([recordChange, z.array(recordChange).max(rowsMax)])
export const upsertedRecords = oneOrMany.extend({
  created: z.boolean().describe('Whether a record was created.'),
  created_count: count.describe('How many were created.'),
  updated_count: count.describe('How many were changed.'),
})
export const deletedRecords = z.object({
  deleted: count.describe('How many records were deleted.'),
  ids: z.array(z.unknown()).optional().meta({ description: 'Which, where they were named by ids, in the order of the request.' }),
})

/** G6 */
export const writeRefused = z.union([
  errorDetail.extend({
    edges: z.array(uuid).meta({ description: 'The edges that would come back with a restored record and break a rule: ten of them at most.' }),
  }),
  errorDetail,
])

export const fieldFailure = z
  .object({
    error: z.string().describe('The kind of failure.'),
    detail: z.string().describe('What failed.'),
    field: z.string().describe('The field concerned.'),
  })
  .meta({ id: 'FieldFailure', description: 'What other records have to do with it: a duplicate value, or a reference to none.' })

const flag = (description: string) => z.string().optional().meta({ type: 'boolean', description })
const text = (description: string) => z.string().optional().meta({ description })
const number = (minimum: number, description: string) => z.string().optional().meta({ type: 'integer', minimum, description })
const includeDeleted = flag('Soft-deleted records are meant, too. `false` when omitted.')
const hardDelete = flag(
  'Also records of a table with `is_deleted` are gone for good, those that are marked as deleted among them. `false` when omitted.',
)

const populate = text(
  'Relationships whose records stand in the record, separated by commas; `*` is all of them. Nested by dots, three deep; an array has 100 records at most, and of one that was cut `_more` in the record says how many there are.',
)
const format = z
  .string()
  .optional()
  .meta({ enum: ['flat', 'tree', 'graph'], description: '`flat` when omitted. A tree or a graph, of a table with edges, has no pages.' })

const walk = {
  depth: z.string().optional().meta({
    type: 'integer',
    minimum: 0,
    description: 'How many edges it is from the start at most. 1 for `include`, the maximum for a tree or graph when omitted.',
  }),
  relationship_type: listParam('The types of edges to follow: several with commas between them, or repeated. All when omitted.').optional(),
}

/** Which records are shown, and in which order. Other parameters than those of the loose objects below are filters. */
const selection = {
  search: text('Words; "phrases", -without, OR. For tables with `search_fields`. What fits best comes first, unless the list is sorted.'),
  filters: text('Filters as JSON: `{"or": [{"price": 1}, {"not": {"name__in": ["a", "b"]}}]}`. Added to the others.'),
  _sort: text('Fields, separated by commas, also of what records reference, as `maker_id.name`; a `-` before one sorts it descending.'),
  _order: text('`asc` or `desc` for each field of `_sort`.'),
  ordering: text('As `_sort`.'),
}

export const listQuery = z.looseObject({
  page: number(1, 'Counted from 1.'),
  page_size: z.string().optional().meta({ type: 'integer', minimum: 1, maximum: 1000, description: '20 when omitted; a larger one is 1000.' }),
  limit: number(0, 'In the place of `page_size`, with `offset`. 0 is an empty page, with the total.'),
  offset: number(0, 'How many records come before the page.'),
  _start: number(0, 'In the place of `page`: where it begins, counted from 0,'),
  _end: number(1, 'and where it ends: the first record that is not in it.'),
  _page: number(1, 'As `page`, with `_per_page` or `_limit`, as clients of json-server say it.'),
  _per_page: number(1, 'As `page_size`.'),
  _limit: number(1, 'As `page_size`.'),
  ...selection,
  populate,
  format,
  ...walk,
  include_deleted: includeDeleted,
  only_deleted: flag('Soft-deleted records alone. `false` when omitted.'),
  ...envelopeQuery,
  _count: flag('The total alone: `data` is empty. `false` when omitted.'),
  _total: z
    .string()
    .optional()
    .meta({
      enum: [...totalModes],
      description: `\`exact\` when omitted. \`estimated\` counts up to ${countedMax}, and beyond that answers what Postgres expects. \`none\` does not count: \`total\` is null. \`meta.has_more\` is always exact.`,
    }),
  _aggregate: listParam(
    'Computes instead of listing: expressions with commas between them, as `count(*),sum(price * stock) filter (where sold) as total`. Their names: the alias, `count`, `sum_price`.',
  ).optional(),
  _group_by: listParam(
    "Fields or expressions that the records of a group have in common, as `maker_id.name,date_trunc('day', sold_at AT TIME ZONE 'Europe/Berlin')`. Sorting and pages are those of the groups, by the names of their results.",
  ).optional(),
  _having: listParam(
    'Conditions that groups have to meet, with commas between them, as `count__gt=5`. Operators: gt, gte, lt, lte, eq, ne.',
  ).optional(),
})

export const listDescription = `Any other parameter is a filter: \`field=value\`, or \`field__operator=value\`. Operators: ${[...operators.keys()].join(', ')}. \
A field may be one of related records, as \`maker_id.name\`, or a property of an object, as \`about__size\`. \
Functions of \`_aggregate\`: ${[...aggregates.keys()].join(', ')}; of the values in them, and of \`_group_by\`: ${[...scalarFunctions.keys()].join(', ')}, \
\`case\`, \`cast\`, arithmetic, comparisons.`

export const readDescription = `The ETag is that of the record itself: with populate, If-None-Match is not heeded. \
\`search\`, \`filters\`, an order and any other parameter, which is a filter as in the list, are about the nodes of a walk, and refused without one.`

export const readQuery = z.looseObject({
  populate,
  include_deleted: includeDeleted,
  format,
  ...selection,
  include: z
    .string()
    .optional()
    .meta({ enum: ['descendants', 'ancestors', 'both'], description: 'Nodes to list beside the record, or the way that its tree or graph leads.' }),
  ...walk,
  ...envelopeQuery,
})

export const createQuery = z.object(envelopeQuery)
export const updateQuery = z.object({ include_deleted: includeDeleted, ...envelopeQuery })
export const upsertQuery = z.object({
  unique_fields: listParam('The fields by which a record is found, separated by commas: of a primary key, or a unique constraint or index.'),
  include_deleted: includeDeleted,
  ...envelopeQuery,
})
export const deleteOneQuery = z.object({ hard_delete: hardDelete })
export const deleteQuery = z.object({
  ids: listParam('Primary keys, separated by commas. Those that no record has are left out.').optional(),
  filter: text('A filter as JSON, as `{"status": "old", "price__lt": 10}`.'),
  hard_delete: hardDelete,
})
