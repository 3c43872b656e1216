/** Creates the functions by which guests write to a table. */
import type { Sql } from '../../../kernel/db/sql.ts'
import { type Action, allows } from '../../model/access.ts'
import type { Table } from '../../model/table.ts'
import type { InboundKey } from '../../providers/inbound-key.ts'
import type { PlannedRule } from '../planned-rules.ts'
import { createFunctionOfCreation } from './create.ts'
import { dropFunction } from './definition.ts'
import { createFunctionOfDeletion } from './delete.ts'
import { createEdgeFunctions, dropEdgeFunctions } from './edges.ts'
import { type AppPlace, writeTarget } from './target.ts'
import { createFunctionOfChange } from './update.ts'

/**
 * Returns the statements that create the functions of a table. `tables` are the tables of its app that have
 * rules. `inbound`: see WriteTarget.
 */
export function createWriteFunctions(
  app: AppPlace,
  table: Table,
  rules: readonly PlannedRule[],
  tables: ReadonlyMap<string, Table>,
  inbound: readonly InboundKey[],
): Sql[] {
  const target = writeTarget(app, table, rules, tables, inbound)
  return [
    ...createFunctionOfCreation(target),
    ...createFunctionOfChange(target),
    ...createFunctionOfDeletion(target),
    ...createEdgeFunctions(target),
  ]
}

/** Returns the statements that drop the functions of tables, if they exist. */
export const dropWriteFunctions = (siteId: number, tables: readonly Table[]): Sql[] =>
  tables.flatMap((table) => {
    const isGiven = (action: Action) => table.rules.some((rule) => allows(rule, action))
    const given = (['create', 'update', 'delete'] as const).filter(isGiven)
    return [
      ...given.map((action) => dropFunction(siteId, table, action)),
      ...(isGiven('edges') ? dropEdgeFunctions(siteId, table) : []),
    ]
  })
