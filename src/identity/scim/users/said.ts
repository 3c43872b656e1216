/** The directory's data about a user, in the form of the database's functions. */
import { email as emailAddress } from '../../users/schema.ts'
import { invalidValue } from '../errors.ts'
import type { EmailEntry, UserBody, UserChange } from './schema.ts'

/** The attributes to set. Null: removed. Omitted: unchanged. */
export interface Said {
  user_name?: string
  external_id?: string | null
  given_name?: string | null
  family_name?: string | null
  display_name?: string | null
  preferred_language?: string | null
  email?: string
  is_active?: boolean
}

/** Returns the data of a new user's body. Throws 400 without an e-mail address. */
export function saidOfNew(body: UserBody): Said & { user_name: string; email: string } {
  const said = saidOfWhole(body)
  if (said.email === undefined)
    throw invalidValue('emails: Required unless the userName is an e-mail address.')
  return { is_active: true, ...said, email: said.email }
}

/** Returns the data of a body that replaces a user: attributes that it omits are removed, except `active`. */
export function saidOfWhole({ userName, name, ...body }: UserBody): Said & { user_name: string } {
  const kept =
    keptEmail(body.emails ?? [], true) ?? (emailAddress.safeParse(userName).success ? userName : undefined)
  return {
    user_name: userName,
    external_id: orNull(body.externalId),
    given_name: orNull(name?.givenName),
    family_name: orNull(name?.familyName),
    display_name: orNull(body.displayName),
    preferred_language: orNull(body.preferredLanguage),
    ...(kept === undefined ? {} : { email: validEmail(kept) }),
    ...(typeof body.active === 'boolean' ? { is_active: body.active } : {}),
  }
}

/** Returns the data of a change: attributes that it omits are unchanged. */
export function saidOfChange({ userName, name, emails, active, ...change }: UserChange): Said {
  const kept = keptEmail(emails ?? [], false)
  const texts = {
    external_id: change.externalId,
    given_name: name?.givenName,
    family_name: name?.familyName,
    display_name: change.displayName,
    preferred_language: change.preferredLanguage,
  }
  return {
    ...Object.fromEntries(
      Object.entries(texts).flatMap(([key, text]) => (text === undefined ? [] : [[key, orNull(text)]])),
    ),
    ...(userName === undefined ? {} : { user_name: userName }),
    ...(kept === undefined ? {} : { email: validEmail(kept) }),
    ...(typeof active === 'boolean' ? { is_active: active } : {}),
  }
}

const orNull = (text: string | null | undefined): string | null => (text ? text : null)

/**
 * Returns the address to store: the primary one, or the work address. With `orAny`, any other address will
 * do.
 */
function keptEmail(emails: readonly EmailEntry[], orAny: boolean): string | undefined {
  const isPrimary = ({ primary }: EmailEntry) => String(primary).toLowerCase() === 'true'
  const isWork = ({ type }: EmailEntry) => (type ?? 'work').toLowerCase() === 'work'
  return (emails.find(isPrimary) ?? emails.find(isWork) ?? (orAny ? emails[0] : undefined))?.value
}

function validEmail(text: string): string {
  const parsed = emailAddress.safeParse(text)
  if (!parsed.success) throw invalidValue(`emails: ${parsed.error.issues[0]?.message}`)
  return parsed.data
}
