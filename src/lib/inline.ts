/** A name that somebody chose, among the words of others: on one line, not longer than a line, and without what turns the writing round. */
export const inline = (text: string, lengthMax = 100): string => {
  const line = text.replace(/[\p{C}\p{Z}\s]+/gu, ' ').trim()
  return line.length > lengthMax ? `${line.slice(0, lengthMax - 1).toWellFormed()}…` : line
}
