/** A change of one datatable's schema, examined before anything is done: what it would lead to, by which steps. D8. */
import type { RequestContext } from '../../../context.ts'
import { hasSessions } from '../../../db/session.ts'
import { type Catalog, withCatalog } from '../../catalog.ts'
import type { DdlStep, TableChange } from '../../providers/provider.ts'
import { refusedSchema } from '../change.ts'
import { redraftTable } from '../draft.ts'
import { invalidSchema } from '../errors.ts'
import { requireQuotas } from '../quotas.ts'
import { ownTableOf, type TablePath } from '../service.ts'
import { tryPatterns } from '../store.ts'
import type { Table } from '../table.ts'
import { fieldPlaces } from '../table-schema.ts'
import { schemaChangedMeanwhile } from './errors.ts'
import { planMigration } from './plan.ts'
import { keptFields, takeRenames } from './renames.ts'
import { type Condition, selectCondition } from './store.ts'

export interface SchemaChange {
  siteId: number
  path: TablePath & { table: string }
  before: Table
  after: Table
  kept: TableChange['kept']
  steps: readonly DdlStep[]
  /** The table is large. */
  online: boolean
  /** An earlier change was broken off, and what it had made is still there. */
  hasLeftovers: boolean
}

/** Throws the 400 that names everything that is wrong with the schema, and what else speaks against it beforehand. */
export async function examine(ctx: RequestContext, path: SchemaChange['path'], input: unknown): Promise<SchemaChange> {
  try {
    return await withCatalog(ctx, path.app, 'read', (catalog) => {
      const before = ownTableOf(catalog, path)
      const { after, kept } = drafted(catalog, before, input)
      requireQuotas(ctx.config, after)
      const places = fieldPlaces(input)
      const stepsFor = (online: boolean) => (before.isMaterialized ? planMigration(catalog, before, after, kept, online) : [])
      const steps = stepsFor(false)
      return {
        tries: tryPatterns([after], (_table, field) => places.get(field) ?? field),
        statements: before.isMaterialized ? [selectCondition(before)] : [],
        finish(results) {
          const condition = before.isMaterialized ? results.one<Condition>(-1) : undefined
          const online = condition !== undefined && hasSessions(ctx.config) && condition.bytes >= ctx.config.LARGE_TABLE_BYTES
          return {
            siteId: catalog.siteId,
            path,
            before,
            after,
            kept,
            steps: online ? stepsFor(true) : steps,
            online,
            hasLeftovers: condition?.has_leftovers ?? false,
          }
        },
      }
    })
  } catch (error) {
    throw refusedSchema(error)
  }
}

function drafted(catalog: Catalog, before: Table, input: unknown): { after: Table; kept: Map<string, string> } {
  const { schema, origins, problems } = takeRenames(input)
  const after = redraftTable(catalog, before, schema)
  if ('problems' in after || problems.length > 0) throw invalidSchema([...problems, ...('problems' in after ? after.problems : [])])
  const kept = keptFields(before.schema, after.schema, origins)
  if ('problems' in kept) throw invalidSchema(kept.problems)
  return { after, kept }
}

/** The table that was examined, as the catalog has it now. Of two changes at once, the second finds another one. */
export function unchanged(catalog: Catalog, path: SchemaChange['path'], examined: Table): Table {
  const table = ownTableOf(catalog, path)
  const isSame = table.id === examined.id && table.schemaHash === examined.schemaHash && table.isMaterialized === examined.isMaterialized
  if (!isSame) throw schemaChangedMeanwhile(examined.name)
  return table
}
