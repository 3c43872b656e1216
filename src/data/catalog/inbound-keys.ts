/** The foreign keys that reference a table. */
import { isToItself } from '../model/keys.ts'
import { compileTable, type Table } from '../model/table.ts'
import type { InboundKey } from '../providers/inbound-key.ts'
import { isHolding } from '../providers/writes/held.ts'
import type { Catalog } from './load-catalog.ts'

/**
 * Returns the foreign keys of other tables that reference this one: of the app, of inactive tables, and of
 * other apps.
 */
export function inboundKeys(
  { siteId, tables, dependents }: Pick<Catalog, 'siteId' | 'tables' | 'dependents'>,
  { id, name }: Table,
): readonly InboundKey[] {
  const own = [...tables.values()].filter((table) => table.isMaterialized && !table.source && table.id !== id)
  const ownKeys = own.flatMap((table) =>
    (table.schema.foreignKeys ?? [])
      .filter((key) => key.reference.resource === name)
      .map((key) => ({ table, key })),
  )
  const otherKeys = dependents.flatMap(({ on, held }) =>
    on === name && held?.table.is_materialized
      ? [{ table: compileTable(siteId, held.table), key: held.key }]
      : [],
  )
  return [...ownKeys, ...otherKeys]
}

/**
 * Returns the keys that prevent a soft deletion of records of a table, also those of the table itself. R18.
 */
export const holdingKeys = (
  catalog: Pick<Catalog, 'siteId' | 'tables' | 'dependents'>,
  table: Table,
): readonly InboundKey[] =>
  table.softDelete ? [...inboundKeys(catalog, table), ...keysToItself(table)].filter(isHolding) : []

const keysToItself = (table: Table): InboundKey[] =>
  (table.schema.foreignKeys ?? []).filter((key) => isToItself(table, key)).map((key) => ({ table, key }))

/** Returns the keys to a table, and those to the tables from which their rules delete records. */
export function followedKeys(
  catalog: Pick<Catalog, 'siteId' | 'tables' | 'dependents'>,
  table: Table,
): readonly InboundKey[] {
  const keys: InboundKey[] = []
  const parents = new Map([[table.id, table]])
  for (const referenced of parents.values())
    for (const one of [...inboundKeys(catalog, referenced), ...keysToItself(referenced)]) {
      keys.push({ ...one, referenced })
      if (one.key['x-actions'].onDelete === 'CASCADE' && !parents.has(one.table.id))
        parents.set(one.table.id, one.table)
    }
  return keys
}
