/** The statements on the roles of a site: sites.roles. */
import { computed } from '../../../../kernel/db/columns.ts'
import { type Sql, sql } from '../../../../kernel/db/sql.ts'
import { type List, selectPage } from '../../../../kernel/http/lists/list.ts'
import { siteId } from '../store.ts'
import { type RolesQuery, rolesForm, type SiteRole } from './schema.ts'

const columns = computed<SiteRole>({
  name: sql`r.name`,
  title: sql`r.title`,
  description: sql`r.description`,
  groups: sql`r.groups`,
})

const list: List<typeof rolesForm> = {
  ...rolesForm,
  columns: { name: sql`r.name`, title: sql`r.title` },
  last: sql`r.name`,
  texts: [sql`r.name`, sql`r.title`, sql`r.description`],
}

/** Selects a part of the roles of a site. */
export const selectRoles = (site: string, query: RolesQuery) =>
  selectPage(list, query, {
    columns,
    from: sql`public.sites s,
      jsonb_to_recordset(s.roles) r (name text, title text, description text, groups json)`,
    where: [sql`s.slug = ${site}`],
  })

/** Fails for a name that is none of the roles of a site: public.require_roles. */
export const requireRoles = (site: string, roles: readonly string[]): Sql =>
  sql`select public.require_roles(${siteId(site)}, ${roles}::text[])`

/** A site by its slug, and names of roles that somebody gets there. */
interface WithRoles {
  slug: string
  roles?: readonly string[] | undefined
}

/**
 * Fails for a role that its site does not have: public.require_roles. Sites that the organization does not
 * have are ignored, as when an invitation is accepted.
 */
export const requireRolesOf = (organization: string, sites: readonly WithRoles[]): Sql => sql`
  select public.require_roles(s.id, array(select jsonb_array_elements_text(c.site -> 'roles')))
    from jsonb_array_elements(${JSON.stringify(sites)}::jsonb) c (site)
    join public.sites s on s.slug = c.site ->> 'slug'
    join public.organizations o on o.id = s.organization_id and o.slug = ${organization}
   where c.site ? 'roles'`
