/** Renames a physical table with its keys, checks, indexes and sequence. */
import { identifier, type Sql, sql } from '../../../kernel/db/sql.ts'
import { constraintNames } from '../../model/names.ts'
import type { Table } from '../../model/table.ts'
import { renameStatement, type TableObject } from './objects.ts'

/** Makes Provider.renameTable. `objectsOf` returns the objects whose names begin with the table's. */
export const renameTableWith =
  (objectsOf: (table: Table) => readonly TableObject[]) =>
  (before: Table, after: Table): Sql[] => {
    const renamed = objectsOf(after)
    const sequence = ({ physicalName }: Table) => identifier(constraintNames(physicalName).identitySequence)
    return [
      ...objectsOf(before).map((object, position) =>
        renameStatement(before, object, object.name, (renamed[position] as TableObject).name),
      ),
      ...(before.identity
        ? [sql`alter sequence ${before.namespace}.${sequence(before)} rename to ${sequence(after)}`]
        : []),
      sql`alter table ${before.relation} rename to ${identifier(after.physicalName)}`,
    ]
  }
