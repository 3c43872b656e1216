/** Reads the records of a table page by page, by cursors: a page far on costs what the first one costs. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import { clientOf } from '../../session/client.ts'

/** A record as the API answers it. */
export type DataRecord = Readonly<Record<string, unknown>>

/** The table whose records are read. */
export interface Source {
  site: string
  app: string
  table: string
}

/** Which records, and in which order. */
export interface Selection {
  where?: object
  search?: string
  ordering?: readonly string[]
}

const pageSize = 100

/** Returns the calls of a table. */
export const tableOf = ({ site, app, table }: Source) => clientOf(site).app(app).$table(table)

/** The records of a table. None are counted. */
export const recordsQuery = (source: Source, selection: Selection) =>
  infiniteQueryOptions({
    queryKey: [source.site, 'records', source.app, source.table, selection],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) => {
      const options = { ...selection, after: pageParam, pageSize, total: 'none', signal } as const
      const { data, next } = await tableOf(source).list(options as object)
      return { data: data as DataRecord[], next }
    },
    getNextPageParam: ({ next }) => next,
  })
