/** What a site is made of, as it is read from a site or from an archive. Types only. */

/** JSON with members. */
export type Members = Readonly<Record<string, unknown>>

/** An app without its tables and functions, as `app.json` has it. */
export interface AppPart {
  name: string
  description: string
  /** By slug. */
  datasources: Readonly<Record<string, Members>>
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

/** Whether a table belongs to another app. */
export const isReference = (table: TablePart): table is Exclude<TablePart, OwnTable> => 'reference' in table

/** What a site has, by names. */
export interface Outline {
  apps: readonly AppOutline[]
}

/** What an app has, by names. */
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
}

/** A page of lines. */
export interface Page {
  /** A JSON object a line. */
  text: string
  /** How many lines it has. */
  count: number
  /** Where the next page begins. Null: there is none. */
  place: unknown
}

/** A secret with its value. */
export interface PlainSecret {
  key: string
  /** The slug of its app. Null: the level of the site. */
  app: string | null
  /** The name of its type. */
  secret_type: string
  tags: readonly string[]
  value: unknown
}

/** What a function sends and signs with. */
export interface FunctionSecrets {
  signing_secret: string
  headers: Record<string, string>
}

/** What was saved of a site's questions: the bodies that create it again. */
export interface SavedParts {
  questions: readonly Members[]
  dashboards: readonly Members[]
}

/** Reads the parts of a site. `place`: where the page before it has ended; null: at the begin. */
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
  /** The slugs of subscribed functions, by event. */
  subscriptions(app: string): Promise<Readonly<Record<string, readonly string[]>>>
  records(app: string, table: string, place: unknown): Promise<Page>
  edges(app: string, table: string, place: unknown): Promise<Page>
  secrets(place: unknown): Promise<{ secrets: readonly PlainSecret[]; place: unknown }>
  /** Null: there are none, or they cannot be read. */
  functionSecrets(app: string, slug: string): Promise<FunctionSecrets | null>
}
