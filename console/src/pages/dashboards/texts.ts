/** The texts of dashboards. */
import { defineTexts } from '../../texts/define.ts'

/** The texts of dashboards. */
export const dashboardsTexts = defineTexts({
  en: {
    title: 'Dashboards',
    hint:
      'A dashboard shows several questions on one page. Dashboards are stored in this browser, for ' +
      'your account: the API has ' +
      'no place for them. Send a link to share one.',
    none: 'There is no dashboard yet',
    noneText: 'Give it a name. Then add questions that you have saved.',
    noQuestions: 'This dashboard has no question yet',
    noQuestionsText: 'Add a question that you have saved on the questions page.',
    toQuestions: 'Ask and save a question',
    dashboard: 'Dashboard',
    name: 'Name of the new dashboard',
    create: 'Create',
    add: 'Add a saved question',
    copyLink: 'Copy the link',
    copied:
      'The link was copied. Whoever opens it sees the same questions, with results from the records ' +
      'that they may read.',
    notCopied: 'The browser did not copy the link.',
    remove: 'Delete the dashboard',
    removed: (name: string) => `The dashboard "${name}" was deleted.`,
    undo: 'Undo',
    earlier: (name: string) => `Move ${name} before`,
    later: (name: string) => `Move ${name} after`,
    takeOut: (name: string) => `Take ${name} out`,
    shared: (name: string) => `This dashboard came with a link: ${name}`,
    keep: 'Keep it here',
    unreadable: 'The link does not contain a valid dashboard.',
  },
  de: {
    title: 'Dashboards',
    hint:
      'Ein Dashboard zeigt mehrere Fragen auf einer Seite. Dashboards bleiben in diesem Browser, ' +
      'für Ihr Konto: Die API hat ' +
      'keinen Platz dafür. Mit einem Link geben Sie eines weiter.',
    none: 'Es gibt noch kein Dashboard',
    noneText: 'Geben Sie ihm einen Namen. Dann fügen Sie Fragen hinzu, die Sie gespeichert haben.',
    noQuestions: 'Dieses Dashboard hat noch keine Frage',
    noQuestionsText: 'Fügen Sie eine hinzu, die Sie auf der Seite der Fragen gespeichert haben.',
    toQuestions: 'Eine Frage stellen und speichern',
    dashboard: 'Dashboard',
    name: 'Name des neuen Dashboards',
    create: 'Anlegen',
    add: 'Gespeicherte Frage hinzufügen',
    copyLink: 'Link kopieren',
    copied:
      'Der Link ist kopiert. Wer ihn öffnet, sieht dieselben Fragen, beantwortet mit dem, was er sehen darf.',
    notCopied: 'Der Browser hat den Link nicht kopiert.',
    remove: 'Dashboard löschen',
    removed: (name: string) => `Das Dashboard „${name}“ ist gelöscht.`,
    undo: 'Rückgängig',
    earlier: (name: string) => `${name} nach vorn`,
    later: (name: string) => `${name} nach hinten`,
    takeOut: (name: string) => `${name} herausnehmen`,
    shared: (name: string) => `Dieses Dashboard kam mit einem Link: ${name}`,
    keep: 'Hier behalten',
    unreadable: 'Der Link hat kein Dashboard, das gelesen werden kann.',
  },
})
