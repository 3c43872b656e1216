/** Checks which stored values would not match their type after a change of its schema. */
import type { RequestContext } from '../../kernel/context.ts'
import { inTenant } from '../../kernel/db/tenant.ts'
import { canonicalJson } from '../../kernel/lib/canonical-json.ts'
import type { JsonObject } from '../../kernel/lib/json-object.ts'
import { DataKeyUnknown, Unreadable } from '../encryption/errors.ts'
import { inTenantWithKeys, withCurrentKeys } from '../tenant-keys/service.ts'
import type { DryRun, Mismatches, TypeChange } from '../types/schema.ts'
import { found, requireChangeable } from '../types/service.ts'
import { selectType } from '../types/store.ts'
import { problemsWith } from '../types/values.ts'
import type { TypeRow } from '../types/views.ts'
import { type SecretRow, selectOfType } from './store.ts'
import { decryptValue } from './values.ts'

/** The number of values in memory at a time. */
const valuesAtOnce = 100

/** The number of secrets that are listed. */
const listedMax = 20

type Mismatch = DryRun['invalid'][number]

/**
 * Returns the keys of the secrets whose values would not match after the change. Changes nothing. Throws 404
 * for an unknown type, and 400 as `changeType` does.
 */
export async function dryRunChange(ctx: RequestContext, slug: string, change: TypeChange): Promise<DryRun> {
  const type = await changeable(ctx, slug, change)
  return checkAll(ctx, type, change.schema === undefined ? type.schema : change.schema)
}

/**
 * Returns the secrets whose values do not match a new schema, as `dryRunChange`. Undefined if the type has
 * this schema already: then no value is decrypted.
 */
export async function mismatchesOf(
  ctx: RequestContext,
  slug: string,
  change: TypeChange,
): Promise<Mismatches | undefined> {
  const type = await changeable(ctx, slug, change)
  const { schema = type.schema } = change
  if (canonicalJson(schema) === canonicalJson(type.schema)) return undefined
  const { checked: _, ...found } = await checkAll(ctx, type, schema)
  return found
}

async function changeable(ctx: RequestContext, slug: string, change: TypeChange): Promise<TypeRow> {
  const { type } = await inTenant(ctx, 'read', { type: selectType(slug) })
  const row = found(type.first, slug)
  requireChangeable(row, change)
  return row
}

async function checkAll(ctx: RequestContext, type: TypeRow, schema: JsonObject | null): Promise<DryRun> {
  const run: DryRun = { checked: 0, invalid_count: 0, invalid: [] }
  let after: string | null = null
  let isLast = false
  while (!isLast) {
    const { rows, mismatches }: Checked = await checkNext(ctx, schema, type.id, after)
    run.checked += rows.length
    run.invalid_count += mismatches.length
    run.invalid.push(...mismatches.slice(0, listedMax - run.invalid.length))
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
  withCurrentKeys(async (isFirst) => {
    const statements = { secrets: selectOfType(typeId, after, valuesAtOnce) }
    const { answers, keys } = await inTenantWithKeys(ctx, 'read', statements)
    const rows = answers.secrets.all
    const mismatches: Mismatch[] = []
    for (const row of rows) {
      const { key, app } = row
      const value = await decryptValue(ctx.config, keys, row).catch((error: unknown) => {
        if (error instanceof Unreadable || (error instanceof DataKeyUnknown && !isFirst)) return undefined
        throw error
      })
      if (!value) mismatches.push({ key, app, unreadable: true })
      else if (problemsWith(schema, value)) mismatches.push({ key, app })
    }
    return { rows, mismatches }
  })
