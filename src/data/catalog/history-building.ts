/** What a read that needs a history answers while a change of a large table is building the history. */
import type { RequestContext } from '../../kernel/context.ts'
import { sql } from '../../kernel/db/sql.ts'
import { inTenant } from '../../kernel/db/tenant.ts'
import { AppError } from '../../kernel/errors.ts'
import { HistoryMissing } from '../model/history-missing.ts'
import type { Table } from '../model/table.ts'
import { isHeld, nameOf } from './claims.ts'
import type { Catalog } from './load-catalog.ts'

/** The records that have a version already, and about how many there are. */
interface Progress {
  rows_done: number
  rows_total: number
}

/**
 * Returns the 409 for a read that failed because its table has no history, if a change is building it.
 * Undefined: the error is right. Guests learn nothing about changes.
 */
export async function historyBuilding(
  ctx: RequestContext,
  planned: Pick<Catalog, 'siteId' | 'catalogVersion' | 'standing'>,
  error: unknown,
): Promise<AppError | undefined> {
  if (!(error instanceof HistoryMissing) || planned.standing) return undefined
  const { building } = await inTenant(ctx, 'read', { building: selectBuilding(error.table) }, { planned })
  return building.first && beingBuilt(error.table.name, building.first)
}

const beingBuilt = (name: string, progress: Progress) =>
  new AppError(
    409,
    'history_building',
    {
      error: 'History is being built',
      detail:
        `The history of "${name}" is being built: ${progress.rows_done} of about ${progress.rows_total} ` +
        'records have a version. Try again when it is complete.',
      ...progress,
    },
    { headers: { 'Retry-After': '5' } },
  )

const selectBuilding = (table: Table) => sql<Progress>`
  select c.rows_done, greatest(k.reltuples::bigint, c.rows_done) as rows_total
    from _claims c join pg_class k on k.oid = to_regclass(c.table_name)
   where c.table_name = ${nameOf(table)} and c.begins_history and ${isHeld(sql`c`)}`
