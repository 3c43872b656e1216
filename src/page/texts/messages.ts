/** The messages of the API on pages for people. */

/** Messages with a part that varies: the pattern, and the text that takes its groups. */
export type Patterns = readonly (readonly [pattern: RegExp, text: string])[]

/** Returns what replaces a message. A message that is in neither stays as it is. */
export const messagesFrom =
  (messages: ReadonlyMap<string, string>, patterns: Patterns) =>
  (message: string): string => {
    const [pattern, text] = patterns.find(([each]) => each.test(message)) ?? []
    return messages.get(message) ?? (pattern && text ? message.replace(pattern, text) : message)
  }
