/** Converts instants to and from texts in the time zone of this browser. */

const two = (part: number): string => String(part).padStart(2, '0')

/** Returns the time zone of this browser, for example `Europe/Berlin`. */
export const zone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Returns the text of a field `datetime-local`; empty for an invalid time. */
export function localText(instant: string): string {
  const at = new Date(instant)
  if (Number.isNaN(at.getTime())) return ''
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}

/** Returns the instant of a text of a field `datetime-local`. */
export const instantOf = (local: string): string => (local === '' ? '' : new Date(local).toISOString())
