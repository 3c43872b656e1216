/** The records of a table: reads, writes, versions, streams. */
import type { CallOptions, Query, Transport } from '../connection/transport.ts'
import type { LiveList } from '../live/apply.ts'
import type { Live } from '../live/source.ts'
import type { UnknownApps, UnknownTable } from '../types/schema.ts'
import type { TableClient } from '../types/table-client.ts'
import { edgesOf, walksOf } from './graph.ts'
import { type AnyKey, keyList, keyPath } from './keys.ts'
import { csvRows, jsonLines } from './lines.ts'
import type { AnyListOptions } from './options.ts'
import { type Records, readPage, walkPages, walkRecords } from './pages.ts'
import { expressionsText, listQuery, matchingQuery, selectQuery, viewQuery } from './query.ts'
import type { HistoryOptions, ManyOptions, OneWriteOptions, WriteOptions } from './writes.ts'

type Row = Readonly<Record<string, unknown>>
interface Enveloped {
  data: unknown
}
/** `by`: the fields of the groups; without it, there is one result. */
interface AnyAggregateOptions extends AnyListOptions {
  values: Readonly<Record<string, string>>
  by?: readonly string[] | undefined
  having?: readonly string[] | undefined
}
type Expecting = WriteOptions & {
  expect?: number | undefined
  limit?: number | undefined
  all?: boolean | undefined
}
type Hard = { hard?: boolean | undefined }
type Identified = WriteOptions & { uniqueFields: readonly string[] }
type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Follows a path. All lists of a client share its streams. */
export type Follow = (path: string, query?: Query, options?: CallOptions) => Live<LiveList<unknown>>

/**
 * Creates the calls of a table. `transport` checks the schema of responses. The types of
 * client/src/types/table-client.ts define the arguments; this file does not check them.
 */
export function tableCalls(transport: Transport, tablePath: string, follow?: Follow) {
  const path = `${tablePath}data/`
  const records: Records = { transport, path }
  const one = (key: AnyKey) => `${path}${keyPath(key)}/`

  const write = <Body>(method: Method, to: string, body: unknown, options: WriteOptions, query: Query = {}) =>
    transport.json<Body>({
      method,
      path: to,
      query: { ...query, dry_run: options.dryRun || undefined },
      body,
      key: options.idempotencyKey ?? true,
      signal: options.signal,
    })
  const writeOne = (method: Method, key: AnyKey, body: unknown, options: OneWriteOptions, query?: Query) =>
    transport.json<Enveloped>({
      method,
      path: one(key),
      query: {
        ...query,
        include_deleted: options.includeDeleted || undefined,
        dry_run: options.dryRun || undefined,
      },
      body,
      key: options.idempotencyKey ?? true,
      signal: options.signal,
      headers: options.ifMatch === undefined ? {} : { 'if-match': options.ifMatch },
    })
  const data = async (answer: Promise<Enveloped>) => (await answer).data

  async function many(method: Method, to: string, rows: readonly Row[], options: ManyOptions, query: Query) {
    const atomic = options.atomic === false ? { atomic: false } : {}
    const answer = await write<Partial<Record<'data' | 'ignored' | 'failed', unknown[]>>>(
      method,
      to,
      rows,
      options,
      { ...query, ...atomic },
    )
    return { data: answer.data ?? [], ignored: answer.ignored ?? [], failed: answer.failed ?? [] }
  }

  async function get(key: AnyKey, options: AnyListOptions = {}) {
    return data(transport.json({ path: one(key), query: viewQuery(options), signal: options.signal }))
  }

  const stream = (accept: string, options: AnyListOptions) =>
    transport.send({ path, query: listQuery(options), headers: { accept }, signal: options.signal })

  const aggregateQuery = ({ values, by, having, ordering, ...rest }: AnyAggregateOptions): Query => ({
    ...listQuery({ ...rest, ordering }),
    _aggregate: expressionsText(values),
    _group_by: by?.join(','),
    _having: having?.join(','),
  })

  return {
    list: (options: AnyListOptions = {}) => readPage(records, options),
    live(options: AnyListOptions = {}) {
      if (!follow) throw new Error('A function cannot follow lists. It hears of events.')
      return follow(path, listQuery(options), options)
    },
    pages: (options: AnyListOptions = {}) => walkPages(records, options),
    each: (options: AnyListOptions = {}) => walkRecords(records, options),
    search: (search: string, options: AnyListOptions = {}) => readPage(records, { ...options, search }),
    get,
    async getWithETag(key: AnyKey, options: AnyListOptions = {}) {
      const call = { path: one(key), query: viewQuery(options), signal: options.signal }
      const answer = await transport.send(call)
      const { data: record } = (await answer.json()) as Enveloped
      return { data: record, etag: answer.headers.get('etag') }
    },
    async find(key: AnyKey, options: AnyListOptions = {}) {
      try {
        return await get(key, options)
      } catch (error) {
        if (error instanceof Error && 'status' in error && error.status === 404) return undefined
        throw error
      }
    },
    async count(options: AnyListOptions = {}) {
      const query = { ...selectQuery(options), _count: true, _total: options.total }
      return (await transport.json<{ total: number | null }>({ path, query, signal: options.signal })).total
    },
    async aggregate(options: AnyAggregateOptions) {
      const query = aggregateQuery(options)
      const call = { path, query, signal: options.signal }
      return (await transport.json<{ aggregates: object }>(call)).aggregates
    },
    groups: (options: AnyAggregateOptions) =>
      readGroups(transport, path, aggregateQuery(options), options.signal),
    async *stream(options: AnyListOptions = {}) {
      yield* jsonLines(await stream('application/x-ndjson', options))
    },
    async *csv(options: AnyListOptions = {}) {
      yield* csvRows(await stream('text/csv', options))
    },

    create: (row: Row, options: WriteOptions = {}) => data(write('POST', path, row, options)),
    createMany: (rows: readonly Row[], options: ManyOptions & { onConflict?: 'ignore' | undefined } = {}) =>
      many('POST', path, rows, options, { on_conflict: options.onConflict }),
    update: (key: AnyKey, changes: Row, options: OneWriteOptions = {}) =>
      data(writeOne('PATCH', key, changes, options)),
    updateMany: (rows: readonly Row[], options: ManyOptions = {}) => many('PATCH', path, rows, options, {}),
    async updateWhere(where: object, changes: Row, options: Expecting = {}) {
      const query = { ...matchingQuery(where, options), return: 'minimal' }
      const answer = await write<{ updated_count: number }>('PATCH', path, changes, options, query)
      return answer.updated_count
    },
    replace: (key: AnyKey, row: Row, options: OneWriteOptions = {}) =>
      data(writeOne('PUT', key, row, options)),
    async upsert(row: Row, { uniqueFields, ...options }: Identified) {
      const query = { unique_fields: uniqueFields.join(',') }
      const answer = await write<{ data: unknown; created: boolean }>(
        'POST',
        `${path}upsert/`,
        row,
        options,
        query,
      )
      return { data: answer.data, created: answer.created }
    },
    upsertMany: (rows: readonly Row[], { uniqueFields, ...options }: Identified & ManyOptions) =>
      many('POST', `${path}upsert/`, rows, options, { unique_fields: uniqueFields.join(',') }),
    async delete(key: AnyKey, options: OneWriteOptions & Hard = {}) {
      await writeOne('DELETE', key, undefined, options, { hard_delete: options.hard || undefined })
    },
    async deleteMany(keys: readonly AnyKey[], options: WriteOptions & Hard = {}) {
      const query = { ids: keyList(keys), hard_delete: options.hard || undefined }
      return (await write<{ deleted: number }>('DELETE', path, undefined, options, query)).deleted
    },
    async deleteWhere(where: object, options: Expecting & Hard = {}) {
      const query = { ...matchingQuery(where, options), hard_delete: options.hard || undefined }
      return (await write<{ deleted: number }>('DELETE', path, undefined, options, query)).deleted
    },

    history: (key: AnyKey, { page, pageSize, ordering, operation, signal }: HistoryOptions = {}) =>
      transport.json({
        path: `${one(key)}history/`,
        query: { page, page_size: pageSize, ordering, operation },
        signal,
      }),
    restore: (key: AnyKey, version: number, options: WriteOptions = {}) =>
      data(write('POST', `${one(key)}restore/${encodeURIComponent(version)}/`, undefined, options)),

    edges: edgesOf(transport, `${tablePath}edges/`),
    ...walksOf(transport, path, one),
  } satisfies Record<Exclude<keyof TableClient<UnknownApps[string], UnknownTable>, '$types'>, unknown>
}

async function readGroups(transport: Transport, path: string, query: Query, signal: CallOptions['signal']) {
  const answer = await transport.json<{ data: object[]; total: number; meta: { has_more: boolean } }>({
    path,
    query,
    signal,
  })
  return { data: answer.data, total: answer.total, hasMore: answer.meta.has_more }
}
