/** The texts of the records of a table. */
import { defineTexts } from '../../texts/define.ts'

/** The texts of the records of a table. */
export const dataTexts = defineTexts({
  en: {
    records: (table: string) => `Records of ${table}`,
    none: 'This table has no records yet',
    noneText: 'Records are created with the API, the command line, or by loading a file.',
    howTo: 'How records are written',
    noMatch: 'No record matches.',
    moreFollow: 'More records follow. Scroll on to read them.',
    allRead: (count: number) => `${count} records`,
    readSoFar: (count: number) => `${count} records read, more follow`,
  },
  de: {
    records: (table: string) => `Datensätze von ${table}`,
    none: 'Diese Tabelle hat noch keine Datensätze',
    noneText: 'Datensätze entstehen über die API, über die Kommandozeile oder aus einer Datei.',
    howTo: 'Wie Datensätze geschrieben werden',
    noMatch: 'Kein Datensatz passt.',
    moreFollow: 'Weitere Datensätze folgen. Blättern Sie weiter, um sie zu lesen.',
    allRead: (count: number) => `${count} Datensätze`,
    readSoFar: (count: number) => `${count} Datensätze gelesen, weitere folgen`,
  },
})
