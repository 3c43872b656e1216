/** The forms in which the columns of a file write their values. */
import { candidatesFor } from '../../../../src/kernel/lib/written/candidates.ts'
import type { Form } from '../../../../src/kernel/lib/written/form.ts'
import { type Doubt, FormGuess } from '../../../../src/kernel/lib/written/guess.ts'
import type { Field } from '../../session/queries.ts'
import type { FileRows } from './read-file.ts'

/** The field of each column; a column without one is left out. */
export type Mapping = Readonly<Record<string, string>>

export interface ColumnForm {
  /** The form, unless there is a doubt. */
  form?: Form
  /** A text that may be read in two ways. */
  doubt?: Doubt
  /** The forms that can be chosen, by their labels. */
  choices: ReadonlyMap<string, Form>
}

const isNumber = (type: string) => type === 'number' || type === 'integer'

/**
 * Guesses the forms of the columns whose fields have several, from all of their texts. `chosen` are the labels
 * of the forms that the user has chosen, by column.
 */
export function columnForms(
  { columns, rows }: Pick<FileRows, 'columns' | 'rows'>,
  mapping: Mapping,
  fields: readonly Field[],
  chosen: Readonly<Record<string, string>>,
): ReadonlyMap<string, ColumnForm> {
  const types = new Map(fields.map(({ name, type }) => [name, type]))
  const guessed = columns.flatMap((column) => {
    const type = types.get(mapping[column] ?? '') ?? ''
    const texts = rows.flatMap(({ cells }) => textOf(cells[column]) ?? [])
    const choices = new Map(candidatesFor(type, texts[0] ?? '').map((form) => [labelOf(type, form), form]))
    if (choices.size < 2 || texts.length === 0) return []
    const guess = new FormGuess(type)
    for (const text of texts) guess.add(text)
    return [{ column, type, guess, choices }]
  })
  const told = guessed.flatMap(({ type, guess }) => (isNumber(type) ? (guess.decimalChar ?? []) : []))
  const [decimalChar, ...others] = new Set(told)
  const hints = others.length === 0 ? { decimalChar } : {}
  return new Map(
    guessed.map(({ column, guess, choices }) => {
      const found = guess.guess(hints)
      const doubt = found && 'doubt' in found ? found.doubt : undefined
      // If no form fits all texts, the errors are those of the usual one.
      const form = found && 'form' in found ? found.form : {}
      const byUser = choices.get(chosen[column] ?? '')
      return [column, byUser || !doubt ? { form: byUser ?? form, choices } : { doubt, choices }]
    }),
  )
}

const textOf = (cell: unknown): string | undefined =>
  typeof cell === 'string' && cell !== '' ? cell : undefined

/** Returns the label of a form, which shows a value in it. */
export function labelOf(type: string, form: Form): string {
  const {
    decimalChar = '.',
    groupChar = '',
    format,
    trueValues = ['true', '1'],
    falseValues = ['false', '0'],
  } = form
  if (isNumber(type)) return `1${groupChar}234${decimalChar}5`
  if (type === 'boolean')
    return trueValues
      .slice(0, form.trueValues ? 1 : 2)
      .map((yes, index) => `${yes} / ${falseValues[index]}`)
      .join(', ')
  return format === undefined
    ? (usual[type] ?? '')
    : format.replace(/%(.)/g, (_, letter: string) => parts[letter] ?? letter)
}

const usual: Readonly<Record<string, string>> = {
  date: 'YYYY-MM-DD',
  time: 'ISO 8601',
  datetime: 'ISO 8601',
}
const parts: Readonly<Record<string, string>> = {
  Y: 'YYYY',
  y: 'YY',
  m: 'MM',
  d: 'DD',
  b: 'Mon',
  H: 'hh',
  I: 'hh',
  M: 'mm',
  S: 'ss',
  f: 'ffffff',
  p: 'AM',
  z: '+hh:mm',
  Z: 'UTC',
}
