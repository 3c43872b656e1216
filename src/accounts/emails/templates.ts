/** The texts of the e-mails about accounts. */
import { singleLine } from '../../lib/single-line.ts'
import type { EmailContent } from '../../mail/service.ts'
import type { EmailKind } from './schema.ts'

/** What the texts name. */
interface Details {
  username: string
  /** The link. Notices have none. */
  url: string
}

const notWanted = 'If you did not ask for this, you can ignore this e-mail: nothing changes.'
const validity = 'The link works once, and for 30 minutes.'
const notYou = "If this wasn't you, reset your password right away, or contact the operator of this service."

/** The content of each kind of e-mail. */
export const templates: Readonly<Record<EmailKind, (details: Details) => EmailContent>> = {
  'reset-password': ({ username, url }) => ({
    subject: 'Reset your password',
    paragraphs: [
      'Hello,',
      `Somebody has asked to reset the password of your account ${singleLine(username)}. ` +
        `If this was you, choose a new password. ${validity}`,
      'You will be signed out everywhere, and your API keys will be deleted.',
    ],
    action: { label: 'Choose a new password', url },
    footer: notWanted,
  }),
  'verify-email': ({ username, url }) => ({
    subject: 'Verify your e-mail address',
    paragraphs: [
      'Hello,',
      `Please verify that this is the e-mail address of your account ${singleLine(username)}. ${validity}`,
      'If somebody else has set the password of the account, or has connected it with a provider, that ' +
        'will be removed.',
    ],
    action: { label: 'Verify the address', url },
    footer: notWanted,
  }),
  'change-email': ({ username, url }) => ({
    subject: 'Confirm your new e-mail address',
    paragraphs: [
      'Hello,',
      `The account ${singleLine(username)} is to get this e-mail address. If this is your account, confirm ` +
        `the address while you are signed in. ${validity}`,
    ],
    action: { label: 'Confirm the address', url },
    footer: notWanted,
  }),
  'account-created': ({ username, url }) => ({
    subject: 'Choose a password for your account',
    paragraphs: [
      'Hello,',
      `Your organization has made the account ${singleLine(username)} for you. Choose a password to sign ` +
        'in with. The link works once, and for seven days.',
      'Later, you can ask for a new link on the sign-in page: "Forgot your password?"',
    ],
    action: { label: 'Choose a password', url },
    footer: 'You get this e-mail because an administrator of your organization uses this service.',
  }),
  'sign-up': ({ url }) => ({
    subject: 'Finish your sign-up',
    paragraphs: [
      'Hello,',
      'Somebody has signed up with this e-mail address. If this was you, open the link and enter the ' +
        `password that you have chosen. ${validity}`,
    ],
    action: { label: 'Finish the sign-up', url },
    footer: `${notWanted} Nobody can finish the sign-up without this e-mail.`,
  }),
  'sign-up-passkey': ({ url }) => ({
    subject: 'Finish your sign-up',
    paragraphs: [
      'Hello,',
      'Somebody has signed up with this e-mail address and a passkey. If this was you, open the link on a ' +
        `device that has the passkey, and use it. ${validity}`,
    ],
    action: { label: 'Finish the sign-up', url },
    footer: `${notWanted} Nobody can finish the sign-up without this e-mail.`,
  }),
  'sign-up-known': ({ url }) => ({
    subject: 'You already have an account',
    paragraphs: [
      'Hello,',
      'Somebody has signed up with this e-mail address, which already has an account. If this was you, ' +
        'sign in with your password. If you have forgotten it, you can choose a new one.',
    ],
    action: { label: 'Reset the password', url },
    footer: notWanted,
  }),
  'password-changed': ({ username }) => ({
    subject: 'Your password was changed',
    paragraphs: [
      'Hello,',
      `The password of your account ${singleLine(username)} was changed. You were signed out everywhere, ` +
        'and your API keys were deleted.',
      notYou,
    ],
    footer: 'We send this e-mail whenever a password is changed.',
  }),
  'email-changed': ({ username }) => ({
    subject: 'Your e-mail address was changed',
    paragraphs: [
      'Hello,',
      `Your account ${singleLine(username)} has another e-mail address now. We write to the new one from ` +
        'now on.',
      "If this wasn't you, contact the operator of this service right away.",
    ],
    footer: 'We send this e-mail to the former address whenever an address is changed.',
  }),
  'factors-changed': ({ username }) => ({
    subject: 'The second factors of your account were changed',
    paragraphs: [
      'Hello,',
      `An authenticator app or a passkey was added to your account ${singleLine(username)} or removed from ` +
        'it, or it got new recovery codes.',
      "If this wasn't you, sign in, remove what is not yours, end all other sign-ins, and change your " +
        'password.',
    ],
    footer: 'We send this e-mail whenever the second factors of an account are changed.',
  }),
  'provider-linked': ({ username }) => ({
    subject: 'A provider was linked to your account',
    paragraphs: [
      'Hello,',
      `Your account ${singleLine(username)} can be opened with another provider now.`,
      "If this wasn't you, sign in, unlink what is not yours, end all other sign-ins, and change your " +
        'password.',
    ],
    footer: 'We send this e-mail whenever a signed-in person links a provider to an account.',
  }),
  'deletion-planned': ({ username }) => ({
    subject: 'Your account will be deleted',
    paragraphs: [
      'Hello,',
      `Your account ${singleLine(username)} will be deleted in seven days. You were signed out everywhere, ` +
        'and your API keys were deleted.',
      'To keep the account, sign in again within this time and restore it.',
      notYou,
    ],
    footer: 'We send this e-mail whenever the deletion of an account is planned.',
  }),
  'account-deleted': () => ({
    subject: 'Your account was deleted',
    paragraphs: ['Hello,', 'As you have asked seven days ago, your account was deleted.'],
    footer: 'We send this e-mail whenever an account is deleted.',
  }),
}
