/** The message for an unknown member of an object. W5. */
import { nearest } from './nearest.ts'

/** Returns the message, with the closest of the `known` members as a suggestion. */
export function unknownMemberMessage(name: string, known: readonly string[]): string {
  const meant = nearest(name, known)
  return meant === undefined ? 'Unknown field.' : `Unknown field. Did you mean "${meant}"?`
}
