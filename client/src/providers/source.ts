/** The common parts of the data providers: the table of a resource, and records that have an `id`. */
import type { AppClient } from '../client.ts'
import { TesseraError } from '../connection/errors.ts'
import type { AnyKey } from '../records/keys.ts'
import type { UnknownApps } from '../types/schema.ts'

/**
 * A client of any type. Comparing its types with those of an unknown schema would take the compiler minutes.
 */
export interface AnyClient {
  app(slug: never): unknown
}

/** The options of a data provider. */
export interface ProviderOptions {
  /** The slug of the app whose tables are the resources. */
  app: string
  /** The primary keys with another name than `id`, by table. A composite key is an array of fields. */
  keys?: Readonly<Record<string, string | readonly string[]>> | undefined
}

/** A record in the form of these libraries. */
export interface Identified {
  id: string | number
  [field: string]: unknown
}

/** Returns the tables of an app by resource. */
export function tablesOf(client: AnyClient, { app, keys = {} }: ProviderOptions) {
  const tables = client.app(app as never) as AppClient<UnknownApps[string]>
  return (resource: string) => {
    const key = keys[resource] ?? 'id'
    return {
      calls: tables.$table(resource),
      /** Returns the filter that finds these records. */
      among: (ids: readonly (string | number)[]): Record<string, unknown> =>
        typeof key === 'string'
          ? { [`${key}__in`]: ids }
          : { or: ids.map((id) => Object.fromEntries(partsOf(id).map((part, at) => [key[at], part]))) },
      keyOf: (id: string | number): AnyKey => (typeof key === 'string' ? id : partsOf(id)),
      identified: (record: object): Identified => {
        const values = record as Record<string, unknown>
        const own = typeof key === 'string' ? values[key] : JSON.stringify(key.map((field) => values[field]))
        return { ...values, id: own as string | number }
      },
    }
  }
}

/**
 * Returns a function that wraps the calls of a data provider. It adds the members to the client's errors that
 * the library reads. `more` returns these members; `fields`: the texts by field.
 */
export const errorsWith =
  (more: (error: TesseraError, fields: Readonly<Record<string, readonly string[]>>) => object) =>
  <Parameters extends unknown[], Answer>(call: (...all: Parameters) => Promise<Answer>) =>
  async (...all: Parameters): Promise<Answer> => {
    try {
      return await call(...all)
    } catch (error) {
      if (!(error instanceof TesseraError)) throw error
      const { '': _whole, ...fields } = error.messages
      throw Object.assign(error, more(error, fields))
    }
  }

/** Returns the values of a composite key. Its id is their JSON. */
const partsOf = (id: string | number): (string | number)[] => JSON.parse(String(id)) as (string | number)[]
