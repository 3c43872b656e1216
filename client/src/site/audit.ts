/** The audit of an organization or a site. docs/guide/organizations-and-sites.md#audit. */
import type { Transport } from '../connection/transport.ts'
import { type ItemOptions, type Items, readItems } from './lists.ts'

/** A change in the audit log. Changes of records are not included. */
export interface AuditEntry {
  id: number
  at: string
  /** The slug of the site; null if the change concerns no site. */
  site: string | null
  /** Null: the service itself, or a caller who was not signed in. */
  actor: { id: number; username: string } | null
  kind: string
  action: 'create' | 'change' | 'delete'
  object: string | null
  changed: string[]
  values: Record<string, unknown>
  [member: string]: unknown
}

/** The entries to list. */
export interface AuditOptions extends ItemOptions {
  kind?: string | undefined
  action?: AuditEntry['action'] | undefined
  /** The name of the changed object: a user name, a slug, a key or a domain. */
  object?: string | undefined
  /** A user name. */
  actor?: string | undefined
  /** A time with an offset: changes at or after it. */
  since?: string | undefined
  /** A time with an offset: changes before it. */
  until?: string | undefined
}

/** Reads the audit of an organization or a site, newest entry first. `owner`: its path. */
export const readAudit = (
  transport: Transport,
  owner: string,
  { kind, action, object, actor, since, until, ...options }: AuditOptions = {},
): Promise<Items<AuditEntry>> =>
  readItems(transport, `${owner}audit/`, options, { kind, action, object, actor, since, until })
