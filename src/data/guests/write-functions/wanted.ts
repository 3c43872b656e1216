/** The keys of the records that guests change or delete, as parameters of functions. */
import { identifier, join, literal, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Table } from '../../model/table.ts'
import { type Cte, places } from '../../providers/writes/ctes.ts'
import { inputColumn } from '../../providers/writes/input.ts'
import { keyName, rowAlias } from '../../providers/writes/rows.ts'
import { entityTag } from '../../query/render/render.ts'

/** Returns the columns of the key in `_before`, and in `_written`. */
export const keyNames = ({ primaryKey }: Table): Sql[] => primaryKey.map((_, index) => keyName(index))

/** Returns the key of a row that was written, as columns of `_written`. */
export const writtenKeys = (table: Table): Sql[] =>
  table.primaryKey.map((field, index) => sql`${table.storage.field(field, rowAlias)} as ${keyName(index)}`)

/** Returns the columns of the key in `_wanted`. */
export const wantedKeys = ({ primaryKey }: Table): Sql[] =>
  primaryKey.map((_, index) => sql`_wanted.${identifier(`_w${index}`)}`)

/**
 * Returns the CTE `_wanted`: the position `_n`, from 0, of each record, and its key. `keys` is a parameter:
 * an array of keys. A key is an array of texts; if a filter found the record, its version follows, as
 * `_found`. With `ofBody`, null stands for the keys of `_input`.
 */
export function wantedCte(table: Table, keys: Sql, ofBody: boolean): Cte {
  const { primaryKey } = table
  const names = primaryKey.map((_, index) => identifier(`_w${index}`))
  const given = primaryKey.map(
    (field, index) => sql`(_key ->> ${literal(index)})::${field.type.column} as ${names[index] as Sql}`,
  )
  const listed = sql`
    select (_place - 1)::bigint as _n, ${join(given)}, _key ->> ${literal(primaryKey.length)} as _found
      from jsonb_array_elements(${keys}) with ordinality _keys (_key, _place)`
  const own = primaryKey.map((field) => inputColumn(table, field))
  return [
    '_wanted',
    ofBody
      ? sql`${listed} union all select _n, ${join(own)}, null from _input where ${keys} is null`
      : listed,
  ]
}

/**
 * Returns the conflict query for records with none of the ETags of a parameter. If the parameter is null, any
 * version will do.
 */
export const staleBy = (tags: Sql): Sql =>
  places(sql`_before where ${tags} is not null and ${entityTag} <> all (${tags})`)

/** Selects the records that a filter chose and that have changed before they were locked. */
export const raced: Sql = sql`
  select json_agg(_wanted._n) from _wanted left join _before on _before._n = _wanted._n
   where _wanted._found is not null and _before._version::text is distinct from _wanted._found`
