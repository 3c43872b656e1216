/** The kinds of e-mails about accounts. */

/** E-mails with a link, which works once and for 30 minutes. */
export type LinkKind = 'reset-password' | 'verify-email' | 'change-email' | 'sign-up'
/** E-mails with a link, which works once and for a week, that functions of the database request. */
type LongLinkKind = 'account-created'
/** E-mails that inform the owner of an account about a change. */
type NoticeKind =
  | 'password-changed'
  | 'email-changed'
  | 'factors-changed'
  | 'provider-linked'
  | 'credentials-ended'
  | 'deletion-planned'
  | 'account-deleted'
/**
 * All kinds of e-mails: the values of the column `kind` of `public.account_emails`, and two variants of the
 * e-mail of a sign-up, one for an address that has an account and one for a passkey.
 */
export type EmailKind = LinkKind | LongLinkKind | NoticeKind | 'sign-up-known' | 'sign-up-passkey'
