/** The texts of use and limits. */
import { defineTexts } from '../../texts/define.ts'
import type { Measure } from './reads.ts'

type Words = Readonly<Record<Measure, string>>

/** The texts of use and limits. */
export const siteUseTexts = defineTexts({
  en: {
    title: 'Use and limits',
    month: 'Month (UTC)',
    measure: 'Measure',
    used: 'Used',
    soft: 'Soft limit',
    hard: 'Hard limit',
    share: 'Of the limit',
    none: 'none',
    measures: {
      requests: 'Requests in the month',
      invocations: 'Invocations in the month',
      emails: 'E-mails in the month',
      records: 'Records, maximum in the month',
      bytes: 'Bytes in the database, maximum in the month',
    } as Words,
    measured: 'Records and bytes last measured',
    notMeasured: 'Records and bytes were not measured in this month.',
    percent: (share: number) => `${share} %`,
    change: 'Change the limits',
    changeText:
      'A soft limit only adds an entry to the audit log. A hard limit rejects requests that need ' +
      'more. Empty: no limit.',
    save: 'Save',
    saved: 'The limits were saved.',
    softOf: (measure: string) => `Soft limit: ${measure}`,
    hardOf: (measure: string) => `Hard limit: ${measure}`,
  },
  de: {
    title: 'Verbrauch und Grenzen',
    month: 'Monat (UTC)',
    measure: 'Maß',
    used: 'Verbraucht',
    soft: 'Weiche Grenze',
    hard: 'Harte Grenze',
    share: 'Von der Grenze',
    none: 'keine',
    measures: {
      requests: 'Anfragen im Monat',
      invocations: 'Läufe im Monat',
      emails: 'E-Mails im Monat',
      records: 'Datensätze, die meisten im Monat',
      bytes: 'Bytes in der Datenbank, die meisten im Monat',
    },
    measured: 'Datensätze und Bytes wurden gemessen',
    notMeasured: 'Datensätze und Bytes wurden in diesem Monat nicht gemessen.',
    percent: (share: number) => `${share} %`,
    change: 'Grenzen ändern',
    changeText:
      'Eine weiche Grenze lehnt nichts ab: Sie steht im Protokoll. Eine harte lehnt ab, was mehr ' +
      'braucht. Leer: keine.',
    save: 'Speichern',
    saved: 'Die Grenzen sind gespeichert.',
    softOf: (measure: string) => `Weiche Grenze: ${measure}`,
    hardOf: (measure: string) => `Harte Grenze: ${measure}`,
  },
})
