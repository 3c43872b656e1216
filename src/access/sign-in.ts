/** Finds out who somebody is by a name and a password. A1. */
import type { RequestContext } from '../context.ts'
import { wakeMs } from '../db/breaker.ts'
import type { Database } from '../db/client.ts'
import { sql } from '../db/sql.ts'
import { signInRefused } from '../errors.ts'
import { hashInTurn, verifyInTurn } from './hashing.ts'
import type { SignInInput } from './jwt/schema.ts'
import { isOutdated } from './passwords.ts'
import { throttleAccount, throttleAddress } from './throttle.ts'
import type { Identity } from './tokens.ts'

const deadlineMs = wakeMs

interface Account {
  id: number
  generation: number
  password_hash: string | null
  is_active: boolean
}

/** Who signs in. The same refusal, after the same work, for an unknown name, a wrong password and an inactive account. */
export async function authenticate(ctx: RequestContext, { username, password }: SignInInput): Promise<Identity> {
  await throttleAddress(ctx)
  const account = await findAccount(ctx.database, username)
  // By the account, whichever of its names was sent; by the name where there is none, so that nobody sees the difference.
  await throttleAccount(ctx, account ? `sign-in of ${account.id}` : `sign-in as ${username.trim()}`)
  const correct = await verifyInTurn(ctx, password, account?.password_hash)
  if (!account || !correct || !account.is_active) throw signInRefused()
  ctx.waitUntil(noteSignIn(ctx, account, password))
  return { userId: account.id, generation: account.generation }
}

/** The account of a user name, else of an e-mail. */
async function findAccount(database: Database, name: string): Promise<Account | undefined> {
  const account = sql<Account>`
    select id, generation, password_hash, is_active from public.users
     where username = ${name} or lower(email) = lower(${name})
     order by username = ${name} desc limit 1`
  const answers = await database.batch({ account }, deadlineMs)
  return answers.account.first
}

/** Only now is the password known: where it was hashed with less work than today's, it is hashed anew. */
async function noteSignIn(ctx: RequestContext, { id, password_hash }: Account, password: string): Promise<void> {
  // Where there is no time for it now, the next sign-in does it.
  const stronger = password_hash && isOutdated(password_hash) ? await hashInTurn(ctx, password).catch(() => null) : null
  const note = sql`
    update public.users
       set last_login = now(),
           password_hash = case when password_hash = ${password_hash} then coalesce(${stronger}, password_hash) else password_hash end
     where id = ${id}`
  await ctx.database.batch({ note }, deadlineMs)
}
