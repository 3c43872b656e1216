/** A physical table under another name, with its keys, checks, indexes and numbering. */
import { identifier, type Sql, sql } from '../../../db/sql.ts'
import { constraintNames } from '../../datatables/names.ts'
import type { Table } from '../../datatables/table.ts'
import { renaming, type TableObject } from './objects.ts'

/** `objectsOf`: what of a table is named after it. See Provider. */
export const renamingOf =
  (objectsOf: (table: Table) => readonly TableObject[]) =>
  (before: Table, after: Table): Sql[] => {
    const renamed = objectsOf(after)
    const sequence = ({ physicalName }: Table) => identifier(constraintNames(physicalName).identitySequence)
    return [
      ...objectsOf(before).map((object, position) => renaming(before, object, object.name, (renamed[position] as TableObject).name)),
      ...(before.identity ? [sql`alter sequence ${before.namespace}.${sequence(before)} rename to ${sequence(after)}`] : []),
      sql`alter table ${before.relation} rename to ${identifier(after.physicalName)}`,
    ]
  }
