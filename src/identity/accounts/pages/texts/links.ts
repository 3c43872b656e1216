/** The texts of the pages of links and of signing up, in English and German. */

export const linksEn = {
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
}

export const linksDe: typeof linksEn = {
  links: {
    notSent: 'Nicht gesendet',
    button: 'Link senden',
    reset: {
      title: 'Passwort zurücksetzen',
      introduction:
        'Geben Sie die E-Mail-Adresse Ihres Kontos ein. Wir senden Ihnen einen Link, mit dem Sie ein neues ' +
        'Passwort wählen.',
    },
    verify: {
      title: 'E-Mail-Adresse bestätigen',
      introduction:
        'Geben Sie die E-Mail-Adresse Ihres Kontos ein. Wir senden Ihnen einen Link, der sie bestätigt.',
    },
    sent:
      'Wenn ein Konto diese E-Mail-Adresse hat, haben wir einen Link dorthin gesendet. Der Link gilt ' +
      'einmal und 30 Minuten lang.',
    otherAccount:
      'Melden Sie sich bei dem Konto an, dessen E-Mail-Adresse sich ändert, und öffnen Sie den Link erneut.',
  },
  newPassword: {
    title: 'Neues Passwort wählen',
    titleWithProblem: 'Nicht geändert – neues Passwort wählen',
    deadTitle: 'Nicht geändert – Ihr Passwort',
    label: 'Neues Passwort',
    button: 'Passwort setzen',
    doneTitle: 'Ihr Passwort ist gesetzt',
    done: 'Sie wurden überall abgemeldet. Sie können sich jetzt mit dem neuen Passwort anmelden.',
  },
  address: {
    title: 'E-Mail-Adresse bestätigen',
    titleWithProblem: 'Nicht bestätigt – Ihre E-Mail-Adresse',
    button: 'Adresse bestätigen',
    doneTitle: 'Ihre E-Mail-Adresse ist bestätigt',
    done: (email) => `Die Adresse ${email} ist bestätigt.`,
    noPassword: 'Ihr Konto hat noch kein Passwort. Wählen Sie bei der Anmeldung „Passwort vergessen?“.',
  },
  signUp: {
    title: 'Registrieren',
    titleWithProblem: 'Nicht registriert',
    hint: 'Wir senden Ihnen eine E-Mail mit einem Link.',
    haveAccount: 'Ich habe schon ein Konto',
    sent:
      'Wenn Ihre Adresse sich hier registrieren kann, haben wir eine E-Mail dorthin gesendet. Ihr Link ' +
      'gilt einmal und 30 Minuten lang.',
    finishTitle: 'Registrierung abschließen',
    finishIntroduction:
      'Geben Sie das Passwort ein, das Sie gewählt haben. Wenn Sie sich nicht registriert haben, schließen ' +
      'Sie diese Seite.',
    finish: 'Abschließen',
    again: 'Erneut registrieren',
    doneTitle: 'Ihr Konto ist bereit',
    done: (email) => `Sie können sich jetzt mit ${email} und Ihrem Passwort anmelden.`,
    withPasskey: 'Mit einem Passkey registrieren',
    passkeyHint: 'Ein Passkey meldet Sie mit der Sperre Ihres Geräts an, ohne Passwort.',
    finishWithPasskey:
      'Benutzen Sie den Passkey, den Sie bei der Registrierung erstellt haben. Wenn Sie sich nicht ' +
      'registriert haben, schließen Sie diese Seite.',
    doneWithPasskey: 'Ihr Konto ist bereit. Sie können sich jetzt mit Ihrem Passkey anmelden.',
  },
}
