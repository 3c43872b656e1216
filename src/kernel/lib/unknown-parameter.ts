/** The message for an unknown query parameter. W5. */
import { nearest } from './nearest.ts'

/** Returns the message, with the closest of the `known` parameters as a suggestion, or else all of them. */
export function unknownParameterMessage(name: string, known: readonly string[]): string {
  const meant = nearest(name, known)
  if (meant) return `Unknown parameter. Did you mean "${meant}"?`
  return known.length > 0
    ? `Unknown parameter. Known parameters: ${known.join(', ')}.`
    : 'Unknown parameter. This operation has no parameters.'
}
