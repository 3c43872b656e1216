/**
 * Columns that many of the platform's own tables have. These tables are in the schema `public`, one copy per
 * database.
 */
import { bigint, customType, timestamp } from 'drizzle-orm/pg-core'

export const id = () => bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity()
export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'string' })
export const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })
export const created = () => moment('created').notNull().defaultNow()
