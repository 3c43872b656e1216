/** The texts of parts that several pages use. */
import { defineTexts } from './define.ts'

/** The texts of parts that several pages use. */
export const sharedTexts = defineTexts({
  en: {
    app: 'App',
    table: 'Table',
    noTables: 'This app has no table yet.',
    fields: (count: number) => (count === 1 ? '1 field' : `${count} fields`),
    draft: 'draft',
    reference: 'table of another app',
    records: 'Records',
  },
  de: {
    app: 'App',
    table: 'Tabelle',
    noTables: 'Diese App hat noch keine Tabelle.',
    fields: (count: number) => (count === 1 ? '1 Feld' : `${count} Felder`),
    draft: 'Entwurf',
    reference: 'Tabelle einer anderen App',
    records: 'Datensätze',
  },
})
