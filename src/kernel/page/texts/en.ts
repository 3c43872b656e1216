/** The texts of the pages for browsers, in English. Other languages have the same members (`Texts`). */
import type { Permission } from '../../permissions.ts'
import { englishError } from './en-errors.ts'
import { enFactors } from './en-factors.ts'
import { homeEn } from './home.ts'

/** The meaning of each permission. Each text continues "you can". */
const abilities: Readonly<Record<Permission, string>> = {
  access_site: 'view apps, tables and records',
  view_site: 'see the site',
  change_site: 'add, change and delete records',
  delete_site: 'delete apps and tables',
  manage_site: 'manage apps, tables and secrets',
  manage_site_users: 'manage who has access',
  admin_site: 'do everything',
}

export const en = {
  language: 'en' as string,
  /** Returns the text for an error in this language; undefined if it is that of the API. */
  errorText: englishError,
  /** Returns the message of a field in this language. */
  message: (message: string) => message,
  home: homeEn,
  common: {
    email: 'E-mail',
    password: 'Password',
    firstName: 'First name',
    lastName: 'Last name',
    code: 'Code',
    signIn: 'Sign in',
    signInAgain: 'Sign in again',
    signInAtService: 'Sign in at the service',
    notSignedIn: 'Not signed in',
    notChanged: 'Not changed',
    or: 'or',
    lookIntoMailbox: 'Check your e-mail',
    newLink: 'Ask for a new link',
    passwordRule: 'Use at least 8 characters, with an uppercase letter, a lowercase letter and a digit.',
    signedOutEverywhere: 'You will be signed out everywhere.',
  },
  error: {
    title: 'Something went wrong',
    signInTitle: 'Please sign in',
    toSignIn: 'Go to the sign-in page',
    noPage: 'This page does not exist.',
    checkAddress: 'Please check the address.',
    invalid: 'The request was not valid.',
  },
  login: {
    title: (site: string) => `Sign in – ${site}`,
    titleWithProblem: (site: string) => `Not signed in – ${site}`,
    heading: (site: string) => `Sign in to ${site}`,
    continueWith: (provider: string) => `Continue with ${provider}`,
    username: 'User name or e-mail',
    forgotPassword: 'Forgot your password?',
    signUp: 'Sign up',
    missingInput: 'Enter your user name or e-mail, and your password.',
    usePasskey: 'Use a passkey',
    /** The texts of the passkey script, by the name of the browser's error. */
    passkeyErrors: {
      NotAllowedError: 'No passkey was used.',
      InvalidStateError: 'This device already has a passkey for this account.',
    },
  },
  confirm: {
    title: 'Confirm that it is you',
    introduction:
      'An account with your e-mail address already exists. We have sent an e-mail with a code to that ' +
      'address. Enter the code to sign in. It is valid for ten minutes.',
    wrongCode: 'This is not the code that was sent. Use the code from the newest e-mail.',
  },
  continue: { title: 'Signing in', button: 'Continue' },
  factor: {
    title: 'Second factor',
    heading: 'One more step',
    introduction: 'Enter the code of your authenticator app, or one of your recovery codes.',
    wrongCode: 'This code is wrong or was already used. Wait for the next code of the app.',
    trust: (days: number) => `Trust this browser for ${days} ${days === 1 ? 'day' : 'days'}`,
  },
  links: {
    notSent: 'Not sent',
    button: 'Send the link',
    reset: {
      title: 'Reset your password',
      introduction:
        'Enter the e-mail address of your account. We will send you a link to choose a new ' + 'password.',
    },
    verify: {
      title: 'Verify your e-mail address',
      introduction: 'Enter the e-mail address of your account. We will send you a link to verify it.',
    },
    sent:
      'If an account has this e-mail address, we have sent a link to it. The link works once, for 30 ' +
      'minutes.',
    otherAccount: 'Sign in to the account whose e-mail address changes, and open the link again.',
  },
  newPassword: {
    title: 'Choose a new password',
    titleWithProblem: 'Not changed – choose a new password',
    deadTitle: 'Not changed – your password',
    label: 'New password',
    button: 'Set the password',
    doneTitle: 'Your password is set',
    done: 'You were signed out everywhere. You can sign in with your new password now.',
  },
  address: {
    title: 'Verify your e-mail address',
    titleWithProblem: 'Not verified – your e-mail address',
    button: 'Verify the address',
    doneTitle: 'Your e-mail address is verified',
    done: (email: string) => `The address ${email} is verified.`,
    noPassword: 'Your account has no password yet. To set one, choose “Forgot your password?” at sign-in.',
  },
  signUp: {
    title: 'Sign up',
    titleWithProblem: 'Not signed up',
    hint: 'We will send you an e-mail with a link.',
    haveAccount: 'I have an account',
    sent:
      'If your address can sign up here, we have sent an e-mail to it. Its link works once, for 30 ' +
      'minutes.',
    finishTitle: 'Finish your sign-up',
    finishIntroduction: 'Enter the password that you chose. If you did not sign up, close this page.',
    finish: 'Finish',
    again: 'Sign up again',
    doneTitle: 'Your account is ready',
    done: (email: string) => `You can sign in with ${email} and your password now.`,
    withPasskey: 'Sign up with a passkey',
    passkeyHint: 'With a passkey, you sign in by unlocking your device, without a password.',
    finishWithPasskey:
      'Use the passkey that you created when you signed up. If you did not sign up, close this page.',
    doneWithPasskey: 'Your account is ready. You can sign in with your passkey now.',
  },
  ...enFactors,
  commandLine: {
    title: 'Sign in the command line?',
    machine: 'Machine',
    account: 'Account',
    rights: 'It can then do everything that you can do, until you end its sign-in.',
    compare: 'Compare this code with the one in your terminal:',
    warning: 'Refuse if you did not just run `tessera login` on this machine, or if the codes differ.',
    agree: 'The codes are the same: sign in',
    refuse: 'Refuse',
  },
  account: {
    title: 'Your account',
    signedInAs: (username: string) => `Signed in as ${username}`,
    person: 'About you',
    language: 'Language, such as en or de-AT',
    save: 'Save',
    saved: 'Your changes are saved.',
    address: 'E-mail address',
    presentAddress: (email: string, isVerified: boolean) =>
      `${email}, ${isVerified ? 'verified' : 'not verified'}.`,
    pendingAddress: (email: string) => `${email} waits for you to open the link that we sent there.`,
    newAddress: 'New e-mail address',
    changeAddress: 'Change the address',
    addressAsked: 'If you can use this address, we have sent a link to it. Open the link in this browser.',
    currentPassword: 'Current password',
    changePassword: 'Change the password',
    passwordHint: 'You will be signed out everywhere else, and your API keys are revoked.',
    passwordChanged: 'Your password is changed.',
    noPassword: 'This account has no password yet. To get one, reset the password.',
    lastWayIn: 'This is the only way to sign in to the account. First set a password.',
    factors: 'Second factors',
    signIns: 'Where you are signed in',
    signInLater: 'Your sign-in is listed here in a moment.',
    unknownDevice: 'Unknown device',
    lastUsed: 'last used',
    isCurrent: 'this browser',
    end: 'End',
    endOf: (device: string) => `End the sign-in of ${device}`,
    endOthers: 'End all other sign-ins',
    ended: 'The sign-in has ended.',
    othersEnded: 'All other sign-ins have ended.',
    moreSignIns: 'There are more sign-ins than are listed here.',
    trusted: 'Trusted browsers',
    trustedUntil: 'no second factor until',
    endTrust: 'Stop trusting',
    endTrustOf: (device: string) => `Stop trusting: ${device}`,
    trustEnded: 'The browser is no longer trusted.',
    offered: 'Rights in sites',
    offeredHint:
      'Organizations have given you rights in these sites. The rights work at once. When you use or accept ' +
      'them, no other organization can end your account any more.',
    accept: 'Accept',
    acceptOf: (site: string) => `Accept the rights in ${site}`,
    accepted: 'You have accepted the rights.',
    decline: 'Decline',
    declineOf: (site: string) => `Decline the rights in ${site}`,
    declined: 'You have given up the rights.',
    join: (site: string) => `Join ${site}`,
    joinHint: 'Your account does not belong to this site yet. You can join it, as if you had signed up here.',
    joined: 'You have joined this site.',
    providers: 'Providers',
    noProviders: 'No provider is linked to your account.',
    link: 'Link a provider',
    linked: 'The provider is linked.',
    unlink: 'Unlink',
    unlinkOf: (provider: string) => `Unlink ${provider}`,
    unlinked: 'The provider is unlinked.',
    deletion: 'Delete your account',
    deletionHint:
      'Your account will be deleted in seven days, and you are signed out everywhere. Until then ' +
      'you can sign ' +
      'in and keep it.',
    deletes: (date: string) => `Your account is going to be deleted on ${date}.`,
    keep: 'Keep the account',
    kept: 'Your account is kept.',
    deleted: (date: string) =>
      `You are signed out everywhere. Your account is deleted on ${date}. To keep it, sign in before.`,
    data: 'Your data',
    dataHint: 'What is stored about you, as a file.',
    loadData: 'Download your data',
    signOut: 'Sign out',
    startPage: 'Start page',
  },
  linking: {
    title: 'Link a provider',
    introduction: 'A provider that is linked signs you in at this site, as your password does.',
    none: 'This site has no providers.',
    link: (provider: string) => `Link ${provider}`,
  },
  stop: {
    title: (organization: string) => `E-mails of ${organization}`,
    question:
      'The organization may send you invitations and e-mails about an account that it has made for you.',
    button: 'Stop these e-mails',
    stopped: 'You get no more of these e-mails. Warnings about an account of yours are still sent.',
    allow: 'Allow them again',
  },
  invitation: {
    notAccepted: (organization: string) => `Not accepted – ${organization}`,
    title: (organization: string) => `Join ${organization}`,
    byInviter: (name: string, address: string, organization: string, email: string) =>
      `${name} (${address}) has invited you to join ${organization} as ${email}.`,
    byNobody: (organization: string, email: string) =>
      `You have been invited to join ${organization} as ${email}.`,
    groups: (names: readonly string[]) =>
      `You will join the ${names.length > 1 ? 'groups' : 'group'} ${names.join(', ')}.`,
    site: (slug: string, permissions: readonly Permission[]) =>
      `On the site ${slug} you ${
        permissions.length > 0
          ? `can ${permissions.map((permission) => abilities[permission]).join('; ')}`
          : 'have no permissions yet'
      }.`,
    siteRoles: (slug: string, roles: readonly string[]) =>
      `On the site ${slug} you get the ${roles.length > 1 ? 'roles' : 'role'} ${roles.join(', ')}.`,
    replacesPassword:
      'You already have an account with this e-mail address. This password replaces your current one, and ' +
      'you will be signed out everywhere.',
    accept: 'Accept invitation',
    accountNotProved:
      'This link cannot be used for the account that you already have. Please open the link in the newest ' +
      'invitation e-mail that we sent you.',
    welcome: (organization: string) => `Welcome to ${organization}`,
    accepted: (email: string) =>
      `You are now a member. Sign in as ${email} with the password that you just chose.`,
    signInTo: (site: string) => `Sign in to ${site}`,
  },
}

/** The members that every language has. */
export type Texts = typeof en
