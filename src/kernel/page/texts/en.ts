/** The texts of every page for browsers, in English. Other languages have the same members (`Texts`). */
import { englishError } from './en-errors.ts'

export const en = {
  /** Returns the text for an error in this language; undefined if it is that of the API. */
  errorText: englishError,
  /** Returns the message of a field in this language. */
  message: (message: string) => message,
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
    yourAccount: 'Your account',
    yourFactors: 'Your second factors',
    factorRequired:
      'This site requires a second factor. Set up an authenticator app or a passkey to use the site.',
  },
  error: {
    title: 'Something went wrong',
    signInTitle: 'Please sign in',
    toSignIn: 'Go to the sign-in page',
    noPage: 'This page does not exist.',
    checkAddress: 'Please check the address.',
    invalid: 'The request was not valid.',
  },
  passkey: {
    use: 'Use a passkey',
    /** The texts of the passkey script, by the name of the browser's error. */
    errors: {
      NotAllowedError: 'No passkey was used.',
      InvalidStateError: 'This device already has a passkey for this account.',
    },
    keepCodes:
      'Keep these recovery codes. If you lose your passkey, each code replaces it once. They are not shown ' +
      'again.',
  },
}

/** The members that every language has. */
export type Texts = typeof en
