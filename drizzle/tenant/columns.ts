/**
 * The schema of the tables that the service keeps for all sites, and columns that many of them have. Row-level
 * security gives each site its own rows (migrations/rights.sql).
 */
import { sql } from 'drizzle-orm'
import { boolean, pgSchema } from 'drizzle-orm/pg-core'
import { bigNumber, moment } from '../columns.ts'

/**
 * The names of its tables begin with an underscore, and the name of a client's own table, `<app>_<table>`,
 * never does, so that statements of a site can name both without a schema.
 */
export const tenant = pgSchema('tenant')

/** The site of a row. Each key and each index begins with it, except those of the sweeps over all sites. */
export const siteId = () => bigNumber('site_id').notNull().default(sql`tessera.own_site()`)

/** A number that is unique over all sites. The key of its table begins with the site all the same. */
export const identity = () => bigNumber('id').notNull().generatedAlwaysAsIdentity()

/**
 * Who created and last changed a row, and when. The ids are of `public.users`, without a foreign key, because
 * a tenant cannot reach that table.
 */
export const provenance = () => ({
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
  createdBy: bigNumber('created_by').notNull(),
  modifiedBy: bigNumber('modified_by'),
})

/**
 * Whether the site has deleted the row: a trigger removes it at once (public.remove_gone). A right to delete
 * from a table would be a right to lock it for all sites.
 */
export const isGone = () => boolean('is_gone').notNull().default(false)
