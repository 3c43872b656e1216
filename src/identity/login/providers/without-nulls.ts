/** Reads what providers send as null as omitted. */

/** Returns the JSON without the members that are null. Other values than objects stay as they are. */
export function withoutNulls(json: unknown): unknown {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return json
  return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null))
}
