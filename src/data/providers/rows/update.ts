/** Changes records: any number of them by one statement, each found by its key. */
import { type Sql, sql } from '../../../db/sql.ts'
import type { Table } from '../../datatables/table.ts'
import { givenColumn, givenStep } from '../given.ts'
import type { RecordUpdate } from '../provider.ts'
import {
  isAnnounced,
  places,
  recordsAnswer,
  recordsStatement,
  refusedAnswer,
  refusedStep,
  repeated,
  type Step,
  stale,
  unlessRefused,
} from '../steps.ts'
import { faultsOfChanged, hiddenColumns, unreferenced } from './references.ts'
import { assignments, beforeStep, equal, isBefore, movesKey, rowColumns, writtenState } from './rows.ts'

/** See Provider. */
export function updateRecords(table: Table, { given, references, key, includeDeleted, ifMatch, whole = false }: RecordUpdate): Sql[] {
  const keys = table.primaryKey.map((field, position) =>
    key ? sql`${key[position] as string}::${field.type.column}` : sql`_given.${givenColumn(table, field)}`,
  )
  const before = beforeStep(table, {
    joined: sql`, _given`,
    where: [equal(rowColumns(table.primaryKey), keys)],
    kept: [sql`_given.*`, sql`${movesKey(table, given)} as _moved`, ...hiddenColumns(table, given, references)],
    hidden: includeDeleted,
    state: ifMatch !== null || isAnnounced(table, 'RECORD_UPDATE'),
    lock: 'no key update',
  })
  const objections = {
    ...(key ? {} : { repeated: repeated(keys) }),
    missing: places(sql`_given where not exists (select from _before where _before._n = _given._n)`),
    moved: places(sql`_before where _moved`),
    ...unreferenced(faultsOfChanged(given, references)),
    ...(ifMatch ? { stale: stale(ifMatch) } : {}),
  }
  const set = assignments(table, given, [], sql`_before._said`, (field) => sql`_before.${givenColumn(table, field)}`, whole)
  const written = sql`
    update ${table.relation} _row set ${set} from _before where ${isBefore(table)} and ${unlessRefused(objections)}
    returning _before._n, ${writtenState(table)}`
  const steps: Step[] = [givenStep(table, given), before, refusedStep(objections), ['_written', written]]
  return [recordsStatement(table, steps, [{ event: 'RECORD_UPDATE', previous: true }], sql`${recordsAnswer}, ${refusedAnswer}`)]
}
