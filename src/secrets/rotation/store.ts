/** The SQL of key rotation. */
import { type Sql, sql } from '../../kernel/db/sql.ts'
import type { NewKey, WrappedKey } from '../encryption/data-keys.ts'

/** Selects the data keys of a site, the newest last. */
export const selectDataKeys = (siteId: number) => sql<WrappedKey>`
  select d.version, d.master_kid as "masterKid", d.wrapped
    from public.data_keys d where d.site_id = ${siteId} order by d.version`

/**
 * Selects sites that have an older data key in addition to their newest one; with `needsSiteKeys`, also sites
 * with a data key that is not encrypted with a key of the site.
 */
export const selectSitesWithOldKeys = (limit: number, needsSiteKeys: boolean) => sql<{ id: number }>`
  select d.site_id as id from public.data_keys d
   group by d.site_id
  having count(*) > 1 or ${needsSiteKeys} and bool_or(d.wrapped not like 'site:%')
   order by d.site_id limit ${limit}`

/** Selects the proofs of the master keys. */
export const selectProofs = sql<{
  kid: string
  proof: string
}>`select k.kid, k.proof from public.master_keys k`

/** Adds a data key, if it is the next one. See public.add_data_key. */
export const addDataKey = (siteId: number, { version, wrapped, masterKid, proof }: NewKey) => sql<{
  is_added: boolean
}>`
  select public.add_data_key(${siteId}, ${version}, ${wrapped}, ${masterKid}, ${proof}) as is_added`

/** Deletes the older data keys of a site. */
export const deleteDataKeysBefore = (siteId: number, version: number): Sql => sql`
  delete from public.data_keys d where d.site_id = ${siteId} and d.version < ${version}`
