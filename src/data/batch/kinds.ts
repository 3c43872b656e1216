/** The kinds of operations: how each can be joined with others, and the step that runs them. */
import type { RequestContext } from '../../context.ts'
import type { Sql } from '../../db/sql.ts'
import { tagsOf } from '../../http/entity-tags.ts'
import { isUuid } from '../../lib/is-uuid.ts'
import type { ProblemList } from '../../lib/problem-list.ts'
import { checkEdges } from '../edges/body.ts'
import { edgeNotFound } from '../edges/errors.ts'
import { throwEdgeConflicts, withGraph } from '../edges/service.ts'
import { edgeWriteError } from '../edges/write-error.ts'
import { type JsonRecord, type RecordsBody, recordPrefix } from '../failures/body.ts'
import { invalidRecords } from '../failures/errors.ts'
import { deleteError, writeError } from '../failures/write-errors.ts'
import type { WorkBudget } from '../model/constraints.ts'
import type { Field } from '../model/table.ts'
import type { GuestAction } from '../model/written-fields.ts'
import type { RecordWrite, WriteConflicts } from '../providers/provider.ts'
import type { InputRows } from '../providers/writes/input.ts'
import type { RowLock } from '../providers/writes/rows.ts'
import { versionOf } from '../records/entity-tag.ts'
import { isRead } from '../records/read-members.ts'
import type { Step } from '../records/steps.ts'
import { throwConflicts } from '../records/throw-conflicts.ts'
import { identifiedBy } from '../records/upsert.ts'
import { type Demands, inputOf, inspectRecords, neededFields } from '../records/validate.ts'
import { canShift, type Target } from '../records/write.ts'
import {
  type Joined,
  type Joining,
  joiningChange,
  joiningCreation,
  joiningDeletion,
  joiningEdge,
  joiningNone,
} from './joining.ts'
import { keyMembers, withoutKey } from './keys.ts'
import { nameOf, type Operation, type OperationKind } from './operations.ts'
import { isSent, type Taking } from './references.ts'

/** Operations that one statement does together. */
interface Draft {
  ctx: RequestContext
  target: Target
  operations: readonly [Operation, ...Operation[]]
  taking: Taking
  problems: ProblemList
  /** The limit of work for patterns, for all steps together. */
  work: WorkBudget
  /** Returns the condition that the batch changes `_row` of the table. */
  changed(): Sql
}

/** Creates the step, once it is known what its answer needs. */
export type Render = (returns: Pick<RecordWrite, 'returnsRecords' | 'returnsKeys'>) => Omit<Step, 'name'>

interface Kind {
  /** The action that access rules must allow guests. */
  action: GuestAction
  joining(operation: Operation, target: Joined): Joining
  /** Checks the operations, and adds each problem to `problems`. */
  plan(draft: Draft): Render
}

/** The kinds, by their names. */
export const kinds: Readonly<Record<OperationKind, Kind>> = {
  create: {
    action: 'create',
    joining: joiningCreation,
    plan: (draft) =>
      planRecords(draft, ({ data }) => data, {
        key: draft.target.table.primaryKey,
        demands: { required: neededFields(draft.target.table) },
        write: ({ writer, table, references }, input, returns) =>
          writer.insertRecords(table, { input, references, ignoresTaken: false, ...returns }),
      }),
  },
  update: {
    action: 'update',
    joining: (operation, target) =>
      joiningChange(operation, target, JSON.stringify(keyMembers(target.table, operation.id))),
    plan(draft) {
      const { table, shifts } = draft.target
      const [{ include_deleted }] = draft.operations
      return planRecords(draft, (operation) => withKey(draft, operation), {
        key: table.primaryKey,
        lock: 'no key update',
        demands: { required: table.primaryKey, canCompute: true, isIgnored: isRead(draft.target) },
        write: ({ writer, references, inbound }, input, returns) =>
          writer.updateRecords(table, {
            input,
            references,
            inbound: inbound(),
            which: 'keys of the body',
            includeDeleted: include_deleted,
            ifMatch: ifMatchOf(draft),
            shifts,
            ...returns,
          }),
      })
    },
  },
  upsert: {
    action: 'upsert',
    joining: joiningNone,
    plan(draft) {
      const { table } = draft.target
      const [{ include_deleted, unique_fields }] = draft.operations
      const parameters = new URLSearchParams({ unique_fields: unique_fields.join() })
      const { unique, demands } = identifiedBy(draft.target, parameters)
      return planRecords(draft, ({ data }) => data, {
        key: unique,
        lock: 'no key update',
        demands,
        write: ({ writer, references, inbound }, input, returns) =>
          writer.upsertRecords(table, {
            input,
            references,
            inbound: inbound(),
            unique,
            needed: neededFields(table),
            includeDeleted: include_deleted,
            ...returns,
          }),
      })
    },
  },
  delete: {
    action: 'delete',
    joining: joiningDeletion,
    plan(draft) {
      const { table } = draft.target
      const [{ hard_delete }] = draft.operations
      const render = planRecords(draft, ({ id }) => keyMembers(table, id), {
        key: table.primaryKey,
        lock: table.softDelete && !hard_delete ? 'no key update' : 'update',
        demands: { required: table.primaryKey },
        write: ({ writer, inbound }, input) =>
          writer.deleteRecords(table, {
            inbound: inbound(),
            which: { input },
            hard: hard_delete,
            ifMatch: ifMatchOf(draft),
            returnsRecords: false,
          }),
      })
      return (returns) => ({ ...render(returns), errorOf: (failure) => deleteError(failure, draft.target) })
    },
  },
  create_edge: { action: 'edges', joining: joiningEdge, plan: planNewEdges },
  delete_edge: { action: 'edges', joining: joiningNone, plan: planEdgeDeletion },
}

const bodyOf = (
  operations: readonly Operation[],
  recordOf: (operation: Operation) => JsonRecord,
): RecordsBody => {
  const records = operations.map(recordOf)
  return {
    records,
    bulk: records.length > 1,
    text: JSON.stringify(records),
    nameOf: (index) => nameOf(operations[index] as Operation),
  }
}

interface Form {
  /** The fields that identify its records. */
  key: readonly Field[]
  /** How it locks its records. Omitted: it changes none that exist. */
  lock?: RowLock
  demands: Demands
  write(
    target: Target,
    input: InputRows,
    returns: Pick<RecordWrite, 'returnsRecords' | 'returnsKeys'>,
  ): Step['statements']
}

/** Plans a step that writes records. */
function planRecords(
  { ctx, target, operations, taking, problems, work, changed }: Draft,
  recordOf: (operation: Operation) => JsonRecord,
  { key, lock, demands, write }: Form,
): Render {
  const { catalog, table, references } = target
  const inbound = target.inbound()
  const body = bodyOf(operations, recordOf)
  const inspected = inspectRecords(
    table,
    body.records,
    { ...demands, work, take: taking.take },
    (index, field, message) => problems.add(field, recordPrefix(body, index) + message),
  )
  const input = { ...inputOf(table, body, inspected), taken: taking.taken }
  // Guests can lock records only by the functions that write them.
  const known =
    lock && catalog.standing === undefined
      ? body.records.filter((record) => key.every(({ name }) => isSent(record[name])))
      : []
  return (returns) => ({
    body,
    statements: write(target, input, returns),
    canShift: (failure) => operations[0].op === 'update' && canShift(failure, target),
    changed: lock && known.length > 0 ? { table, key, records: known, lock } : undefined,
    check: (conflicts: WriteConflicts) =>
      throwConflicts(conflicts, { catalog, table, body, references, inbound, key }),
    errorOf: (failure) => writeError(ctx, failure, { ...target, changed }, body),
  })
}

/** Returns the fields that a change has, with the key of its record. */
function withKey({ target: { table }, problems }: Draft, { id, data, index }: Operation): JsonRecord {
  const key = keyMembers(table, id)
  const { others, moved } = withoutKey(table, key, data)
  for (const name of moved)
    problems.add(name, `${nameOf({ index })}: The primary key of a record cannot be changed.`)
  return { ...others, ...key }
}

/** Returns the versions that a record may have; null if any will do. */
function ifMatchOf({ ctx, operations: [{ if_match }] }: Draft): readonly string[] | null {
  const tags = tagsOf(if_match)
  return tags === null || tags === '*' ? null : tags.flatMap((tag) => versionOf(ctx.config, tag) ?? [])
}

function planNewEdges({ target: { table, edges }, operations, taking }: Draft): Render {
  const graph = withGraph(table)
  const body = bodyOf(operations, ({ data }) => data)
  checkEdges(graph, body, { take: taking.take })
  const input = { text: body.text, count: body.records.length, taken: taking.taken }
  return () => ({
    body,
    statements: { written: edges.insertEdges(graph, input) },
    check: (conflicts) => throwEdgeConflicts(conflicts, table, body),
    errorOf: (failure) => edgeWriteError(failure, table, body),
  })
}

function planEdgeDeletion({ target: { table, edges }, operations }: Draft): Render {
  const [{ id }] = operations
  const graph = withGraph(table)
  if (typeof id !== 'string') throw invalidRecords({ id: ['Must be the id of an edge.'] })
  if (!isUuid(id)) throw edgeNotFound(table.name, id)
  const body = bodyOf(operations, () => ({ id }))
  return () => ({
    body,
    statements: { written: edges.deleteEdge(graph, id) },
    check(conflicts) {
      throwEdgeConflicts(conflicts, table, body)
      throw edgeNotFound(table.name, id)
    },
    errorOf: () => undefined,
  })
}
