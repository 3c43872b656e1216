/**
 * The bodies of record operations, for the OpenAPI document. The schema of a table decides about its records.
 * R1.
 */
import * as z from 'zod'
import { tableRecords } from '../../kernel/http/json-shape.ts'
import { count, errorCode, errorDetail, uuid } from '../../kernel/http/openapi/bodies.ts'
import { rowsMax } from '../failures/body.ts'
import { totalKinds } from '../query/render/render-total.ts'

export { type FieldFilter, filtersOf } from '../query/parse/filters.ts'
export { asOfParameter, graphParameters, selectionParameters } from '../query/parse/parse.ts'
export { overlaps } from '../query/plan/range-overlap.ts'

const anything = z.record(z.string(), z.unknown())
/** The fields of a record in a body. */
const fields = z.record(z.string(), z.unknown()).register(tableRecords, { isTable: true })

/**
 * A record of any table. The OpenAPI document of one app has types of its tables instead. The name is not
 * Record, because that would hide the TypeScript type of this name in generated clients.
 */
export const record = anything.meta({
  id: 'AnyRecord',
  description:
    'A record with the fields of its table. With `populate` it also has its related records: at most 100 ' +
    'of ' +
    'each relationship. If there are more, `_more` has their number.',
})
/** The body of a new record. */
const newRecord = fields.meta({
  id: 'NewRecord',
  description:
    'The fields of a new record. Under the name of a relationship it can have new related records: an ' +
    'object, or an array of objects, up to 3 levels deep and 1000 records in a request.',
})
/** The body that replaces a record. */
export const recordReplacement = fields.meta({
  id: 'RecordReplacement',
  description: 'The fields of a record. Omitted fields get their defaults.',
})
/** The body of a change of a record. */
export const recordChange = fields.meta({ id: 'RecordChange', description: 'Some fields of a record.' })
/** A reference that an operation of a batch can have instead of a value. */
export const recordReference = z
  .object({ $: z.string().describe('`name.field`: the name of the operation, and a field of its record.') })
  .meta({ id: 'RecordReference', description: 'A value of the record of an earlier operation.' })
/** The record of an operation of a batch. */
export const operationData = fields.meta({
  id: 'OperationData',
  description:
    'The fields of a record. Except in fields for objects and arrays, `{"$": "name.field"}` can ' +
    'replace a value: ' +
    'it means the value of the record of an earlier operation.',
})
const namedRecordChange = fields.meta({
  id: 'NamedRecordChange',
  description: 'Some fields of a record, and its primary key. A key of one field may be sent as `id`.',
})

const group = anything.meta({
  id: 'Group',
  description: 'The common values of a group of records, and the aggregates of the group, by name.',
})

const cursor = z.string().nullable().optional()

const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    data: z.array(item).meta({ description: 'The members of the page.' }),
    total: count
      .nullable()
      .meta({ description: 'The number of members on all pages; null if it is not known: see `total_is`.' }),
    page: z
      .int()
      .nullable()
      .meta({ description: 'The number of the page, counted from 1; null with a cursor.' }),
    page_size: z.int().meta({ description: 'The maximum number of members on a page.' }),
    meta: z
      .object({
        offset: count
          .nullable()
          .meta({ description: 'The number of members before the page; null with a cursor.' }),
        limit: z.int().meta({ description: 'The same as `page_size`.' }),
        count: count.nullable().meta({ description: 'The same as `total`.' }),
        has_more: z.boolean().meta({ description: 'Whether there are members after this page.' }),
        total_is: z.enum(totalKinds).meta({
          description:
            'How the total was found: `exact`, by counting; `estimated`, as Postgres expects it; `none`, ' +
            'as requested. Without a total: `timeout`, it takes too long to count; `more`, there are more ' +
            'records than are counted for guests.',
        }),
        ranked_of: count.optional().meta({
          description:
            'In the order of the rank: how many matches were ranked, the newest by `created_at`, or else ' +
            'those with the highest keys. The others are not listed. Omitted: all were.',
        }),
        next: cursor.meta({
          description:
            'With `after` or `before`: the cursor of the next page, for `after`; null on the last.',
        }),
        previous: cursor.meta({
          description:
            'With `after` or `before`: the cursor of the previous page, for `before`; null on the first.',
        }),
      })
      .meta({ description: 'The position of the page in the list.' }),
  })

/** The answer of a list. */
export const recordList = pageOf(record).meta({ id: 'RecordList', description: 'A page of records.' })
/** The answer of a list with `_group_by`. */
export const groupList = pageOf(group).meta({
  id: 'GroupList',
  description: 'With `_group_by`: a page of groups.',
})

/** The answer of a list as a stream. */
export const lines = z.string().meta({
  id: 'RecordLines',
  description:
    'One record per line: a JSON object, or a CSV row (RFC 4180) after a line with the names of the ' +
    'fields. If the connection closes early, the answer is incomplete.',
})

/** The answer of a list with `_aggregate` and without `_group_by`. */
export const totals = z
  .object({
    data: z.array(z.unknown()).max(0).meta({ description: 'Always empty.' }),
    aggregates: anything.meta({ description: 'The results, by name.' }),
  })
  .meta({
    id: 'RecordAggregates',
    description: 'With `_aggregate` and without `_group_by`: the aggregates of all records, by name.',
  })

const depth = count.meta({ description: 'The number of edges between the start and the record.' })
const node = record
  .and(z.looseObject({ _depth: depth }))
  .meta({ id: 'RecordNode', description: 'A record that a traversal has reached.' })
const treeNode: z.ZodType = record
  .and(
    z.looseObject({
      _depth: depth,
      get children() {
        return z.array(treeNode).meta({ description: 'The nodes at the other ends of its edges.' })
      },
    }),
  )
  .meta({ id: 'RecordTreeNode', description: 'A record of a tree.' })
const nodeTotal = count.meta({ description: 'The number of different nodes.' })
/** The answer of `format=tree`. */
export const tree = z
  .object({
    data: z.array(treeNode).meta({ description: 'The roots of the tree.' }),
    total: nodeTotal,
    omitted: count.optional().meta({
      description:
        'The number of records that the tree does not contain because of the maximum depth or because ' +
        'they are ' +
        'in a cycle without an entry point. Omitted if it is 0. From one record, at most 10,000 are counted.',
    }),
  })
  .meta({
    id: 'RecordTree',
    description:
      'With `format=tree`: the roots, each with its `children`, which have `children` of their own.',
  })
const graphEdge = z
  .object({
    id: uuid.meta({ description: 'The id of the edge.' }),
    from: z.unknown().meta({ description: 'The primary key of the record at the start of the edge.' }),
    to: z.unknown().meta({ description: 'The primary key of the record at the end of the edge.' }),
    type: z.string().meta({ description: 'The name of the relationship type.' }),
    metadata: anything.meta({ description: 'The metadata of the edge.' }),
  })
  .meta({ id: 'GraphEdge', description: 'An edge of a graph.' })
/** The answer of `format=graph`. */
export const graph = z
  .object({
    data: z
      .object({
        nodes: z.array(record.and(z.looseObject({ _depth: depth.nullable() }))).meta({
          description:
            'The records, each once. In the graph of a list, `_depth` is null for a record that no root ' +
            'reaches ' +
            'within the maximum depth.',
        }),
        edges: z.array(graphEdge).meta({ description: 'The edges between the nodes.' }),
      })
      .meta({ description: 'The graph.' }),
    total: nodeTotal,
  })
  .meta({ id: 'RecordGraph', description: 'With `format=graph`: the nodes and the edges between them.' })
/** The answer of `include`. */
export const related = z
  .object({ data: record.describe('The record.') })
  .catchall(z.array(node))
  .meta({
    id: 'RecordWithNodes',
    description:
      'With `include`: the record, with its nodes under the names of the relationships that lead to them.',
  })

/** The member of the answer to a dry run. */
export const dryRunMark = {
  dry_run: z.literal(true).optional().describe('Only with `dry_run=true`: nothing was written.'),
}

/** The answer of an operation on one record. */
export const oneRecord = z.object({ data: record.describe('The record.'), ...dryRunMark })
/** A list without the envelope. Aggregates without groups and a graph are an object. */
export const bareList = z.union([z.array(record), anything])
/** A record or records without the envelope. */
export const bareOneOrMany = z.union([record, z.array(record)])
/** Records without the envelope. */
export const bareRecords = z.array(record)
/** The answer of creating one record or an array. */
export const oneOrMany = z.object({
  data: z
    .union([record, z.array(record)])
    .describe('The record, or an array of records if an array was sent.'),
  ...dryRunMark,
})
/** The body of creating one record or an array. */
export const newRecords = z.union([newRecord, z.array(newRecord).max(rowsMax)])
/** The answer of changing an array of records. */
export const records = z.object({
  data: z.array(record).describe('The records, in the order of the request.'),
  ...dryRunMark,
})
/** The body of changing records: an array of changes, or one change for all records that a filter matches. */
export const recordChanges = z.union([recordChange, z.array(namedRecordChange).max(rowsMax)])
/** The body of an upsert: one record, or an array. */
export const upsertBody = z.union([recordChange, z.array(recordChange).max(rowsMax)])
/** The 422 of a write. G6. */
export const writeErrors = z.union([
  errorDetail.extend({
    edges: z.array(uuid).meta({
      description: 'The edges of a restored record that would break a rule: at most ten.',
    }),
  }),
  errorDetail,
])

/** The error for a field that conflicts with other records. */
export const fieldFailure = z
  .object({
    error: z.string().describe('The kind of error.'),
    detail: z.string().describe('The reason.'),
    code: errorCode,
    field: z.string().describe('The name of the field.'),
    held_by: z
      .enum(['deleted', 'request'])
      .optional()
      .describe(
        'Who has the value: a soft-deleted record, or another record that the same request changes. ' +
          'Omitted: a record that can be read, or not known.',
      ),
    exclusion: z
      .string()
      .optional()
      .describe('The name of the exclusion that another record has broken with this one.'),
  })
  .meta({
    id: 'FieldFailure',
    description: 'A conflict with other records: a duplicate value, or a reference to a missing record.',
  })
