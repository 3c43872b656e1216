/**
 * Columns that many of the tables have that every site's schema has. The names of these tables begin with an
 * underscore, and the name of a client's own table, `<app>_<table>`, never does, so that they cannot collide.
 */
import { bigNumber, moment } from '../columns.ts'

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
