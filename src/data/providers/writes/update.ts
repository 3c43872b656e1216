/** Changes any number of records by one statement. Each is found by its key. */
import { emptySql, join, type Sql, sql } from '../../../kernel/db/sql.ts'
import { computed } from '../../model/arithmetic.ts'
import { type Field, nullOf } from '../../model/field.ts'
import type { Table } from '../../model/table.ts'
import { renderPredicate } from '../../query/render/render.ts'
import { row } from '../../query/row.ts'
import type { FilteredRecords, RecordUpdate, WriteBatch, WrittenRecords } from '../provider.ts'
import { claimColumns, claimed } from './claimed.ts'
import {
  type ConflictQueries,
  type Cte,
  conflictsAnswer,
  conflictsCte,
  hasSubscribers,
  ifNoConflicts,
  needsRecords,
  places,
  recordsAnswer,
  recordsStatement,
  repeated,
  stale,
} from './ctes.ts'
import { heldByChange } from './held.ts'
import { defaultOf, type InputRows, ifSent, inputColumn, inputCte } from './input.ts'
import { oneRecord } from './one-record.ts'
import { deletedTargetColumns, deletedTargets, deletedTargetsOfChanged } from './references.ts'
import {
  allEqual,
  assignments,
  beforeCtes,
  filterConflicts,
  foundBy,
  foundInVersion,
  matchesBefore,
  movesKey,
  rowAlias,
  rowColumns,
  writtenState,
} from './rows.ts'
import { emptyingStatement, fillingStatement, finalColumn, shiftedFields } from './shift.ts'

/** See Provider. */
export function updateRecords(table: Table, update: RecordUpdate): WriteBatch<WrittenRecords> {
  const { input, references, includeDeleted, ifMatch, returnsKeys = false, whole = false } = update
  const { emptied, keysOf: uniqueWith } = shiftedFields(table, update.shifts ? input : { counts: new Map() })
  const one = updateOne(table, update)
  if (one) return { written: one }
  const hasState = ifMatch !== null || hasSubscribers(table, 'RECORD_UPDATE')
  const before = beforeCtes(table, {
    joined: sql`, _input`,
    ...searched(table, update, emptied),
    includeDeleted,
    withState: hasState,
    lock: 'no key update',
  })
  const conflicts = {
    ...whichConflicts(table, update),
    moved: places(sql`_before where _moved`),
    ...deletedTargets(deletedTargetsOfChanged(input, references)),
    ...(includeDeleted ? {} : heldByChange(table, input, update.inbound)),
    ...(ifMatch ? { stale: stale(ifMatch) } : {}),
    ...claimed(table, input, [sql`_before`]),
  }
  const counts = new Map([...input.counts, ...emptied.map(({ name }) => [name, input.count] as const)])
  const set = assignments(
    table,
    { ...input, counts },
    {
      kept: [],
      sent: sql`_before._sent`,
      value: (field) => {
        const present = table.storage.field(field, rowAlias)
        if (emptied.includes(field)) {
          const same = uniqueWith(field).map((one) => {
            const place = emptied.indexOf(one)
            const stored = table.storage.field(one, rowAlias)
            const value =
              place >= 0
                ? sql`_before.${finalColumn(place)}`
                : finalValue(table, input, one, sql`_before`, stored)
            return sql`${value} is not distinct from ${stored}`
          })
          return sql`case when ${join(same, sql` and `)} then ${present} end`
        }
        return newValue(table, input, field, sql`_before`, present)
      },
      whole,
    },
  )
  const isNeeded = needsRecords(table, update, ['RECORD_UPDATE'])
  const state = emptied.length > 0 ? emptySql : sql`, ${writtenState(table, isNeeded, returnsKeys)}`
  const written = sql`
    update ${table.relation} _row set ${set}
      from _before where ${matchesBefore(table)} and ${ifNoConflicts(conflicts)}
    returning _before._n${state}`
  const ctes: Cte[] = [inputCte(table, input), ...before, conflictsCte(conflicts), ['_written', written]]
  const events = [{ event: 'RECORD_UPDATE', previous: true }] as const
  const answer = recordsAnswer(update)
  return emptied.length > 0
    ? {
        first: emptyingStatement({ table, emptied, ctes, hasState }),
        written: fillingStatement({ table, emptied, isNeeded, returnsKeys, events, answer }),
      }
    : { written: recordsStatement(table, ctes, events, sql`${answer}, ${conflictsAnswer}`) }
}

/**
 * Returns the statement that changes the record of a path; undefined if that could have other conflicts than
 * that there is no such record, or that it has another version.
 */
function updateOne(table: Table, update: RecordUpdate): Sql<WrittenRecords> | undefined {
  const { input, which, ifMatch, references, includeDeleted, whole = false } = update
  if (typeof which === 'string' || isFilter(which) || hasSubscribers(table, 'RECORD_UPDATE')) return undefined
  const conflicts = {
    ...deletedTargets(deletedTargetsOfChanged(input, references)),
    ...(includeDeleted ? {} : heldByChange(table, input, update.inbound)),
  }
  const mayMove = table.primaryKey.some(({ name }) => input.counts.has(name))
  const one = mayMove || Object.keys(conflicts).length > 0 ? undefined : oneRecord(table, update)
  const set = one && assignments(table, input, { kept: [], sent: emptySql, value: one.value, whole })
  const found = foundBy(table, [allEqual(rowColumns(table.primaryKey), keysOf(table, which))], includeDeleted)
  return (
    set &&
    one.returning(sql`update ${table.relation} _row set ${set} where ${foundInVersion(found, ifMatch)}`, {
      none: { data: null, etag: null, written: 0, created: 0, conflicts: { missing: [0] } },
    })
  )
}

/** Returns the value of a field after the change. */
export function finalValue(table: Table, input: InputRows, field: Field, of: Sql, present: Sql): Sql {
  if (!input.counts.has(field.name)) return present
  return ifSent(sql`${of}._sent`, field, newValue(table, input, field, of, present), present)
}

/** Returns the value of a field that a record has: the sent one, or the result of its operation. */
function newValue(table: Table, { computed: all }: InputRows, field: Field, of: Sql, present: Sql): Sql {
  const value = sql`${of}.${inputColumn(table, field)}`
  if (!all?.has(field.name)) return value
  return computed(field, sql`(${of}._sent -> ${field.name})`, present, value)
}

/** Returns how `_before` finds the records, and the columns that it has for them. */
function searched(
  table: Table,
  { input, references, which, whole }: RecordUpdate,
  emptied: readonly Field[],
) {
  const present = ({ column }: Field) => sql`_row.${column}`
  const valueFor = (field: Field) =>
    whole && !input.counts.has(field.name) && !table.primaryKey.includes(field)
      ? (defaultOf(table, field) ?? nullOf(field))
      : finalValue(table, input, field, sql`_input`, present(field))
  const finals = emptied.map((field, position) => {
    const value = finalValue(table, input, field, sql`_input`, sql`_row.${field.column}`)
    return sql`${value} as ${finalColumn(position)}`
  })
  const sent = [...table.fields.values()]
    .filter((field) => input.counts.has(field.name))
    .map((field) => sql`_input.${inputColumn(table, field)}`)
  const columns = [
    sql`_input._sent`,
    ...sent,
    sql`${movesKey(table, input)} as _moved`,
    ...deletedTargetColumns(table, input, references),
    ...finals,
    ...claimColumns({ table, input, valueFor, presentOf: present }),
  ]
  if (isFilter(which))
    return {
      where: [renderPredicate(which.filter, row)],
      columns,
      rowsMax: which.limit ?? which.rowsMax + 1,
      order: which.order,
      numbered: true,
    }
  return {
    where: [allEqual(rowColumns(table.primaryKey), keysOf(table, which))],
    columns: [sql`_input._n`, ...columns],
  }
}

/** Returns the conflict queries that depend on how the records are found. */
function whichConflicts(table: Table, { which, includeDeleted }: RecordUpdate): ConflictQueries {
  if (isFilter(which)) return filterConflicts(table, which, includeDeleted)
  const missing = places(sql`_input where not exists (select from _before where _before._n = _input._n)`)
  return which === 'keys of the body' ? { repeated: repeated(keysOf(table, which)), missing } : { missing }
}

const isFilter = (which: RecordUpdate['which']): which is FilteredRecords =>
  typeof which === 'object' && 'filter' in which

/** Returns the values of the key by which records are found. */
export const keysOf = (table: Table, which: Exclude<RecordUpdate['which'], FilteredRecords>): Sql[] =>
  table.primaryKey.map((field, position) =>
    which === 'keys of the body'
      ? sql`_input.${inputColumn(table, field)}`
      : sql`${which.key[position] as string}::${field.type.column}`,
  )
