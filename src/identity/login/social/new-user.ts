/** Turns a provider's description of a person into an account that can be created. */
import { type ExternalUser, email, username } from '../../users/schema.ts'
import type { Person } from '../providers/provider.ts'

/**
 * Returns the person's e-mail, or undefined if an account cannot have it. Only ASCII is accepted: other
 * letters may look like another person's address, or become it in lower case.
 */
export function emailOf(person: Person): string | undefined {
  const { data } = email.safeParse(person.email)
  return data !== undefined && /^[\x21-\x7e]+$/.test(data) ? data : undefined
}

const nameLengthMax = 150

/** Removes invisible characters and cuts the name to its maximal length. */
const cleanName = (text: string): string =>
  [...text.toWellFormed().replace(/\p{C}/gu, '')].slice(0, nameLengthMax).join('').trim()

/** Returns the account to create for a person. `address` is the result of `emailOf`. */
export function asNewUser(person: Person, address: string): ExternalUser {
  return {
    uuid: crypto.randomUUID(),
    email: address,
    firstName: cleanName(person.firstName),
    lastName: cleanName(person.lastName),
    usernames: usernamesFor(person.username ?? address.slice(0, address.indexOf('@'))),
  }
}

/** Returns the valid characters of the preferred name, and two variations in case it is taken. */
function usernamesFor(preferred: string): string[] {
  const base = preferred.replace(/[^A-Za-z0-9_.+-]/g, '').slice(0, 100) || 'user'
  const variation = () => `${base}-${crypto.randomUUID().slice(0, 8)}`
  return [base, variation(), variation()].filter((name) => username.safeParse(name).success)
}
