import { moment } from '../db/moment.ts'
import { join, type Sql, sql } from '../db/sql.ts'
import type { AuditQuery } from './schema.ts'

/** Which entries are meant: those of an organization, with its sites', or of a site. */
export const ofOrganization = (slug: string): Sql => sql`
  e.organization_id = (select o.id from public.organizations o where o.slug = ${slug})`
export const ofSite = (slug: string): Sql => sql`e.site_id = (select s.id from public.sites s where s.slug = ${slug})`

function matching(scope: Sql, { kind, action, object, actor, since, until }: AuditQuery): Sql {
  const conditions = [
    scope,
    ...(kind === undefined ? [] : [sql`e.kind = ${kind}`]),
    ...(action === undefined ? [] : [sql`e.action = ${action}`]),
    ...(object === undefined ? [] : [sql`e.object = ${object}`]),
    ...(actor === undefined ? [] : [sql`e.actor = ${actor}`]),
    ...(since === undefined ? [] : [sql`e.at >= ${since}::timestamptz`]),
    ...(until === undefined ? [] : [sql`e.at < ${until}::timestamptz`]),
  ]
  return sql`from public.audit_entries e where ${join(conditions, sql` and `)}`
}

export const countEntries = (scope: Sql, query: AuditQuery): Sql => sql`select count(*) as count ${matching(scope, query)}`

/** The newest first. */
export const selectEntries = (scope: Sql, query: AuditQuery, limit: number, offset: number): Sql => sql`
  select e.id, ${moment(sql`e.at`)} as at, (select s.slug from public.sites s where s.id = e.site_id) as site, e.actor_id, e.actor, e.request_id,
         e.address, e.kind, e.action, e.object_id, e.object, e.changed, e.values
  ${matching(scope, query)} order by e.id desc limit ${limit} offset ${offset}`

export const forgetEntries = (days: number): Sql => sql`select public.forget_audit(${days}) as forgotten`
