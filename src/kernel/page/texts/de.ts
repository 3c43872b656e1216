/** The texts of every page for browsers, in German. */
import { germanError } from './de-errors.ts'
import { germanMessage } from './de-messages.ts'
import type { Texts } from './en.ts'

export const de: Texts = {
  errorText: germanError,
  message: germanMessage,
  common: {
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    firstName: 'Vorname',
    lastName: 'Nachname',
    code: 'Code',
    signIn: 'Anmelden',
    signInAgain: 'Erneut anmelden',
    signInAtService: 'Beim Dienst anmelden',
    notSignedIn: 'Nicht angemeldet',
    notChanged: 'Nicht geändert',
    or: 'oder',
    lookIntoMailbox: 'Sehen Sie in Ihr Postfach',
    newLink: 'Neuen Link anfordern',
    passwordRule:
      'Verwenden Sie mindestens 8 Zeichen, darunter einen Großbuchstaben, einen Kleinbuchstaben und eine ' +
      'Ziffer.',
    signedOutEverywhere: 'Sie werden überall abgemeldet.',
    yourAccount: 'Ihr Konto',
    yourFactors: 'Ihre zweiten Faktoren',
    factorRequired:
      'Diese Site verlangt von Ihnen einen zweiten Faktor. Richten Sie eine Authenticator-App oder einen ' +
      'Passkey ein, um sie zu betreten.',
  },
  error: {
    title: 'Das hat nicht geklappt',
    signInTitle: 'Bitte melden Sie sich an',
    toSignIn: 'Zur Anmeldung',
    noPage: 'Diese Seite gibt es nicht.',
    checkAddress: 'Bitte prüfen Sie die Adresse.',
    invalid: 'Die Anfrage war nicht gültig.',
  },
  passkey: {
    use: 'Passkey verwenden',
    errors: {
      NotAllowedError: 'Es wurde kein Passkey verwendet.',
      InvalidStateError: 'Dieses Gerät hat schon einen Passkey.',
    },
    keepCodes:
      'Bewahren Sie diese Wiederherstellungscodes auf. Jeder ersetzt einmal Ihren Passkey, wenn Sie ihn ' +
      'verlieren. Sie werden nicht noch einmal gezeigt.',
  },
}
