/** How many of something there may be: counted in the transaction that adds to them. T9. */
import type { Config } from '../env.ts'
import { type Sql, sql } from './sql.ts'

/** Whose variable says how many, and what is said when there would be more. */
const refusals = {
  QUOTA_ORGANIZATIONS: (max: number) => `A user may create ${max} organizations at most.`,
  QUOTA_SITES: (max: number) => `An organization may have ${max} sites at most.`,
  QUOTA_APPS: (max: number) => `A site may have ${max} apps at most, deleted ones that can be restored among them.`,
  QUOTA_TABLES: (max: number) => `An app may have ${max} datatables and references at most.`,
} as const

export type Quota = keyof typeof refusals

export const quotaRefusal = (config: Config, quota: Quota): string => refusals[quota](config[quota])

/**
 * Fails (http/failures.ts says how) when there are more than may be. `count` is a query for how many there are with those
 * that the transaction adds. It has to hold a lock by then that all who add take: see tessera.hold_quota.
 */
export const holdQuota = (config: Config, quota: Quota, count: Sql): Sql =>
  sql`select tessera.hold_quota(${quotaRefusal(config, quota)}, (${count}), ${config[quota]})`
