/** Renames a physical table with its keys, checks, indexes, statistics and sequence. */
import { identifier, type Sql, sql } from '../../../kernel/db/sql.ts'
import { constraintNames } from '../../model/names.ts'
import type { Table } from '../../model/table.ts'
import { addStatements, dropStatements, renameStatement, type TableObject } from './objects.ts'

/** Makes Provider.renameTable. `objectsOf` returns the objects whose names begin with the table's. */
export const renameTableWith =
  (objectsOf: (table: Table) => readonly TableObject[]) =>
  (before: Table, after: Table): Sql[] => {
    const [old, renamed] = [objectsOf(before), objectsOf(after)]
    // A table of an earlier version may lack its statistics, so they are made again. Triggers have no own
    // name.
    const isRemade = ({ kind }: TableObject) => kind === 'statistics' || kind === 'trigger'
    const sequence = ({ physicalName }: Table) => identifier(constraintNames(physicalName).identitySequence)
    return [
      ...old.flatMap((object, position) =>
        isRemade(object)
          ? dropStatements(before, object)
          : renameStatement(before, object, object.name, (renamed[position] as TableObject).name),
      ),
      ...(before.identity
        ? [sql`alter sequence ${before.namespace}.${sequence(before)} rename to ${sequence(after)}`]
        : []),
      sql`alter table ${before.relation} rename to ${identifier(after.physicalName)}`,
      ...renamed.filter(isRemade).flatMap((object) => addStatements(after, object)),
    ]
  }
