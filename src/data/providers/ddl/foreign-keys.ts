/** Foreign keys as steps of their own, of tables of either kind. */
import type { Sql } from '../../../db/sql.ts'
import { isToItself, type ResolvedKey } from '../../datatables/references.ts'
import type { ForeignKeySchema } from '../../datatables/schema-form.ts'
import type { Table } from '../../datatables/table.ts'
import type { DdlStep, TableChange } from '../provider.ts'
import { isHeld } from './held-keys.ts'
import { adding, dropping, foreignKeyOf, type TableObject } from './objects.ts'

/** See Provider. */
export function addForeignKey(table: Table, key: ForeignKeySchema, referenced: Table): DdlStep {
  const object = foreignKeyOf(table, key, referenced)
  return {
    table: table.name,
    operation: 'alter_table',
    description: `Add ${object.title}`,
    statements: adding(table, object),
    rollback: dropping(table, object),
  }
}

/** The keys of a table; `view` is how it looks under other column names. */
export const keysOf = (view: Table, table: Table, { referenced }: TableChange): TableObject[] =>
  (table.schema.foreignKeys ?? []).map((key) => {
    const target = referenced.get(key) as Table
    if (isHeld(table, target)) return foreignKeyOf(table, key, target)
    return foreignKeyOf(view, key, target === table ? view : target)
  })

/** What of the keys of a table outlives it. */
export const releasedWith = (table: Table, keys: readonly ResolvedKey[]): Sql[] =>
  keys
    .filter(({ key, referenced }) => isHeld(table, referenced) && !isToItself(table, key))
    .flatMap(({ key, referenced }) => dropping(table, foreignKeyOf(table, key, referenced)))
