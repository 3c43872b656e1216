/**
 * Columns that many of the platform's own tables have. These tables are in the schema `public`, one copy per
 * database.
 */
import { customType } from 'drizzle-orm/pg-core'
import { moment } from '../columns.ts'

export const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })
export const created = () => moment('created').notNull().defaultNow()
