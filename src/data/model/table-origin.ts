/** Where the records of a table are: in a datasource of its app, or in a table of another app. */

export interface TableDatasource {
  /** Null for a reference table, which is in no datasource of its app. */
  slug: string | null
  providerType: string
}

/** The source of a reference table, by the slug of its app and its name. */
export interface TableSource {
  app: string
  table: string
}
