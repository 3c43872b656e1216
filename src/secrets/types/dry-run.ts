/** Whether the values there are would still fit a changed schema. Which ones would not is said by their keys. */
import type { RequestContext } from '../../context.ts'
import { type SecretRow, selectOfType } from '../entries/store.ts'
import { openValue } from '../entries/values.ts'
import { inVault, withKeys } from '../vault/service.ts'
import type { DryRun, TypeChange } from './schema.ts'
import { found, refuseOther } from './service.ts'
import { selectType } from './store.ts'
import { problemsWith } from './values.ts'

/** Values are held in memory only so many at a time. */
const atOnce = 100

export async function tryChange(ctx: RequestContext, slug: string, change: TypeChange): Promise<DryRun> {
  const { results } = await inVault(ctx, 'read', { type: selectType(slug) })
  const type = found(results.type.first, slug)
  refuseOther(type, change)
  const schema = change.schema === undefined ? type.schema : change.schema
  const run: DryRun = { checked: 0, misfits: [] }
  for (let after: string | null = null; ; ) {
    const rows: readonly SecretRow[] = await withKeys(async () => {
      const vault = await inVault(ctx, 'read', { secrets: selectOfType(type.id, after, atOnce) })
      const secrets = vault.results.secrets.all
      for (const row of secrets) {
        if (problemsWith(schema, await openValue(ctx.config, vault.keys, row))) run.misfits.push({ key: row.key, app: row.app })
      }
      return secrets
    })
    run.checked += rows.length
    if (rows.length < atOnce) return run
    after = rows.at(-1)?.id ?? null
  }
}
