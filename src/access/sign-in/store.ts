import type { Database } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'

const deadlineMs = 5_000

export interface SignInAccount {
  id: number
  password_hash: string | null
  is_active: boolean
}

/** The account of a user name, else of an e-mail. */
export async function findAccount(database: Database, name: string): Promise<SignInAccount | undefined> {
  const select = sql`
    select id, password_hash, is_active from public.users
     where username = ${name} or lower(email) = lower(${name})
     order by username = ${name} desc limit 1`
  const results = await database.batch([select], deadlineMs)
  return results.row<SignInAccount>()
}

export async function noteSignIn(database: Database, userId: number): Promise<void> {
  await database.batch([sql`update public.users set last_login = now() where id = ${userId}`], deadlineMs)
}
