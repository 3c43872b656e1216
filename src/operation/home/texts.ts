/** The texts of the start page, in English and German. */
import { defineTexts } from '../../kernel/page/texts/define.ts'

const en = {
  welcome: 'Tessera is running',
  about:
    'A multi-tenant backend at the edge. Each site of your customers has its own sign-in, tables with a ' +
    'query language, secrets, functions and events.',
  signedInAs: (username: string, email: string) => `Signed in as ${username}, ${email}`,
  sites: 'Your sites',
  noSite: 'You do not have access to a site yet. Create one, or ask to be invited: ',
  organizations: 'Organizations and sites',
  moreSites: 'There are more sites than are listed here.',
  reference: 'Reference',
  account: 'Your account',
  accountLink: 'Names, password, second factors and sign-ins',
  signOut: 'Sign out',
  console: 'Console',
  consoleHint: 'sites, tables and records in the browser',
  documentation: 'Documentation',
  documentationHint: 'with a guide for each area',
  apiReference: 'API reference',
  apiReferenceHint: 'every operation, with forms to try them',
  health: 'Health',
  healthHint: 'whether the service runs',
  readiness: 'Readiness',
  readinessHint: 'whether the database answers',
}

const de: typeof en = {
  welcome: 'Tessera läuft',
  about:
    'Ein mandantenfähiges Backend am Netzrand. Jede Site Ihrer Kunden hat eigene Anmeldungen, Tabellen mit ' +
    'einer Abfragesprache, Secrets, Funktionen und Ereignisse.',
  signedInAs: (username, email) => `Angemeldet als ${username}, ${email}`,
  sites: 'Ihre Sites',
  noSite: 'Sie dürfen noch keine Site betreten. Legen Sie eine an, oder lassen Sie sich einladen: ',
  organizations: 'Organisationen und Sites (englisch)',
  moreSites: 'Es gibt mehr Sites, als hier stehen.',
  reference: 'Referenz',
  account: 'Ihr Konto',
  accountLink: 'Namen, Passwort, zweite Faktoren und Anmeldungen',
  signOut: 'Abmelden',
  console: 'Konsole',
  consoleHint: 'Sites, Tabellen und Datensätze im Browser',
  documentation: 'Dokumentation',
  documentationHint: 'mit einer Anleitung zu jedem Bereich, auf Englisch',
  apiReference: 'Referenz der API',
  apiReferenceHint: 'jede Operation, auch zum Ausprobieren, auf Englisch',
  health: 'Zustand',
  healthHint: 'ob der Dienst antwortet',
  readiness: 'Bereitschaft',
  readinessHint: 'ob seine Datenbank antwortet',
}

export const homeTexts = defineTexts({ en: { home: en }, de: { home: de } })
