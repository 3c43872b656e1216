/** The texts of second factors, passkeys and trusted browsers, in English. */

const counted = (count: number, one: string, many: string): string =>
  `You have ${count === 0 ? 'no' : count} ${count === 1 ? one : many}`

export const enFactors = {
  factors: {
    title: 'Your second factors',
    introduction: 'With a second factor, your password alone is not enough to sign in to your account.',
    required: 'This site requires a second factor. Set up an authenticator app or a passkey to use the site.',
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
    passkeyCount: (count: number) => `${counted(count, 'passkey', 'passkeys')}.`,
    yourPasskeys: 'Your passkeys',
    codes: 'Recovery codes',
    codeCount: (count: number) =>
      `${counted(count, 'unused code', 'unused codes')}. New codes replace those that you have.`,
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
    keepCodes:
      'Keep these recovery codes. If you lose your passkey, each code replaces it once. They are not shown ' +
      'again.',
  },
}
