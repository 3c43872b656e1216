/** The texts of plans, and of the history of a table. */
import { defineTexts } from '../../texts/define.ts'

type Words = Readonly<Record<string, string>>

/** The texts of plans, and of the history of a table. */
export const planTexts = defineTexts({
  en: {
    showPlan: 'Show the plan',
    discard: 'Discard the changes',
    unchanged: 'Nothing has been changed.',
    plan: 'Steps',
    noSteps: 'There is nothing to do.',
    steps: (count: number) => (count === 1 ? '1 step' : `${count} steps`),
    sql: 'SQL',
    loses: 'Loses values',
    losesText: 'Steps of this plan lose values of existing records.',
    allowLoss: 'I understand that these values are lost',
    lock: {
      none: 'Nobody waits',
      online: 'Records can be read and written during the change',
      waits: 'Readers and writers of the table wait',
    } as Words,
    atOnce: 'All steps run in one transaction: all of them, or none.',
    apply: 'Apply the change',
    working: (seconds: number) => `The service is at work, for ${seconds} s. It goes on if you leave.`,
    applied: 'The change was applied.',
    goesOn: 'The change goes on. The history shows how far it is.',
    violations: 'Records that do not fit',
    records10: (count: number) => (count === 1 ? 'for example this one' : `for example these ${count}`),
    referencedBy: 'Tables that reference it',
    noHistory: 'Nothing was changed yet.',
    status: {
      success: 'made',
      failed: 'failed',
      rolled_back: 'rolled back',
      running: 'running',
      cancelled: 'cancelled',
    } as Words,
    progress: (done: number, total: number) => `${done} of about ${total} records`,
    cancel: 'Cancel',
    took: (ms: number) => `${ms} ms`,
    rollBack: 'Roll back',
    rollBackTitle: 'Roll back this change',
    rolledBack: 'The change was rolled back.',
    shownOf: (shown: number, total: number) => `The last ${shown} of ${total} steps are shown.`,
    willDelete: (names: string) => `Will be deleted: ${names}.`,
    hasMoved:
      'Somebody else has changed the table in the meantime. Load it again; your changes here will be ' +
      'lost.',
    reload: 'Load again',
  },
  de: {
    showPlan: 'Plan zeigen',
    discard: 'Änderungen verwerfen',
    unchanged: 'Es wurde nichts geändert.',
    plan: 'Was getan wird',
    noSteps: 'Es ist nichts zu tun.',
    steps: (count: number) => (count === 1 ? '1 Schritt' : `${count} Schritte`),
    sql: 'SQL',
    loses: 'Werte gehen verloren',
    losesText: 'Durch Schritte dieses Plans gehen Werte vorhandener Datensätze verloren.',
    allowLoss: 'Ich habe gelesen, was verloren geht',
    lock: {
      none: 'Niemand wartet',
      online: 'Datensätze werden währenddessen gelesen und geschrieben',
      waits: 'Wer die Tabelle liest oder schreibt, wartet',
    },
    atOnce: 'Alle Schritte geschehen in einer Transaktion: alle oder keiner.',
    apply: 'Änderung ausführen',
    working: (seconds: number) =>
      `Der Dienst arbeitet, seit ${seconds} s. Er arbeitet weiter, wenn Sie die Seite verlassen.`,
    applied: 'Die Änderung wurde ausgeführt.',
    goesOn: 'Die Änderung läuft. Der Verlauf zeigt, wie weit sie ist.',
    violations: 'Datensätze, die nicht passen',
    records10: (count: number) => (count === 1 ? 'zum Beispiel dieser' : `zum Beispiel diese ${count}`),
    referencedBy: 'Tabellen, die auf sie verweisen',
    noHistory: 'Es wurde noch nichts geändert.',
    status: {
      success: 'ausgeführt',
      failed: 'fehlgeschlagen',
      rolled_back: 'zurückgenommen',
      running: 'läuft',
      cancelled: 'abgebrochen',
    },
    progress: (done: number, total: number) => `${done} von etwa ${total} Datensätzen`,
    cancel: 'Abbrechen',
    took: (ms: number) => `${ms} ms`,
    rollBack: 'Zurücknehmen',
    rollBackTitle: 'Diese Änderung zurücknehmen',
    rolledBack: 'Die Änderung wurde zurückgenommen.',
    shownOf: (shown: number, total: number) => `Die letzten ${shown} von ${total} Schritten sind zu sehen.`,
    willDelete: (names: string) => `Gelöscht werden: ${names}.`,
    hasMoved:
      'Jemand anders hat die Tabelle inzwischen geändert. Laden Sie sie neu; Ihre Änderungen hier ' +
      'gehen verloren.',
    reload: 'Neu laden',
  },
})
