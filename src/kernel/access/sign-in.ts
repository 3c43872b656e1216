/** Authenticates a user by a name and a password. A1. */
import type { RequestContext } from '../context.ts'
import { wakeMs } from '../db/breaker.ts'
import { sql } from '../db/sql.ts'
import { signInFailed } from '../errors.ts'
import { storedAddress } from '../lib/mail-address.ts'
import { hashInTurn, verifyInTurn } from './hashing.ts'
import type { SignInInput } from './jwt/schema.ts'
import { knownDevice } from './known-device.ts'
import { isOutdated } from './passwords.ts'
import { type Admitted, admit } from './second-factor/service.ts'
import { hasFactor } from './second-factor/store.ts'
import { placeOf, selectHost } from './sign-in-hosts.ts'
import { throttleAccount, throttleAddress } from './throttle.ts'

const deadlineMs = wakeMs

interface Account {
  id: number
  generation: number
  password_hash: string | null
  is_active: boolean
  is_superuser: boolean
  has_factor: boolean
  read_at: string
}

/**
 * Returns the identity of the account that signs in. Throws FactorRequired if the account has a second
 * factor, and SignInElsewhere as `placeOf` does. Throws 401 for an unknown name, a wrong password and an
 * inactive account: the error and the amount of work are the same. Throws 429 for too many attempts from an
 * address or at an account. `device` is the cookie of a browser that has signed in before.
 */
export async function authenticate(
  ctx: RequestContext,
  { username, password }: SignInInput,
  device: string | undefined,
): Promise<Admitted> {
  await throttleAddress(ctx)
  const { account, host } = await findAccount(ctx, storedAddress(username))
  // Attempts are counted by account, whether the client sends its user name or its e-mail address. Attempts
  // with an unknown name are counted by the name, so that the client cannot see the difference. Attempts of a
  // known device count separately.
  const known = await knownDevice(ctx, account?.id ?? 0, device)
  const attempts = account ? `sign-in of ${account.id}` : `sign-in as ${username.trim()}`
  await throttleAccount(ctx, known === undefined ? attempts : `${attempts} at ${known}`)
  const correct = await verifyInTurn(ctx, password, account?.password_hash)
  if (!account || !correct || !account.is_active) throw signInFailed()
  const place = placeOf(ctx, { ...host, is_superuser: account.is_superuser })
  ctx.waitUntil(recordSignIn(ctx, account, password))
  const { id: userId, generation, has_factor, read_at: readAt } = account
  return admit(ctx, { userId, generation, methods: ['pwd'], readAt }, place, has_factor)
}

/** Finds an account by its user name, or else by its e-mail, and what the host of the request is. */
async function findAccount(ctx: RequestContext, name: string) {
  const account = sql<Account>`
    select id, generation, password_hash, is_active, is_superuser, ${hasFactor(sql`id`)} as has_factor,
           clock_timestamp()::text as read_at from public.users
     where lower(username) = lower(${name}) or lower(email) = lower(${name})
     order by lower(username) = lower(${name}) desc limit 1`
  const answers = await ctx.database.batch({ account, host: selectHost(ctx, null) }, deadlineMs)
  return { account: answers.account.first, host: answers.host.one }
}

/** Stores the time of the sign-in, and a stronger hash of the password if the stored one is outdated. */
async function recordSignIn(
  ctx: RequestContext,
  { id, password_hash }: Account,
  password: string,
): Promise<void> {
  // If the isolate is too busy to hash now, the next sign-in updates the hash.
  const needsHash = password_hash !== null && isOutdated(password_hash, ctx.config.PASSWORD_COST)
  const newHash = needsHash ? await hashInTurn(ctx, password).catch(() => null) : null
  const update = sql`
    update public.users
       set last_login = now(),
           password_hash = case when password_hash = ${password_hash} then coalesce(${newHash}, password_hash)
                                else password_hash end
     where id = ${id}`
  await ctx.database.batch({ update }, deadlineMs)
}
