/** The texts of the pages of the sign-in, in English and German. */
import { defineTexts } from '../../../kernel/page/texts/define.ts'

const en = {
  login: {
    title: (site: string) => `Sign in – ${site}`,
    titleWithProblem: (site: string) => `Not signed in – ${site}`,
    heading: (site: string) => `Sign in to ${site}`,
    continueWith: (provider: string) => `Continue with ${provider}`,
    username: 'User name or e-mail',
    forgotPassword: 'Forgot your password?',
    signUp: 'Sign up',
    missingInput: 'Enter your user name or e-mail, and your password.',
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
  linking: {
    title: 'Link a provider',
    introduction: 'A provider that is linked signs you in at this site, as your password does.',
    none: 'This site has no providers.',
    link: (provider: string) => `Link ${provider}`,
  },
}

const de: typeof en = {
  login: {
    title: (site) => `Anmelden – ${site}`,
    titleWithProblem: (site) => `Nicht angemeldet – ${site}`,
    heading: (site) => `Anmelden bei ${site}`,
    continueWith: (provider) => `Weiter mit ${provider}`,
    username: 'Benutzername oder E-Mail-Adresse',
    forgotPassword: 'Passwort vergessen?',
    signUp: 'Registrieren',
    missingInput: 'Geben Sie Ihren Benutzernamen oder Ihre E-Mail-Adresse und Ihr Passwort ein.',
  },
  confirm: {
    title: 'Bestätigen Sie, dass Sie es sind',
    introduction:
      'Es gibt schon ein Konto mit Ihrer E-Mail-Adresse. Wir haben einen Code an diese Adresse gesendet. ' +
      'Geben Sie den Code ein, um sich anzumelden. Er gilt zehn Minuten lang.',
    wrongCode: 'Das ist nicht der gesendete Code. Verwenden Sie den Code aus der neuesten E-Mail.',
  },
  continue: { title: 'Anmeldung läuft', button: 'Weiter' },
  factor: {
    title: 'Zweiter Faktor',
    heading: 'Noch ein Schritt',
    introduction: 'Geben Sie den Code Ihrer Authenticator-App oder einen Ihrer Wiederherstellungscodes ein.',
    wrongCode: 'Dieser Code ist falsch oder wurde schon verwendet. Warten Sie auf den nächsten Code der App.',
    trust: (days: number) => `Diesem Browser ${days} ${days === 1 ? 'Tag' : 'Tage'} vertrauen`,
  },
  linking: {
    title: 'Anbieter verknüpfen',
    introduction: 'Ein verknüpfter Anbieter meldet Sie auf dieser Site an, so wie Ihr Passwort.',
    none: 'Diese Site hat keine Anbieter.',
    link: (provider) => `${provider} verknüpfen`,
  },
}

export const loginTexts = defineTexts({ en, de })
