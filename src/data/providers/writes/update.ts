/** Changes any number of records by one statement. Each is found by its key. */
import { type Sql, sql } from '../../../db/sql.ts'
import { computed } from '../../model/arithmetic.ts'
import type { Table } from '../../model/table.ts'
import { renderPredicate } from '../../query/render/render.ts'
import { row } from '../../query/row.ts'
import type { FilteredRecords, RecordUpdate, WriteBatch, WrittenRecords } from '../provider.ts'
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
import { inputColumn, inputCte } from './input.ts'
import { deletedTargetColumns, deletedTargets, deletedTargetsOfChanged } from './references.ts'
import {
  allEqual,
  assignments,
  beforeCtes,
  filterConflicts,
  matchesBefore,
  movesKey,
  rowAlias,
  rowColumns,
  writtenState,
} from './rows.ts'

/** See Provider. */
export function updateRecords(table: Table, update: RecordUpdate): WriteBatch<WrittenRecords> {
  const { input, references, includeDeleted, ifMatch, returnsKeys, whole = false } = update
  const before = beforeCtes(table, {
    joined: sql`, _input`,
    ...searched(table, update),
    includeDeleted,
    withState: ifMatch !== null || hasSubscribers(table, 'RECORD_UPDATE'),
    lock: 'no key update',
  })
  const conflicts = {
    ...whichConflicts(table, update),
    moved: places(sql`_before where _moved`),
    ...deletedTargets(deletedTargetsOfChanged(input, references)),
    ...(ifMatch ? { stale: stale(ifMatch) } : {}),
  }
  const set = assignments(table, input, {
    kept: [],
    sent: sql`_before._sent`,
    value: (field) => {
      const value = sql`_before.${inputColumn(table, field)}`
      if (!input.computed?.has(field.name)) return value
      const present = table.storage.field(field, rowAlias)
      return computed(field, sql`(_before._sent -> ${field.name})`, present, value)
    },
    whole,
  })
  const written = sql`
    update ${table.relation} _row set ${set}
      from _before where ${matchesBefore(table)} and ${ifNoConflicts(conflicts)}
    returning _before._n, ${writtenState(table, needsRecords(table, update, ['RECORD_UPDATE']), returnsKeys)}`
  const ctes: Cte[] = [inputCte(table, input), ...before, conflictsCte(conflicts), ['_written', written]]
  const answer = sql`${recordsAnswer(update)}, ${conflictsAnswer}`
  return { written: recordsStatement(table, ctes, [{ event: 'RECORD_UPDATE', previous: true }], answer) }
}

/** Returns how `_before` finds the records, and the columns that it has for them. */
function searched(table: Table, { input, references, which }: RecordUpdate) {
  const sent = [...table.fields.values()]
    .filter((field) => input.counts.has(field.name))
    .map((field) => sql`_input.${inputColumn(table, field)}`)
  const columns = [
    sql`_input._sent`,
    ...sent,
    sql`${movesKey(table, input)} as _moved`,
    ...deletedTargetColumns(table, input, references),
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
function whichConflicts(table: Table, { which }: RecordUpdate): ConflictQueries {
  if (isFilter(which)) return filterConflicts(which)
  const missing = places(sql`_input where not exists (select from _before where _before._n = _input._n)`)
  return which === 'keys of the body' ? { repeated: repeated(keysOf(table, which)), missing } : { missing }
}

const isFilter = (which: RecordUpdate['which']): which is FilteredRecords =>
  typeof which === 'object' && 'filter' in which

const keysOf = (table: Table, which: Exclude<RecordUpdate['which'], FilteredRecords>): Sql[] =>
  table.primaryKey.map((field, position) =>
    which === 'keys of the body'
      ? sql`_input.${inputColumn(table, field)}`
      : sql`${which.key[position] as string}::${field.type.column}`,
  )
