/**
 * Examines a change of a datatable's schema without making it: checks the schema, and plans the steps. D8.
 */

import type { RequestContext } from '../../kernel/context.ts'
import { hasSessions } from '../../kernel/db/session.ts'
import { literal, sql } from '../../kernel/db/sql.ts'
import { requireSame, type WithFixed } from '../../kernel/http/fixed-members.ts'
import { planOf, withCatalog } from '../catalog/catalog.ts'
import { ownTableOf, type TablePath } from '../catalog/find-table.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import { schemaError } from '../datatables/change-schema.ts'
import { redraftTable } from '../datatables/draft.ts'
import { invalidSchema } from '../datatables/errors.ts'
import { requireQuotas } from '../datatables/quotas.ts'
import { tryPatterns } from '../datatables/store.ts'
import { remakeViews } from '../guests/remake.ts'
import type { Table } from '../model/table.ts'
import { fieldPlaces } from '../model/table-schema.ts'
import type { DdlStep, TableChange } from '../providers/provider.ts'
import { withLosses } from './accepted-losses.ts'
import { SchemaChangedMeanwhile } from './errors.ts'
import { examineRows } from './examine-rows.ts'
import { type ProviderChange, planSteps, providerChangeOf } from './plan-steps.ts'
import { extractRenames, keptFields } from './renames.ts'
import { bytesOf, selectCondition, selectFixed } from './store.ts'

export interface SchemaChange {
  siteId: number
  path: TablePath & { table: string }
  before: Table
  after: Table
  /** Maps the fields that stay, by their new names, to their old names. */
  kept: TableChange['kept']
  /** Empty if the table is not materialized. */
  steps: readonly DdlStep[]
  /** True if the table is large: slow work runs ahead of the transaction. */
  online: boolean
  /** The change of a large table as its provider plans it. */
  provided?: ProviderChange | undefined
  /** True if an earlier change was interrupted, and its objects still exist. */
  hasOrphans: boolean
  /** Whether another change of the table is not over. */
  isChanging: boolean
  /** The new schema, as it was sent. */
  sent: unknown
}

/** Returns the new schema of a table, which is not checked yet. */
export type NewSchema = (before: Table, catalog: Catalog) => unknown

/**
 * Examines a change to the schema that `schemaOf` makes of the table and its catalog, and the values that it
 * would lose.
 * Throws 400 with every problem of the schema, and if `sent` has another value of a fixed member; 422 if the
 * table would exceed its quotas.
 */
export async function examineChange(
  ctx: RequestContext,
  path: SchemaChange['path'],
  schemaOf: NewSchema,
  sent: WithFixed,
): Promise<SchemaChange> {
  const change = await planChange(ctx, path, schemaOf, { sent, triesConversions: true })
  if (!change.online) return change
  const found = await examineRows(ctx, change.steps)
  return { ...change, steps: change.steps.map((step) => withLosses(step, found)) }
}

/**
 * Plans a change like `examineChange`. The conversions of a large table are never tried; those of another
 * one only if that is wanted.
 */
export const planChange = (
  ctx: RequestContext,
  path: SchemaChange['path'],
  schemaOf: NewSchema,
  { sent = {}, triesConversions = false }: { sent?: WithFixed; triesConversions?: boolean } = {},
): Promise<SchemaChange> =>
  withCatalog(ctx, path.app, 'read', (catalog) => {
    const before = ownTableOf(catalog, path)
    const schema = schemaOf(before, catalog)
    const { after, kept } = draftChange(catalog, before, schema)
    requireQuotas(ctx.config, after)
    if (before.isMaterialized) remakeViews(catalog, { made: [after] })
    const places = fieldPlaces(schema)
    const stepsFor = (online: boolean) =>
      before.isMaterialized ? planSteps({ catalog, before, after, kept, online }) : []
    const steps = stepsFor(false)
    const losing = triesConversions ? steps.flatMap((step) => step.losing ?? []) : []
    const isSmall = hasSessions(ctx.config)
      ? sql`(select ${bytesOf(before)} < ${literal(ctx.config.LARGE_TABLE_BYTES)})`
      : undefined
    return planOf({
      tries: tryPatterns([after], (_table, field) => places.get(field) ?? field),
      // Trying conversions reads all records of a small table.
      ...(losing.length > 0 ? { mode: 'write' as const } : {}),
      statements: {
        same: requireSame(sent, selectFixed(catalog.app.id, before.name)),
        condition: before.isMaterialized ? selectCondition(before) : undefined,
        lost: losing.map(({ all }) => all(isSmall)),
      },
      finish({ condition: { first: condition }, lost }) {
        const found = new Map(losing.map(({ field }, place) => [field, lost[place]?.one]))
        const online =
          condition !== undefined &&
          hasSessions(ctx.config) &&
          condition.bytes >= ctx.config.LARGE_TABLE_BYTES
        return {
          siteId: catalog.siteId,
          path,
          before,
          after,
          kept,
          steps: online ? stepsFor(true) : steps.map((step) => withLosses(step, found)),
          online,
          provided: online ? providerChangeOf({ catalog, before, after, kept }) : undefined,
          hasOrphans: condition?.has_orphans ?? false,
          isChanging: condition?.is_changing ?? false,
          sent: schema,
        }
      },
      errorOf: schemaError,
    })
  })

function draftChange(
  catalog: Catalog,
  before: Table,
  input: unknown,
): { after: Table; kept: Map<string, string> } {
  const { schema, origins, problems } = extractRenames(input)
  const after = redraftTable(catalog, before, schema, origins)
  if ('problems' in after || problems.length > 0)
    throw invalidSchema([...problems, ...('problems' in after ? after.problems : [])])
  const kept = keptFields(before.schema, after.schema, origins)
  if ('problems' in kept) throw invalidSchema(kept.problems)
  return { after, kept }
}

/** Returns the table as the catalog has it now. Throws 409 if it has changed since it was examined. */
export function requireUnchanged(catalog: Catalog, path: SchemaChange['path'], examined: Table): Table {
  const table = ownTableOf(catalog, path)
  const isSame =
    table.id === examined.id &&
    table.schemaHash === examined.schemaHash &&
    table.isMaterialized === examined.isMaterialized
  if (!isSame) throw new SchemaChangedMeanwhile(examined.name)
  return table
}
