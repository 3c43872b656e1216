/** What of a provider's words about somebody can become an account. */
import { email, type Person as NewUser, username } from '../../users/schema.ts'
import type { Person } from '../providers/provider.ts'

/**
 * The e-mail, where it is one that an account can have. Of ASCII alone: letters that only look alike, or become others in
 * lower case, are no way to somebody else's account.
 */
export function emailOf(person: Person): string | undefined {
  const { data } = email.safeParse(person.email)
  return data !== undefined && /^[\x21-\x7e]+$/.test(data) ? data : undefined
}

const nameLengthMax = 150

/** Without what cannot be seen. */
const named = (text: string): string => [...text.toWellFormed().replace(/\p{C}/gu, '')].slice(0, nameLengthMax).join('').trim()

export function asNewUser(person: Person, address: string): NewUser {
  return {
    uuid: crypto.randomUUID(),
    email: address,
    firstName: named(person.firstName),
    lastName: named(person.lastName),
    usernames: usernamesFor(person.username ?? address.slice(0, address.indexOf('@'))),
  }
}

/** The wish, as far as it is a user name, and others like it. */
function usernamesFor(wish: string): string[] {
  const base = wish.replace(/[^A-Za-z0-9_.+-]/g, '').slice(0, 100) || 'user'
  const another = () => `${base}-${crypto.randomUUID().slice(0, 8)}`
  return [base, another(), another()].filter((name) => username.safeParse(name).success)
}
