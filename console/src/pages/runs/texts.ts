/** The texts of the list of runs. */
import { defineTexts } from '../../texts/define.ts'

/** The texts of the list of runs. */
export const runsTexts = defineTexts({
  en: {
    title: 'Runs of functions',
    live: 'The list is updated every three seconds.',
    state: 'State',
    all: 'all',
    functionName: 'Function',
    none: 'No run yet',
    noneText: 'A run appears here when a function is called, when an event happens, or on schedule.',
    run: 'Run',
    trigger: 'Cause',
    started: 'Created',
    duration: 'Duration',
    ms: (ms: number) => `${ms} ms`,
    attempts: 'Attempts',
    params: 'Parameters',
    replay: 'Run again',
    replayed: 'It runs again.',
    open: (id: number) => `Open run ${id}`,
    skipped: 'Skipped runs by day',
    skippedHint: 'Only the newest 20 of each line are kept as runs, for 7 days.',
    reasons: {
      conditions: 'its condition was false',
      inactive: 'it was switched off',
      paused: 'the site was paused',
    },
  },
  de: {
    title: 'Läufe der Funktionen',
    live: 'Die Liste wird alle drei Sekunden erneuert.',
    state: 'Zustand',
    all: 'alle',
    functionName: 'Funktion',
    none: 'Noch kein Lauf',
    noneText:
      'Ein Lauf erscheint hier, wenn eine Funktion aufgerufen wird, ihr Ereignis kommt oder ihre Zeit.',
    run: 'Lauf',
    trigger: 'Auslöser',
    started: 'Angelegt',
    duration: 'Dauer',
    ms: (ms: number) => `${ms} ms`,
    attempts: 'Versuche',
    params: 'Parameter',
    replay: 'Noch einmal ausführen',
    replayed: 'Der Lauf wird wiederholt.',
    open: (id: number) => `Lauf ${id} öffnen`,
    skipped: 'Übersprungene Läufe je Tag',
    skippedHint: 'Nur die neuesten 20 jeder Zeile bleiben als Läufe erhalten, 7 Tage lang.',
    reasons: {
      conditions: 'ihre Bedingung war falsch',
      inactive: 'sie war abgeschaltet',
      paused: 'die Site war angehalten',
    },
  },
})
