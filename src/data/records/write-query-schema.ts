/** The query parameters of writing records, for the OpenAPI document. */
import * as z from 'zod'
import { envelopeQuery } from '../../kernel/http/envelope.ts'
import { listParam } from '../../kernel/http/params.ts'
import { rowsMax } from '../failures/body.ts'
import { flag, includeDeleted, populate, text } from './query-parts.ts'

const hardDelete = flag(
  '`true` deletes the records themselves instead of marking them, even in a table with ' +
    '`is_deleted`, and also soft-deleted ones. ' +
    'Default: `false`.',
)

/** Returns the parameter that says whether the answer of a write contains the records. */
export const returned = (otherwise: 'records' | 'minimal') =>
  z
    .string()
    .optional()
    .meta({
      enum: ['records', 'minimal'],
      description:
        '`records`: the answer contains the records. `minimal`: it contains only their number. ' +
        `Default: \`${otherwise}\`.`,
    })
const expect = z.string().optional().meta({
  type: 'integer',
  minimum: 0,
  description: 'The number of records that `filter` must match. If it matches another number: 412.',
})

const all = flag(
  '`true` permits a filter that matches more than 1000 records. Without `filter`, it means every ' +
    'record of the table, which needs `change_site`; guests, API keys and functions must send a ' +
    'filter. Default: `false`.',
)

const filterLimit = z.string().optional().meta({
  type: 'integer',
  minimum: 1,
  maximum: rowsMax,
  description: 'With `filter`: the maximum number of matching records to write, in the order of `ordering`.',
})
const filterOrder = text(
  'With `limit`: the order of the records, as in a list: `-priority,created_at`. Default: the ' +
    'primary key.',
)

const filterRules =
  'Every part of it must be able to exclude records. If it matches more than 1000 records, send `expect`, ' +
  '`limit` or `all`.'

/** The parameter of every write. */
export const dryRun = {
  dry_run: flag(
    '`true` writes nothing and raises no event. The answer is that of the write, with the status 200 and ' +
      '`dry_run`. Errors are the same as without it. Default: `false`.',
  ),
}

const atomic = flag(
  '`false`: invalid records of an array are not written, and the answer has their errors; at most ' +
    '1000 records. Default: `true`: if one record is invalid, none is written.',
)

/** The query parameters of creating records. */
export const createQuery = z.object({
  atomic,
  on_conflict: z
    .string()
    .optional()
    .meta({
      enum: ['ignore'],
      description:
        '`ignore`: records whose unique values are taken are skipped. By default the answer ' + 'is 409.',
    }),
  populate,
  return: returned('records'),
  ...envelopeQuery,
  ...dryRun,
})
/** The query parameters of changing and replacing a record. */
export const updateOneQuery = z.object({
  include_deleted: includeDeleted,
  return: returned('records'),
  ...envelopeQuery,
  ...dryRun,
})
/** The query parameters of changing records. */
export const updateQuery = updateOneQuery.extend({
  atomic,
  filter: text(
    'A filter as JSON, for example `{"status": "old"}`. The body is then the change of all matches. ' +
      filterRules,
  ),
  all,
  expect,
  limit: filterLimit,
  ordering: filterOrder,
})
/** The query parameters of an upsert. */
export const upsertQuery = z.object({
  atomic,
  unique_fields: listParam(
    'The fields that identify a record, separated by commas: those of a primary key, a unique constraint ' +
      'or a ' +
      'unique index.',
  ),
  include_deleted: includeDeleted,
  return: returned('records'),
  ...envelopeQuery,
  ...dryRun,
})
/** The query parameters of deleting a record. */
export const deleteOneQuery = z.object({ hard_delete: hardDelete, return: returned('minimal'), ...dryRun })
/** The query parameters of a bulk deletion. */
export const deleteQuery = z.object({
  ids: listParam(
    'The primary keys of the records, separated by commas. Unknown keys are ignored.',
  ).optional(),
  filter: text(`A filter as JSON, for example \`{"status": "old", "price__lt": 10}\`. ${filterRules}`),
  all,
  expect,
  limit: filterLimit,
  ordering: filterOrder,
  hard_delete: hardDelete,
  return: returned('minimal'),
  ...dryRun,
})
