/** Creates the header that names the file of an answer. */

/**
 * Returns the value of Content-Disposition for a file. Of the name, which may be a client's text, letters and
 * digits of ASCII stay, and `.`, `_` and `-` within it; every other character becomes `_`.
 */
export function attachment(name: string): string {
  const safe = name.replaceAll(/[^A-Za-z0-9._-]/g, '_').replace(/^[.-]+/, '_')
  return `attachment; filename="${safe.slice(-nameLengthMax)}"`
}

/** The longest name that every file system takes. The end, which says the format, is kept. */
const nameLengthMax = 200
