/** The requests that write records, one row each. */
import { booleanOf } from '../../kernel/lib/boolean-text.ts'
import { recordNotFound } from '../failures/errors.ts'
import { parseKey } from '../query/plan/keys.ts'
import {
  asCreated,
  asDeleted,
  asDeletedRecord,
  asUpdated,
  asUpserted,
  type WrittenBody,
} from './answer/bodies.ts'
import { readMatching, readWhich, rejectFilterOptions } from './parse/matching.ts'
import { planRequest, type RecordsRequest } from './plain.ts'
import { kinds } from './plan/kinds.ts'
import type { Options, WrittenRow } from './plan/records.ts'
import type { Asked, WriteRequest } from './plan/request.ts'
import { writeParts } from './run-parts.ts'

/** Returns the request of a row. */
const ofRecords = <Body>(row: RecordsRequest<Body>): WriteRequest<WrittenRow, Body> => ({
  action: kinds[row.op].action,
  plan: (asked) => planRequest(row, asked),
  answer: row.answer,
})

/** Returns the request of a row that can also leave out invalid records. */
const inParts = <Body extends WrittenBody>(row: RecordsRequest<Body>): WriteRequest<WrittenRow, Body> => ({
  ...ofRecords(row),
  inParts: (ctx, path, sent) => writeParts(ctx, path, row, sent),
})

/** Selects the record of the path. Throws 404 for a text that no record can have as its key. */
function ofPath({ path, target: { table } }: Asked): Options['which'] {
  const key = parseKey(table, path.record ?? '')
  if (!key) throw recordNotFound(table.name, path.record ?? '')
  return { keys: [key] }
}

/** Selects the records of the body. Throws 400 for parameters of a filter. */
function ofBody({ parameters }: Asked): Options['which'] {
  rejectFilterOptions(parameters)
  return 'keys of the body'
}

/** Returns what a selection of records depends on. Only people with `change_site` may select all records. */
const selectingFor = ({ ctx, target: { catalog, shown } }: Asked) => ({
  table: shown,
  graph: catalog.relationships,
  mayWriteAll: catalog.standing === undefined && ctx.apiKeyHash === null && ctx.run === null,
})

/** The requests, by what they do. */
export const requests = {
  /** Creates the records of a body and those inside them: all or none. Throws 400, 409, 413 or 422. */
  create: inParts({ op: 'create', form: 'one or many', nests: true, answer: asCreated }),
  /** Changes fields of one record. Throws 400, 404, 409, 412 or 422. */
  update: ofRecords({ op: 'update', form: 'one', which: ofPath, answer: asUpdated }),
  /** Replaces a record except for its key. Omitted fields get their defaults. Throws as `update` does. */
  replace: ofRecords({ op: 'update', form: 'one', which: ofPath, whole: true, answer: asUpdated }),
  /** Changes the records whose keys the body has, all or none. Throws as `update` does. */
  updateEach: inParts({ op: 'update', form: 'many', which: ofBody, answer: asUpdated }),
  /** Changes all records that a filter matches, or all records. Throws as `update` does. */
  updateMatching: ofRecords({
    op: 'update',
    form: 'one',
    which: (asked) => readMatching(asked.parameters, selectingFor(asked)),
    answer: (written) => asUpdated(written, true),
  }),
  /** Changes the records that exist, and creates the others: all or none. Throws 400, 403, 409 or 422. */
  upsert: inParts({ op: 'upsert', form: 'one or many', answer: asUpserted }),
  /** Deletes a record. Throws 404, 412, and 403 if other records reference it. */
  delete: ofRecords({
    op: 'delete',
    which: ofPath,
    returns: false,
    answer: (deleted, _, { parameters }) =>
      asDeletedRecord(deleted, booleanOf(parameters.get('dry_run')) === true),
  }),
  /**
   * Deletes the records of `ids`, those that `filter` matches, or all, and answers with a text. Unknown ids
   * are ignored. Throws 413 if more records match than one request may delete, and 422 if many match and the
   * request does not say that it means so.
   */
  deleteMany: ofRecords({
    op: 'delete',
    which: (asked) => readWhich(asked.parameters, selectingFor(asked)),
    returns: false,
    answer: (written, _, { parameters }) => asDeleted(written, parameters.has('ids')),
  }),
}
