/** Reads JSON that a client wrote into a parameter. Nothing of it changes or is left out without a word. R6. */
import { readJson } from '../../lib/exact-json.ts'
import { repeatedName } from '../../lib/repeated-name.ts'
import { shown } from '../../lib/shown.ts'

export type ParsedJson = { value: unknown } | { problem: string }

export function parseJson(text: string): ParsedJson {
  let value: unknown
  try {
    value = readJson(text)
  } catch {
    // No JSON, or nested beyond all measure.
    return { problem: 'This is not valid JSON.' }
  }
  const name = repeatedName(new TextEncoder().encode(text))
  return name === undefined ? { value } : { problem: `The name ${shown(name)} stands twice in one object.` }
}
