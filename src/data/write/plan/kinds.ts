/**
 * The kinds of operations, one row each: what a caller needs, how operations of a batch are joined, what
 * their records must have, and which statement writes them. A plain write is an operation, too.
 */
import type { ProblemList } from '../../../kernel/lib/problem-list.ts'
import type { Ability } from '../../../kernel/scopes.ts'
import type { JsonRecord } from '../../failures/body.ts'
import { deleteError } from '../../failures/write-errors.ts'
import type { Field } from '../../model/field.ts'
import type { Table } from '../../model/table.ts'
import type { GuestAction } from '../../model/written-fields.ts'
import { keysOfChange, keysOfCreation, keysOfUpsert } from '../../providers/writes/exclusions.ts'
import { isAmong } from '../../providers/writes/lock.ts'
import { all, visible } from '../../query/predicate.ts'
import { renderPredicate } from '../../query/render/render.ts'
import { row } from '../../query/row.ts'
import { throwDeletionConflicts } from '../errors/conflicts.ts'
import { readUniqueFields } from '../parse/parameters.ts'
import { readMembers } from '../parse/read-members.ts'
import { type Demands, fillsItself, neededFields } from '../parse/validate.ts'
import { nameOf, type Operation, type OperationKind, type RecordOperation } from '../said.ts'
import { planEdgeDeletion, planNewEdges } from './edges.ts'
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
import { type Draft, planRecords, type RecordForm, type Render } from './records.ts'
import { isSent } from './references.ts'
import type { Target } from './target.ts'

/** A kind of operation. */
interface Kind {
  /** The action that access rules must allow guests. */
  action: GuestAction
  /** The scopes that an API key needs. X1. */
  abilities: readonly Ability[]
  /** The status in the results of a batch. An upsert that creates a record has 201. */
  status: 200 | 201 | 204
  joining(operation: Operation, target: Joined): Joining
  /** Returns the record of an operation of a batch. Adds each problem to `problems`. */
  recordOf(operation: Operation, table: Table, problems: ProblemList): JsonRecord
}

interface RecordKind extends Kind {
  form(draft: Draft): RecordForm
}

interface EdgeKind extends Kind {
  plan(draft: Draft): Render
}

type Kinds = Readonly<
  Record<RecordOperation, RecordKind> & Record<Exclude<OperationKind, RecordOperation>, EdgeKind>
>

const dataOf = ({ data }: Operation): JsonRecord => data

/** The kinds, by their names. */
export const kinds: Kinds = {
  create: {
    action: 'create',
    abilities: ['create'],
    status: 201,
    joining: joiningCreation,
    recordOf: dataOf,
    form: ({ target: { table, writer, references }, options: { ignoresTaken } }) => ({
      key: table.primaryKey,
      demands: { required: neededFields(table) },
      lockKeys: (input) => keysOfCreation(table, input),
      statements: (input, returns) =>
        writer.insertRecords(table, { input, references, ignoresTaken, ...returns }),
    }),
  },
  update: {
    action: 'update',
    abilities: ['update'],
    status: 200,
    joining: (operation, target) =>
      joiningChange(operation, target, JSON.stringify(keyMembers(target.table, operation.id))),
    recordOf: withKey,
    form(draft) {
      const { table, writer, references, inbound, isSecond } = draft.target
      const { which, whole, includeDeleted, ifMatch } = draft.options
      const changed = typeof which === 'object' && 'keys' in which ? { key: which.keys[0] ?? [] } : which
      return {
        key: table.primaryKey,
        lock: 'no key update',
        shifts: true,
        changed: changedBy(draft),
        demands: demandsOfChange(draft),
        lockKeys: (input) => keysOfChange(table, { input, which: changed, includeDeleted, whole }),
        statements: (input, returns) =>
          writer.updateRecords(table, {
            input,
            references,
            inbound: inbound(),
            which: changed,
            includeDeleted,
            ifMatch,
            whole,
            shifts: isSecond,
            ...returns,
          }),
      }
    },
  },
  upsert: {
    action: 'upsert',
    abilities: ['create', 'update'],
    status: 200,
    joining: joiningNone,
    recordOf: dataOf,
    form({ target, body, options: { includeDeleted, uniqueFields } }) {
      const { table, writer, references, inbound } = target
      const unique = uniqueFieldsOf(target, uniqueFields)
      const fillsIn = (field: Field) => !target.catalog.standing && fillsItself(table, field)
      return {
        key: unique,
        lock: 'no key update',
        changed: changedByKey(table, unique, body),
        // A null in these fields would never find a record, because null equals nothing.
        demands: {
          required: unique.filter((field) => !fillsIn(field)),
          notNull: unique,
          read: readMembers(target),
        },
        lockKeys: (input) => keysOfUpsert(table, { input, unique }),
        statements: (input, returns) =>
          writer.upsertRecords(table, {
            input,
            references,
            inbound: inbound(),
            unique,
            needed: neededFields(table),
            includeDeleted,
            ...returns,
          }),
      }
    },
  },
  delete: {
    action: 'delete',
    abilities: ['delete'],
    status: 204,
    joining: joiningDeletion,
    recordOf: ({ id }, table) => keyMembers(table, id),
    form({ target, options: { which, id, hardDelete, ifMatch } }) {
      const { table, writer, inbound } = target
      return {
        key: table.primaryKey,
        lock: table.softDelete && !hardDelete ? 'no key update' : 'update',
        demands: { required: table.primaryKey },
        statements: (input, { returnsRecords, isAlone = false }) =>
          writer.deleteRecords(table, {
            inbound: inbound(),
            which: which === 'keys of the body' ? { input } : which,
            hard: hardDelete,
            ifMatch,
            returnsRecords: which !== 'keys of the body' && returnsRecords,
            isAlone,
          }),
        ...(which !== 'keys of the body' && {
          check: ({ conflicts, written }) => throwDeletionConflicts(conflicts, { ...target, id, written }),
        }),
        errorOf: (failure) => deleteError(failure, target),
      }
    },
  },
  create_edge: {
    action: 'edges',
    abilities: ['update'],
    status: 201,
    joining: joiningEdge,
    recordOf: dataOf,
    plan: planNewEdges,
  },
  delete_edge: {
    action: 'edges',
    abilities: ['update'],
    status: 204,
    joining: joiningNone,
    recordOf: ({ id }) => ({ id }),
    plan: planEdgeDeletion,
  },
}

/** Plans the step of one or several operations of a kind. */
export function planStep(op: OperationKind, draft: Draft): Render {
  const kind = kinds[op]
  return 'form' in kind ? planRecords(draft, kind.form(draft)) : kind.plan(draft)
}

/** Returns the requirements for the records of a change. */
function demandsOfChange({ target, options: { which, whole } }: Draft): Demands {
  const { primaryKey } = target.table
  if (which === 'keys of the body')
    return { required: primaryKey, canCompute: true, read: readMembers(target) }
  if ('filter' in which) return { required: [], canCompute: true }
  if (!whole) return { required: [], canCompute: true, read: readMembers(target) }
  const required = neededFields(target.table).filter((field) => !primaryKey.includes(field))
  return { required, read: readMembers(target) }
}

/** Returns the condition that a change changes `_row`. Undefined: it changes at most one record. */
function changedBy({ target: { table }, body: { records }, options }: Draft): RecordForm['changed'] {
  const { which, includeDeleted } = options
  if (which === 'keys of the body') return changedByKey(table, table.primaryKey, { records })
  // With a limit, which of the matching records change is known only to the statement.
  if ('keys' in which || which.limit !== null) return undefined
  return () => renderPredicate(includeDeleted ? which.filter : all([which.filter, visible(table)]), row)
}

/** Returns the condition that records of a body are `_row`. Undefined: there is at most one. */
function changedByKey(
  table: Table,
  key: readonly Field[],
  { records }: Pick<Draft['body'], 'records'>,
): RecordForm['changed'] {
  const known = () => records.filter((record) => key.every(({ name }) => isSent(record[name])))
  return records.length > 1
    ? () => isAmong(table, [{ table, key, records: known(), lock: 'no key update' }])
    : undefined
}

/** Returns the fields by which an upsert finds records. Throws 400. */
function uniqueFieldsOf({ table, shown }: Target, names: readonly string[]): Field[] {
  // A guest can find records only by fields that it may read and write.
  const fields = new Map([...table.fields].filter(([name]) => shown.fields.has(name)))
  return readUniqueFields(names, { ...table, fields })
}

/** Returns the fields that a change has, with the key of its record. */
function withKey({ id, data, index }: Operation, table: Table, problems: ProblemList): JsonRecord {
  const key = keyMembers(table, id)
  const { others, moved } = withoutKey(table, key, data)
  for (const name of moved)
    problems.add(name, `${nameOf({ index })}: The primary key of a record cannot be changed.`)
  return { ...others, ...key }
}
