/** The German texts of the rules of fields, of which one answer may name several. Others stay English. */
const messages: ReadonlyMap<string, string> = new Map([
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
    'A language is a code such as "de" or "en-GB".',
    'Eine Sprache besteht aus zwei oder drei Buchstaben, wie "de" oder "en-GB".',
  ],
])

/** Returns the message of a field in German; the message itself if it has no translation. */
export const germanMessage = (message: string): string => messages.get(message) ?? message
