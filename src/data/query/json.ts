/** Reads JSON that a client wrote into a parameter. Nothing of it changes or is left out without a word. R6. */
import { repeatedName } from '../../lib/repeated-name.ts'
import { shown } from '../../lib/shown.ts'

export type ParsedJson = { value: unknown } | { problem: string }

export function parseJson(text: string): ParsedJson {
  let problem: string | undefined
  let value: unknown
  try {
    value = JSON.parse(text, (_name, member: unknown, context?: { source?: string }) => {
      const source = context?.source
      if (typeof member === 'number' && source !== undefined && !isExact(source, member)) {
        problem ??= `${source.slice(0, 60)} is more than a number of JSON keeps: write it as a string.`
      }
      return member
    })
    const name = repeatedName(new TextEncoder().encode(text))
    if (name !== undefined) problem ??= `The name ${shown(name)} stands twice in one object.`
  } catch {
    // No JSON, or nested beyond all measure.
    return { problem: 'This is not valid JSON.' }
  }
  return problem === undefined ? { value } : { problem }
}

/** Whether a number is what was written, and not the next one that a double has. */
const isExact = (source: string, value: number): boolean => digitsOf(source) === digitsOf(String(value))

const digitsOf = (number: string): string =>
  number
    .replace(/[eE].*/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '')
