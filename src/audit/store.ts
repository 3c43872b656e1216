import { moment } from '../db/moment.ts'
import { type Sql, sql } from '../db/sql.ts'
import { type List, selectPage } from '../http/lists/list.ts'
import type { AuditQuery } from './schema.ts'
import type { AuditRow } from './views.ts'

/** Which entries are meant: those of an organization, with its sites', or of a site. */
export const ofOrganization = (slug: string): Sql => sql`
  e.organization_id = (select o.id from public.organizations o where o.slug = ${slug})`
export const ofSite = (slug: string): Sql => sql`e.site_id = (select s.id from public.sites s where s.slug = ${slug})`

export const list: List = {
  orderings: new Map([
    ['id', sql`e.id`],
    ['at', sql`e.at`],
  ]),
  ordering: '-id',
  last: sql`e.id desc`,
  search: { texts: [sql`e.object`, sql`e.actor`], in: 'the name of what was changed, or of whoever changed it' },
  pageSize: 50,
}

function matching({ kind, action, object, actor, since, until }: AuditQuery): Sql[] {
  return [
    ...(kind === undefined ? [] : [sql`e.kind = ${kind}`]),
    ...(action === undefined ? [] : [sql`e.action = ${action}`]),
    ...(object === undefined ? [] : [sql`e.object = ${object}`]),
    ...(actor === undefined ? [] : [sql`e.actor = ${actor}`]),
    ...(since === undefined ? [] : [sql`e.at >= ${since}::timestamptz`]),
    ...(until === undefined ? [] : [sql`e.at < ${until}::timestamptz`]),
  ]
}

const columns = sql`
  e.id, ${moment(sql`e.at`)} as at, (select s.slug from public.sites s where s.id = e.site_id) as site, e.actor_id, e.actor, e.request_id,
  e.address, e.kind, e.action, e.object_id, e.object, e.changed, e.values`

export const selectEntries = (scope: Sql, query: AuditQuery) =>
  selectPage<AuditRow>(list, query, { columns, from: sql`public.audit_entries e`, where: [scope, ...matching(query)] })

export const forgetEntries = (days: number) => sql<{ forgotten: number }>`select public.forget_audit(${days}) as forgotten`
