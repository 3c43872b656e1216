/** Creates records, or changes those that there are already, by one statement. R8, R13. */
import { identifier, join, type Sql, sql } from '../../../db/sql.ts'
import type { Table } from '../../datatables/table.ts'
import { givenColumn, givenStep } from '../given.ts'
import type { RecordUpsert } from '../provider.ts'
import { isAnnounced, places, recordsAnswer, recordsStatement, refusedAnswer, refusedStep, repeated, unlessRefused } from '../steps.ts'
import { advanceIdentity, insertion } from './insert.ts'
import { faultsOfChanged, faultsOfCreated, hiddenColumns, unreferenced } from './references.ts'
import { alias, assignments, beforeStep, equal, isBefore, movesKey, rowColumns, writtenState } from './rows.ts'

/** The row that another request was faster to insert. */
const excluded = sql`excluded`

/**
 * See Provider. Records that are there are locked and changed; the others are inserted, and where another request was
 * faster in the moment between, `on conflict` changes what that one inserted.
 */
export function upsertRecords(table: Table, { given, references, unique, needed, includeDeleted }: RecordUpsert): Sql[] {
  const keys = unique.map((field) => sql`_given.${givenColumn(table, field)}`)
  const isNew = sql`not exists (select from _before where _before._n = _given._n)`
  const before = beforeStep(table, {
    joined: sql`, _given`,
    where: [equal(rowColumns(unique), keys)],
    kept: [
      sql`_given.*`,
      sql`${movesKey(table, given)} as _moved`,
      sql`${table.softDelete && !includeDeleted ? sql`_row.${table.softDelete.column} is true` : sql`false`} as _hidden`,
      ...hiddenColumns(table, given, references),
    ],
    hidden: true,
    state: isAnnounced(table, 'RECORD_UPDATE'),
    lock: 'no key update',
  })
  const objections = {
    repeated: repeated(keys),
    incomplete: places(sql`_given where ${isNew} and not _said ?& ${needed.map(({ name }) => name)}::text[]`),
    hidden: places(sql`_before where _hidden`),
    moved: places(sql`_before where _moved`),
    ...unreferenced([...faultsOfCreated(table, given, references, isNew), ...faultsOfChanged(given, references)]),
  }
  const pass = unlessRefused(objections)

  const set = assignments(table, given, unique, sql`_before._said`, (field) => sql`_before.${givenColumn(table, field)}`)
  const updated = sql`
    update ${table.relation} _row set ${set} from _before where ${isBefore(table)} and ${pass} returning _before._n, ${writtenState(table)}`

  const names = unique.map((_, position) => identifier(`_u${position}`))
  const own = unique.map((field) => table.storage.field(field, excluded))
  const said = sql`(select _said from _given where ${equal(keys, own)})`
  const inserted = sql`
    ${insertion(table, given, unique, join(keys), sql`where ${isNew} and ${pass}`)}
    on conflict (${join(unique.map((field) => table.storage.field(field)))})
    do update set ${assignments(table, given, unique, said, (field) => table.storage.field(field, excluded))}
    returning ${join(unique.map((field, position) => sql`${table.storage.field(field, alias)} as ${names[position] as Sql}`))}, ${writtenState(table)}, _row.xmax = 0 as _created`

  const written = sql`
    select _n, _data, _version, false as _created from _updated
    union all
    select _given._n, _data, _version, _created from _inserted join _given on ${equal(keys, names)}`
  return [
    ...advanceIdentity(table, given),
    recordsStatement(
      table,
      [givenStep(table, given, unique), before, refusedStep(objections), ['_updated', updated], ['_inserted', inserted], ['_written', written]],
      [
        { event: 'RECORD_CREATE', where: sql`_created` },
        { event: 'RECORD_UPDATE', where: sql`not _created`, previous: true },
      ],
      sql`${recordsAnswer}, (select count(*) from _written where _created) as created, (select count(*) from _written) as written, ${refusedAnswer}`,
    ),
  ]
}
