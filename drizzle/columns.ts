/** Columns that tables of the platform and of sites have. */
import { bigint, timestamp } from 'drizzle-orm/pg-core'

export const id = () => bigNumber('id').primaryKey().generatedAlwaysAsIdentity()
/** A bigint, which the program reads as a number. */
export const bigNumber = <const Name extends string>(name: Name) => bigint(name, { mode: 'number' })
export const moment = <const Name extends string>(name: Name) =>
  timestamp(name, { withTimezone: true, mode: 'string' })
