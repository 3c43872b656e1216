/** The texts that pages show for messages of the API. */

/** Messages with a variable part: the pattern, and a function that makes the text from its groups. */
export type Patterns = readonly (readonly [pattern: RegExp, text: string])[]

/** Returns a function that replaces a message. A message that is in neither list stays unchanged. */
export const messagesFrom =
  (messages: ReadonlyMap<string, string>, patterns: Patterns) =>
  (message: string): string => {
    const [pattern, text] = patterns.find(([each]) => each.test(message)) ?? []
    return messages.get(message) ?? (pattern && text ? message.replace(pattern, text) : message)
  }
