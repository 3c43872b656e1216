/**
 * Tells whether a name in an index is a field, or a path inside it: `specification.power::number`,
 * `specification__"a.b"`. Of several fields that the name begins with, the longest one counts.
 */
export function isInField(name: string, field: string, fields: readonly string[]): boolean {
  const leads = (one: string) =>
    [one, `"${one}"`].some(
      (start) => name.startsWith(start) && /^(?:$|\.|::|->|__)/.test(name.slice(start.length)),
    )
  return leads(field) && !fields.some((other) => other.length > field.length && leads(other))
}
