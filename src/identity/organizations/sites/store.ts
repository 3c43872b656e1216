/** The statements on public.sites. */

import type { sites } from '../../../../drizzle/platform/sites.ts'
import type { Caller } from '../../../kernel/context.ts'
import { callerSql } from '../../../kernel/db/caller.ts'
import { columnsOf, computed, of } from '../../../kernel/db/columns.ts'
import { generation } from '../../../kernel/db/generation.ts'
import { enforceQuota } from '../../../kernel/db/quotas.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Config } from '../../../kernel/env.ts'
import { type List, type ListQuery, selectPage } from '../../../kernel/http/lists/list.ts'
import { managers } from '../roles.ts'
import { organizationId } from '../store.ts'
import { brandingColumn } from './branding/store.ts'
import { type EnterableSite, enterableForm, listForm, type SiteChange } from './schema.ts'
import type { NamedSite, SiteRow } from './views.ts'

const s = of<typeof sites>('s')

/** The columns of a site `s` as clients see them. */
export const columns = columnsOf(
  s('id', 'uuid', 'name', 'slug', 'environment', 'paused'),
  s.times('created'),
  computed<Pick<SiteRow, 'state'>>({ state: sql`public.site_state(s)` }),
  s.times('deletes_at'),
  s(
    'sign_up',
    'allowed_domains',
    'require_verified_email',
    'sign_up_by_provider',
    'domain_groups',
    'roles',
    'requires_factor',
  ),
  computed<Pick<SiteRow, 'branding' | 'domains'>>({
    branding: brandingColumn,
    domains: sql`coalesce((select json_agg(json_build_object('domain', d.domain, 'is_primary', d.is_primary,
                              'status', case when d.verified_at is null then 'pending' else 'verified' end)
                            order by d.is_primary desc, d.domain)
              from public.site_domains d where d.site_id = s.id), '[]')`,
  }),
)

/** A subquery for the id of the site with a slug; null if it does not exist. */
export const siteId = (slug: string): Sql => sql`(select s.id from public.sites s where s.slug = ${slug})`

export const list: List<typeof listForm> = {
  ...listForm,
  columns: {
    name: sql`s.name`,
    slug: sql`s.slug`,
    environment: sql`s.environment`,
    created: sql`s.created`,
  },
  last: sql`s.id`,
  texts: [sql`s.name`, sql`s.slug`],
}

/** Selects a page of an organization's sites. */
export const selectSites = (organization: string, query: ListQuery) =>
  selectPage(list, query, {
    columns,
    from: sql`public.sites s`,
    where: [sql`s.organization_id = ${organizationId(organization)}`],
  })

/** An organization, by its slug or by the slug of one of its sites. */
type Whose = string | { ofSite: string }

const idOf = (whose: Whose): Sql =>
  typeof whose === 'string'
    ? organizationId(whose)
    : sql`(select s.organization_id from public.sites s where s.slug = ${whose.ofSite})`

/**
 * Fails if the organization is deleted, or has as many sites as QUOTA_SITES allows, or the database as many
 * as SITES_MAX. Locks the organization: public.hold_organization. Several organizations at the same moment
 * may exceed SITES_MAX by a few.
 */
export const checkSiteQuota = (config: Config, organization: Whose): Sql[] => [
  sql`select public.hold_organization(${idOf(organization)})`,
  enforceQuota(config, 'SITES_MAX', sql`select count(*) + 1 from public.sites`),
  enforceQuota(
    config,
    'QUOTA_SITES',
    sql`select count(*) + 1 from public.sites s
         where s.organization_id = ${idOf(organization)} and s.deletes_at is null`,
  ),
]

/** A site to create. `userId` is the creator. */
interface SiteToCreate {
  organization: Whose
  userId: number
  name: string
  slug: string
  environment: string
}

/** Creates a site with its schema, role and tables, in one transaction. */
export const createSite = ({ organization, userId, name, slug, environment }: SiteToCreate) => sql`
  select ${columns} from public.create_site(
    ${idOf(organization)}, ${userId}, ${name}, ${slug}, ${environment}) s`

/** Notes that everything in the schemas of a new site will be made by this release. */
export const noteGeneration = (slug: string): Sql => sql`
  update public.site_meters m set generation = ${generation} where m.site_id = ${siteId(slug)}`

/** Selects a site by its slug. No row if it does not exist. */
export const selectSite = (slug: string) => sql`select ${columns} from public.sites s where s.slug = ${slug}`

/** Selects the fixed members of a site, for `requireSame`. */
export const selectFixed = (slug: string): Sql => sql`
  select s.id, s.uuid, 'site_' || s.id as schema_name, public.site_state(s) as state
    from public.sites s where s.slug = ${slug}`

/**
 * Returns the source of the active sites that a caller may enter, as public.enter decides for `access_site`.
 * A caller who signed in through a provider may enter only the sites of that provider's organization.
 */
const enterableBy = ({ userId, organizationId: signedInAt }: Caller) => ({
  from: sql`public.users u
    join public.sites s on s.is_active
    join public.organizations o on o.id = s.organization_id
    left join public.memberships m on m.user_id = u.id and m.organization_id = o.id
    left join public.site_permissions p on p.user_id = u.id and p.site_id = s.id`,
  where: sql`u.id = ${userId} and 'access_site' = any (public.held_permissions(
    ${signedInAt ?? null}::bigint, o.id, u.is_superuser, m.role, p.permissions))`,
})

/** Selects the first sites that a caller may enter, for a list without page numbers. */
export function selectEnterable(caller: Caller, limit: number) {
  const { from, where } = enterableBy(caller)
  return sql<NamedSite>`
    select s.name, s.slug, o.name as organization from ${from} where ${where}
     order by o.name, s.name, s.id limit ${limit}`
}

/** The list of the sites that a caller may enter. */
export const enterableList: List<typeof enterableForm> = {
  ...enterableForm,
  columns: { ...list.columns, organization: sql`o.name` },
  last: list.last,
  texts: [...list.texts, sql`o.name`],
}

/** Selects a page of the sites that a caller may enter. */
export function selectEnterablePage(caller: Caller, query: ListQuery) {
  const { from, where } = enterableBy(caller)
  return selectPage<EnterableSite>(enterableList, query, {
    columns: columnsOf(
      s('id', 'uuid', 'name', 'slug', 'environment'),
      s.times('created'),
      computed<Pick<EnterableSite, 'organization'>>({
        organization: sql`json_build_object('name', o.name, 'slug', o.slug)`,
      }),
    ),
    from,
    where: [where],
  })
}

/** Returns the display name and the colour of a change. Null: the site is to have none. */
const looksOf = ({ branding: { name, color } = {} }: SiteChange) => ({ name, color })

/**
 * Takes the transfers of a site from their Workers. These know the site by its old slug, which another site
 * may get. The transfers continue with the new slug within a minute.
 */
export const interruptTransfers = (slug: string): Sql => sql`
  update public.transfers t set lease = null, leased_until = now()
   where t.state = 'running'
     and (select s.id from public.sites s where s.slug = ${slug}) in (t.site_id, t.target_id)`

/** Tells whether a change may concern what the catalogs of the site's apps contain: see selectTerms. */
const isInCatalogs = ({ sign_up, roles }: SiteChange): boolean => sign_up !== undefined || roles !== undefined

/** As public.touch_catalog computes it. */
const nextCatalogVersion = sql`
  greatest(s.catalog_version + 1, 1000000 * extract(epoch from clock_timestamp()))`

/** Changes a site. Undefined members stay unchanged. */
export const updateSite = (slug: string, change: SiteChange) => sql`
  update public.sites s
     set name = coalesce(${change.name ?? null}, s.name),
         slug = coalesce(${change.slug ?? null}, s.slug),
         environment = coalesce(${change.environment ?? null}, s.environment),
         paused = coalesce(${change.paused ?? null}, s.paused),
         sign_up = coalesce(${change.sign_up ?? null}, s.sign_up),
         allowed_domains = coalesce(${change.allowed_domains ?? null}::text[], s.allowed_domains),
         require_verified_email =
           coalesce(${change.require_verified_email ?? null}, s.require_verified_email),
         sign_up_by_provider = coalesce(${change.sign_up_by_provider ?? null}, s.sign_up_by_provider),
         domain_groups =
           coalesce(${change.domain_groups ? JSON.stringify(change.domain_groups) : null}::jsonb,
                    s.domain_groups),
         roles = coalesce(${change.roles ? JSON.stringify(change.roles) : null}::jsonb, s.roles),
         requires_factor = coalesce(${change.requires_factor ?? null}, s.requires_factor),
         catalog_version = case when ${isInCatalogs(change)} then ${nextCatalogVersion}
                                else s.catalog_version end,
         branding = jsonb_strip_nulls(s.branding || ${JSON.stringify(looksOf(change))}::jsonb)
   where s.slug = ${slug} returning ${columns}`

/** A statement that fails with TS403 for a caller who is not an owner or admin of a site's organization. */
export const requireManager = (caller: Caller, slug: string): Sql => sql`
  select public.enter_organization(
    ${callerSql(caller)},
    (select o.slug from public.sites s join public.organizations o on o.id = s.organization_id
      where s.slug = ${slug}),
    ${managers}::text[])`
