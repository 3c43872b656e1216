/**
 * Converts a field of a large table beside the work of others: a new column gets the converted values, those
 * that are written meanwhile by a trigger (tessera.convert_field), the others in batches. The transaction
 * only puts the new column in the place of the old one.
 */
import { join, literal, renderText, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Table } from '../../model/table.ts'
import { type Conversion, isLost } from '../conversions.ts'
import { fieldComment } from '../ddl/comments.ts'
import type { KeptField } from '../ddl/compare.ts'
import { keyedPage } from '../ddl/keyed-page.ts'
import type { NewColumn, OnlineChange } from '../ddl/online.ts'
import { type Batches, onlineStatement } from '../online-statement.ts'
import type { DdlStep, TableChange } from '../provider.ts'

/** Returns the work of the step that converts a field online; undefined if that is impossible. */
export function convertOnline(
  { before: table, after: changed }: TableChange,
  field: KeptField,
  online: OnlineChange | undefined,
): Pick<DdlStep, 'onlinePhase' | 'statements'> | undefined {
  const { before, after, conversion } = field
  const made = online?.conversion(after)
  if (!online || !made || !conversion) return undefined
  const { relation } = table
  const alter = (action: Sql) => sql`alter table ${relation} ${action}`
  const isComplete = online.check(
    after.required
      ? sql`${made.column} is not null`
      : sql`${before.column} is null or ${made.column} is not null`,
  )
  const values = { table, field, conversion, made }
  return {
    onlinePhase: [
      onlineStatement('column', alter(sql`add column ${made.column} ${after.type.column}`)),
      onlineStatement('column', createTrigger(values)),
      onlineStatement('rows', convertRows(values), batchesOf(values)),
      ...isComplete.onlinePhase,
      onlineStatement('validation', sql`analyze ${relation} (${made.column})`),
    ],
    statements: [
      sql`drop trigger ${made.column} on ${relation}`,
      // With the validated check, Postgres knows that no record has a null, and scans none.
      ...(after.required ? [alter(sql`alter column ${made.column} set not null`)] : []),
      alter(sql`drop constraint ${isComplete.name}`),
      alter(sql`drop column ${after.column}`),
      alter(sql`rename column ${made.column} to ${after.column}`),
      ...fieldComment(changed, after),
    ],
  }
}

/** The values of a field, and the column that gets the converted ones. */
interface Values {
  table: Table
  field: KeptField
  conversion: Conversion
  made: NewColumn
}

const survives = ({ conversion }: Values, value: Sql): Sql => conversion.survives?.(value) ?? sql`true`
const isKept = ({ field }: Values, value: Sql): Sql => {
  const lost = isLost(field.before, field.after, value)
  return lost ? sql`not (${lost})` : sql`true`
}

function createTrigger(values: Values): Sql {
  const { table, field, conversion, made } = values
  const value = sql`v`
  const args = [
    field.before.name,
    made.name,
    renderText(survives(values, value)),
    renderText(isKept(values, value)),
    renderText(conversion.cast(value)),
    field.after.schema.type,
  ]
  // A batch writes only the new column, so that it does not fire.
  return sql`
    create trigger ${made.column} before insert or update of ${field.before.column} on ${table.relation}
    for each row execute function tessera.convert_field(${join(args.map(literal))})`
}

/** Returns the statement that converts the values of `rows`, which is the table or a part of it. */
function convertRows(values: Values, page?: { from: Sql; isRow: Sql }): Sql {
  const { table, field, conversion, made } = values
  const value = sql`_row.${field.before.column}`
  const isPart = page ? sql`${page.isRow} and ` : sql``
  return sql`
    update ${table.relation} _row set ${made.column} = ${conversion.cast(value)}${page?.from ?? sql``}
     where ${isPart}${value} is not null and _row.${made.column} is null and ${survives(values, value)}`
}

function batchesOf(values: Values): Batches {
  const { table, field } = values
  const value = sql`_page._value`
  return {
    next(after, limit) {
      const page = keyedPage(table, sql`_row.${field.before.column} as _value`, after, limit)
      const count = (condition: Sql) => sql`
        (select count(*) from _page where ${value} is not null and not (${condition}))::integer`
      return sql`
        with ${page.cte},
        _converted as (${convertRows(values, { from: sql` from _page`, isRow: page.isRow })})
        select ${page.result}, ${count(survives(values, value))} as unfit,
               ${count(isKept(values, value))} as lost`
    },
  }
}
