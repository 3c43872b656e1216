/** Deletes records, found by their keys or by a filter, with what refers to them as its foreign keys say; or hides them. D5, D6, R10. */
import { identifier, join, nothing, type Sql, sql } from '../../../db/sql.ts'
import type { Field, Table } from '../../datatables/table.ts'
import { writtenKeySql } from '../../query/keys.ts'
import { renderPredicate } from '../../query/render.ts'
import { row } from '../../query/row.ts'
import type { RecordDeletion } from '../provider.ts'
import { recordsAnswer, recordsStatement, refusedAnswer, refusedStep, stale, unlessRefused } from '../steps.ts'
import { alias, beforeStep, equal, isBefore, rowColumns, touch, writtenState } from './rows.ts'

/** See Provider. */
export function deleteRecords(table: Table, { which, hard, ifMatch, rowsMax, shown = false }: RecordDeletion): Sql[] {
  /** The field that hides a record, where that is all that is done. */
  const mark = hard ? undefined : table.softDelete
  const before = beforeStep(table, {
    ...('keys' in which ? amongKeys(table, which.keys) : { where: [renderPredicate(which.filter, row)], kept: [sql`0 as _n`] }),
    hidden: hard,
    rowsMax: rowsMax + 1,
    state: ifMatch !== null,
    lock: mark ? 'no key update' : 'update',
  })
  const objections = {
    many: sql`select json_build_array(count(*)) from _before having count(*) > ${rowsMax}`,
    ...(ifMatch ? { stale: stale(ifMatch) } : {}),
  }
  const written = sql`
    ${mark ? sql`update ${table.relation} _row set ${table.storage.assignment([[mark, sql`true`], ...touch(table)])} from` : sql`delete from ${table.relation} _row using`}
    _before where ${isBefore(table)} and ${unlessRefused(objections)}
    returning _before._n, ${keyJson(table)} as _id, ${writtenState(table)}`
  const answer = sql`(select count(*) from _written) as deleted, (select json_agg(_id order by _n) from _written)::text as ids,
    ${refusedAnswer}${shown ? sql`, ${recordsAnswer}` : nothing}`
  return [recordsStatement(table, [before, refusedStep(objections), ['_written', written]], [{ event: 'RECORD_DELETE' }], answer)]
}

/** `_n` is the place among the keys. */
function amongKeys(table: Table, keys: readonly (readonly string[])[]) {
  const names = table.primaryKey.map((_, position) => identifier(`_w${position}`))
  const lists = table.primaryKey.map((field, position) => sql`${keys.map((key) => key[position] as string)}::${field.type.column}[]`)
  return {
    // A key that is there twice has the first of its places.
    joined: sql`, (select ${join(names)}, min(_n) as _n from unnest(${join(lists)}) with ordinality _all (${join(names)}, _n) group by ${join(names)}) _wanted`,
    where: [equal(rowColumns(table.primaryKey), names)],
    kept: [sql`_wanted._n`],
  }
}

/** The key as it is written in paths and lists; that of one field which is no text, as it stands in a record. R7. */
function keyJson(table: Table): Sql {
  const stored = (field: Field): Sql => table.storage.field(field, alias)
  const [only, ...others] = table.primaryKey as readonly [Field, ...Field[]]
  if (others.length === 0 && (only.type.base ?? only.schema.type) === 'string') return sql`to_json(${writtenKeySql([stored(only)])})`
  const values = [only, ...others].map((field) => sql`to_json(${field.type.output?.(stored(field)) ?? stored(field)})`)
  if (others.length === 0) return values[0] as Sql
  return sql`to_json(${writtenKeySql(values.map((value) => sql`${value} #>> '{}'`))})`
}
