/** Enforces quotas: counts in the same transaction that adds. T9. */
import type { Config } from '../env.ts'
import { type Sql, sql } from './sql.ts'

/** The message for each quota, by the variable with its maximum. */
const messages = {
  QUOTA_ORGANIZATIONS: (max: number) => `A user may create at most ${max} organizations.`,
  SITES_MAX: (max: number) => `This service has its maximum of ${max} sites. Its operator can make room.`,
  QUOTA_SITES: (max: number) => `An organization may have at most ${max} sites.`,
  QUOTA_ERASURES: (max: number) =>
    `An organization may erase at most ${max} sites at once in a day. Delete the site without now.`,
  QUOTA_APPS: (max: number) =>
    `A site may have at most ${max} apps, including deleted apps that can be restored.`,
  QUOTA_TABLES: (max: number) => `An app may have at most ${max} datatables and references.`,
  QUOTA_ARCHIVE_BYTES: (max: number) =>
    `The archives of an organization, and those of an account, may have at most ${max} bytes together. ` +
    'Cancel a transfer, or wait until older archives expire.',
} as const

/** A quota: the name of the variable with its maximum. */
export type Quota = keyof typeof messages

/** Returns the message for a client that exceeds a quota. */
export const quotaMessage = (config: Config, quota: Quota): string => messages[quota](config[quota])

/**
 * Returns a statement that fails if the quota is exceeded; http/failures.ts turns that into 422. `count` is a
 * query for the number, including what the transaction adds. The transaction must already hold the lock that
 * every transaction that adds takes: see tessera.hold_quota.
 */
export const enforceQuota = (config: Config, quota: Quota, count: Sql): Sql =>
  sql`select tessera.hold_quota(${quotaMessage(config, quota)}, (${count}), ${config[quota]})`
