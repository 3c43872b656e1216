import { moment } from '../../../db/moment.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import { siteId } from '../store.ts'

const columns = sql`domain, is_primary, ${moment(sql`created`)} as created`

export const selectDomains = (site: string): Sql => sql`
  select ${columns} from public.site_domains where site_id = ${siteId(site)} order by is_primary desc, domain`

/** A site has one primary domain: the first, and then the one that was last made it. */
export const insertDomain = (site: string, domain: string, isPrimary: boolean): Sql[] => [
  sql`update public.site_domains set is_primary = false where site_id = ${siteId(site)} and ${isPrimary}`,
  sql`insert into public.site_domains (domain, site_id, is_primary)
      select ${domain}, s.id, ${isPrimary} or not exists (select from public.site_domains d where d.site_id = s.id and d.is_primary)
        from public.sites s where s.slug = ${site}
      returning ${columns}`,
]

export const deleteDomain = (site: string, domain: string): Sql => sql`
  delete from public.site_domains where site_id = ${siteId(site)} and domain = ${domain} returning domain`
