/** The texts of second factors and passkeys, in English and German. */

const countedEn = (count: number, one: string, many: string): string =>
  `You have ${count === 0 ? 'no' : count} ${count === 1 ? one : many}`

export const factorsEn = {
  factors: {
    introduction: 'With a second factor, your password alone is not enough to sign in to your account.',
    app: 'Authenticator app',
    appOff:
      'The app is turned off. When it is turned on, every sign-in needs a code from the app, which ' +
      'changes every 30 seconds.',
    setUp: 'Set up an authenticator app',
    appOnSince: 'It is turned on, since',
    appOnMore:
      'To use another app, turn it off and set up the other one. Turning it off ends your other sign-ins.',
    turnOff: 'Turn off the authenticator app',
    passkeys: 'Passkeys',
    passkeyCount: (count: number) => `${countedEn(count, 'passkey', 'passkeys')}.`,
    yourPasskeys: 'Your passkeys',
    codes: 'Recovery codes',
    codeCount: (count: number) =>
      `${countedEn(count, 'unused code', 'unused codes')}. New codes replace those that you have.`,
    getCodes: 'Get new recovery codes',
    codesLater: 'You get them when you set up a second factor.',
    scan: 'Scan this code with the app:',
    qrCode: 'QR code for your authenticator app',
    typeSecret: 'Or type this secret into it:',
    secretHint:
      'The code and the secret are shown only here, and expire after 15 minutes. When the app is ' +
      'turned on, you are signed out ' +
      'everywhere else.',
    notTurnedOn: 'Not turned on – set up an authenticator app',
    beginAgain: 'Begin again with a new QR code',
    codeOfApp: 'Code that the app shows',
    turnOn: 'Turn on the app',
    turnedOn: 'The authenticator app is turned on',
    newCodes: 'Your new recovery codes',
    keepCodes:
      'Keep these recovery codes. If you lose your second factor, each code replaces it once. They are not ' +
      'shown again.',
    codesStay: 'Your existing recovery codes still work.',
    wrongCode: 'This code is wrong. Enter the code that the app shows now.',
    sixDigits: 'A code has six digits.',
    notProven: 'First prove that you own the account: reset your password and open the link in the e-mail.',
    alreadyOn: 'You have an authenticator app. To use another one, first turn it off.',
    notBegun: 'There is no authenticator app to confirm. Set it up again.',
    noFactor: 'Recovery codes come with a second factor. First set one up.',
    isOff: 'The authenticator app is turned off already.',
    forbidden: 'To change second factors, sign in with your password or a passkey, not through a provider.',
  },
  passkeys: {
    title: 'Your passkeys',
    introduction:
      'With a passkey, you sign in by unlocking your device instead of entering a password. It is also a ' +
      'second factor: if you have one, your password alone is no longer enough to sign in.',
    none: 'You have no passkeys.',
    needsScript: 'Passkeys need JavaScript.',
    name: 'Name of the new passkey',
    defaultName: 'My device',
    remove: 'Remove',
    removeOf: (name: string) => `Remove the passkey ${name}`,
    removed: 'The passkey is removed. Your other sign-ins have ended.',
    add: 'Add a passkey',
    added:
      'The passkey was added. You were signed out everywhere, because from now on every sign-in needs it.',
  },
}

const countedDe = (count: number, one: string, many: string): string =>
  count === 0 ? `Sie haben keine ${many}` : `Sie haben ${count === 1 ? one : `${count} ${many}`}`

export const factorsDe: typeof factorsEn = {
  factors: {
    introduction: 'Mit einem zweiten Faktor kommt niemand allein mit Ihrem Passwort in Ihr Konto.',
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
    passkeyCount: (count) => `${countedDe(count, 'einen Passkey', 'Passkeys')}.`,
    yourPasskeys: 'Ihre Passkeys',
    codes: 'Wiederherstellungscodes',
    codeCount: (count) =>
      `${countedDe(count, 'einen unbenutzten Code', 'unbenutzten Codes')}. Neue Codes ersetzen die ` +
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
  },
}
