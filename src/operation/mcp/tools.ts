/** The tools of the MCP server, one row each: the input from the model, and the request that it becomes. */
import * as z from 'zod'
import type { ApiRequest } from '../../kernel/http/beside-requests.ts'
import { isPathSegment, pathSegmentRule } from '../../kernel/lib/path-segment.ts'
import { path } from './api-request.ts'

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string
  title: string
  description: string
  input: Input
  /** The effect on records. A bearer token may only use tools that read. */
  effect: 'reads' | 'adds' | 'changes'
  request(input: z.output<Input>): ApiRequest
}

const tool = <Input extends z.ZodObject>(row: Tool<Input>): Tool => row as unknown as Tool

/** The most unknown arguments that an error names, and the most characters of each. */
const [namedMax, nameLengthMax] = [10, 50]

/** The arguments of a tool. Others are refused by their names, so that the model can correct its call. */
const argumentsOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined
      const unknown = issue.keys
        .slice(0, namedMax)
        .map((name) => JSON.stringify(name.slice(0, nameLengthMax)))
      return `Unknown arguments: ${unknown.join(', ')}. The tool has: ${Object.keys(shape).join(', ')}.`
    },
  })

const segment = z.string().refine(isPathSegment, pathSegmentRule)
const app = segment.describe('The slug of the app, as list_apps returns it.')
const table = segment.describe('The name of the table, as list_tables returns it.')
const record = z.union([segment, z.number()]).describe('The primary key of the record.')
const limit = z.int().min(1).max(100).default(20).describe('The maximum number of records.')
const fields = z
  .string()
  .optional()
  .describe('The fields to return, separated by commas: `id,title,maker.name`. Default: all fields.')
const filters = z
  .record(z.string(), z.unknown())
  .optional()
  .describe(
    'Conditions that must all match: {"price__gt": 100, "maker.country": "DE"}. A key is a field or a path ' +
      'to a field of a related record, and may end in an operator: __gt, __gte, __lt, __lte, __ne, ' +
      '__in, __icontains, ' +
      '__startswith, __null, __between. {"or": [{…}, {…}]}, {"and": […]} and {"not": {…}} combine ' +
      'conditions.',
  )
const ordering = z
  .string()
  .optional()
  .describe('Fields separated by commas, with `-` for descending order: `-price,id`.')
const search = z.string().optional().describe('Words that the texts of a record must contain.')
const populate = z
  .union([z.string(), z.record(z.string(), z.unknown())])
  .optional()
  .describe(
    'Related records to return inside each record: names separated by commas, `maker,reviews`, or an ' +
      'object: {"reviews": {"filters": {"rating__gte": 4}, "ordering": "-created_at", "limit": 5}}. ' +
      'describe_table lists the relationships.',
  )
const values = z.record(z.string(), z.unknown())

export const tools: readonly Tool[] = [
  tool({
    name: 'list_apps',
    title: 'List apps',
    description: 'Lists the apps of the site. An app is a group of tables.',
    effect: 'reads',
    input: argumentsOf({ limit }),
    request: (input) => ({ path: '/api/apps/', query: { limit: input.limit } }),
  }),
  tool({
    name: 'list_tables',
    title: 'List tables',
    description: 'Lists the tables of an app.',
    effect: 'reads',
    input: argumentsOf({ app, limit }),
    request: (input) => ({ path: path`/api/apps/${input.app}/datatables/`, query: { limit: input.limit } }),
  }),
  tool({
    name: 'describe_table',
    title: 'Describe a table',
    description: 'Returns the schema of a table: fields, types, constraints and relationships.',
    effect: 'reads',
    input: argumentsOf({ app, table }),
    request: (input) => ({ path: path`/api/apps/${input.app}/datatables/${input.table}/` }),
  }),
  tool({
    name: 'query_records',
    title: 'Query records',
    description:
      'Lists records of a table, with filters, full-text search, order and related records. `meta.next` of ' +
      'the answer is the cursor of the next page.',
    effect: 'reads',
    input: argumentsOf({
      app,
      table,
      filters,
      search,
      fields,
      populate,
      ordering,
      limit,
      after: z.string().optional().describe('The cursor of a page: `meta.next` of the one before it.'),
    }),
    request: ({ app: slug, table: name, ...query }) => ({
      path: path`/api/apps/${slug}/datatables/${name}/data/`,
      query,
    }),
  }),
  tool({
    name: 'get_record',
    title: 'Read a record',
    description: 'Reads one record by its primary key.',
    effect: 'reads',
    input: argumentsOf({ app, table, record, fields, populate }),
    request: ({ app: slug, table: name, record: key, ...query }) => ({
      path: path`/api/apps/${slug}/datatables/${name}/data/${key}/`,
      query,
    }),
  }),
  tool({
    name: 'aggregate_records',
    title: 'Aggregate records',
    description: 'Counts, sums and averages the records of a table, as a whole or by groups.',
    effect: 'reads',
    input: argumentsOf({
      app,
      table,
      aggregates: z
        .string()
        .describe(
          'Separated by commas, each with an optional name: `count(*),avg(price) as mean,max(sold_at)`.',
        ),
      group_by: z
        .string()
        .optional()
        .describe('Fields, paths or expressions, separated by commas: `maker.country,sold_at::date`.'),
      having: z.string().optional().describe('A condition on the groups: `count > 10 and mean < 5`.'),
      filters,
      ordering,
      limit,
    }),
    request: ({ app: slug, table: name, aggregates, group_by, having, limit: most, ...query }) => ({
      path: path`/api/apps/${slug}/datatables/${name}/data/`,
      query: {
        ...query,
        _aggregate: aggregates,
        _group_by: group_by,
        _having: having,
        limit: group_by === undefined ? undefined : most,
      },
    }),
  }),
  tool({
    name: 'read_access',
    title: 'Read the access rules',
    description: 'Returns what the access rules of all tables of an app allow, as a matrix, with advice.',
    effect: 'reads',
    input: argumentsOf({ app }),
    request: (input) => ({ path: path`/api/apps/${input.app}/access/` }),
  }),
  tool({
    name: 'explain_access',
    title: 'Explain access',
    description:
      'Says whether a person, a group or anyone may read a record, and which rule allows it or why ' +
      'each rule does not.',
    effect: 'reads',
    input: argumentsOf({
      app,
      table,
      as: z
        .union([
          z.strictObject({ user: z.int() }),
          z.strictObject({ group: z.string() }),
          z.strictObject({ anyone: z.literal(true) }),
        ])
        .describe('The caller: {"user": 7}, {"group": "agents"} or {"anyone": true}.'),
      record: record.optional(),
    }),
    request: (input) => ({
      method: 'POST',
      path: path`/api/apps/${input.app}/datatables/${input.table}/access/explain/`,
      body: { as: input.as, action: 'read', record: input.record },
    }),
  }),
  tool({
    name: 'create_records',
    title: 'Create records',
    description: 'Creates records, all or none of them.',
    effect: 'adds',
    input: argumentsOf({ app, table, records: z.array(values).min(1).max(1000) }),
    request: (input) => ({
      method: 'POST',
      path: path`/api/apps/${input.app}/datatables/${input.table}/data/`,
      body: input.records,
    }),
  }),
  tool({
    name: 'update_record',
    title: 'Change a record',
    description: 'Changes some fields of one record.',
    effect: 'changes',
    input: argumentsOf({ app, table, record, changes: values.describe('The new values by field.') }),
    request: (input) => ({
      method: 'PATCH',
      path: path`/api/apps/${input.app}/datatables/${input.table}/data/${input.record}/`,
      body: input.changes,
    }),
  }),
  tool({
    name: 'delete_record',
    title: 'Delete a record',
    description: 'Deletes one record. Records of tables with soft deletion can be restored.',
    effect: 'changes',
    input: argumentsOf({ app, table, record }),
    request: (input) => ({
      method: 'DELETE',
      path: path`/api/apps/${input.app}/datatables/${input.table}/data/${input.record}/`,
    }),
  }),
]
