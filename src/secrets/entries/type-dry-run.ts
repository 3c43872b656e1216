/** Checks which stored values would not match their type after a change of its schema. */
import type { RequestContext } from '../../context.ts'
import type { JsonObject } from '../../lib/json-object.ts'
import { inTenantWithKeys, withCurrentKeys } from '../tenant-keys/service.ts'
import type { DryRun, TypeChange } from '../types/schema.ts'
import { found, requireChangeable } from '../types/service.ts'
import { selectType } from '../types/store.ts'
import { problemsWith } from '../types/values.ts'
import { type SecretRow, selectOfType } from './store.ts'
import { decryptValue } from './values.ts'

/** The number of values in memory at a time. */
const valuesAtOnce = 100

type Mismatch = DryRun['misfits'][number]

/**
 * Returns the keys of the secrets whose values would not match after the change. Changes nothing. Throws 404
 * for an unknown type, and 400 as `changeType` does.
 */
export async function dryRunChange(ctx: RequestContext, slug: string, change: TypeChange): Promise<DryRun> {
  const { answers } = await inTenantWithKeys(ctx, 'read', { type: selectType(slug) })
  const type = found(answers.type.first, slug)
  requireChangeable(type, change)
  const schema = change.schema === undefined ? type.schema : change.schema
  const run: DryRun = { checked: 0, misfits: [] }
  let after: string | null = null
  let isLast = false
  while (!isLast) {
    const { rows, mismatches }: Checked = await checkNext(ctx, schema, type.id, after)
    run.checked += rows.length
    run.misfits.push(...mismatches)
    after = rows.at(-1)?.id ?? null
    isLast = rows.length < valuesAtOnce
  }
  return run
}

interface Checked {
  rows: readonly SecretRow[]
  mismatches: Mismatch[]
}

const checkNext = (
  ctx: RequestContext,
  schema: JsonObject | null,
  typeId: number,
  after: string | null,
): Promise<Checked> =>
  withCurrentKeys(async () => {
    const statements = { secrets: selectOfType(typeId, after, valuesAtOnce) }
    const { answers, keys } = await inTenantWithKeys(ctx, 'read', statements)
    const rows = answers.secrets.all
    const mismatches: Mismatch[] = []
    for (const row of rows) {
      if (problemsWith(schema, await decryptValue(ctx.config, keys, row)))
        mismatches.push({ key: row.key, app: row.app })
    }
    return { rows, mismatches }
  })
