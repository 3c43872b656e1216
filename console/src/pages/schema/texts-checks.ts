/** The texts of the table editor: checks and generated fields. */
import { defineTexts } from '../../texts/define.ts'

/** The texts of the table editor: checks and generated fields. */
export const checksTexts = defineTexts({
  en: {
    checks: 'Checks',
    checksText:
      'Every record meets these conditions, for example starts_on <= ends_on. A condition without a value ' +
      'is met.',
    name: 'Name of the check',
    expression: 'Condition',
    message: 'Message if it is not met',
    remove: (name: string) => `Remove the check ${name}`,
    add: 'Add a check',
    generated: 'Computed as',
    generatedText: 'For example round(seats * price, 2). Empty: records are written with the field.',
  },
  de: {
    checks: 'Prüfungen',
    checksText:
      'Jeder Datensatz erfüllt diese Bedingungen, zum Beispiel starts_on <= ends_on. Eine Bedingung ' +
      'ohne Wert ist erfüllt.',
    name: 'Name der Prüfung',
    expression: 'Bedingung',
    message: 'Meldung, wenn sie nicht erfüllt ist',
    remove: (name: string) => `Prüfung ${name} entfernen`,
    add: 'Prüfung hinzufügen',
    generated: 'Berechnet als',
    generatedText: 'Zum Beispiel round(seats * price, 2). Leer: Datensätze werden mit dem Feld geschrieben.',
  },
})
