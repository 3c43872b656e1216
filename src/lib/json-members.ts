/**
 * Splits the text of a JSON array into the texts of its members. The members are not parsed, and their texts
 * do not change.
 */

const token = /"(?:[^"\\]|\\.)*"|[[\]{},]/g

/** Returns the texts of the members of an array. `array` must be valid JSON. */
export function jsonMembers(array: string): string[] {
  const members: string[] = []
  let depth = 0
  let start = 0
  for (const { 0: found, index } of array.matchAll(token)) {
    if (found === '[' || found === '{') {
      depth++
      if (depth === 1) start = index + 1
    } else if (found === ']' || found === '}') depth--
    const isEnd = depth === 0 || (depth === 1 && found === ',')
    if (!isEnd) continue
    members.push(array.slice(start, index).trim())
    start = index + 1
  }
  return members.length === 1 && members[0] === '' ? [] : members
}
