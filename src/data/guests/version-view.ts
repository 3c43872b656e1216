/**
 * The view of the versions that guests may see. A rule shows a version if it allows `history`, and if both
 * the version and the current record match the rule's filter. The author of a version is hidden.
 */
import { join, literal, type Sql, sql } from '../../kernel/db/sql.ts'
import type { Field } from '../model/field.ts'
import { versionKey } from '../model/guest-table.ts'
import { isVersioned, versionsOf } from '../model/history.ts'
import { documentColumn, documentOf } from '../model/storage.ts'
import type { Table } from '../model/table.ts'
import { visible } from '../query/predicate.ts'
import { renderPredicate } from '../query/render/render.ts'
import { fieldSql, joinedRow, row } from '../query/row.ts'
import { anyPasses, type Grant, givenFields, shownValue } from './grants.ts'

/** The current record. The row of a version is `row`. */
const present = joinedRow(0)

/**
 * Selects the versions that rules show, under the conditions `here`; undefined if the table keeps no
 * versions, or if no rule shows them.
 */
export function selectVersionsShown(here: Sql, table: Table, grants: readonly Grant[]): Sql | undefined {
  const giving = grants.filter((grant) => grant.allows('history'))
  if (!isVersioned(table) || giving.length === 0) return undefined
  const { storage } = versionsOf(table)
  const both = [row, present]
  const shown = givenFields(table, giving).map((field): [Field, Sql] => {
    const value = sql`_version.${documentColumn} -> ${literal(field.name)}`
    return [field, shownValue(field, value, giving, both)]
  })
  const keys = table.primaryKey.map(
    (field, position) => sql`${fieldSql(field, present)} as ${versionKey(position)}`,
  )
  const isSame = join(
    table.primaryKey.map(
      (field) => sql`${fieldSql(field, present)} = ${storage.field(field, sql`_version`)}`,
    ),
    sql` and `,
  )
  return sql`
    select _version.number, _version.valid_from, _version.valid_to, _version.operation,
           null::bigint as changed_by, null::text as changed_by_name,
           ${documentOf(shown)} as ${documentColumn},
           _version.xmin as xmin, ${join(keys)}
      from ${table.rows} ${present.alias} join ${table.history} _version on ${isSame}
     cross join lateral ${storage.rows(sql`(select _version.${documentColumn}, _version.xmin)`)} ${row.alias}
     where ${here} and ${renderPredicate(visible(table), present)} and (${anyPasses(giving, both)})`
}
