/** From one schema of a materialized table to another: what its keys lead to, who references it, and the steps. D6, D8. */
import type { Catalog } from '../../catalog.ts'
import { providerUnavailable } from '../../datasources/errors.ts'
import { alterEdges } from '../../edges/ddl.ts'
import type { DdlStep, TableChange } from '../../providers/provider.ts'
import { providers } from '../../providers/registry.ts'
import { isToItself, isUnique, requireMaterialized, resolveForeignKeys } from '../references.ts'
import type { ForeignKeySchema } from '../schema-form.ts'
import { compileTable, type Table } from '../table.ts'
import { fieldsReferenced, referencesInactive } from './errors.ts'

/** `kept`: the fields that go on, by their new names. `online`: the table is large. */
export function planMigration(catalog: Catalog, before: Table, after: Table, kept: TableChange['kept'], online: boolean): DdlStep[] {
  const { providerType } = before.datasource
  const provider = providers.get(providerType)
  if (!provider) throw providerUnavailable(providerType, [...providers.keys()])
  const keys = resolveForeignKeys(catalog, [after])
  requireMaterialized(keys, new Set([after]))
  const referenced = new Map<ForeignKeySchema, Table>(keys.map(({ key, referenced: target }) => [key, target]))
  for (const key of before.schema.foreignKeys ?? []) referenced.set(key, targetOf(catalog, before, key))
  const inbound = inboundKeys(catalog, before)
  requireReferencedFields(before, after, kept, inbound)
  const edges = alterEdges(before, after)
  return [...edges.first, ...provider.alterTable({ before, after, kept, referenced, inbound }, online), ...edges.last]
}

function targetOf(catalog: Catalog, table: Table, key: ForeignKeySchema): Table {
  const target = isToItself(table, key) ? table : catalog.tables.get(key.reference.resource)
  if (!target) throw referencesInactive(table.name, key.reference.resource)
  return target
}

/** The foreign keys by which other tables lead to this one: of the app, inactive ones, and those of other apps. */
export const inboundKeys = ({ siteId, tables, dependents }: Catalog, { id, name }: Table): TableChange['inbound'] => [
  ...[...tables.values()].flatMap((table) =>
    table.isMaterialized && !table.source && table.id !== id
      ? (table.schema.foreignKeys ?? []).flatMap((key) => (key.reference.resource === name ? [{ table, key }] : []))
      : [],
  ),
  ...dependents.flatMap(({ on, held }) =>
    on === name && held?.table.is_materialized ? [{ table: compileTable(siteId, held.table), key: held.key }] : [],
  ),
]

/** What others reference goes on as it is: their schemas name it, and their keys are of its type. */
function requireReferencedFields(before: Table, after: Table, kept: TableChange['kept'], inbound: TableChange['inbound']): void {
  const broken = inbound.flatMap(({ table, key }) => {
    const { fields } = key.reference
    const changed = fields.filter((name) => kept.get(name) !== name || after.fields.get(name)?.schema.type !== before.fields.get(name)?.schema.type)
    const problem =
      changed.length > 0
        ? `${changed.join(', ')} would be dropped, renamed or of another type`
        : isUnique(after, fields)
          ? undefined
          : `${fields.join(', ')} would no longer be unique`
    return problem ? [{ table: table.name, fields: key.fields, referenced_fields: fields, problem }] : []
  })
  if (before.graph && after.graph) {
    const [key, next] = [before.graph.key, after.graph.key]
    const isSame = kept.get(next.name) === key.name && next.type === key.type
    const problem = `the edges of "${before.name}" lead to it: another key takes another graph`
    if (!isSame) broken.push({ table: before.name, fields: ['from_id', 'to_id'], referenced_fields: [key.name], problem })
  }
  if (broken.length > 0) throw fieldsReferenced(before.name, broken)
}
