/** The audit: who changed what, when and from where. It is written by triggers (public.note_change), in the transaction of the change. */
import type { RequestContext } from '../context.ts'
import { openDatabase } from '../db/client.ts'
import { inOrganization, onSite } from '../db/tenant.ts'
import { configOf, type Env } from '../env.ts'
import { type Page, pageOf } from '../http/lists/envelopes.ts'
import { managers } from '../organizations/service.ts'
import type { AuditEntry, AuditQuery } from './schema.ts'
import * as store from './store.ts'
import { asEntry } from './views.ts'

/** Of an organization and its sites: for its owners and admins. */
export async function auditOfOrganization(ctx: RequestContext, organization: string, url: string, query: AuditQuery): Promise<Page<AuditEntry>> {
  const answers = await inOrganization(ctx, organization, managers, store.selectEntries(store.ofOrganization(organization), query))
  return pageOf(answers, url, store.list, query, asEntry)
}

/** Of a site: for holders of `admin_site` there. */
export async function auditOfSite(ctx: RequestContext, site: string, url: string, query: AuditQuery): Promise<Page<AuditEntry>> {
  const answers = await onSite(ctx, site, 'admin_site', store.selectEntries(store.ofSite(site), query))
  return pageOf(answers, url, store.list, query, asEntry)
}

const deadlineMs = 30_000

/** Deletes what is older than AUDIT_DAYS, as much as one run of the schedule should. */
export async function forgetAudit(env: Env): Promise<void> {
  const config = configOf(env)
  await openDatabase(config).batch({ forgotten: store.forgetEntries(config.AUDIT_DAYS) }, deadlineMs)
}
