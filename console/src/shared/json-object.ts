/** Reads JSON that users type. */
import { parseStrictly } from '../../../src/kernel/lib/parse-json.ts'

/** Returns the object in a JSON text; undefined if it is not JSON, has a name twice, or is not an object. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = parseStrictly(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
