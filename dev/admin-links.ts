/** Creates superusers of a deployed service without a password, and the links by which they set one. */
import { randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { z } from 'zod'
import { tokenHash } from '../src/identity/accounts/emails/token-hash.ts'
import { isLocalUrl } from '../src/kernel/lib/variable-forms.ts'
import { onConnection } from './connection.ts'
import { inTransaction } from './in-transaction.ts'

/** How long a link works. The service's pages state the same time for links in e-mails. */
export const linkMinutes = 30

const page = '/accounts/password/reset/confirm/'

export interface Superuser {
  email: string
  username: string
  /** Whether the account can sign in. */
  isActive: boolean
  hasPassword: boolean
}

/** Domains that nobody owns: the demo uses them, and e-mails to them do not arrive. */
const reserved = /[@.](example\.(com|net|org)|example|test|invalid|localhost)$/

/** Returns an e-mail address as it is stored. Throws an Error if an administrator cannot have it. */
export function administratorEmail(text: string | undefined): string {
  const parsed = z.email().safeParse(text)
  if (!parsed.success) throw new Error(`${text ?? 'Nothing'} is not an e-mail address.`)
  if (reserved.test(parsed.data.toLowerCase()))
    throw new Error(`${parsed.data} is an address of the demo or of nobody. Use one that receives e-mail.`)
  return parsed.data
}

/**
 * Returns the address of the service, without a slash at its end. Throws an Error if there is none, or if it
 * is not public.
 */
export function serviceAddress(address: string | undefined): string {
  const isPublic =
    address !== undefined && URL.canParse(address) && (address.startsWith('https:') || isLocalUrl(address))
  if (!isPublic)
    throw new Error(
      '--url must be the https address of the service, or --env an environment with a PUBLIC_URL.',
    )
  return address.replace(/\/$/, '')
}

/**
 * Creates a superuser without a password. Returns the path and query of a link by which the person sets one.
 * Throws an Error if an account has the address.
 */
export const createSuperuser = (ownerUrl: string, email: string): Promise<string> =>
  onConnection(ownerUrl, (client) =>
    inTransaction(client, async () => {
      const { rows } = await client.query<{ id: string }>(
        `insert into public.users (username, email, is_superuser)
         select case when exists (select from public.users u where lower(u.username) = lower($1)) then $2 else $1 end,
                $2, true
          where not exists (select from public.users u where lower(u.email) = lower($2))
         returning id`,
        [email.split('@')[0], email],
      )
      if (!rows[0])
        throw new Error(
          `An account has the address ${email}. For a superuser, npm run admin -- link ${email} ` +
            `prints a new link.`,
        )
      return insertLink(client, rows[0].id, email)
    }),
  )

/**
 * Returns the path and query of a new link for a superuser; links before it end. Throws an Error if there is
 * none.
 */
export const renewLink = (ownerUrl: string, email: string): Promise<string> =>
  onConnection(ownerUrl, (client) =>
    inTransaction(client, async () => {
      const { rows } = await client.query<{ id: string; email: string }>(
        `select id, email from public.users where lower(email) = lower($1) and is_superuser and is_active for update`,
        [email],
      )
      if (!rows[0]) throw new Error(`No superuser who can sign in has the address ${email}.`)
      return insertLink(client, rows[0].id, rows[0].email)
    }),
  )

/** Returns the superusers in the order in which they were made. */
export const listSuperusers = (ownerUrl: string): Promise<Superuser[]> =>
  onConnection(ownerUrl, async (client) => {
    const { rows } = await client.query<Superuser>(
      `select email, username, is_active as "isActive", password_hash is not null as "hasPassword"
         from public.users where is_superuser order by id`,
    )
    return rows
  })

/** Inserts the row of a sent e-mail, which has only the hash of the token. */
async function insertLink(client: pg.Client, userId: string, email: string): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  await client.query(`delete from public.account_emails where user_id = $1 and kind = 'reset-password'`, [
    userId,
  ])
  await client.query(
    `insert into public.account_emails (id, kind, recipient, user_id, token_hash, sent_at, expires_at)
     values ($1, 'reset-password', $2, $3, $4, now(), now() + make_interval(mins => $5))`,
    [randomUUID(), email, userId, tokenHash(token), linkMinutes],
  )
  return `${page}?token=${token}`
}
