/** The German texts of API messages that pages show. A message without a translation stays English. */
import { samlMessages } from './de-saml-messages.ts'
import { messagesFrom, type Patterns } from './messages.ts'

const messages: ReadonlyMap<string, string> = new Map([
  ...samlMessages,
  [
    'This address is incomplete. Run `tessera login` again.',
    'Diese Adresse ist nicht vollständig. Rufen Sie `tessera login` noch einmal auf.',
  ],
  ['Authentication credentials were not provided.', 'Sie sind nicht angemeldet.'],
  ['The credentials are invalid or have expired.', 'Ihre Anmeldung ist abgelaufen oder ungültig.'],
  [
    'No active account was found with these credentials.',
    'Mit diesen Angaben wurde kein aktives Konto gefunden.',
  ],
  ['You do not have permission to perform this action.', 'Sie haben dafür nicht die nötigen Rechte.'],
  [
    'The service is temporarily unavailable. Try again in a moment.',
    'Der Dienst ist gerade nicht erreichbar. Versuchen Sie es gleich noch einmal.',
  ],
  [
    'Too many requests are being processed. Try again in a moment.',
    'Es werden gerade zu viele Anfragen bearbeitet. Versuchen Sie es gleich noch einmal.',
  ],
  ['This is one of the 10,000 most common passwords.', 'Dieses Passwort gehört zu den 10.000 häufigsten.'],
  [
    "A password must not consist of the account's names or e-mail address, or of the site's name.",
    'Ein Passwort darf nicht aus den Namen oder der E-Mail-Adresse des Kontos oder der Site bestehen.',
  ],
  ['An e-mail address is required.', 'Eine E-Mail-Adresse ist nötig.'],
  ['A name must not contain control characters.', 'Ein Name darf keine Steuerzeichen haben.'],
  ['A password must have at least 8 characters.', 'Ein Passwort muss mindestens 8 Zeichen haben.'],
  ['A password must have at most 1024 characters.', 'Ein Passwort darf höchstens 1024 Zeichen haben.'],
  ['A password must have an upper-case letter.', 'Ein Passwort muss einen Großbuchstaben haben.'],
  ['A password must have a lower-case letter.', 'Ein Passwort muss einen Kleinbuchstaben haben.'],
  ['A password must have a digit.', 'Ein Passwort muss eine Ziffer haben.'],
  [
    'This is not the code of the newest e-mail. Open the link in that e-mail, or omit the code.',
    'Der Code gehört nicht zur neuesten E-Mail. Öffnen Sie den Link in der neuesten E-Mail.',
  ],
  [
    'This link is no longer valid. Request a new one.',
    'Dieser Link gilt nicht mehr. Fordern Sie einen neuen an.',
  ],
  [
    'A language is a code such as "de" or "en-GB".',
    'Eine Sprache besteht aus zwei oder drei Buchstaben, wie "de" oder "en-GB".',
  ],
  [
    'The user is the only owner of an organization. An organization needs an owner.',
    'Das Konto ist der einzige Besitzer einer Organisation. Eine Organisation braucht einen Besitzer.',
  ],
  ['This is not the current password.', 'Das ist nicht das bisherige Passwort.'],
  ['This site does not allow sign-ups.', 'Auf dieser Site kann man sich nicht registrieren.'],
  [
    'This site does not allow e-mail addresses of this domain.',
    'Diese Site nimmt keine E-Mail-Adressen dieser Domain an.',
  ],
  [
    'This is not the password that was chosen at sign-up.',
    'Das ist nicht das Passwort, das bei der Registrierung gewählt wurde.',
  ],
  ['This invitation has already been accepted.', 'Diese Einladung wurde schon angenommen.'],
  ['The organization of this invitation is deleted.', 'Die Organisation dieser Einladung ist gelöscht.'],
  [
    'This invitation has expired. Ask for a new one.',
    'Diese Einladung ist abgelaufen. Bitten Sie um eine neue.',
  ],
  [
    'The person who sent this invitation may no longer invite. Ask for a new one.',
    'Wer diese Einladung gesendet hat, darf nicht mehr einladen. Bitten Sie um eine neue.',
  ],
  [
    'This invitation was replaced by a newer one. Use the link in the newest e-mail.',
    'Diese Einladung wurde durch eine neuere ersetzt. Verwenden Sie den Link in der neuesten E-Mail.',
  ],
  [
    'This invitation has ended: the person has become a member in another way.',
    'Diese Einladung ist beendet: Die Person ist auf anderem Weg Mitglied geworden.',
  ],
  [
    'This invitation has ended: the person was removed from the organization. Ask for a new one.',
    'Diese Einladung ist beendet: Die Person wurde aus der Organisation entfernt. Bitten Sie um eine neue.',
  ],
  [
    'This invitation has ended: the person was switched off in the organization.',
    'Diese Einladung ist beendet: Die Person wurde in der Organisation deaktiviert.',
  ],
  [
    'This invitation has ended: the account of the person has another address now.',
    'Diese Einladung ist beendet: Das Konto der Person hat jetzt eine andere Adresse.',
  ],
  [
    'This sign-in has expired, is already finished, or was started elsewhere. Start again.',
    'Diese Anmeldung ist abgelaufen, schon beendet oder wurde anderswo begonnen. Beginnen Sie von vorn.',
  ],
  [
    'The sign-in was cancelled or rejected by the provider.',
    'Die Anmeldung wurde abgebrochen oder vom Anbieter abgelehnt.',
  ],
  [
    'This confirmation has expired or was already used. Start signing in again.',
    'Diese Bestätigung ist abgelaufen oder wurde schon verwendet. Beginnen Sie die Anmeldung von vorn.',
  ],
  [
    'The provider did not return an e-mail address that an account can have.',
    'Der Anbieter hat keine E-Mail-Adresse genannt, die ein Konto haben kann.',
  ],
  [
    'An account with this e-mail already exists, and the provider does not say that the e-mail is verified.',
    'Es gibt schon ein Konto mit dieser E-Mail-Adresse, und der Anbieter hat die Adresse nicht bestätigt.',
  ],
  [
    'You do not have an account here, and this site does not create accounts for people who sign ' +
      'in with a provider.',
    'Sie haben hier kein Konto, und diese Site legt keines an.',
  ],
  [
    'This sign-in has expired or is already complete. Sign in again.',
    'Diese Anmeldung ist abgelaufen oder schon beendet. Melden Sie sich erneut an.',
  ],
  [
    'The provider is not configured, or its configuration cannot be read.',
    'Der Anbieter ist nicht eingerichtet, oder seine Einstellungen können nicht gelesen werden.',
  ],
])

/** Messages with a number in them. */
const patterns: Patterns = [
  [
    /^This needs a sign-in within the last (\d+) seconds\. Sign in again\.$/,
    'Dafür ist eine Anmeldung der letzten $1 Sekunden nötig. Melden Sie sich erneut an.',
  ],
  [
    /^Request was throttled\. Expected available in (\d+) seconds\.$/,
    'Zu viele Versuche. In $1 Sekunden geht es wieder.',
  ],
  [
    /^Too many wrong codes\. Expected available in (\d+) seconds\. A recovery code .*$/,
    'Es gab zu viele falsche Codes. In $1 Sekunden geht es wieder. Ein Wiederherstellungscode oder ein ' +
      'Passkey gilt jetzt.',
  ],
]

/** Returns a message of the API in German; the message itself if it has no translation. */
export const germanMessage = messagesFrom(messages, patterns)
