/** The statements on public.audit_entries. */

import type { auditEntries } from '../../../drizzle/platform/audit.ts'
import { columnsOf, computed, of } from '../../kernel/db/columns.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import { type List, selectPage } from '../../kernel/http/lists/list.ts'
import { type AuditQuery, listForm } from './schema.ts'
import type { AuditRow } from './views.ts'

const e = of<typeof auditEntries>('e')

/** The condition that the entry `e` concerns an organization or one of its sites. */
export const isOfOrganization = (slug: string): Sql => sql`
  e.organization_id = (select o.id from public.organizations o where o.slug = ${slug})`

/** The condition that the entry `e` concerns a site. */
export const isOfSite = (slug: string): Sql =>
  sql`e.site_id = (select s.id from public.sites s where s.slug = ${slug})`

/** The list of entries. */
export const list: List<typeof listForm> = {
  ...listForm,
  columns: {
    id: sql`e.id`,
    at: sql`e.at`,
  },
  last: sql`e.id desc`,
  texts: [sql`e.object`, sql`e.actor`],
}

/** Returns the conditions of the filters in a query. */
function conditionsOf({ kind, action, object, actor, since, until }: AuditQuery): Sql[] {
  return [
    ...(kind === undefined ? [] : [sql`e.kind = ${kind}`]),
    ...(action === undefined ? [] : [sql`e.action = ${action}`]),
    ...(object === undefined ? [] : [sql`e.object = ${object}`]),
    ...(actor === undefined ? [] : [sql`e.actor = ${actor}`]),
    ...(since === undefined ? [] : [sql`e.at >= ${since}::timestamptz`]),
    ...(until === undefined ? [] : [sql`e.at < ${until}::timestamptz`]),
  ]
}

const columns = columnsOf(
  e('id'),
  e.times('at'),
  computed<Pick<AuditRow, 'site'>>({ site: sql`(select s.slug from public.sites s where s.id = e.site_id)` }),
  e(
    'actor_id',
    'actor',
    'request_id',
    'client_request_id',
    'address',
    'kind',
    'action',
    'object_id',
    'object',
    'changed',
    'values',
  ),
)

/** Selects a page of entries. `scope` is one of the conditions above. */
export const selectEntries = (scope: Sql, query: AuditQuery) =>
  selectPage(list, query, {
    columns,
    from: sql`public.audit_entries e`,
    where: [scope, ...conditionsOf(query)],
  })

/** Deletes entries older than `days`, a limited number in each call. */
export const deleteOldEntries = (days: number) =>
  sql<{ deleted: number }>`select public.forget_audit(${days}) as deleted`
