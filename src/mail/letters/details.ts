/** The values that the texts of e-mails contain. */

/** An e-mail about an account. */
export interface AccountDetails {
  username: string
  /** The link. Notices have none. */
  url: string
}

/** An e-mail with an invitation. */
export interface InvitationDetails {
  organization: string
  /** The inviter's name, or else the e-mail address. Null if the account no longer exists. */
  inviter: string | null
  /** The link that opens the invitation, with its code. */
  url: string
}

/** An e-mail with a code. `organization` and `site` are their display names. */
export interface CodeDetails {
  code: string
  organization: string
  site: string
}

/** An e-mail about a soft limit that a site has reached. */
export interface LimitDetails {
  site: string
  organization: string
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
