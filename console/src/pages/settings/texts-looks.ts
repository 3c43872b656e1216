/** The texts of the branding of a site. */
import { defineTexts } from '../../texts/define.ts'

/** The texts of the branding of a site. */
export const looksTexts = defineTexts({
  en: {
    hint:
      'The sign-in page, the account pages and e-mails show this branding. Changes are visible to ' +
      'everyone within a minute.',
    name: 'Display name',
    color: 'Color of buttons, such as #0f766e. Empty: the default color.',
    logo: 'File with the logo',
    chooseLogo: 'Choose a logo',
    removeLogo: 'Without a logo',
    logoHint: 'PNG, JPEG or WebP, at most 100 kB and 2,000 pixels wide and high.',
    saved: 'The branding is saved.',
    preview: 'Preview of the sign-in page',
    previewOf: (name: string) => (name ? `The sign-in page of ${name}` : 'The sign-in page'),
    signIn: 'Sign in',
    userName: 'User name or e-mail',
    password: 'Password',
  },
  de: {
    hint:
      'Die Anmeldeseite, die Seiten der Konten und E-Mails zeigen das Aussehen. Änderungen sind ' +
      'binnen einer Minute für alle sichtbar.',
    name: 'Angezeigter Name',
    color: 'Farbe der Schaltflächen, wie #0f766e. Leer: die Standardfarbe.',
    logo: 'Datei mit dem Logo',
    chooseLogo: 'Logo wählen',
    removeLogo: 'Ohne Logo',
    logoHint: 'PNG, JPEG oder WebP, höchstens 100 kB und 2.000 Pixel je Seite.',
    saved: 'Das Aussehen ist gespeichert.',
    preview: 'So wird die Anmeldeseite aussehen',
    previewOf: (name: string) => (name ? `Die Anmeldeseite von ${name}` : 'Die Anmeldeseite'),
    signIn: 'Anmelden',
    userName: 'Benutzername oder E-Mail-Adresse',
    password: 'Passwort',
  },
})
