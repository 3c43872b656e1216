/** The texts of the list of functions. */
import { defineTexts } from '../../texts/define.ts'

/** The texts of the list of functions. */
export const functionsTexts = defineTexts({
  en: {
    title: 'Functions',
    none: 'No function yet',
    noneText: 'A function runs when a record changes, at a time, or when it is called.',
    app: 'App',
    name: 'Name',
    newFunction: 'New function',
    create: 'Create',
    created: (name: string) => `The function ${name} was created.`,
    inactive: 'inactive',
    schedule: (text: string) => `schedule ${text}`,
    allRuns: 'All runs',
  },
  de: {
    title: 'Funktionen',
    none: 'Noch keine Funktion',
    noneText:
      'Eine Funktion läuft, wenn sich ein Datensatz ändert, zu einer Zeit, oder wenn sie aufgerufen wird.',
    app: 'App',
    name: 'Name',
    newFunction: 'Neue Funktion',
    create: 'Anlegen',
    created: (name: string) => `Die Funktion ${name} wurde angelegt.`,
    inactive: 'inaktiv',
    schedule: (text: string) => `Zeitplan ${text}`,
    allRuns: 'Alle Läufe',
  },
})
