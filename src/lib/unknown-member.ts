/** What is said of a member that an object does not have: the one that was probably meant. W5. */
import { nearest } from './nearest.ts'

/** `known` are the members that can be given in its place. */
export function unknownMember(name: string, known: readonly string[]): string {
  const meant = nearest(name, known)
  return meant === undefined ? 'Unknown field.' : `Unknown field. Did you mean "${meant}"?`
}
