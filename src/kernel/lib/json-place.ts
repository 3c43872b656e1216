/** Finds the place of a fault in a text that is not JSON. */

/** The reason that JSON.parse gives, and the place of the fault. Undefined: at the end of the text. */
interface JsonPlace {
  reason: string
  line?: number
  column?: number
}

/** Returns the reason of a JSON.parse error, with the line and the column of its position, from 1. */
export function placeInJson(text: string, message: string): JsonPlace {
  const position = /\(?at position (\d+)/.exec(message)?.[1]
  const reason = message.replace(/(?: in JSON)?(?: at position \d+)?(?: \(line \d+ column \d+\))?$/, '')
  if (position === undefined) return { reason }
  const before = text.slice(0, Number(position)).split('\n')
  return { reason, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

/** Tells whether JSON.parse fails only because the end of the text is missing. */
const isCut = (message: string, length: number): boolean =>
  /end of JSON input|Unterminated/.test(message) || new RegExp(`at position ${length}\\b`).test(message)

/** Returns the message of JSON.parse for a text; undefined if the text is JSON. */
function messageFor(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/**
 * Returns the problem of a line that should be JSON, and its column, from 1; undefined for valid JSON. Not
 * every message of JSON.parse has a position. In that case, the column is after the longest beginning that
 * could be continued to JSON.
 */
export function faultInLine(line: string): { reason: string; column: number | undefined } | undefined {
  const message = messageFor(line)
  if (message === undefined) return undefined
  const { reason } = placeInJson(line, message)
  const said = reason.replace(/, (?:\.{3})?".*" is not valid JSON$/s, '')
  if (line.length > searchedMax) return { reason: said, column: undefined }
  return { reason: said, column: possibleLength(line) + 1 }
}

/** The longest line in which the column is searched for, because the search parses the line several times. */
const searchedMax = 100_000

/** Returns the length of the longest beginning that could be continued to JSON. */
function possibleLength(line: string): number {
  let [possible, wrong] = [0, line.length + 1]
  while (wrong - possible > 1) {
    const length = (possible + wrong) >>> 1
    const said = messageFor(line.slice(0, length))
    if (said === undefined || isCut(said, length)) possible = length
    else wrong = length
  }
  return possible
}
