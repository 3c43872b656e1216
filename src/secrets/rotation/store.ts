/** The SQL of key rotation. */
import { type Sql, sql } from '../../db/sql.ts'
import type { WrappedKey } from '../encryption/data-keys.ts'

/** Selects the data keys of a site, the newest last. */
export const selectDataKeys = (siteId: number) => sql<WrappedKey>`
  select d.version, d.master_kid as "masterKid", d.wrapped
    from public.data_keys d where d.site_id = ${siteId} order by d.version`

/** Selects sites that have an older data key beside their newest one. */
export const selectSitesWithOldKeys = (limit: number) => sql<{ id: number }>`
  select d.site_id as id from public.data_keys d
   group by d.site_id having count(*) > 1 order by d.site_id limit ${limit}`

/** Deletes the older data keys of a site. */
export const deleteDataKeysBefore = (siteId: number, version: number): Sql => sql`
  delete from public.data_keys d where d.site_id = ${siteId} and d.version < ${version}`
