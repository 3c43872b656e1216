import { type Sql, sql } from '../db/sql.ts'

export const selectUser = (id: number): Sql => sql`
  select id, uuid, username, email, first_name, last_name, is_active, is_superuser, date_joined, last_login
    from public.users where id = ${id}`
