/** The texts of the first page of a site. */
import { defineTexts } from '../../texts/define.ts'

/** The texts of the first page of a site. */
export const siteTexts = defineTexts({
  en: {
    title: 'Apps and tables',
    none: 'This site has no app yet',
    noneText: 'An app holds tables that belong together.',
    make: 'Make an app',
    howTo: 'How apps and tables are made',
    noTables: 'This app has no table yet.',
    fields: (count: number) => (count === 1 ? '1 field' : `${count} fields`),
    draft: 'draft',
    reference: 'reference',
  },
  de: {
    title: 'Apps und Tabellen',
    none: 'Diese Site hat noch keine App',
    noneText: 'Eine App enthält Tabellen, die zusammengehören.',
    make: 'Eine App anlegen',
    howTo: 'Wie Apps und Tabellen entstehen',
    noTables: 'Diese App hat noch keine Tabelle.',
    fields: (count: number) => (count === 1 ? '1 Feld' : `${count} Felder`),
    draft: 'Entwurf',
    reference: 'Verweis',
  },
})
