/** The texts of the looks of a site. */
import { defineTexts } from '../../texts/define.ts'

/** The texts of the looks of a site. */
export const looksTexts = defineTexts({
  en: {
    hint: 'The sign-in page, the pages of accounts and letters show them. Others see a change within a minute.',
    name: 'Name that people see',
    color: 'Colour of buttons, as #0f766e. Empty: that of the service.',
    logo: 'File with the logo',
    chooseLogo: 'Choose a logo',
    removeLogo: 'Without a logo',
    logoHint: 'PNG, JPEG or WebP, 100 kB and 2,000 pixels a side at most.',
    saved: 'The looks are saved.',
    preview: 'How the sign-in page will look',
    previewOf: (name: string) => (name ? `The sign-in page of ${name}` : 'The sign-in page'),
    signIn: 'Sign in',
    userName: 'User name or e-mail',
    password: 'Password',
  },
  de: {
    hint: 'Die Anmeldeseite, die Seiten der Konten und Briefe zeigen sie. Andere sehen eine Änderung binnen einer Minute.',
    name: 'Name, den die Leute sehen',
    color: 'Farbe der Schaltflächen, wie #0f766e. Leer: die des Dienstes.',
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
