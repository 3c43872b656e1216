/**
 * Parses and writes JSON without losing digits: a number that JavaScript cannot represent exactly keeps its
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

/** Returns the number in a text, with all digits if the browser can send them. Other texts stay texts. */
export function numberOf(text: string): unknown {
  if (!jsonNumber.test(text)) return text
  const number = Number(text)
  return String(number) === text || !json.rawJSON ? number : json.rawJSON(text)
}

/** Parses JSON. Throws SyntaxError. */
export const parseExact = (text: string): unknown =>
  json.parse(text, (_, value, context) =>
    typeof value === 'number' && context?.source !== undefined ? numberOf(context.source) : value,
  )
