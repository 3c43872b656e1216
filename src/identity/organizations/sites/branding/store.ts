/** The SQL of the branding of sites. */
import type { TenantLocator } from '../../../../kernel/context.ts'
import { type Sql, sql } from '../../../../kernel/db/sql.ts'
import type { NewLogo } from './logo.ts'

/** The branding of a site `s` as JSON, with the path of the logo. */
export const brandingColumn = sql`
  json_build_object('name', s.branding ->> 'name',
    'logo', (select '/sites/' || s.slug || '/accounts/logo/' || l.hash || '/'
               from public.site_logos l where l.site_id = s.id),
    'color', s.branding ->> 'color')`

/** Stores the logo of a site, or removes it. */
export const writeLogo = (slug: string, logo: NewLogo | null): Sql =>
  logo === null
    ? sql`delete from public.site_logos l using public.sites s where s.slug = ${slug} and l.site_id = s.id`
    : sql`
      insert into public.site_logos as l (site_id, hash, type, bytes)
      select s.id, ${logo.hash}, ${logo.type}, decode(${logo.bytes}, 'base64')
        from public.sites s where s.slug = ${slug}
      on conflict (site_id) do update
         set hash = excluded.hash, type = excluded.type, bytes = excluded.bytes`

/** Selects the logo of a request's site by its hash. */
export const selectLogo = ({ host, slug }: TenantLocator, hash: string) => sql<{
  type: string
  bytes: string
}>`
  select l.type, encode(l.bytes, 'base64') as bytes
    from public.site_logos l join public.sites s on s.id = l.site_id
   where s.slug = public.site_at(${host}, ${slug}) and l.hash = ${hash}`
