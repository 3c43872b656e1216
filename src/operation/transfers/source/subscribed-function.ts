/** Subscriptions in files: those of the command line, and those of archives. E9. */

/** The slug of a subscribed function; with `tables` if it is subscribed to the events of some tables only. */
export type SubscribedFunction = string | { function: string; tables: string[] }

const isText = (value: unknown): value is string => typeof value === 'string'

/** Tells whether a value of a file is a subscribed function. */
export function isSubscribedFunction(value: unknown): value is SubscribedFunction {
  if (isText(value)) return true
  const { function: slug, tables, ...others } = Object(value) as Record<string, unknown>
  const isList = Array.isArray(tables) && tables.length > 0 && tables.every(isText)
  return isText(slug) && isList && Object.keys(others).length === 0
}

/** Returns a subscribed function as files have it. `tables`: null for all tables. */
export const subscribedFunction = (slug: string, tables: readonly string[] | null): SubscribedFunction =>
  tables === null ? slug : { function: slug, tables: tables.toSorted() }

/** Returns the slug of a subscribed function and its tables, null for all. */
export const partsOf = (one: SubscribedFunction): { slug: string; tables: string[] | null } =>
  isText(one) ? { slug: one, tables: null } : { slug: one.function, tables: one.tables }
