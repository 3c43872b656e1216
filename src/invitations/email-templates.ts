/** The e-mails about invitations. Spec: Invitations, e-mail wording differs. */
import { singleLine } from '../lib/single-line.ts'
import type { EmailContent } from '../mail/service.ts'

/** The details of an invitation that its e-mail mentions. */
interface InvitationDetails {
  organization: string
  /** The inviter's name, or else the e-mail address. Null if the account no longer exists. */
  inviter: string | null
  /** The link that opens the invitation, with its code. */
  url: string
}

/** Invites somebody who has no account yet. */
export const invitationToNewUser = (invitation: InvitationDetails): EmailContent => ({
  ...frame(invitation),
  paragraphs: [
    'Hello,',
    introduction(invitation),
    'To join, open the invitation, tell us your name and choose a password. It only takes a minute.',
  ],
})

/** Invites somebody who already has an account. Accepting replaces the password, so the e-mail says so. */
export const invitationToExistingUser = (invitation: InvitationDetails): EmailContent => ({
  ...frame(invitation),
  paragraphs: [
    'Hello,',
    introduction(invitation),
    'You already have an account with this e-mail address. If you accept, you can use it for ' +
      `${singleLine(invitation.organization)} too.`,
    'Please note: the password that you choose when you accept replaces your current one. You will be ' +
      'signed out everywhere, and your API keys will be deleted.',
  ],
})

const introduction = ({ organization, inviter }: InvitationDetails): string =>
  inviter === null || inviter === ''
    ? `You have been invited to join ${singleLine(organization)}.`
    : `${singleLine(inviter)} has invited you to join ${singleLine(organization)}.`

const frame = ({ organization, url }: InvitationDetails) => ({
  subject: `You're invited to join ${singleLine(organization)}`,
  action: { label: 'Accept invitation', url },
  footer: "If you weren't expecting this invitation, you can ignore this e-mail.",
})

/** Tells the owner of an account that accepting an invitation has changed its password. I6. */
export const passwordReplaced = (organization: string): EmailContent => ({
  subject: 'Your password was changed',
  paragraphs: [
    'Hello,',
    `An invitation to ${singleLine(organization)} was accepted with your account. Your password was ` +
      `changed, ` +
      'you were signed out everywhere, and your API keys were deleted.',
    'If this was you, all is well: just sign in with your new password.',
    "If this wasn't you, please contact the operator of this service right away to secure your account.",
  ],
  footer: 'We send this e-mail whenever accepting an invitation changes an existing account.',
})
