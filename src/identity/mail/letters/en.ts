/** The texts of e-mails, in English. Other languages have the same members (`Letters`). */
import {
  type AcceptedDetails,
  type AccountDetails,
  type CodeDetails,
  type InvitationDetails,
  isOfMonth,
  type LimitDetails,
  type SenderDetails,
  type SiteDetails,
} from './details.ts'

const notWanted = 'If you did not request this, you can ignore this e-mail.'
const validity = 'The link works once, for 30 minutes.'
const notYou = "If this wasn't you, reset your password right away, or contact the operator of this service."

const introduction = ({ organization, inviter }: InvitationDetails): string =>
  `${inviter}` === ''
    ? `You have been invited to join ${organization}.`
    : `${inviter} has invited you to join ${organization}.`

const invitationFrame = ({ organization, url }: InvitationDetails) => ({
  subject: `You're invited to join ${organization}`,
  action: { label: 'Accept invitation', url },
  footer: "If you weren't expecting this invitation, you can ignore this e-mail.",
})

/** The names of the measures. */
const measures: Readonly<Record<LimitDetails['measure'], string>> = {
  requests: 'requests',
  invocations: 'runs of functions',
  emails: 'e-mails',
  records: 'records',
  bytes: 'bytes',
}

/** The e-mails about accounts, by their kinds. */
const accounts = {
  'reset-password': ({ username, url }: AccountDetails) => ({
    subject: 'Reset your password',
    paragraphs: [
      'Hello,',
      `Somebody has asked to reset the password of your account ${username}. ` +
        `If this was you, choose a new password. ${validity}`,
      'You will be signed out everywhere, and your API keys will be deleted.',
    ],
    action: { label: 'Choose a new password', url },
    footer: notWanted,
  }),
  'verify-email': ({ username, url }: AccountDetails) => ({
    subject: 'Verify your e-mail address',
    paragraphs: [
      'Hello,',
      `Please verify that this is the e-mail address of your account ${username}. ${validity}`,
      "If somebody else has set the account's password, or has linked a provider to it, this " +
        'will be removed.',
    ],
    action: { label: 'Verify the address', url },
    footer: notWanted,
  }),
  'change-email': ({ username, url }: AccountDetails) => ({
    subject: 'Confirm your new e-mail address',
    paragraphs: [
      'Hello,',
      `The account ${username} is to get this e-mail address. If this is your account, confirm ` +
        `the address while you are signed in. ${validity}`,
    ],
    action: { label: 'Confirm the address', url },
    footer: notWanted,
  }),
  'account-created': ({ username, url }: AccountDetails) => ({
    subject: 'Choose a password for your account',
    paragraphs: [
      'Hello,',
      `An organization has made the account ${username} for you. Choose a password to sign ` +
        'in with. The link works once, for seven days.',
      'Later, you can ask for a new link on the sign-in page: "Forgot your password?"',
    ],
    action: { label: 'Choose a password', url },
    footer: 'If you did not expect this account, you can ignore this e-mail.',
  }),
  'sign-up': ({ url }: AccountDetails) => ({
    subject: 'Finish your sign-up',
    paragraphs: [
      'Hello,',
      'Somebody has signed up with this e-mail address. If this was you, open the link and enter the ' +
        `password that you have chosen. ${validity}`,
    ],
    action: { label: 'Finish the sign-up', url },
    footer: `${notWanted} Nobody can finish the sign-up without this e-mail.`,
  }),
  'sign-up-passkey': ({ url }: AccountDetails) => ({
    subject: 'Finish your sign-up',
    paragraphs: [
      'Hello,',
      'Somebody has signed up with this e-mail address and a passkey. If this was you, open the link on a ' +
        `device that has the passkey, and use it. ${validity}`,
    ],
    action: { label: 'Finish the sign-up', url },
    footer: `${notWanted} Nobody can finish the sign-up without this e-mail.`,
  }),
  'sign-up-known': ({ url }: AccountDetails) => ({
    subject: 'You already have an account',
    paragraphs: [
      'Hello,',
      'Somebody has signed up with this e-mail address, which already has an account. If this was you, ' +
        'sign in with your password. If you have forgotten it, you can choose a new one. The page of your ' +
        'account then lets you join the site.',
    ],
    action: { label: 'Reset the password', url },
    footer: notWanted,
  }),
  'password-changed': ({ username }: AccountDetails) => ({
    subject: 'Your password was changed',
    paragraphs: [
      'Hello,',
      `The password of your account ${username} was changed. You were signed out everywhere, ` +
        'and your API keys were deleted.',
      notYou,
    ],
    footer: 'We send this e-mail whenever a password is changed.',
  }),
  'email-changed': ({ username }: AccountDetails) => ({
    subject: 'Your e-mail address was changed',
    paragraphs: [
      'Hello,',
      `Your account ${username} has another e-mail address now. We write to the new one from now on.`,
      "If this wasn't you, contact the operator of this service right away.",
    ],
    footer:
      'We send this e-mail to the former address whenever an address is changed, and also to the new one ' +
      'if somebody else has changed it.',
  }),
  'factors-changed': ({ username }: AccountDetails) => ({
    subject: 'The second factors of your account were changed',
    paragraphs: [
      'Hello,',
      `An authenticator app or a passkey was added to your account ${username} or removed from ` +
        'it, or it got new recovery codes.',
      "If this wasn't you, sign in, remove unknown second factors, end all other sign-ins, and change your " +
        'password.',
    ],
    footer: 'We send this e-mail whenever the second factors of an account are changed.',
  }),
  'provider-linked': ({ username }: AccountDetails) => ({
    subject: 'A provider was linked to your account',
    paragraphs: [
      'Hello,',
      `Your account ${username} can be opened with another provider now.`,
      "If this wasn't you, sign in, unlink the provider, end all other sign-ins, and change your " +
        'password.',
    ],
    footer: 'We send this e-mail whenever a signed-in person links a provider to an account.',
  }),
  'credentials-ended': ({ username }: AccountDetails) => ({
    subject: 'A provider was linked to your account for the first time',
    paragraphs: [
      'Hello,',
      `A provider has confirmed your e-mail address, and now opens your account ${username}. What ` +
        'somebody else may have made before has ended: the password, API keys and sign-ins that were not ' +
        'made after a proof that the address is yours.',
      `To use a password, choose a new one. ${notYou}`,
    ],
    footer: 'We send this e-mail if the first sign-in through a provider ends something of an account.',
  }),
  'deletion-planned': ({ username }: AccountDetails) => ({
    subject: 'Your account will be deleted',
    paragraphs: [
      'Hello,',
      `Your account ${username} will be deleted in seven days. You were signed out everywhere, ` +
        'and your API keys were deleted.',
      'To keep the account, sign in again within this time and restore it.',
      notYou,
    ],
    footer: 'We send this e-mail whenever the deletion of an account is scheduled.',
  }),
  'account-deleted': () => ({
    subject: 'Your account was deleted',
    paragraphs: ['Hello,', 'Your account was deleted, as you requested seven days ago.'],
    footer: 'We send this e-mail whenever an account is deleted.',
  }),
}

/** The e-mails about invitations. I6. */
const invitations = {
  /** Invites somebody without an account. */
  toNewUser: (invitation: InvitationDetails) => ({
    ...invitationFrame(invitation),
    paragraphs: [
      'Hello,',
      introduction(invitation),
      'To join, open the invitation, tell us your name and choose a password. It only takes a minute.',
    ],
  }),
  /** Invites somebody with an account. Accepting replaces the password, so the e-mail says so. */
  toExistingUser: (invitation: InvitationDetails) => ({
    ...invitationFrame(invitation),
    paragraphs: [
      'Hello,',
      introduction(invitation),
      'You already have an account with this e-mail address. If you accept, you can use it for ' +
        `${invitation.organization} too.`,
      'Please note: the password that you choose when you accept replaces your current one. You will be ' +
        'signed out everywhere, and your API keys will be deleted.',
    ],
  }),
  /** Tells the owner of an account that accepting an invitation has changed its password. */
  passwordReplaced: ({ organization }: AcceptedDetails) => ({
    subject: 'Your password was changed',
    paragraphs: [
      'Hello,',
      `An invitation to ${organization} was accepted with your account. Your password was ` +
        'changed, you were signed out everywhere, and your API keys were deleted.',
      'If this was you, all is well: just sign in with your new password.',
      "If this wasn't you, please contact the operator of this service right away to secure your account.",
    ],
    footer: 'We send this e-mail whenever accepting an invitation changes an existing account.',
  }),
}

/** Contains the code that confirms a sign-in. S7. */
const signInCode = ({ code, organization, site }: CodeDetails) => ({
  subject: `Your code for ${site}: ${code}`,
  paragraphs: [
    'Hello,',
    `Somebody is signing in to ${site} of ${organization} ` +
      'with your e-mail address. If this is you, enter this code on the page where you are signing in:',
    code,
    'The code is valid for ten minutes. Once you have used it, you can also sign in to ' +
      `${organization} with the provider that you chose. ` +
      'This does not affect other organizations.',
  ],
  footer: 'If you are not signing in, do not give the code to anybody. You can ignore this e-mail.',
})

/** Tells a user who manages a site that the site has reached a soft limit. */
function softLimitReached(reached: LimitDetails) {
  const { site, organization, month, soft, used, hard, url } = reached
  const counted = (count: number) => `${count.toLocaleString('en')} ${measures[reached.measure]}`
  return {
    subject: `${site}: ${counted(soft)} reached`,
    paragraphs: [
      'Hello,',
      `The site ${site} of ${organization} has ${isOfMonth(reached) ? 'used' : 'stored'} ${counted(used)}` +
        `${isOfMonth(reached) ? ` in ${month}` : ''}. This is a soft limit: it is set to ${counted(soft)}, ` +
        'and nothing is refused.',
      hard === null
        ? 'There is no hard limit.'
        : `From ${counted(hard)} on, requests that need more are refused.`,
    ],
    action: { label: 'Open the console', url },
    footer: 'We send this e-mail once a month for each limit, to everybody who manages the site.',
  }
}

/** Says who had an e-mail sent that its reader did not ask for, and what the link after it does. */
const sentBy = ({ organization, slug }: SenderDetails) =>
  `The organization ${organization} (${slug}) had this e-mail sent to you. To get no more of its e-mails:`

/** The last lines of an e-mail that a function of a site has written. */
const byFunction = ({ site }: SiteDetails) =>
  `The application of ${site} has written this e-mail, not the operator of this service.`

/** The texts. */
export const en = {
  language: 'en' as string,
  accounts,
  invitations,
  signInCode,
  softLimitReached,
  sentBy,
  byFunction,
}
export type Letters = typeof en
