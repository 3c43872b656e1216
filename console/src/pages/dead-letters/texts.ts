/** The texts of dead letters. */
import { defineTexts } from '../../texts/define.ts'

export const deadLettersTexts = defineTexts({
  en: {
    title: 'Dead letters',
    hint: 'A dead letter is a run of a function that has failed permanently. Fix the cause, then replay it.',
    none: 'There are no dead letters',
    noneText: 'No run has failed permanently, or none matches the filter.',
    reason: 'Reason',
    trigger: 'Trigger',
    functionSlug: 'Function (slug)',
    since: 'Failed since',
    until: 'Failed before',
    all: 'all',
    run: 'Run',
    functionName: 'Function',
    failed: 'Failed',
    attempts: 'Attempts',
    what: 'Error and advice',
    replay: 'Replay',
    replayOne: (id: number) => `Replay run ${id}`,
    replayAll: 'Replay all that match …',
    confirm: 'Replay by filter',
    matched: (count: number) =>
      count === 1
        ? 'One dead letter matches. It will run again, with all of its attempts.'
        : `${count} dead letters match. They run again with all attempts, the oldest first.`,
    replayed: (count: number) =>
      count === 1 ? 'One run is queued again.' : `${count} runs are queued again.`,
    left: (count: number) => `${count} are left: replay them afterwards.`,
    count: (count: number) => (count === 1 ? '1 dead letter' : `${count} dead letters`),
    earlier: 'Newer',
    later: 'Older',
    toRuns: 'All runs',
  },
  de: {
    title: 'Gescheiterte Läufe',
    hint:
      'Hier stehen Läufe von Funktionen, die endgültig gescheitert sind. Ist der Grund behoben, kann ' +
      'man sie wiederholen.',
    none: 'Nichts ist endgültig gescheitert',
    noneText: 'Es gibt keinen solchen Lauf, oder keiner passt zum Filter.',
    reason: 'Grund',
    trigger: 'Auslöser',
    functionSlug: 'Funktion (Slug)',
    since: 'Gescheitert seit',
    until: 'Gescheitert vor',
    all: 'alle',
    run: 'Lauf',
    functionName: 'Funktion',
    failed: 'Gescheitert',
    attempts: 'Versuche',
    what: 'Was schiefging, und was zu tun ist',
    replay: 'Wiederholen',
    replayOne: (id: number) => `Lauf ${id} wiederholen`,
    replayAll: 'Alle passenden wiederholen …',
    confirm: 'Nach Filter wiederholen',
    matched: (count: number) =>
      count === 1
        ? 'Ein Lauf passt. Er läuft noch einmal mit allen Versuchen.'
        : `${count} Läufe passen. Sie laufen noch einmal mit allen Versuchen, die ältesten zuerst.`,
    replayed: (count: number) => (count === 1 ? 'Ein Lauf wartet wieder.' : `${count} Läufe warten wieder.`),
    left: (count: number) => `${count} bleiben: Wiederholen Sie sie danach.`,
    count: (count: number) => (count === 1 ? '1 Lauf' : `${count} Läufe`),
    earlier: 'Neuere',
    later: 'Ältere',
    toRuns: 'Alle Läufe',
  },
})
