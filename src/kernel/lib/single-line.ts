/** Makes text of users safe to quote within a line of another text. */

/**
 * Replaces line breaks, control characters and bidirectional marks by spaces, and truncates the text to
 * `lengthMax`.
 */
export const singleLine = (text: string, lengthMax = 100): string => {
  const line = text.replace(/[\p{C}\p{Z}\s]+/gu, ' ').trim()
  return line.length > lengthMax ? `${line.slice(0, lengthMax - 1).toWellFormed()}…` : line
}
