/** The texts of questions. */
import { defineTexts } from '../../texts/define.ts'

type Words = Readonly<Record<string, string>>

/** The texts of questions. */
export const questionsTexts = defineTexts({
  en: {
    title: 'Questions',
    hint: 'A question counts, sums or averages the records of a table. You can send its address to others.',
    measure: 'What',
    measures: {
      count: 'the number of records',
      sum: 'the sum of',
      avg: 'the average of',
      min: 'the smallest',
      max: 'the largest',
    } as Words,
    of: 'Of the field',
    by: 'For each',
    each: 'all records together',
    bucket: 'Times by',
    buckets: { day: 'day', week: 'week', month: 'month', quarter: 'quarter', year: 'year' } as Words,
    none: 'This site has no app yet',
    noneText: 'Questions need a table with records.',
    nothing: 'No record matches.',
    chart: 'Chart',
    value: 'Value',
    empty: '(none)',
    code: 'As client code',
    more: (shown: number, total: number) => `The first ${shown} of ${total} groups are shown.`,
    name: 'Name of this question',
    save: 'Save',
    saved: (name: string) => `The question "${name}" was saved.`,
    savedQuestions: 'Saved questions',
    forget: (name: string) => `Forget the question ${name}`,
    keptHere: 'Saved questions are stored in this browser, for your account: nobody else sees them.',
    toDashboards: 'Several on one page',
  },
  de: {
    title: 'Fragen',
    hint:
      'Eine Frage zählt, summiert oder mittelt die Datensätze einer Tabelle. Ihre Adresse kann man ' +
      'weitergeben.',
    measure: 'Was',
    measures: {
      count: 'die Anzahl der Datensätze',
      sum: 'die Summe von',
      avg: 'der Durchschnitt von',
      min: 'der kleinste Wert von',
      max: 'der größte Wert von',
    },
    of: 'Vom Feld',
    by: 'Für jeden Wert von',
    each: 'alle Datensätze zusammen',
    bucket: 'Zeiten nach',
    buckets: { day: 'Tag', week: 'Woche', month: 'Monat', quarter: 'Quartal', year: 'Jahr' },
    none: 'Diese Site hat noch keine App',
    noneText: 'Fragen brauchen eine Tabelle mit Datensätzen.',
    nothing: 'Kein Datensatz passt.',
    chart: 'Diagramm',
    value: 'Wert',
    empty: '(ohne)',
    code: 'Als Code für den Client',
    more: (shown: number, total: number) => `Die ersten ${shown} von ${total} Gruppen werden gezeigt.`,
    name: 'Name dieser Frage',
    save: 'Speichern',
    saved: (name: string) => `Die Frage „${name}“ ist gespeichert.`,
    savedQuestions: 'Gespeicherte Fragen',
    forget: (name: string) => `Frage vergessen: ${name}`,
    keptHere: 'Gespeicherte Fragen bleiben in diesem Browser, für Ihr Konto: Niemand sonst sieht sie.',
    toDashboards: 'Mehrere auf einer Seite',
  },
})
