/** The SQL of passkeys. */

import type { passkeys } from '../../../../drizzle/platform/factors.ts'
import type { RelyingParty } from '../../../kernel/access/relying-party.ts'
import type { NewTrust } from '../../../kernel/access/trust-responses.ts'
import type { Caller } from '../../../kernel/context.ts'
import { columnsOf, computed, type OrNulls, of } from '../../../kernel/db/columns.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { type List, type ListQuery, selectPage } from '../../../kernel/http/lists/list.ts'
import { type AddedRow, type FinishedRow, trustDevice } from '../factors/store.ts'
import { listForm, type Passkey } from './schema.ts'
import type { NewKey } from './verify.ts'

const k = of<typeof passkeys>('k')

export const list: List<typeof listForm> = {
  ...listForm,
  columns: {
    id: sql`k.id`,
    name: sql`k.name`,
    created: sql`k.created`,
    last_used_at: { nullable: sql`k.last_used_at` },
  },
  last: sql`k.id`,
  texts: [sql`k.name`, sql`k.rp_id`],
}

/**
 * Selects a page of the caller's passkeys. A sign-in that counts in one organization sees those that count
 * there. A8
 */
export const selectPasskeys = ({ userId, organizationId }: Caller, query: ListQuery) =>
  selectPage(list, query, {
    columns: columnsOf(
      k('id', 'name', 'rp_id as host'),
      computed<Pick<Passkey, 'organization'>>({
        organization: sql`(select o.slug from public.organizations o where o.id = k.organization_id)`,
      }),
      k.times('created', 'last_used_at'),
    ),
    from: sql`public.passkeys k`,
    where: [
      sql`k.user_id = ${userId} and coalesce(${organizationId ?? null}::bigint = k.organization_id,
                                             ${organizationId === undefined})`,
    ],
  })

/** Selects the caller's passkeys on a host, so that an authenticator does not create a second one. */
export const selectKnown = ({ userId }: Caller, rpId: string) => sql<{ id: string; transports: string[] }>`
  select k.credential_id as id, k.transports from public.passkeys k
   where k.user_id = ${userId} and k.rp_id = ${rpId} order by k.id`

const challengeSeconds = 300

/** Whether passkeys work on a host. */
const isParty = ({ id, isService }: RelyingParty): Sql =>
  sql`(${isService} or public.party_organization(${id}, ${isService}) is not null)`

/** Stores the challenge for a new passkey. Returns no row if passkeys do not work on the host. */
export const insertForNew = (hash: string, { userId }: Caller, party: RelyingParty) => sql<{ hash: string }>`
  insert into public.passkey_challenges (hash, user_id, rp_id, expires_at)
  select ${hash}, ${userId}, ${party.id}, now() + make_interval(secs => ${challengeSeconds})
   where ${isParty(party)}
  returning hash`

/** Stores the challenge of a sign-in. Returns no row if passkeys do not work on the host. */
export const insertForSignIn = (hash: string, party: RelyingParty) => sql<{ hash: string }>`
  insert into public.passkey_challenges (hash, rp_id, expires_at)
  select ${hash}, ${party.id}, now() + make_interval(secs => ${challengeSeconds})
   where ${isParty(party)}
  returning hash`

/**
 * Stores the challenge for the second factor of a sign-in. Returns no row if the sign-in has expired, is
 * complete, or has begun at another host than the request's (`domain`).
 */
export const insertForSecond = (
  hash: string,
  party: RelyingParty,
  { signIn, domain }: { signIn: string; domain: string | null },
) => sql<{ hash: string }>`
  insert into public.passkey_challenges (hash, sign_in, rp_id, expires_at)
  select ${hash}, c.id, ${party.id}, c.expires_at
    from public.sign_in_challenges c
   where c.id = ${signIn} and c.host is not distinct from ${domain} and c.expires_at > now()
     and ${isParty(party)}
  returning hash`

/**
 * Deletes and returns the challenge of the caller's new passkey. If it is used several times at once, only
 * one request gets it.
 */
export const takeForNew = (hash: string, { userId }: Caller, { id }: RelyingParty) => sql<{ hash: string }>`
  delete from public.passkey_challenges c
   where c.hash = ${hash} and c.user_id = ${userId} and c.rp_id = ${id} and c.expires_at > now()
  returning c.hash`

/**
 * Stores the challenge for the passkey of a new account. Returns no row if passkeys do not work on the host.
 */
export const insertForSignUp = (hash: string, handle: string, party: RelyingParty) => sql<{ hash: string }>`
  insert into public.passkey_challenges (hash, handle, rp_id, expires_at)
  select ${hash}, ${handle}, ${party.id}, now() + make_interval(secs => ${challengeSeconds})
   where ${isParty(party)}
  returning hash`

/** Deletes the challenge of a sign-up, and returns the UUID of the future account. */
export const takeForSignUp = (hash: string, { id }: RelyingParty) => sql<{ handle: string }>`
  delete from public.passkey_challenges c
   where c.hash = ${hash} and c.handle is not null and c.rp_id = ${id} and c.expires_at > now()
  returning c.handle`

/** Deletes the challenge of a sign-in that is not bound to an account. */
export const takeAlone = (hash: string, { id }: RelyingParty) => sql<{ hash: string }>`
  delete from public.passkey_challenges c
   where c.hash = ${hash} and c.user_id is null and c.handle is null and c.sign_in is null
     and c.rp_id = ${id} and c.expires_at > now()
  returning c.hash`

/** The challenge of a sign-in, and the passkey that has signed it. */
export type SigningRow = {
  /** The sign-in that needs this second factor. Null: the passkey is the only factor. */
  sign_in: string | null
  /** Nulls: no account has this passkey on the host. */
} & OrNulls<NewKey & { id: number; uuid: string }>

/**
 * Deletes the challenge of a sign-in, and returns it with a passkey. If it is used several times at once,
 * only one request gets it.
 */
export const takeForSignIn = (hash: string, credentialId: string, { id }: RelyingParty) => sql<SigningRow>`
  with taken as (
    delete from public.passkey_challenges c
     where c.hash = ${hash} and c.user_id is null and c.handle is null and c.rp_id = ${id}
       and c.expires_at > now()
    returning c.sign_in, c.rp_id)
  select t.sign_in, k.id, k.credential_id as "credentialId", k.public_key as "publicKey", k.counter, u.uuid
    from taken t
    left join public.passkeys k on k.credential_id = ${credentialId} and k.rp_id = t.rp_id
    left join public.users u on u.id = k.user_id`

export interface PasskeyToAdd extends NewKey {
  party: RelyingParty
  transports: readonly string[]
  name: string
  hashes: readonly string[]
  notice: string
}

/** A passkey to add, as SQL of the type public.new_passkey. */
export const newPasskeySql = ({
  credentialId,
  publicKey,
  counter,
  party,
  transports,
  name,
}: Omit<PasskeyToAdd, 'hashes' | 'notice'>): Sql => sql`
  row(${credentialId}, ${publicKey}, ${counter}, ${party.id}, ${party.isService}, ${transports}::text[],
      ${name})::public.new_passkey`

/** Adds a passkey: public.add_passkey. Returns no row if it cannot be added. */
export const addPasskey = ({ userId }: Caller, { hashes, notice, ...passkey }: PasskeyToAdd) => sql<AddedRow>`
  select a.generation, a.has_codes
    from public.add_passkey(${userId}, ${newPasskeySql(passkey)}, ${hashes}::text[], ${notice}) a`

/** Signs in with a passkey: public.use_passkey. Returns no row if it is not accepted. */
export const usePasskey = (
  id: number,
  { counter, signIn, trust }: { counter: number; signIn: string | null; trust: NewTrust | null },
) => sql<FinishedRow>`
  select p.user_id, p.generation, p.organization_id, p.methods, clock_timestamp()::text as read_at,
         ${trustDevice(sql`p.user_id`, trust)}
    from public.use_passkey(${id}, ${counter}, ${signIn}) p`
