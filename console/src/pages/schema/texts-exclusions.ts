/** The texts of ranges and exclusions. */
import { defineTexts } from '../../texts/define.ts'

export const exclusionsTexts = defineTexts({
  en: {
    ranges: 'Ranges',
    rangesText: 'Two fields that are the beginning and the end of something. An empty one is open.',
    rangeName: 'Name of the range',
    from: 'Beginning',
    to: 'End',
    addRange: 'Add a range',
    removeRange: (name: string) => `Remove the range ${name}`,
    exclusions: 'Exclusions',
    exclusionsText: 'Records that may not exist together, such as two bookings of a room at one time.',
    exclusionName: 'Name of the exclusion',
    equal: 'Fields with equal values',
    overlapping: 'Ranges that overlap',
    closed: 'The end belongs to the range',
    message: 'What a refused record is told',
    addExclusion: 'Add an exclusion',
    removeExclusion: (name: string) => `Remove the exclusion ${name}`,
  },
  de: {
    ranges: 'Zeiträume und Bereiche',
    rangesText: 'Zwei Felder, die Anfang und Ende von etwas sind. Ein leeres ist offen.',
    rangeName: 'Name des Bereichs',
    from: 'Anfang',
    to: 'Ende',
    addRange: 'Bereich hinzufügen',
    removeRange: (name: string) => `Bereich ${name} entfernen`,
    exclusions: 'Ausschlüsse',
    exclusionsText:
      'Datensätze, die es nicht zugleich geben darf, etwa zwei Buchungen eines Raums zu einer Zeit.',
    exclusionName: 'Name des Ausschlusses',
    equal: 'Felder mit gleichen Werten',
    overlapping: 'Bereiche, die sich überschneiden',
    closed: 'Das Ende gehört zum Bereich',
    message: 'Was bei einer Ablehnung gesagt wird',
    addExclusion: 'Ausschluss hinzufügen',
    removeExclusion: (name: string) => `Ausschluss ${name} entfernen`,
  },
})
