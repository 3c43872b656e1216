/** The query parameters of writing records, for the OpenAPI document. */
import { z } from 'zod'
import { envelopeQuery } from '../../http/envelope.ts'
import { listParam } from '../../http/params.ts'
import { rowsMax } from '../failures/body.ts'
import { flag, includeDeleted, populate, text } from './query-parts.ts'

const hardDelete = flag(
  '`true` deletes records for good, even in a table with `is_deleted`, and also soft-deleted ones. ' +
    'Default: `false`.',
)

/** Returns the parameter that says whether the answer of a write has the records. */
export const returned = (otherwise: 'records' | 'minimal') =>
  z
    .string()
    .optional()
    .meta({
      enum: ['records', 'minimal'],
      description:
        '`records`: the answer has the records. `minimal`: it has only their number. ' +
        `Default: \`${otherwise}\`.`,
    })
const expect = z.string().optional().meta({
  type: 'integer',
  minimum: 0,
  description: 'The number of records that `filter` has to match. If it matches another number: 412.',
})

const filterLimit = z.string().optional().meta({
  type: 'integer',
  minimum: 1,
  maximum: rowsMax,
  description: 'With `filter`: how many of the records that match, the first ones by `ordering`.',
})
const filterOrder = text(
  'With `limit`: which records are the first ones, as in a list: `-priority,created_at`. Default: the ' +
    'primary key.',
)

/** The parameter of every write. */
export const dryRun = {
  dry_run: flag(
    '`true` writes nothing and fires no event. The answer is that of the write, with the status 200 and ' +
      '`dry_run`: what would be written, or why it would be refused. Default: `false`.',
  ),
}

const atomic = flag(
  '`false`: the records of an array that are wrong are left out, and the answer has their errors; at most ' +
    '1000 records. Default: `true`: none is written if one is wrong.',
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
        '`ignore`: records with a value of a unique key that is taken are left out. By default the answer ' +
        'is 409.',
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
    'A filter as JSON, for example `{"status": "old"}`. The body is then the change of all matches.',
  ),
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
  filter: text('A filter as JSON, for example `{"status": "old", "price__lt": 10}`.'),
  expect,
  limit: filterLimit,
  ordering: filterOrder,
  hard_delete: hardDelete,
  return: returned('minimal'),
  ...dryRun,
})
