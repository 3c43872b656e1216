/** Creates the header that names the file of an answer. */

/**
 * Returns the value of Content-Disposition for a file. The name may come from a client. Only letters and
 * digits of ASCII, and `.`, `_` and `-` within the name, are kept; every other character becomes `_`.
 */
export function attachment(name: string): string {
  const safe = name.replaceAll(/[^A-Za-z0-9._-]/g, '_').replace(/^[.-]+/, '_')
  return `attachment; filename="${safe.slice(-nameLengthMax)}"`
}

/**
 * The longest name that every file system accepts. Longer names are cut before their end, which contains the
 * file format.
 */
const nameLengthMax = 200
