/** The types for the parts of a site, read from a site or from an archive. */

import type { SubscribedFunction } from './subscribed-function.ts'

/** A JSON object. */
export type Members = Readonly<Record<string, unknown>>

/** An app without its tables and functions, as in `app.json`. */
export interface AppPart {
  name: string
  description: string
  /** The datasources by slug. */
  datasources: Readonly<Record<string, Members>>
  /** The access rules for several of its tables. Omitted: there are none. */
  rules?: readonly Members[] | undefined
}

/** A table with its schema. */
export interface OwnTable {
  description: string
  datasource: string
  materialized: boolean
  schema: Members
}

/** A table of the app, or a reference to one of another app. */
export type TablePart = OwnTable | { reference: { app: string; table: string } }

/** Tells whether a table belongs to another app. */
export const isReference = (table: TablePart): table is Exclude<TablePart, OwnTable> => 'reference' in table

/** The names of the parts of a site. */
export interface Outline {
  apps: readonly AppOutline[]
}

/** The names of the parts of an app. */
export interface AppOutline {
  slug: string
  tables: readonly TableOutline[]
  functions: readonly string[]
}

/** A table, and whether it has records. */
export interface TableOutline {
  name: string
  isReference: boolean
  isMaterialized: boolean
  /** The tables that its foreign keys reference, each as `app/table`. Omitted: the source is an archive. */
  references?: readonly string[]
}

/** A page of lines. */
export interface Page {
  /** The lines, each with one JSON object. */
  text: string
  /** The number of lines. */
  count: number
  /** The position of the next page. Null: this is the last page. */
  place: unknown
}

/** A secret with its value. */
export interface PlainSecret {
  key: string
  /** The slug of its app. Null: it belongs to the site. */
  app: string | null
  /** The name of its type. */
  secret_type: string
  tags: readonly string[]
  value: unknown
}

/** The headers and the signing secret of a function. */
export interface FunctionSecrets {
  signing_secret: string
  /** The origin of the URL for which the headers were entered. */
  origin: string
  headers: Record<string, string>
}

/** The saved questions and dashboards of a site, as the bodies that create them again. */
export interface SavedParts {
  questions: readonly Members[]
  dashboards: readonly Members[]
}

/**
 * Reads the parts of a site. `place` is the position where the previous page ended; null at the beginning.
 */
export interface Source {
  outline(): Promise<Outline>
  /** The settings of the site that a client may change. */
  settings(): Promise<Members>
  types(): Promise<readonly Members[]>
  tags(): Promise<readonly Members[]>
  questions(): Promise<SavedParts>
  app(app: string): Promise<AppPart>
  table(app: string, table: string): Promise<TablePart>
  /** The settings of a function, with its code. */
  functionOf(app: string, slug: string): Promise<Members>
  /** The subscribed functions, by event. */
  subscriptions(app: string): Promise<Readonly<Record<string, readonly SubscribedFunction[]>>>
  records(app: string, table: string, place: unknown): Promise<Page>
  edges(app: string, table: string, place: unknown): Promise<Page>
  secrets(place: unknown): Promise<{ secrets: readonly PlainSecret[]; place: unknown }>
  /** Null: the function has none, or they cannot be read. */
  functionSecrets(app: string, slug: string): Promise<FunctionSecrets | null>
}
