/** The texts of questions. */
import { defineTexts } from '../../texts/define.ts'

type Words = Readonly<Record<string, string>>

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
    saved: (name: string) => `The question "${name}" was saved for the site.`,
    savedQuestions: 'Saved questions',
    noneSaved:
      'There are none yet. Ask a question below, and give it a name to save it for everybody in the site.',
    keptForSite:
      'Everybody who may enter the site sees saved questions. The answer is made of the records that each may read.',
    saveChanges: 'Save the changes',
    otherName: 'Another name',
    saveAs: 'Save as a new question',
    remove: 'Delete the question',
    removeAsk: (name: string) =>
      `Delete the question "${name}" for everybody? Dashboards that show it keep theirs.`,
    otherState: 'Somebody has changed this question since you opened it.',
    showOther: 'Show the present one',
    toDashboards: 'Show several on one page: dashboards',
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
    saved: (name: string) => `Die Frage „${name}“ ist für die Site gespeichert.`,
    savedQuestions: 'Gespeicherte Fragen',
    noneSaved:
      'Noch gibt es keine. Stellen Sie unten eine Frage und geben Sie ihr einen Namen: Dann haben sie alle in der Site.',
    keptForSite:
      'Alle, die die Site betreten dürfen, sehen gespeicherte Fragen. Die Antwort besteht aus den Datensätzen, die man lesen darf.',
    saveChanges: 'Änderungen speichern',
    otherName: 'Anderer Name',
    saveAs: 'Als neue Frage speichern',
    remove: 'Frage löschen',
    removeAsk: (name: string) =>
      `Die Frage „${name}“ für alle löschen? Dashboards, die sie zeigen, behalten die ihre.`,
    otherState: 'Jemand hat diese Frage geändert, seit Sie sie geöffnet haben.',
    showOther: 'Die jetzige zeigen',
    toDashboards: 'Mehrere auf einer Seite zeigen: Dashboards',
  },
})
