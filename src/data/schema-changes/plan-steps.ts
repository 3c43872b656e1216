/** Plans the steps from one schema of a materialized table to another. D6, D8. */

import { inboundKeys } from '../catalog/inbound-keys.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import { providerUnavailable } from '../datasources/errors.ts'
import { requireMaterialized, resolveForeignKeys } from '../datatables/foreign-keys.ts'
import { isToItself, isUnique } from '../model/keys.ts'
import type { ForeignKeySchema } from '../model/schema-form.ts'
import type { Table } from '../model/table.ts'
import { alterEdges } from '../providers/ddl/edge-table.ts'
import { alterHistory } from '../providers/history/history-table.ts'
import type { DdlStep, Provider, TableChange } from '../providers/provider.ts'
import { providers } from '../providers/registry.ts'
import { fieldsReferenced, referencesInactive } from './errors.ts'

/** A change from `before` to `after`. */
interface PlannedChange {
  catalog: Catalog
  before: Table
  after: Table
  /** Maps the fields that stay, by their new names, to their old names. */
  kept: TableChange['kept']
  /** True if the table is large: slow work runs ahead of the transaction. */
  online: boolean
}

/** A change, and the provider that plans its steps. */
export interface ProviderChange {
  provider: Provider
  change: TableChange
}

/**
 * Returns the change as a provider plans it. Throws 400 if foreign keys of `after` do not resolve, and
 * 422 if other tables reference fields that would change.
 */
export function providerChangeOf({
  catalog,
  before,
  after,
  kept,
}: Omit<PlannedChange, 'online'>): ProviderChange {
  const { providerType } = before.datasource
  const provider = providers.get(providerType)
  if (!provider) throw providerUnavailable(providerType, [...providers.keys()])
  const keys = resolveForeignKeys(catalog, [after])
  requireMaterialized(keys, new Set([after]))
  const referenced = new Map<ForeignKeySchema, Table>(
    keys.map(({ key, referenced: target }) => [key, target]),
  )
  for (const key of before.schema.foreignKeys ?? []) referenced.set(key, targetOf(catalog, before, key))
  const inbound = inboundKeys(catalog, before)
  requireReferencedFields({ before, after, kept, inbound })
  return { provider, change: { before, after, kept, referenced, inbound } }
}

/** Returns the steps in the order in which they run. Throws like `providerChangeOf`. */
export function planSteps({ online, ...planned }: PlannedChange): DdlStep[] {
  const { provider, change } = providerChangeOf(planned)
  const { before, after } = change
  const edges = alterEdges(before, after)
  const history = alterHistory(change, online)
  return [
    ...edges.first,
    ...history.first,
    ...provider.alterTable(change, online),
    ...history.last,
    ...edges.last,
  ]
}

function targetOf(catalog: Catalog, table: Table, key: ForeignKeySchema): Table {
  const target = isToItself(table, key) ? table : catalog.tables.get(key.reference.resource)
  if (!target) throw referencesInactive(table.name, key.reference.resource)
  return target
}

/** Throws 422 unless every referenced field keeps its name, its type and its uniqueness. */
function requireReferencedFields(change: Pick<TableChange, 'before' | 'after' | 'kept' | 'inbound'>): void {
  const { before, after, kept, inbound } = change
  const broken = inbound.flatMap(({ table, key }) => {
    const { fields } = key.reference
    const problem = problemOf(change, fields)
    return problem ? [{ table: table.name, fields: key.fields, referenced_fields: fields, problem }] : []
  })
  if (before.graph && after.graph) {
    const [key, next] = [before.graph.key, after.graph.key]
    const isSame = kept.get(next.name) === key.name && next.type === key.type
    const problem = `the edges of "${before.name}" reference it, so the primary key of a graph cannot change`
    if (!isSame)
      broken.push({
        table: before.name,
        fields: ['from_id', 'to_id'],
        referenced_fields: [key.name],
        problem,
      })
  }
  if (before.history && after.history && !hasSameKey(change)) {
    const { primaryKey } = before.schema
    const problem = `the history of "${before.name}" identifies records by this key, so its fields must stay`
    broken.push({ table: before.name, fields: primaryKey, referenced_fields: primaryKey, problem })
  }
  if (broken.length > 0) throw fieldsReferenced(before.name, broken)
}

/** Tells whether the primary key keeps its fields, with their names and types. */
const hasSameKey = ({ before, after, kept }: Pick<TableChange, 'before' | 'after' | 'kept'>): boolean =>
  after.primaryKey.length === before.primaryKey.length &&
  after.primaryKey.every(
    (field, position) =>
      field.name === before.primaryKey[position]?.name &&
      kept.get(field.name) === field.name &&
      field.type === before.primaryKey[position]?.type,
  )

function problemOf(
  { before, after, kept }: Pick<TableChange, 'before' | 'after' | 'kept'>,
  fields: readonly string[],
): string | undefined {
  const typeOf = (table: Table, name: string) => table.fields.get(name)?.schema.type
  const changed = fields.filter(
    (name) => kept.get(name) !== name || typeOf(after, name) !== typeOf(before, name),
  )
  if (changed.length > 0) return `${changed.join(', ')} would be dropped, renamed or retyped`
  if (!isUnique(after, fields)) return `${fields.join(', ')} would no longer be unique`
  return undefined
}
