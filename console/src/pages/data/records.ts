/**
 * Loads the records of a table page by page, by cursors, so that later pages are as fast as the first one.
 */
import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query'
import type { Call } from '../../../../client/src/connection/transport.ts'
import { keyPath } from '../../../../client/src/records/keys.ts'
import { listQuery } from '../../../../client/src/records/query.ts'
import { queryClient } from '../../session/client.ts'
import { viewerOf } from '../../session/viewer.ts'
import { parseExact } from '../../shared/exact-json.ts'
import type { Source } from './source.ts'
import { optionsOf, type Selection } from './state.ts'

export type { Source } from './source.ts'

/** A record, as the API returns it. */
export type DataRecord = Readonly<Record<string, unknown>>

/** A page of records, as the API returns it. */
interface RecordPage {
  data: DataRecord[]
  meta: { next?: string | null }
}

const pageSize = 100

/** Returns the calls of a table. */
export const tableOf = ({ site, app, table, as }: Source) => viewerOf(site, as).app(app).$table(table)

/** Sends a request for records of a table. Their numbers keep the digits of the response: 49.90. */
export async function requestExact<Body>({ site, as }: Source, call: Call): Promise<Body> {
  return bodyOf(await viewerOf(site, as).send(call))
}

/** Parses the body of a response. Its numbers keep their digits. */
export const bodyOf = async <Body>(answer: Response): Promise<Body> => parseExact(await answer.text()) as Body

/** Returns the path of a table's records, relative to the site. */
export const recordsPath = ({ app, table }: Source): string =>
  `/api/apps/${encodeURIComponent(app)}/datatables/${encodeURIComponent(table)}/data/`

/** Returns the values of a record's primary key, as the client takes them. */
export function keyOf(primaryKey: readonly string[], record: DataRecord): string | string[] {
  const values = primaryKey.map((name) => String(record[name]))
  return values.length === 1 ? (values[0] as string) : values
}

/** Returns the text that identifies a record in an address: the values of its primary key. */
export const keyText = (primaryKey: readonly string[], record: DataRecord): string =>
  decodeURIComponent(keyPath(keyOf(primaryKey, record)))

/** Returns the path of a record. `key`: a text from `keyText`. */
export const recordPath = (source: Source, key: string): string =>
  `${recordsPath(source)}${encodeURIComponent(key)}/`

const keyOfRecords = ({ site, app, table }: Source) => [site, 'records', app, table]

/**
 * The records of a table, without their number. `highlight`: the searched fields, in which words are marked.
 */
export const recordsQuery = (source: Source, selection: Selection, highlight: readonly string[]) =>
  infiniteQueryOptions({
    queryKey: [...keyOfRecords(source), selection, source.as],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const query = listQuery({
        ...optionsOf(selection),
        ...(selection.search && highlight.length > 0 ? { highlight } : {}),
        after: pageParam,
        pageSize,
        total: 'none',
      })
      return requestExact<RecordPage>(source, { path: recordsPath(source), query, signal })
    },
    getNextPageParam: ({ meta }) => meta.next,
  })

/** Replaces the record with the same key in all loaded lists. */
export function showRecord(source: Source, primaryKey: readonly string[], record: DataRecord): void {
  const key = keyText(primaryKey, record)
  const isSame = (other: DataRecord) => keyText(primaryKey, other) === key
  queryClient.setQueriesData<InfiniteData<RecordPage>>(
    {
      queryKey: keyOfRecords(source),
      predicate: ({ queryKey }) => typeof queryKey[4] === 'object' && queryKey[5] === undefined,
    },
    (read) =>
      read && {
        ...read,
        pages: read.pages.map((page) => ({
          ...page,
          data: page.data.map((other) => (isSame(other) ? { ...other, ...record } : other)),
        })),
      },
  )
}

/** Loads a table's data again. */
export const refreshRecords = (source: Source): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: keyOfRecords(source) })
