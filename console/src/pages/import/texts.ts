/** The texts of imports. */
import { defineTexts } from '../../texts/define.ts'

export const importTexts = defineTexts({
  en: {
    title: (table: string) => `Import into ${table}`,
    hint: 'A file with CSV, JSON or JSON lines. The first line of CSV has the column names.',
    file: 'File',
    choose: 'Choose a file',
    separator: 'Separator',
    separators: { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' } as Readonly<
      Record<string, string>
    >,
    formOf: (column: string) => `How ${column} is written`,
    chooseForm: '(choose)',
    doubt: (column: string, text: string, meanings: readonly string[]) =>
      `Choose how ${column} is written: “${text}” may be ${meanings.join(' or ')}.`,
    guessed: 'The file is not UTF-8. It was read as Windows-1252: check letters with accents.',
    unreadable: (reason: string) => `The file cannot be read: ${reason}`,
    rows: (count: number) => (count === 1 ? '1 row' : `${count} rows`),
    noRows: 'The file has no rows.',
    columns: 'Columns and fields',
    columnsText:
      'Each column is imported into the field selected above its values. The form in which it writes numbers, ' +
      'dates or words for yes and no is found in all its rows; you can change it.',
    fieldOf: (column: string) => `Field for ${column}`,
    leaveOut: '(leave out)',
    noField: 'Select a field for at least one column.',
    twice: (field: string) => `Two columns go into ${field}.`,
    existing: 'Rows for existing records',
    allNew: 'every row creates a new record',
    matchBy: (fields: string) => `change the record with the same ${fields}`,
    check: 'Check the file',
    checking: (done: number, all: number) => `${done} of ${all} rows checked`,
    checked: (good: number, wrong: number) =>
      wrong === 0 ? `All ${good} rows can be imported.` : `${good} rows can be imported, ${wrong} cannot.`,
    leaveWrong: 'Skip the invalid rows',
    import: (count: number) => (count === 1 ? 'Import 1 row' : `Import ${count} rows`),
    importing: (done: number, all: number) => `${done} of ${all} rows sent`,
    stop: 'Stop',
    goOn: 'Continue',
    imported: (good: number) => (good === 1 ? '1 row was imported.' : `${good} rows were imported.`),
    notImported: (wrong: number) => (wrong === 1 ? '1 row was not.' : `${wrong} rows were not.`),
    wrongRows: 'Wrong rows',
    line: 'Line',
    lines: 'Lines',
    count: 'Rows',
    problem: 'Errors',
    firstOf: (shown: number, all: number) => `The first ${shown} of ${all} are shown.`,
    saveWrong: 'Save the invalid rows as a file',
    toRecords: 'To the records',
  },
  de: {
    title: (table: string) => `In ${table} importieren`,
    hint: 'Eine Datei mit CSV, JSON oder JSON-Zeilen. Die erste Zeile von CSV hat die Namen der Spalten.',
    file: 'Datei',
    choose: 'Datei auswählen',
    separator: 'Trennzeichen',
    separators: { ',': 'Komma', ';': 'Strichpunkt', '\t': 'Tabulator', '|': 'Strich' },
    formOf: (column: string) => `Schreibweise von ${column}`,
    chooseForm: '(wählen)',
    doubt: (column: string, text: string, meanings: readonly string[]) =>
      `Wählen Sie die Schreibweise von ${column}: „${text}“ kann ${meanings.join(' oder ')} sein.`,
    guessed: 'Die Datei ist nicht UTF-8. Sie wurde als Windows-1252 gelesen: Prüfen Sie Umlaute und Akzente.',
    unreadable: (reason: string) => `Die Datei lässt sich nicht lesen: ${reason}`,
    rows: (count: number) => (count === 1 ? '1 Zeile' : `${count} Zeilen`),
    noRows: 'Die Datei hat keine Zeilen.',
    columns: 'Spalten und Felder',
    columnsText:
      'Jede Spalte kommt in das Feld, das über ihren Werten gewählt ist. Wie sie Zahlen, Daten oder Ja und ' +
      'Nein schreibt, zeigen alle ihre Zeilen; Sie können es ändern.',
    fieldOf: (column: string) => `Feld für ${column}`,
    leaveOut: '(auslassen)',
    noField: 'Wählen Sie mindestens für eine Spalte ein Feld.',
    twice: (field: string) => `Zwei Spalten kommen in ${field}.`,
    existing: 'Zeilen von Datensätzen, die es gibt',
    allNew: 'jede Zeile ist ein neuer Datensatz',
    matchBy: (fields: string) => `den Datensatz ändern, der gleich ist in ${fields}`,
    check: 'Datei prüfen',
    checking: (done: number, all: number) => `${done} von ${all} Zeilen geprüft`,
    checked: (good: number, wrong: number) =>
      wrong === 0
        ? `Alle ${good} Zeilen lassen sich importieren.`
        : `${good} Zeilen lassen sich importieren, ${wrong} nicht.`,
    leaveWrong: 'Die falschen Zeilen auslassen',
    import: (count: number) => (count === 1 ? '1 Zeile importieren' : `${count} Zeilen importieren`),
    importing: (done: number, all: number) => `${done} von ${all} Zeilen gesendet`,
    stop: 'Anhalten',
    goOn: 'Weiter',
    imported: (good: number) =>
      good === 1 ? '1 Zeile wurde importiert.' : `${good} Zeilen wurden importiert.`,
    notImported: (wrong: number) => (wrong === 1 ? '1 Zeile nicht.' : `${wrong} Zeilen nicht.`),
    wrongRows: 'Falsche Zeilen',
    line: 'Zeile',
    lines: 'Zeilennummern',
    count: 'Zeilen',
    problem: 'Was falsch ist',
    firstOf: (shown: number, all: number) => `Die ersten ${shown} von ${all} sind zu sehen.`,
    saveWrong: 'Die falschen Zeilen als Datei speichern',
    toRecords: 'Zu den Datensätzen',
  },
})
