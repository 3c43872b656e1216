/** Reads JSON that a client wrote as text. Never changes or drops a part silently. R6. */
import { readJson } from './exact-json.ts'
import { faultText } from './json-fault.ts'
import { scanText } from './json-scan.ts'

/**
 * The value, or the problem of the text. `isJson`: it is JSON, but for example has a name twice in one
 * object.
 */
export type ParsedJson = { value: unknown } | { problem: string; isJson: boolean }

/** Parses a text. What must not be parsed is a problem. */
export function parseJson(text: string): ParsedJson {
  const scan = scanText(text)
  if (scan.fault && scan.fault.kind !== 'repeated') return { problem: faultText(scan.fault), isJson: true }
  try {
    const value = readJson(text, Number.POSITIVE_INFINITY, scan)
    return scan.fault ? { problem: faultText(scan.fault), isJson: true } : { value }
  } catch {
    return { problem: 'This is not valid JSON.', isJson: false }
  }
}

/**
 * Reads JSON as JSON.parse or `read` does. Throws a SyntaxError for a name that occurs twice in one object:
 * JSON.parse would keep the last value.
 */
export function parseStrictly(text: string, read: (text: string) => unknown = JSON.parse): unknown {
  const value = read(text)
  const { fault } = scanText(text)
  if (fault?.kind === 'repeated') throw new SyntaxError(faultText(fault).replace(/\.$/, ''))
  return value
}
