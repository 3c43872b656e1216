/** Reads JSON from a query parameter. Never changes or drops a part silently. R6. */
import { readJson } from '../../../lib/exact-json.ts'
import { quoteValue } from '../../../lib/quote-value.ts'
import { repeatedName } from '../../../lib/repeated-name.ts'

/** The value, or the problem of the text. */
export type ParsedJson = { value: unknown } | { problem: string }

/** Parses a text. Repeated names in one object are a problem. */
export function parseJson(text: string): ParsedJson {
  let value: unknown
  try {
    value = readJson(text)
  } catch {
    // Not JSON, or nested too deeply.
    return { problem: 'This is not valid JSON.' }
  }
  const name = repeatedName(new TextEncoder().encode(text))
  return name === undefined
    ? { value }
    : { problem: `The name ${quoteValue(name)} is repeated in one object.` }
}
