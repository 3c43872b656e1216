/** Plans a plain write of records: one operation, or several of one kind, in one step. */
import { sqlstates } from '../../kernel/db/failures.ts'
import { ProblemList } from '../../kernel/lib/problem-list.ts'
import { type Form, type RecordsBody, withKeyOfId } from '../failures/body.ts'
import { readSent } from '../failures/body-lines.ts'
import { invalidRecords } from '../failures/errors.ts'
import { isUnexplained } from '../providers/writes/plain-upsert.ts'
import { isNested, planNested } from './nested.ts'
import { readFlags, readOnConflict } from './parse/parameters.ts'
import { kinds } from './plan/kinds.ts'
import { type Draft, type Options, planRecords, type WrittenRow } from './plan/records.ts'
import type { Asked, PlannedWrite, Sent } from './plan/request.ts'
import { asTrial } from './plan/target.ts'
import type { Flags, RecordOperation } from './said.ts'

/** A request that writes records of one table. */
export interface RecordsRequest<Body> {
  op: RecordOperation
  /** The form of its body. Omitted: it has none. */
  form?: Form
  /** Returns which records it writes. Omitted: those of the body. */
  which?(asked: Asked): Options['which']
  /** See RecordUpdate. */
  whole?: boolean
  /** Whether the answer contains the records if the request does not say. Omitted: it does. */
  returns?: boolean
  /** Whether its records can contain related records. */
  nests?: boolean
  /** See WriteRequest. */
  answer(written: WrittenRow, bulk: boolean, sent: Sent): Body
}

const noBody: RecordsBody = { records: [], bulk: false, text: '[]' }

/** The problem of `atomic=false` with anything but an array of records. */
export const onlyOfArrays = { atomic: ['Only possible with an array of records.'] }

/** Reads the body of a request. Throws 400 or 413. */
export const bodyOf = ({ body, target }: Asked, form?: Form): RecordsBody =>
  body && form ? readSent(body, form, target.table) : noBody

/** Drafts the write of the records of a body. Throws 400 for its parameters. */
export function draftOf(
  { op, which, whole = false }: RecordsRequest<unknown>,
  asked: Asked,
  read: RecordsBody,
): { draft: Draft; flags: Flags } {
  const { ctx, path, parameters, ifMatch = null } = asked
  const { table, catalog } = asked.target
  const flags = readFlags(parameters)
  const options: Options = {
    ...flags,
    which: which?.(asked) ?? 'keys of the body',
    id: path.record,
    whole,
    ifMatch,
    uniqueFields: parameters.getAll('unique_fields'),
    ignoresTaken: op === 'create' && readOnConflict(parameters, table, catalog.standing !== undefined),
  }
  const target = flags.isDry ? asTrial(asked.target) : asked.target
  const body = op === 'update' && options.which === 'keys of the body' ? withKeyOfId(read, table) : read
  return { draft: { ctx, target, body, options, problems: new ProblemList() }, flags }
}

/** Plans a request. Throws 400 with all problems of the body, and 404. */
export function planRequest(request: RecordsRequest<unknown>, asked: Asked): PlannedWrite<WrittenRow> {
  const read = bodyOf(asked, request.form)
  if (request.nests && isNested(asked, read)) return planNested(asked, read)
  const { draft, flags } = draftOf(request, asked, read)
  if (!flags.isAtomic) throw invalidRecords(onlyOfArrays)
  const { target, options, problems } = draft
  const render = planRecords(draft, kinds[request.op].form(draft))
  if (!problems.isEmpty) throw invalidRecords(problems.details())
  const step = render({
    returnsRecords: flags.returnsRecords ?? asked.returns ?? request.returns ?? true,
    isAlone: asked.ctx.requestKey === null && !target.isSecond,
  })
  const isOne = options.which === 'keys of the body' ? !draft.body.bulk : options.id !== undefined
  return {
    step,
    mode: isOne ? 'single' : 'write',
    isDry: flags.isDry,
    mayTryAgain(failure) {
      if (request.op !== 'upsert') return !target.catalog.standing && step.canShift?.(failure) === true
      // If another request has just created the record, the first upsert of a guest conflicts with it. The
      // second one finds the record.
      if (target.catalog.standing) return failure.sqlstate === sqlstates.unique
      return isUnexplained(step.statements, failure)
    },
  }
}
