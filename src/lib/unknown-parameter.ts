/** What a client is told about a query parameter that does not exist. */
import { nearest } from './nearest.ts'

/** `known` are the parameters that exist in its place. */
export function unknownParameter(name: string, known: readonly string[]): string {
  const meant = nearest(name, known)
  if (meant) return `Unknown parameter. Did you mean "${meant}"?`
  return known.length > 0 ? `Unknown parameter. Parameters: ${known.join(', ')}.` : 'Unknown parameter. There are none here.'
}
