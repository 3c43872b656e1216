/**
 * The audit log: who changed what, when and from where. Triggers (note_change.sql) write the log in the
 * transaction of each change.
 */
import type { RequestContext } from '../../kernel/context.ts'
import { openDatabase } from '../../kernel/db/client.ts'
import { inOrganization, inSiteManagement } from '../../kernel/db/platform.ts'
import { configOf, type Env } from '../../kernel/env.ts'
import { type Page, pageOf } from '../../kernel/http/lists/envelopes.ts'
import { managers } from '../organizations/service.ts'
import type { AuditEntry, AuditQuery } from './schema.ts'
import * as store from './store.ts'
import { asEntry } from './views.ts'

/**
 * Returns a page of the changes in an organization and its sites, for its owners and admins. Throws 403 for
 * others, 404 if it does not exist.
 */
export async function auditOfOrganization(
  ctx: RequestContext,
  organization: string,
  url: string,
  query: AuditQuery,
): Promise<Page<AuditEntry>> {
  const answers = await inOrganization(
    ctx,
    organization,
    managers,
    store.selectEntries(store.isOfOrganization(organization), query),
  )
  return pageOf(answers, url, store.list, query, asEntry)
}

/**
 * Returns a page of the changes in a site, for users with `admin_site`. Throws 403 for others, 404 if it does
 * not exist.
 */
export async function auditOfSite(
  ctx: RequestContext,
  site: string,
  url: string,
  query: AuditQuery,
): Promise<Page<AuditEntry>> {
  const answers = await inSiteManagement(
    ctx,
    site,
    'admin_site',
    store.selectEntries(store.isOfSite(site), query),
  )
  return pageOf(answers, url, store.list, query, asEntry)
}

const deadlineMs = 30_000

/** Deletes entries older than AUDIT_DAYS. One call deletes a limited number (forget_audit.sql). */
export async function deleteOldAuditEntries(env: Env): Promise<void> {
  const config = configOf(env)
  await openDatabase(config).batch({ deleted: store.deleteOldEntries(config.AUDIT_DAYS) }, deadlineMs)
}
