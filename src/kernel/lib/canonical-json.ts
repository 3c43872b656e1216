/** Serializes JSON canonically, so that equal values have equal texts. */

/**
 * Returns the JSON text with the members of every object sorted, as in RFC 8785. For values that JSON.parse
 * returns.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined)
    members.sort(([a], [b]) => (a < b ? -1 : 1))
    const texts = members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`)
    return `{${texts.join(',')}}`
  }
  return JSON.stringify(value)
}
