/** The texts of the list of functions. */
import { defineTexts } from '../../texts/define.ts'

/** The texts of the list of functions. */
export const functionsTexts = defineTexts({
  en: {
    title: 'Functions',
    none: 'No function yet',
    noneText: 'A function runs when a record changes, on a schedule, or when it is called.',
    app: 'App',
    name: 'Name',
    newFunction: 'New function',
    kind: 'What runs',
    kinds: { app: 'code in the service', proxy: 'your own server' },
    address: 'Address of the server',
    create: 'Create',
    secretTitle: 'The signing secret',
    secretText:
      'The service signs every call with this secret and shows it only once. Your server needs it ' +
      'to check the signature: store it ' +
      'there as a secret. If you lose it, you must create the function again.',
    secret: 'Signing secret',
    secretKept: 'I have stored it',
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
    kind: 'Was läuft',
    kinds: { app: 'Code im Dienst', proxy: 'ein Server von Ihnen' },
    address: 'Adresse des Servers',
    create: 'Anlegen',
    secretTitle: 'Das Signaturgeheimnis',
    secretText:
      'Der Dienst signiert damit jeden Aufruf und zeigt es nur dieses eine Mal. Ihr Server braucht ' +
      'es, um die Signatur zu ' +
      'prüfen: Bewahren Sie es dort als Geheimnis auf. Wer es verloren hat, legt die Funktion neu an.',
    secret: 'Signaturgeheimnis',
    secretKept: 'Ich habe es aufbewahrt',
    created: (name: string) => `Die Funktion ${name} wurde angelegt.`,
    inactive: 'inaktiv',
    schedule: (text: string) => `Zeitplan ${text}`,
    allRuns: 'Alle Läufe',
  },
})
