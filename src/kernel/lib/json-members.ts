/**
 * Splits the text of a JSON array into the texts of its members. The members are not parsed, and their texts
 * do not change.
 */

/** Returns the texts of the members of an array. `array` must be valid JSON. */
export function jsonMembers(array: string): string[] {
  const token = /["[\]{},]/g
  const members: string[] = []
  let depth = 0
  let start = 0
  for (let found = token.exec(array); found; found = token.exec(array)) {
    const { 0: sign, index } = found
    if (sign === '"') token.lastIndex = endOfString(array, index + 1) + 1
    else if (sign === '[' || sign === '{') {
      depth++
      if (depth === 1) start = index + 1
    } else if (sign === ']' || sign === '}') depth--
    const isEnd = sign !== '"' && (depth === 0 || (depth === 1 && sign === ','))
    if (!isEnd) continue
    members.push(array.slice(start, index).trim())
    start = index + 1
  }
  return members.length === 1 && members[0] === '' ? [] : members
}

/** Returns the position of the closing quote of a string, which begins at `start`. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start); end !== -1; end = json.indexOf('"', end + 1)) {
    let before = end
    while (json[before - 1] === '\\') before--
    if ((end - before) % 2 === 0) return end
  }
  return json.length
}
