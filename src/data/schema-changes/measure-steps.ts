/**
 * Measures the steps of a change of a large table for which its readers and writers wait: they are run on a
 * sample of the table, which is rolled back with it. D8.
 */
import type { RequestContext } from '../../kernel/context.ts'
import { DatabaseFailure } from '../../kernel/db/failures.ts'
import { join, type Sql, sql } from '../../kernel/db/sql.ts'
import { inTenant } from '../../kernel/db/tenant.ts'
import { pendingName } from '../model/names.ts'
import { documentColumn } from '../model/storage.ts'
import { compileTable, type Table, tableRowOf } from '../model/table.ts'
import type { DdlStep } from '../providers/provider.ts'
import type { SchemaChange } from './examine-change.ts'
import type { ProviderChange } from './plan-steps.ts'
import { rowsOf } from './store.ts'

const sampleRows = 5_000
/** Less is not worth showing. */
const shownMs = 500

/** Returns the steps of a change. Those for which others wait noticeably say about how long. */
export async function measureSteps(ctx: RequestContext, change: SchemaChange): Promise<readonly DdlStep[]> {
  const { siteId, steps, provided } = change
  if (!provided || steps.every(({ onlinePhase }) => onlinePhase)) return steps
  const took = await measure(ctx, siteId, provided)
  return steps.map((step) => {
    const blocksMs = step.onlinePhase ? 0 : (took.get(step.description) ?? 0)
    return blocksMs >= shownMs ? { ...step, blocksMs } : step
  })
}

/**
 * Returns the milliseconds that the steps would take in one transaction, by their descriptions. Nothing if
 * they cannot run on a sample: some drop what only the table has, and others take too long even there.
 */
async function measure(
  ctx: RequestContext,
  siteId: number,
  { provider, change }: ProviderChange,
): Promise<ReadonlyMap<string, number>> {
  const { before, after } = change
  const physical_table_name = pendingName(before.id, sampleRows)
  const sampleOf = (table: Table) => compileTable(siteId, { ...tableRowOf(table), physical_table_name })
  const sample = sampleOf(before)
  const steps = provider.alterTable({ ...change, before: sample, after: sampleOf(after), inbound: [] }, false)
  try {
    const { measured } = await inTenant(
      ctx,
      'write',
      {
        made: provider.createTable(sample).statements,
        filled: fill(sample, before),
        steps: [noteTime, ...steps.flatMap(({ statements }) => [...statements, noteTime])],
        measured: sql<{ times: number[]; factor: number }>`
          select string_to_array(current_setting('tessera.step_times'), ' ')::float8[] as times,
                 greatest(1, ${rowsOf(before)} / greatest(1, (select count(*) from ${sample.relation})))
                   as factor`,
      },
      { isDry: true },
    )
    const { times, factor } = measured.one
    return new Map(
      steps.map(({ description }, position): [string, number] => {
        const [from = 0, until = 0] = times.slice(position)
        return [description, Math.round((until - from) * factor)]
      }),
    )
  } catch (error) {
    if (error instanceof DatabaseFailure) return new Map()
    throw error
  }
}

/** Copies some records of a table into the sample. */
function fill(sample: Table, { relation, storage, fields }: Table): Sql {
  const written = [...fields.values()].filter(({ formula }) => formula === undefined)
  const columns = storage.hasColumns ? join(written.map(({ column }) => column)) : documentColumn
  return sql`
    insert into ${sample.relation} (${columns})
    select ${columns} from ${relation} limit ${sampleRows}`
}

const noteTime = sql`
  select set_config('tessera.step_times', concat_ws(
           ' ', nullif(current_setting('tessera.step_times', true), ''),
           (extract(epoch from clock_timestamp()) * 1000)::text), true)`
