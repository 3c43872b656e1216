/** What is wrong with the records of a write, by field. A bulk of bad ones is told by its first. */

export type Details = Readonly<Record<string, readonly string[]>>

export const messagesMax = 100

/** Messages are added in any number; the details have a hundred of them, and how many more there are. */
export function collectMessages() {
  const details = new Map<string, string[]>()
  let found = 0
  const put = (field: string, message: string) => details.set(field, [...(details.get(field) ?? []), message])
  return {
    add(field: string, message: string): void {
      found++
      if (found <= messagesMax) put(field, message)
    },
    /** Undefined when nothing was found. */
    details(): Details | undefined {
      if (found > messagesMax) put('non_field_errors', `… and ${found - messagesMax} problems more.`)
      return found > 0 ? Object.fromEntries(details) : undefined
    },
  }
}
