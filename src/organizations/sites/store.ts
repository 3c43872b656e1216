import { tenantMigrations } from '../../db/migrations.ts'
import { moment } from '../../db/moment.ts'
import { holdQuota } from '../../db/quotas.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Config } from '../../env.ts'
import { type List, type ListQuery, selectPage } from '../../http/lists/list.ts'
import { organizationId } from '../store.ts'
import type { SiteChange } from './schema.ts'
import type { SiteRow } from './views.ts'

const columns = sql`
  s.id, s.uuid, s.name, s.slug, s.environment, ${moment(sql`s.created`)} as created,
  coalesce((select json_agg(json_build_object('domain', d.domain, 'is_primary', d.is_primary,
                                             'status', case when d.verified_at is null then 'pending' else 'verified' end) order by d.is_primary desc, d.domain)
              from public.site_domains d where d.site_id = s.id), '[]') as domains`

export const siteId = (slug: string): Sql => sql`(select s.id from public.sites s where s.slug = ${slug})`

export const list: List = {
  orderings: new Map([
    ['name', sql`s.name`],
    ['slug', sql`s.slug`],
    ['environment', sql`s.environment`],
    ['created', sql`s.created`],
  ]),
  ordering: 'name',
  last: sql`s.id`,
  search: { texts: [sql`s.name`, sql`s.slug`], in: 'the name or the slug' },
}

export const selectSites = (organization: string, query: ListQuery) =>
  selectPage<SiteRow>(list, query, { columns, from: sql`public.sites s`, where: [sql`s.organization_id = ${organizationId(organization)}`] })

/** Fails if the organization has as many as it may have. Of two at once, the second counts after the first is done. */
export const roomForSite = (config: Config, organization: string): Sql[] => [
  sql`select o.id from public.organizations o where o.slug = ${organization} for no key update`,
  holdQuota(config, 'QUOTA_SITES', sql`select count(*) + 1 from public.sites s where s.organization_id = ${organizationId(organization)}`),
]

/** The site with its schema, role and tables: all of it, or nothing. */
export const createSite = (organization: string, userId: number, name: string, slug: string, environment: string) => sql<SiteRow>`
  select ${columns} from public.create_site(
    ${organizationId(organization)}, ${userId}, ${name}, ${slug}, ${environment}, ${tenantMigrations}) s`

export const selectSite = (slug: string) => sql<SiteRow>`select ${columns} from public.sites s where s.slug = ${slug}`

export const updateSite = (slug: string, { name, environment }: SiteChange) => sql<SiteRow>`
  update public.sites s set name = coalesce(${name ?? null}, s.name), environment = coalesce(${environment ?? null}, s.environment)
   where s.slug = ${slug} returning ${columns}`

/** Sites whose schema is behind this code. */
export const selectSitesBehind = (version: number, limit: number) => sql<{ id: number; schema_version: number }>`
  select s.id, s.schema_version from public.sites s where s.schema_version < ${version} order by s.id limit ${limit}`

export const migrateSite = (siteId: number, version: number, migration: string): Sql => sql`
  select public.migrate_site(${siteId}, ${version}, ${migration}) as migrated`
