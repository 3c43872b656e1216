/** Omits attributes of a resource, as the query string requests. RFC 7644 §3.9. */
import type { Selection } from './messages.ts'

/** Returns the names in a list, in lower case and without the URN of a schema. */
const namesIn = (list: string): string[] =>
  list.split(',').map((name) => {
    const trimmed = name.trim().toLowerCase()
    return trimmed.slice(trimmed.lastIndexOf(':') + 1)
  })

/** The attributes that every answer contains. */
const always: ReadonlySet<string> = new Set(['schemas', 'id'])

/**
 * Returns the attributes of a resource that the client requests. A part is named after a dot, as in
 * `name.givenName`. Names that the resource does not have are ignored.
 */
export function project<Resource extends object>(resource: Resource, selection: Selection): Resource {
  const { attributes, excludedAttributes } = selection
  const wanted = attributes === undefined ? undefined : namesIn(attributes)
  const unwanted = excludedAttributes === undefined ? [] : namesIn(excludedAttributes)
  const members = Object.entries(resource).flatMap(([name, value]) => {
    const lower = name.toLowerCase()
    if (always.has(lower)) return [[name, value]]
    const isWhole = wanted === undefined || wanted.includes(lower)
    const parts = isWhole ? undefined : partsOf(lower, wanted)
    if (unwanted.includes(lower) || parts?.length === 0) return []
    return [[name, withoutParts(value, parts, partsOf(lower, unwanted))]]
  })
  return Object.fromEntries(members)
}

/** Tells whether the client requests an attribute. If not, it need not be read. */
export const wants = (name: string, { attributes, excludedAttributes }: Selection): boolean =>
  !(excludedAttributes !== undefined && namesIn(excludedAttributes).includes(name)) &&
  (attributes === undefined || namesIn(attributes).some((one) => one === name || one.startsWith(`${name}.`)))

const partsOf = (name: string, list: readonly string[]): string[] =>
  list.flatMap((one) => (one.startsWith(`${name}.`) ? one.slice(name.length + 1) : []))

function withoutParts(
  value: unknown,
  wanted: readonly string[] | undefined,
  unwanted: readonly string[],
): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutParts(one, wanted, unwanted))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).filter(([name]) => {
      const lower = name.toLowerCase()
      return !unwanted.includes(lower) && (wanted === undefined || wanted.includes(lower))
    }),
  )
}
