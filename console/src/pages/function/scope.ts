/**
 * The names that the editor of a function suggests: the members of the context of its code.
 * docs/guide/functions-and-events.md.
 */

const none = null
const requests = { get: none, post: none, put: none, patch: none, delete: none, fetch: none }
/** The most frequent calls of a table in functions. */
const tableCalls = { list: none, get: none, create: none, update: none, delete: none, count: none }

/** Returns the names to suggest, with the tables of an app. Only the names are used, not the values. */
export function scopeOf(app: string, tables: readonly string[]): Readonly<Record<string, unknown>> {
  const own = Object.fromEntries(tables.map((name) => [name, tableCalls]))
  const context = {
    ...{ invocation_id: none, attempt: none, trigger_type: none, event: none },
    ...{ function: none, app: none, user: none },
    client: requests,
    db: { [app]: own },
    secrets: { get: none },
    variables: {},
  }
  return { context, params: {}, console, JSON, Math, fetch, URL, crypto, structuredClone }
}
