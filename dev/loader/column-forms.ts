/** The forms in which the texts of a column may be written, for each type that it may have. */
import { describeForm, type Form } from '../../src/kernel/lib/written/form.ts'
import { type Doubt, FormGuess, type Guess, type Hints } from '../../src/kernel/lib/written/guess.ts'

const types = ['number', 'integer', 'date', 'datetime', 'time', 'boolean', 'year'] as const

/** More different words than those for true and false. */
const wordsMax = 8

/** A type with the form of its values, or the reason why it cannot be told. */
export type Inferred = { type: string; form: Form } | { doubt: string } | undefined

/** Collects the texts of a column. */
export class ColumnForms {
  readonly #guesses: ReadonlyMap<string, FormGuess>
  readonly #words = new Set<string>()
  #hasCodes = false
  #hasComma = false
  #hasPoint = false

  constructor({ format }: Hints) {
    this.#guesses = new Map(types.map((type) => [type, new FormGuess(type, format)]))
  }

  /** Takes a text that is a value. */
  add(text: string): void {
    for (const guess of this.#guesses.values()) guess.add(text)
    this.#hasComma ||= text.includes(',')
    this.#hasPoint ||= text.includes('.')
    this.#hasCodes ||= /^\s*(?:\+|-?0\d)/.test(text)
    if (this.#words.size <= wordsMax) this.#words.add(text.trim())
  }

  /** The decimal sign of the numbers, if they tell it. */
  get decimalChar(): string | undefined {
    return this.#guesses.get('number')?.decimalChar
  }

  /** Returns the form of the values as those of a type. */
  guess(type: string, hints: Hints): Guess {
    const guess = this.#guesses.get(type)
    return guess ? guess.guess(hints) : { form: {} }
  }

  /**
   * Returns the type of a column whose texts have no usual form. Texts that could be codes stay texts: whole
   * numbers with spaces, and dates with years of two digits.
   */
  infer(hints: Hints): Inferred {
    for (const row of inferred) {
      const guess = this.guess(row.type, hints)
      if (!guess) continue
      if ('doubt' in guess) return { doubt: doubtText(guess, row.option) }
      const { form } = guess
      if (Object.keys(form).length === 0) return undefined
      const hasFraction = form.decimalChar === ',' ? this.#hasComma : this.#hasPoint && form.groupChar !== '.'
      const isWhole = row.type === 'number' && !hasFraction && this.guess('integer', hints) !== undefined
      const type = isWhole ? 'integer' : row.type
      const clarity = { isWhole, words: this.#words, hasCodes: this.#hasCodes }
      return row.isClear(form, clarity) ? { type, form } : undefined
    }
    return undefined
  }
}

interface Clarity {
  isWhole: boolean
  /** Whether a text begins with a plus sign or a needless zero. */
  hasCodes: boolean
  words: ReadonlySet<string>
}

const hasFullYear = ({ format = '' }: Form) => !format.includes('%y')

/** The types in the order in which they are tried. */
const inferred: readonly {
  type: string
  /** The option that removes a doubt. */
  option?: string
  isClear(form: Form, clarity: Clarity): boolean
}[] = [
  {
    type: 'number',
    option: '--decimal',
    isClear: ({ groupChar = '' }, { isWhole, hasCodes }) =>
      !hasCodes && (!isWhole || [',', '.'].includes(groupChar)),
  },
  { type: 'date', option: '--dates', isClear: hasFullYear },
  { type: 'datetime', option: '--dates', isClear: hasFullYear },
  { type: 'time', option: '--dates', isClear: () => true },
  {
    type: 'boolean',
    isClear: ({ trueValues = [], falseValues = [] }, { words }) =>
      (trueValues[0]?.length ?? 0) > 1 &&
      trueValues.some((word) => words.has(word)) &&
      falseValues.some((word) => words.has(word)),
  },
]

/** Says what a text may mean, and how to decide it. */
export function doubtText({ doubt }: { doubt: Doubt }, option = '--decimal or --dates'): string {
  const { text, first, second } = doubt
  const meaning = ({ form, value }: typeof first) => `${value} with ${describeForm(form)}`
  return (
    `${JSON.stringify(text)} may be ${meaning(first)}, or ${meaning(second)}. ` +
    `Say which with ${option}, or with a schema.`
  )
}
