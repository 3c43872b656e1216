/**
 * Parses and writes JSON without losing digits: a number that JavaScript would write differently keeps its
 * text.
 */

/** Features of newer browsers that the types of this language version lack. */
interface ExactJson {
  rawJSON?(text: string): unknown
  parse(
    text: string,
    revive: (key: string, value: unknown, context?: { source?: string }) => unknown,
  ): unknown
}

const json = JSON as unknown as ExactJson

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** A number that JavaScript would write with other digits, for example 49.90. */
class WrittenNumber {
  readonly #digits: string

  constructor(digits: string) {
    this.#digits = digits
  }

  toString(): string {
    return this.#digits
  }

  /** Is called by JSON.stringify, which then writes the digits, if the browser can. */
  toJSON(): unknown {
    return json.rawJSON ? json.rawJSON(this.#digits) : Number(this.#digits)
  }
}

/** Returns the number in a text. `String` and JSON.stringify write it as there. Other texts stay texts. */
export function numberOf(text: string): unknown {
  if (!jsonNumber.test(text)) return text
  const number = Number(text)
  return String(number) === text ? number : new WrittenNumber(text)
}

/** Parses JSON with numbers as from `numberOf`. Throws SyntaxError. */
export const parseExact = (text: string): unknown =>
  json.parse(text, (_, value, context) =>
    typeof value === 'number' && context?.source !== undefined ? numberOf(context.source) : value,
  )
