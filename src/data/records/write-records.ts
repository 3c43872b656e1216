/** Writes the records of a body: all of them or none, or all except the invalid ones. R9. */

import type { RequestContext } from '../../context.ts'
import { sqlstates } from '../../db/failures.ts'
import type { RecordsPath } from '../catalog/find-table.ts'
import type { WriteConflicts } from '../providers/provider.ts'
import { readFlags } from './parameters.ts'
import { changedBy, type RecordsRequest, type WrittenRow } from './records-write.ts'
import { throwConflicts } from './throw-conflicts.ts'
import { checkRecords } from './validate.ts'
import type { WrittenBody } from './views.ts'
import { asTrial, writeBody, writePlan } from './write.ts'
import { writeParts } from './write-parts.ts'

/** Plans and runs a write of the records of a body. Throws 400, 404, 409, 413 or 422. */
export function writeRecords<Row extends WrittenRow, Body extends WrittenBody>(
  ctx: RequestContext,
  path: RecordsPath,
  request: RecordsRequest<Row, Body>,
): Promise<Body> {
  const { action, sent, form, parameters, describe, nested, answer } = request
  if (parameters.get('atomic') === 'false') return writeParts(ctx, path, request)
  return writeBody(ctx, path, {
    action,
    sent,
    form,
    plan(target, read) {
      if (nested?.isIn(target, read)) return nested.plan(target, read)
      const { isDry } = readFlags(parameters)
      const write = describe(isDry ? asTrial(target) : target)
      const { demands, key, bodyOf, statements } = write
      const body = bodyOf?.(read) ?? read
      const { catalog, table, references } = target
      const inbound = target.inbound()
      const throwAll = (conflicts: WriteConflicts | undefined) =>
        throwConflicts(conflicts, { catalog, table, body, references, inbound, key })
      return writePlan({
        isDry,
        changed: changedBy(target, write, body),
        statements: statements(checkRecords(table, body, demands), ctx.requestKey === null),
        check: ({ conflicts }) => throwAll(conflicts),
        errorOf({ sqlstate, detail }) {
          if (sqlstate === sqlstates.conflicts) throwAll(JSON.parse(detail ?? '{}') as WriteConflicts)
          return undefined
        },
      })
    },
    answer,
  })
}
