/** A batch in the request's tenant that knows who asks, and the keys that the site's values are encrypted with. */
import type { RequestContext } from '../context.ts'
import type { Results } from '../db/results.ts'
import type { Sql } from '../db/sql.ts'
import { sql } from '../db/sql.ts'
import { inTenant, type Mode } from '../db/tenant.ts'
import type { NewKey, WrappedKey } from './encryption/data-keys.ts'
import type { SiteKeys } from './encryption/service.ts'

/** What `introduce` says (migrations/platform/0012_enter_secrets.sql). */
interface Introduction {
  site_id: number
  site_slug: string
  username: string | null
  may_read: boolean
  data_keys: WrappedKey[]
  proofs: Record<string, string> | null
}

export interface Vault {
  site: string
  username: string | null
  /** Whether the caller may read what is not public. */
  mayRead: boolean
  keys: SiteKeys
  /** Of the master keys, while the site has no data key. */
  proofs: Record<string, string>
  results: Results
}

/** What the statements of a write were made for. */
export interface Prepared {
  siteId: number
  /** The data key that they were encrypted with. */
  dataKey?: WrappedKey | NewKey
}

/** Fails with CatalogMoved when what was prepared is outdated. */
export async function inVault(ctx: RequestContext, mode: Mode, statements: readonly Sql[], prepared?: Prepared): Promise<Vault> {
  const introduce = sql`
    select site_id, site_slug, username, may_read, data_keys, proofs
      from public.introduce(${ctx.tenant.host}, ${ctx.tenant.slug}, ${ctx.caller?.userId ?? null})`
  const planned = prepared && { siteId: prepared.siteId, catalogVersion: null }
  const { before, results } = await inTenant(ctx, mode, statements, planned, [introduce, ...holding(prepared)])
  const introduction = before.one<Introduction>()
  return {
    site: introduction.site_slug,
    username: introduction.username,
    mayRead: introduction.may_read,
    keys: { siteId: introduction.site_id, keys: introduction.data_keys },
    proofs: introduction.proofs ?? {},
    results,
  }
}

function holding(prepared: Prepared | undefined): Sql[] {
  if (!prepared?.dataKey) return []
  const { version, masterKid, wrapped, proof } = { proof: null, ...prepared.dataKey }
  // A key that the database has is known by its version; a new one is sent with all that it is.
  const made = proof === null ? sql`null, null, null` : sql`${wrapped}, ${masterKid}, ${proof}`
  return [sql`select public.use_data_key(${prepared.siteId}, ${version}, ${made})`]
}
