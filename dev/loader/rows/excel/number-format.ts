/** What the number format of a cell shows: a number, a date, a time of day or a duration. */

/** A kind of format. `day`: a date or a time, as its value tells. */
export type FormatKind = 'number' | 'date' | 'datetime' | 'time' | 'duration' | 'day'

/** The kinds of the formats that every file has, by their ids. */
const builtIn: readonly (readonly [from: number, to: number, kind: FormatKind])[] = [
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'datetime'],
  // These depend on the language of the program.
  [27, 36, 'day'],
  [45, 45, 'time'],
  [46, 46, 'duration'],
  [47, 47, 'time'],
  [50, 58, 'day'],
]

/** Returns the kind of a format by its id, and by its code if the file has one. */
export function kindOf(id: number, code: string | undefined): FormatKind {
  if (code !== undefined) return kindOfCode(code)
  return builtIn.find(([from, to]) => id >= from && id <= to)?.[2] ?? 'number'
}

function kindOfCode(code: string): FormatKind {
  // Only the first section is for positive numbers; texts in it have no meaning.
  const plain = code.replace(/"[^"]*"|\\.|[_*]./gs, '').toLowerCase()
  const section = plain.split(';')[0] as string
  if (/\[(?:h+|m+|s+)\]/.test(section)) return 'duration'
  const letters = section
    .replace(/\[[^\]]*\]/g, '')
    .replace(/general/g, '')
    .replace(/am\/pm|a\/p/g, '')
    .replace(/s[.,]0+/g, 's')
  if (/[0#?@%]/.test(letters)) return 'number'
  const hasClock = /[hs]/.test(letters)
  const hasDay = /[yd]|m{3}/.test(letters) || (!hasClock && /[me]/.test(letters))
  if (hasDay) return hasClock ? 'datetime' : 'date'
  return hasClock ? 'time' : 'number'
}
