/** The foreign keys of tables of either provider, as steps and as objects. */
import type { Sql } from '../../../kernel/db/sql.ts'
import { isToItself, type ResolvedKey } from '../../model/keys.ts'
import type { ForeignKeySchema } from '../../model/schema-form.ts'
import type { Table } from '../../model/table.ts'
import type { DdlStep, TableChange } from '../provider.ts'
import { addStatements, dropStatements, foreignKeyOf, type TableObject } from './objects.ts'
import { isTriggerKey } from './trigger-keys.ts'

/** See Provider. */
export function addForeignKey(table: Table, key: ForeignKeySchema, referenced: Table): DdlStep {
  const object = foreignKeyOf(table, key, referenced)
  return {
    table: table.name,
    operation: 'alter_table',
    description: `Add ${object.title}`,
    statements: addStatements(table, object),
    rollback: dropStatements(table, object),
  }
}

/** Returns the foreign keys of a table. `view` is the table, or the table under other column names. */
export const keysOf = (view: Table, table: Table, { referenced }: TableChange): TableObject[] =>
  (table.schema.foreignKeys ?? []).map((key) => {
    const target = referenced.get(key) as Table
    if (isTriggerKey(table, target)) return foreignKeyOf(table, key, target)
    return foreignKeyOf(view, key, target === table ? view : target)
  })

/**
 * Returns the statements that drop the triggers of a table's keys on other tables: those would outlive the
 * table.
 */
export const keyTriggersToDrop = (table: Table, keys: readonly ResolvedKey[]): Sql[] =>
  keys
    .filter(({ key, referenced }) => isTriggerKey(table, referenced) && !isToItself(table, key))
    .flatMap(({ key, referenced }) => dropStatements(table, foreignKeyOf(table, key, referenced)))
