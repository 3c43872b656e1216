/** The values that the texts of e-mails contain. */
import type { LetterName } from '../letter-name.ts'

/** An e-mail about an account. */
export interface AccountDetails {
  username: LetterName
  /** The link. Notices have none. */
  url: string
}

/** The last lines of an e-mail that an organization has caused, and that its reader did not ask for. */
export interface SenderDetails {
  organization: LetterName
  /** The slug of the organization, which no other one has. */
  slug: string
}

/** An e-mail about an invitation that was accepted. */
export interface AcceptedDetails {
  organization: LetterName
}

/** An e-mail with an invitation. */
export interface InvitationDetails {
  organization: LetterName
  /** The inviter's name. Empty without one. */
  inviter: LetterName
  /** The link that opens the invitation, with its code. */
  url: string
}

/** An e-mail with a code. `organization` and `site` are their display names. */
export interface CodeDetails {
  code: string
  organization: LetterName
  site: LetterName
}

/** An e-mail about a soft limit that a site has reached. */
export interface LimitDetails {
  site: LetterName
  organization: LetterName
  measure: 'requests' | 'invocations' | 'emails' | 'records' | 'bytes'
  /** For example `2026-11`. */
  month: string
  soft: number
  used: number
  /** The hard limit. Null: none. */
  hard: number | null
  url: string
}

/** Tells whether the limit is for a month, and not for stored data. */
export const isOfMonth = ({ measure }: LimitDetails): boolean => measure !== 'records' && measure !== 'bytes'

/** The site whose application has written an e-mail. */
export interface SiteDetails {
  site: LetterName
}
