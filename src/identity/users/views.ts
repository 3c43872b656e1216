/** Accounts as clients see them. T7. */
import { fullName } from '../../kernel/lib/full-name.ts'
import type { User } from './schema.ts'

/** A row that store.ts selects with `columns`. */
export type UserRow = Omit<User, 'full_name'>

/** Adds the full name to a row. */
export const asUser = (row: UserRow): User => ({
  id: row.id,
  uuid: row.uuid,
  username: row.username,
  email: row.email,
  first_name: row.first_name,
  last_name: row.last_name,
  full_name: fullName(row),
  is_active: row.is_active,
  is_superuser: row.is_superuser,
  date_joined: row.date_joined,
  last_login: row.last_login,
})
