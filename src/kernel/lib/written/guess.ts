/** Guesses the form of a column from all of its texts. */
import { candidatesFor, readIn } from './candidates.ts'
import type { Form } from './form.ts'

/** A text that two forms of a column read as different values. */
export interface Doubt {
  text: string
  first: { form: Form; value: string | boolean }
  second: { form: Form; value: string | boolean }
}

/** What a column tells about its form. */
export type Guess =
  /** Every text has this form. */
  | { form: Form }
  /** Every text has both forms, and one of them means different values. */
  | { doubt: Doubt }
  /** No form fits all texts. */
  | undefined

/** What is known of the forms apart from the texts of the column. */
export interface Hints {
  /** The decimal sign of all numbers of the file. */
  decimalChar?: string | undefined
  /** The format of dates that have it. */
  format?: string | undefined
}

const signOf = ({ decimalChar = '.' }: Form): string => decimalChar

/** A form that fits all texts so far. */
interface Candidate {
  form: Form
  /** The first text that a later candidate reads differently, by that candidate. */
  doubts: Map<Form, Doubt>
}

/** Collects the texts of a column, each of which must have the form of the others. */
export class FormGuess {
  readonly #type: string
  readonly #isNumber: boolean
  readonly #format: string | undefined
  #candidates: Candidate[] | undefined
  /** The number of forms before the first text. */
  #all = 0

  /** `format`: a format to try in addition to the known ones. */
  constructor(type: string, format?: string) {
    this.#type = type
    this.#isNumber = type === 'number' || type === 'integer'
    this.#format = format
  }

  /** Takes a text that is a value. */
  add(text: string): void {
    if (this.#candidates?.length === 0) return
    if (!this.#candidates) {
      const forms = candidatesFor(this.#type, text, this.#format)
      this.#candidates = forms.map((form) => ({ form, doubts: new Map() }))
      this.#all = this.#candidates.length
    }
    // Most columns have one form, or whole numbers, which are the same in all.
    if (this.#isNumber && /^[1-9]\d*$/.test(text)) return
    const fitting = this.#candidates.flatMap((candidate) => {
      const value = readIn(this.#type, text, candidate.form)
      return value === undefined ? [] : [{ candidate, value }]
    })
    this.#candidates = fitting.map(({ candidate }) => candidate)
    for (const [index, { candidate, value }] of fitting.entries())
      for (const other of fitting.slice(index + 1)) {
        if (other.value === value || candidate.doubts.has(other.candidate.form)) continue
        const { form } = other.candidate
        const first = { form: candidate.form, value }
        candidate.doubts.set(form, { text, first, second: { form, value: other.value } })
      }
  }

  /** The decimal sign, if the texts tell which one it is. */
  get decimalChar(): string | undefined {
    const left = this.#candidates ?? []
    const [first, ...others] = new Set(left.map(({ form }) => signOf(form)))
    return others.length === 0 && left.length < this.#all ? first : undefined
  }

  /** Returns the form. */
  guess({ decimalChar, format }: Hints = {}): Guess {
    const all: readonly Candidate[] = this.#candidates ?? [{ form: {}, doubts: new Map() }]
    const ofSign = all.filter(({ form }) => !this.#isNumber || signOf(form) === (decimalChar ?? signOf(form)))
    const ofFormat = ofSign.filter(({ form }) => form.format === format)
    const left = format !== undefined && ofFormat.length > 0 ? ofFormat : ofSign
    const [first] = left
    if (!first) return undefined
    // The usual form needs no other evidence.
    const [usual] = all
    const hasUsual = usual !== undefined && Object.keys(usual.form).length === 0
    const isUsual = hasUsual && !usual.doubts.has(first.form)
    const doubt = left.map(({ form }) => first.doubts.get(form)).find((one) => one !== undefined)
    if (isUsual) return { form: usual.form }
    return doubt ? { doubt } : { form: first.form }
  }
}
