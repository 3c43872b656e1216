/** Runs a plain write: says what it is, plans one step, sends it, and answers or explains why not. */
import { tellFollowers } from '../../kernel/cache/followers.ts'
import type { RequestContext } from '../../kernel/context.ts'
import type { BatchRows } from '../../kernel/db/batch.ts'
import { type DatabaseFailure, sqlstates } from '../../kernel/db/failures.ts'
import { findAnswer, keptRows } from '../../kernel/db/kept-answers.ts'
import { booleanOf } from '../../kernel/lib/boolean-text.ts'
import { type Again, type Plan, withCatalog } from '../catalog/catalog.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import { isBulk } from '../failures/body-lines.ts'
import { writeTooLong } from '../failures/errors.ts'
import { answered } from '../providers/mongodb/ask.ts'
import { isInMongodb } from '../providers/mongodb/capabilities.ts'
import type { WriteBatch } from '../providers/provider.ts'
import type { PlannedWrite, Sent, WritePath, WriteRequest } from './plan/request.ts'
import { conflictsIn, hasConflicts } from './plan/steps.ts'
import { targetOf } from './plan/target.ts'
import { noteWritten } from './plan/written-tables.ts'

/** A write as it was requested. */
interface Write<Row extends object, Body> {
  ctx: RequestContext
  path: WritePath
  request: WriteRequest<Row, Body>
  sent: Sent
}

/**
 * Plans and runs a write, and returns the body of its answer. Throws the errors of its kind, and 422 if its
 * answer or its work is too large.
 */
export function runWrite<Row extends object, Body>(
  ctx: RequestContext,
  path: WritePath,
  request: WriteRequest<Row, Body>,
  sent: Sent,
): Promise<Body> {
  if (request.inParts && booleanOf(sent.parameters.get('atomic')) === false)
    return request.inParts(ctx, path, sent)
  // Only the plan can tell which error a conflict causes. The table may no longer exist.
  const again: Again<BatchRows<WriteBatch<Row>>, Body> = ({ written: { one: row } }) =>
    hasConflicts(row) ? undefined : { result: request.answer(row, isArray(sent), sent) }
  return withCatalog(ctx, path.app, 'write', planFor({ ctx, path, request, sent }), again)
}

const isArray = ({ body }: Sent): boolean => body !== undefined && isBulk(body)

/** The statements of a write, and one that finds the error that an earlier request with its key has got. */
type Statements<Row> = WriteBatch<Row> & { kept?: ReturnType<typeof findAnswer> | undefined }

/** Returns how to plan a write. `isSecond`: it failed, so its records may exchange unique values. */
const planFor =
  <Row extends object, Body>(write: Write<Row, Body>, isSecond = false) =>
  (catalog: Catalog): Plan<Statements<Row>, Body> => {
    const { ctx, path, request, sent } = write
    const target = { ...targetOf(catalog, path, request.action), isSecond }
    noteWritten(ctx, target, request.action === 'create')
    const planned = request.plan({ ctx, path, target, ...sent })
    const { step, mode, isDry } = planned
    // The answers of writes in MongoDB are kept there. Here, only their errors are.
    const keepsItself = isInMongodb(target.table)
    const { requestKey } = ctx
    return {
      mode,
      isDry,
      keepsItself,
      statements: {
        ...step.statements,
        kept: keepsItself && requestKey && !isDry ? findAnswer(requestKey, false) : undefined,
      },
      async finish({ written: { one }, kept }) {
        if (requestKey && kept) keptRows(requestKey, kept)
        const row = await answered(ctx, step.statements.written, one)
        // MongoDB has written only now, after the entry has told of it.
        if (keepsItself) ctx.waitUntil(tellFollowers(ctx))
        step.check(row)
        return request.answer(row, step.body.bulk, sent)
      },
      instead: (failure) => (!isSecond && planned.mayTryAgain?.(failure) ? planFor(write, true) : undefined),
      errorOf: (failure) => errorOf(failure, planned),
    }
  }

/** Returns the error for a failure of a write; undefined if the client did not cause it. */
function errorOf<Row extends object>(failure: DatabaseFailure, { step, mode }: PlannedWrite<Row>) {
  const { sqlstate } = failure
  if (sqlstate === sqlstates.answerTooLong) return undefined
  // Waiting for a lock ends earlier, with another error. So the statement's own work took this time.
  if (sqlstate === sqlstates.queryCanceled && mode === 'single') return writeTooLong(failure)
  if (sqlstate === sqlstates.conflicts) step.check(conflictsIn(failure))
  return step.errorOf(failure)
}
