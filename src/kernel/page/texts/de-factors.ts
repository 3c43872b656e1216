/** The texts of second factors, passkeys and trusted browsers, in German. */
import type { Texts } from './en.ts'

const counted = (count: number, one: string, many: string): string =>
  count === 0 ? `Sie haben keine ${many}` : `Sie haben ${count === 1 ? one : `${count} ${many}`}`

export const deFactors: Pick<Texts, 'factors' | 'passkeys'> = {
  factors: {
    title: 'Ihre zweiten Faktoren',
    introduction: 'Mit einem zweiten Faktor kommt niemand allein mit Ihrem Passwort in Ihr Konto.',
    required:
      'Diese Site verlangt von Ihnen einen zweiten Faktor. Richten Sie eine Authenticator-App oder einen ' +
      'Passkey ein, um sie zu betreten.',
    app: 'Authenticator-App',
    appOff:
      'Sie ist nicht eingeschaltet. Die App zeigt alle 30 Sekunden einen neuen Code, den dann jede ' +
      'Anmeldung braucht.',
    setUp: 'Authenticator-App einrichten',
    appOnSince: 'Sie ist eingeschaltet seit',
    appOnMore:
      'Um eine andere App zu verwenden, schalten Sie diese aus und richten die andere ein. Das Ausschalten ' +
      'beendet Ihre anderen Anmeldungen.',
    turnOff: 'Authenticator-App ausschalten',
    passkeys: 'Passkeys',
    passkeyCount: (count) => `${counted(count, 'einen Passkey', 'Passkeys')}.`,
    yourPasskeys: 'Ihre Passkeys',
    codes: 'Wiederherstellungscodes',
    codeCount: (count) =>
      `${counted(count, 'einen unbenutzten Code', 'unbenutzten Codes')}. Neue Codes ersetzen die ` +
      `vorhandenen.`,
    getCodes: 'Neue Wiederherstellungscodes',
    codesLater: 'Sie erhalten sie, wenn Sie einen zweiten Faktor einrichten.',
    scan: 'Scannen Sie diesen Code mit der App:',
    qrCode: 'QR-Code für Ihre Authenticator-App',
    typeSecret: 'Oder geben Sie dieses Geheimnis in die App ein:',
    secretHint:
      'Beides wird nur hier gezeigt und wartet 15 Minuten. Wenn die App eingeschaltet ist, werden Sie ' +
      'überall sonst abgemeldet.',
    notTurnedOn: 'Nicht eingeschaltet – Authenticator-App einrichten',
    beginAgain: 'Mit einem neuen QR-Code beginnen',
    codeOfApp: 'Code, den die App zeigt',
    turnOn: 'App einschalten',
    turnedOn: 'Die Authenticator-App ist eingeschaltet',
    newCodes: 'Ihre neuen Wiederherstellungscodes',
    keepCodes:
      'Bewahren Sie diese Wiederherstellungscodes auf. Jeder ersetzt einmal Ihren zweiten Faktor, wenn Sie ' +
      'ihn verlieren. Sie werden nicht noch einmal gezeigt.',
    codesStay: 'Ihre bisherigen Wiederherstellungscodes gelten weiter.',
    wrongCode: 'Dieser Code ist falsch. Geben Sie den ein, den die App jetzt zeigt.',
    sixDigits: 'Ein Code hat sechs Ziffern.',
    notProven:
      'Weisen Sie zuerst nach, dass das Konto Ihnen gehört: Setzen Sie das Passwort zurück, und öffnen Sie ' +
      'den Link, den Sie erhalten.',
    alreadyOn:
      'Sie haben schon eine Authenticator-App. Um eine andere zu verwenden, schalten Sie sie zuerst aus.',
    notBegun: 'Keine Authenticator-App wartet auf einen Code. Richten Sie sie erneut ein.',
    noFactor: 'Wiederherstellungscodes gehören zu einem zweiten Faktor. Richten Sie zuerst einen ein.',
    isOff: 'Die Authenticator-App ist schon ausgeschaltet.',
    forbidden:
      'Eine Anmeldung über einen Anbieter ändert keinen zweiten Faktor. Melden Sie sich mit Passwort oder ' +
      'Passkey an.',
  },
  passkeys: {
    title: 'Ihre Passkeys',
    introduction:
      'Mit einem Passkey melden Sie sich an, indem Sie Ihr Gerät entsperren, statt mit einem Passwort. Er ' +
      'ist auch ein zweiter Faktor: Wenn Sie einen haben, reicht Ihr Passwort allein nicht mehr aus.',
    none: 'Sie haben keine Passkeys.',
    needsScript: 'Passkeys brauchen JavaScript.',
    name: 'Name des neuen Passkeys',
    defaultName: 'Mein Gerät',
    remove: 'Entfernen',
    removeOf: (name) => `Passkey ${name} entfernen`,
    removed: 'Der Passkey ist entfernt. Ihre anderen Anmeldungen sind beendet.',
    add: 'Passkey hinzufügen',
    added:
      'Der Passkey wurde hinzugefügt. Sie wurden überall abgemeldet, damit ihn ab jetzt jede Anmeldung ' +
      'braucht.',
    keepCodes:
      'Bewahren Sie diese Wiederherstellungscodes auf. Jeder ersetzt einmal Ihren Passkey, wenn Sie ihn ' +
      'verlieren. Sie werden nicht noch einmal gezeigt.',
  },
}
