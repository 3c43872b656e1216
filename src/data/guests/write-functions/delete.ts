/** The function by which guests delete records, or mark them as deleted. */
import { join, literal, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Table } from '../../model/table.ts'
import {
  type Cte,
  conflictsCte,
  places,
  recordsStatement,
  writeStatement,
} from '../../providers/writes/ctes.ts'
import { heldConflicts } from '../../providers/writes/held.ts'
import {
  allEqual,
  beforeCtes,
  keyJson,
  matchesBefore,
  rowColumns,
  touch,
  writtenState,
} from '../../providers/writes/rows.ts'
import { renderPredicate } from '../../query/render/render.ts'
import { row } from '../../query/row.ts'
import { createFunction, repeatIfRaced, showWritten, writtenRows } from './definition.ts'
import type { WriteTarget } from './target.ts'
import { keyNames, raced, staleBy, wantedCte, wantedKeys } from './wanted.ts'

/**
 * Returns the statements that create the function; none if no rule allows deleting. The function locks the
 * records, reads them as the caller sees them, and then deletes them.
 */
export function createFunctionOfDeletion(target: WriteTarget): Sql[] {
  const { table } = target
  const rules = target.rules.filter((rule) => rule.allows('delete'))
  if (rules.length === 0) return []
  const allowed = rules.map(({ isFor, where }) => sql`(${isFor} and ${renderPredicate(where, row)})`)
  const before = beforeCtes(table, {
    joined: sql`, _wanted`,
    where: [allEqual(rowColumns(table.primaryKey), wantedKeys(table)), target.isReadable],
    columns: [sql`_wanted._n`, sql`${keyJson(table)} as _id`, sql`(${join(allowed, sql` or `)}) as _allowed`],
    includeDeleted: false,
    withState: true,
    lock: 'update',
  })
  const conflicts = {
    stale: staleBy(sql`$3`),
    refused: places(sql`_before where _allowed is not true`),
    ...heldConflicts(table, target.inbound, sql`not $2`),
    raced,
  }
  const found: Cte[] = [wantedCte(table, sql`$1`, false), ...before, conflictsCte(conflicts)]
  const find = writeStatement(
    found,
    sql`(select row_to_json(_conflicts) from _conflicts),
        ${writtenRows(table, keyNames(table), sql`'{}'::jsonb`, sql`_before`)}
        into guest.conflicts, guest.written`,
  )
  const clear = sql`
    if exists (select from json_each(guest.conflicts) _one where json_typeof(_one.value) <> 'null') then
      guest.written := null;
    end if`
  const { softDelete } = table
  const remove = sql`delete from ${table.relation} _row using _before`
  const mark =
    softDelete &&
    sql`update ${table.relation} _row
           set ${table.storage.assignment([[softDelete, sql`true`], ...touch(table)])} from _before`
  const run = mark
    ? sql`if $2 then ${deletion(table, remove)}; else ${deletion(table, mark)}; end if`
    : deletion(table, remove)
  return createFunction(target, 'delete', [find, repeatIfRaced, clear, showWritten(target, sql`$4`), run])
}

/** Returns the statement that deletes the records of `written`, with its event. */
function deletion(table: Table, action: Sql): Sql {
  const keys = table.primaryKey.map(
    (field, index) =>
      sql`(_key ->> ${literal(index)})::${field.type.column} as ${keyNames(table)[index] as Sql}`,
  )
  const ctes: Cte[] = [
    [
      '_before',
      sql`select (_w.w -> 'n')::integer as _n, ${join(keys)}
            from jsonb_array_elements(guest.written) _w (w), lateral (select _w.w -> 'key' as _key) _one`,
    ],
    [
      '_written',
      sql`${action} where ${matchesBefore(table)} returning _before._n, ${writtenState(table, true)}`,
    ],
  ]
  const count = sql`(select count(*) from _written) into guest.deleted`
  return recordsStatement(table, ctes, [{ event: 'RECORD_DELETE' }], count)
}
