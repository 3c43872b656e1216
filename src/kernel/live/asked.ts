/** What live lists add to the context of a request. */
import type { Caller, SignIn } from '../context.ts'
import type { Standing } from '../standing.ts'

/** Who asks: a person, an API key by its hash, or nobody. */
export interface Asker {
  caller: (SignIn & Pick<Caller, 'session'>) | null
  apiKeyHash: string | null
  /** The address of a request with a key, which may be for some addresses alone. */
  ip: string | null
}

/** What the plan of a list reads. */
export interface ListReads {
  siteId: number
  /** The standing of the guest. Null: the caller is a member or an API key. */
  standing: Standing | null
  /** The access rules that it depends on, as JSON. */
  rules: string
  /** The physical names of the tables. */
  tables: readonly string[]
  /** Returns the names of a table's primary key; none if the app has no such table. */
  keyOf(table: string): readonly string[]
}

/** How a request for a list is a part of following it. */
export interface Following {
  /** Gets what the list reads, before it is read. */
  reads(found: ListReads): void
  /** Gets the uuid of the site, instead of the list. Omitted: the list is read. */
  joins?(siteUuid: string): void
}

/** Ends a request after its entry, because it only asks whether a list may be followed. */
export class MayFollow extends Error {}
