/** The texts of the picture of an app. */
import { defineTexts } from '../../texts/define.ts'

/** The texts of the page that shows the tables of an app as a diagram. */
export const pictureTexts = defineTexts({
  en: {
    title: (app: string) => `The tables of ${app}`,
    hint:
      'Arrows lead from a foreign key to the table that it references. Drag to move, turn the wheel ' +
      'to zoom.',
    find: 'Find a table or a field',
    found: (count: number) => (count === 1 ? '1 table found' : `${count} tables found`),
    show: 'Show',
    all: 'Show all',
    none: 'This app has no table yet',
    noneText: 'Create a table first.',
    picture: (app: string) => `Picture of the tables of ${app}`,
    asList: 'References as a list',
    noReferences: 'No table references another one.',
    more: (count: number) => `and ${count} more`,
    key: 'key',
    toSchema: 'To the schema',
  },
  de: {
    title: (app: string) => `Die Tabellen von ${app}`,
    hint:
      'Pfeile führen von einem Verweis zu der Tabelle, auf die er verweist. Ziehen verschiebt, das ' +
      'Mausrad vergrößert.',
    find: 'Tabelle oder Feld suchen',
    found: (count: number) => (count === 1 ? '1 Tabelle gefunden' : `${count} Tabellen gefunden`),
    show: 'Zeigen',
    all: 'Alle zeigen',
    none: 'Diese App hat noch keine Tabelle',
    noneText: 'Legen Sie zuerst eine Tabelle an; dann steht sie hier.',
    picture: (app: string) => `Bild der Tabellen von ${app}`,
    asList: 'Verweise als Liste',
    noReferences: 'Keine Tabelle verweist auf eine andere.',
    more: (count: number) => `und ${count} weitere`,
    key: 'Schlüssel',
    toSchema: 'Zum Schema',
  },
})
