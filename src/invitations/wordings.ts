/** What the letters say. Spec: Invitations, e-mail wording differs. */
import { inline } from '../lib/inline.ts'
import type { Wording } from '../mail/service.ts'

interface Invited {
  organization: string
  /** Who invites: a name, else an address; null where the account is gone. */
  inviter: string | null
  url: string
}

const invites = ({ organization, inviter }: Invited) =>
  inviter ? `${inline(inviter)} invites you to join ${inline(organization)}.` : `You are invited to join ${inline(organization)}.`

const unexpected = 'If you did not expect this, you need not do anything: nothing happens without you.'

export const toNewUser = (invited: Invited): Wording => ({
  subject: `Invitation to ${inline(invited.organization)}`,
  paragraphs: ['Hello,', invites(invited), 'To accept, tell us your name and choose a password.'],
  action: { label: 'Accept the invitation', url: invited.url },
  small: unexpected,
})

export const toExistingUser = (invited: Invited): Wording => ({
  subject: `Invitation to ${inline(invited.organization)}`,
  paragraphs: [
    'Hello,',
    invites(invited),
    'There is an account with your address already: accepting adds this organization to it. The password that you enter becomes the password of your account, and ends where you are signed in.',
  ],
  action: { label: 'Accept the invitation', url: invited.url },
  small: unexpected,
})

/** To the owner of an account that an invitation has changed. I6. */
export const passwordReplaced = (organization: string): Wording => ({
  subject: 'Your password has been changed',
  paragraphs: [
    'Hello,',
    `an invitation to ${inline(organization)} was accepted with your address. The password of your account is now the one that was entered there, everything that was signed in has been signed out, and its API keys are gone.`,
    'If that was not you, ask the operator of this service to secure your account, at once.',
  ],
  small: 'This letter is sent whenever an invitation changes an account that existed.',
})
