/** Reads JSON that a client wrote into a parameter. Nothing of it changes or is left out without a word. R6. */

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
    if (namesIn(text) !== membersOf(value)) problem ??= 'A name stands twice in one object.'
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

/** How many strings of a text of valid JSON stand before a colon. */
function namesIn(text: string): number {
  let names = 0
  for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)) names += Number(colon !== undefined)
  return names
}

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const members = Object.values(value).reduce((count: number, member) => count + membersOf(member), 0)
  return Array.isArray(value) ? members : members + Object.keys(value).length
}
