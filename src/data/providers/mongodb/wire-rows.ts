/** The rows of the answers of the Worker of MongoDB. */

/** The answer of a list. See `ListRow`. */
export interface ListedRow {
  data: string
  found: number | null
  counted: { total: number | null; is: 'exact' | 'estimated' | 'more' | 'timeout' } | null
  ends: readonly [first: (string | null)[] | null, last: (string | null)[] | null]
  /** The version of the first record. */
  etag: string | null
}

/** The answer of one record. Its data are empty if there is none. */
export interface FoundRow {
  data: string
  etag: string
}

/** The answer of a write. See `WrittenRecords`, `UpsertedRecords` and `WriteConflicts`. */
export interface WroteRow {
  data: string | null
  etag: string | null
  ids: string | null
  written: number
  created: number
  conflicts?: Record<string, unknown>
  /** An earlier request with the same key has done it, planned with this version of the catalog. */
  replayed?: { catalog: number }
}

/** An event as a write has noted it: texts of JSON arrays. */
export interface NotedEvent {
  event: string
  records: string
  previous: string | null
}

/** Notes in the order of their writes. See `NotedEvent` of runtime/events. */
export interface NotesRow {
  notes: (NotedEvent & { id: string; table: number; key: string[] })[]
  /** Whether there are no others. */
  isAll: boolean
  /**
   * Whether the majority of the servers has what was read, and every write that had ended before. Omitted:
   * no.
   */
  isSettled?: boolean
}
