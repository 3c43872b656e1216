/** Creates the superuser, or sets its password if it has another one. */
import { hashPassword, verifyPassword } from '../src/kernel/access/passwords.ts'
import { onConnection } from './connection.ts'

export async function ensureSuperuser(url: string, email: string, password: string): Promise<void> {
  await onConnection(url, async (client) => {
    const { rows } = await client.query<{ id: string; password_hash: string | null }>(
      'select id, password_hash from public.users where lower(email) = lower($1)',
      [email],
    )
    const account = rows[0]
    if (!account) {
      const username = email.split('@')[0]
      await client.query(
        `insert into public.users (username, email, password_hash, is_superuser)
         values (case when exists (select from public.users where lower(username) = lower($1)) then $2 else $1 end, $2, $3, true)`,
        [username, email, await hashPassword(password)],
      )
    } else if (!(await verifyPassword(password, account.password_hash))) {
      await client.query(
        'update public.users set password_hash = $2, is_superuser = true, is_active = true, generation = generation + 1 where id = $1',
        [account.id, await hashPassword(password)],
      )
    }
  })
}
