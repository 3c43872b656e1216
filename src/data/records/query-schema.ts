/**
 * The query parameters of reading records, for the OpenAPI document. parameters.ts and data/query parse them.
 */

import * as z from 'zod'
import { envelopeQuery } from '../../kernel/http/envelope.ts'
import { limitText, sizeText } from '../../kernel/http/lists/range.ts'
import { listParam } from '../../kernel/http/params.ts'
import { searchLanguages } from '../model/schema-form.ts'
import { operators } from '../query/operators.ts'
import { totalModes } from '../query/parse/ast.ts'
import { aggregates } from '../query/plan/expression/aggregates.ts'
import { scalarFunctions } from '../query/plan/expression/functions.ts'
import { countedMax } from '../query/render/render-total.ts'
import { flag, includeDeleted, number, populate, text } from './query-parts.ts'

const asOf = text(
  'A date and time, for example `2026-01-01T00:00:00Z`: returns records as they were then. Every ' +
    'table that ' +
    'the query reads must have a history. Not possible with a traversal.',
)
const fields = text(
  'The only fields to show, separated by commas: `id,title,maker.name`. A `-` ' +
    'before a name omits a field: `-notes`. `*` means all fields. A related record whose fields ' +
    'are named is populated. Default: all fields.',
)
const annotate = listParam(
  'Values to compute for each record: named expressions separated by commas, as in `_aggregate`. ' +
    'Aggregate functions apply to related records: ' +
    '`count(reviews) as n,avg(reviews.rating) as rating,price * 1.19 as gross`. Filters, sorting and ' +
    '`fields` can use these names like fields.',
).optional()
const format = z
  .string()
  .optional()
  .meta({
    enum: ['flat', 'tree', 'graph'],
    description: 'Default: `flat`. `tree` and `graph` require a table with edges, and have no pages.',
  })

const walk = {
  include: z
    .string()
    .optional()
    .meta({
      enum: ['descendants', 'ancestors', 'both'],
      description:
        'The nodes to return with each record, or the direction of a tree or graph. Requires a table with ' +
        'edges.',
    }),
  depth: z
    .string()
    .optional()
    .meta({
      type: 'integer',
      minimum: 0,
      description:
        'The maximum number of edges from the start. Default: 1 for `include`, the allowed maximum for a ' +
        'tree or graph.',
    }),
  relationship_type: listParam(
    'The types of edges to follow, separated by commas or repeated. Default: all.',
  ).optional(),
}

/**
 * The parameters for the selection and the order of records. Parameters that are not listed here are filters.
 */
const selection = {
  search: text(
    'Search terms: words, `beginnings*`, "phrases", -excluded, `or`. Requires `search_fields` in the ' +
      'schema. The best matches come first, unless the list is sorted. Also a member of `filters`: ' +
      '`{"search": "bridge"}`.',
  ),
  _language: z
    .string()
    .optional()
    .meta({
      enum: [...searchLanguages],
      description:
        'The language of searches. Default: `search_language` of the schema. Another one reads every record.',
    }),
  _fuzzy: flag(
    '`true`: words of five to 30 characters may have one typo, in searched fields with a trigram index. ' +
      'Default: `false`.',
  ),
  filters: text(
    'Filters as JSON: `{"or": [{"price": 1}, {"not": {"name__in": ["a", "b"]}}]}`. Records must also ' +
      'match the ' +
      'other filters.',
  ),
  _sort: text(
    'The fields to sort by, separated by commas. Fields of referenced records are possible, for example ' +
      '`maker_id.name`, and properties with their type: `specification.power::number`. ' +
      'A `-` before a field sorts in descending order. `.nullsfirst` after it puts ' +
      'records without a value first, `.nullslast` last, which is the default. `_rank` is the rank of ' +
      '`search`.',
  ),
  _order: text('`asc` or `desc` for each field of `_sort`.'),
  ordering: text('The same as `_sort`.'),
}

/** The query parameters of the list. */
export const listQuery = z.looseObject({
  page: number(1, 'The number of the page, from 1.'),
  page_size: number(1, `The number of items on a page. ${sizeText(20, 1000)}`),
  limit: number(0, limitText(20, 1000)),
  offset: number(0, 'The number of records before the page.'),
  _start: number(0, 'The position of the first record of the page, from 0. Instead of `page`.'),
  _end: number(1, 'The position after the last record of the page. With `_start`.'),
  _page: number(1, 'The same as `page`, with `_per_page` or `_limit`, for clients of json-server.'),
  _per_page: number(1, 'The same as `page_size`.'),
  _limit: number(1, 'The same as `page_size`.'),
  ...selection,
  _annotate: annotate,
  _distinct: text(
    'Fields separated by commas. Of all records with the same values in these fields, the list ' +
      'contains the first one ' +
      'in its order. The total counts these groups.',
  ),
  populate,
  fields,
  format,
  ...walk,
  as_of: asOf,
  include_deleted: includeDeleted,
  only_deleted: flag('`true` lists only soft-deleted records. Default: `false`.'),
  ...envelopeQuery,
  after: text(
    'Instead of a page number: a cursor, `meta.next` of another answer. The page begins after its ' +
      'position, even if records before it were created or deleted. Empty: the first page.',
  ),
  before: text(
    'A cursor, `meta.previous` of another answer: the page ends before its position. Empty: the last page.',
  ),
  _rank: flag('`true` shows the rank of each record in the search, as `_rank`. Default: `false`.'),
  _highlight: listParam(
    'Searched fields, separated by commas: `_highlight` in the record has their texts. Words that ' +
      'were found are in `<mark>`, and all other text is escaped for HTML.',
  ).optional(),
  _count: flag('`true` returns only the total: `data` is empty. Default: `false`.'),
  _total: z
    .string()
    .optional()
    .meta({
      enum: [...totalModes],
      description:
        'Default: exact up to 100000 records (`TOTAL_EXACT` of the operator) if they are counted ' +
        'in 150 ms; otherwise the estimate of Postgres. ' +
        `\`estimated\` counts up to ${countedMax}. ` +
        '`exact` counts all, for at most 2 seconds: then `total` is null. `none` does not count. Guests ' +
        'never get an estimate, but null. `meta.total_is` says which it is; `meta.has_more` is always exact.',
    }),
  _bom: flag(
    'Only with `Accept: text/csv`. `true` begins the answer with a byte order mark, by which spreadsheets ' +
      'recognize UTF-8. Default: `false`.',
  ),
  _aggregate: listParam(
    'Returns aggregates instead of records: expressions separated by commas, for example ' +
      '`count(*),sum(price * stock) filter (where sold) as total`. The name of a result is its alias, or ' +
      'a name ' +
      'like `count` or `sum_price`.',
  ).optional(),
  _group_by: listParam(
    'Groups the records by fields or expressions, for example ' +
      "`maker_id.name,date_trunc('day', sold_at AT TIME ZONE 'Europe/Berlin')`. `date_trunc` of a date is " +
      'a date. Sorting and pages apply to the groups; groups are sorted by the names of their results.',
  ).optional(),
  _having: listParam(
    'Conditions for groups, separated by commas, for example `count__gt=5`. Operators: gt, gte, lt, lte, ' +
      'eq, ne.',
  ).optional(),
})

/** How the aggregate functions are written that take more, or other, than one value. */
const usages = [...aggregates.values()].flatMap(({ usage }) => (usage ? [`\`${usage}\``] : []))

/** The description of the list operation. */
export const listDescription =
  'Every other parameter is a filter: `field=value` or `field__operator=value`. ' +
  `Operators: ${[...operators.keys()].join(', ')}. ` +
  'A filter may use a field of related records, for example `maker_id.name`, or a property of an object, ' +
  'for ' +
  'example `about__size`. ' +
  `Functions of \`_aggregate\`: ${[...aggregates.keys()].join(', ')}. ` +
  'After each may be `filter (where …)`; lists take `order by`: `array_agg(name order by price desc)`. ' +
  `Written in their own way: ${usages.join(', ')}. ` +
  'Functions in their arguments, in `_group_by` and in `_annotate`: ' +
  `${[...scalarFunctions.keys()].join(', ')}; also ` +
  '`case`, `cast`, arithmetic and comparisons.'

/** The description of the read operation. */
export const readDescription =
  'The ETag is that of the record without related records; with them, If-None-Match is ignored. `search`, ' +
  '`filters`, ' +
  'sorting and filters apply to the nodes of a traversal. ' +
  'Without a traversal, they are rejected.'

/** The query parameters of reading a record. */
export const readQuery = z.looseObject({
  _annotate: annotate,
  populate,
  fields,
  as_of: asOf,
  include_deleted: includeDeleted,
  format,
  ...selection,
  ...walk,
  ...envelopeQuery,
})
