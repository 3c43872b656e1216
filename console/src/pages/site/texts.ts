/** The texts of the first page of a site. */
import { defineTexts } from '../../texts/define.ts'

/** The texts of the first page of a site. */
export const siteTexts = defineTexts({
  en: {
    title: 'Apps and tables',
    none: 'This site has no app yet',
    noneText: 'An app contains tables that belong together.',
    make: 'Create an app',
    howTo: 'How to create apps and tables',
  },
  de: {
    title: 'Apps und Tabellen',
    none: 'Diese Site hat noch keine App',
    noneText: 'Eine App enthält Tabellen, die zusammengehören.',
    make: 'Eine App anlegen',
    howTo: 'Wie Apps und Tabellen entstehen',
  },
})
