/** The bodies of record responses, put together from JSON that Postgres made: it is passed on, never parsed. R1. */
import type { Deleted, Upserted, Written } from '../providers/provider.ts'
import type { Range } from '../query/ast.ts'

export interface RecordList {
  body: string
  /** Of what is computed of all records together there is none. */
  total: number | undefined
}

/** Of one record, also the tag of its state. R12. */
export interface RecordBody {
  body: string
  etag: string | null
}

export function asList(data: string, total: number, { offset, limit }: Range): RecordList {
  const meta = { offset, limit, count: total, has_more: offset + limit < total }
  const page = Math.floor(offset / limit) + 1
  return { body: `{"data":${data},"total":${total},"page":${page},"page_size":${limit},"meta":${JSON.stringify(meta)}}`, total }
}

/** Spec: Aggregations, without _group_by. */
export const asTotals = (aggregates: string): RecordList => ({ body: `{"data":[],"aggregates":${aggregates}}`, total: undefined })

export const asOne = (data: string, etag: string): RecordBody => ({ body: `{"data":${data}}`, etag })

/** Of a single record, the only member of the array is the answer. */
export const asWritten = ({ data, etag }: Written, bulk: boolean): RecordBody => ({
  body: `{"data":${bulk ? data : data.slice(1, -1)}}`,
  etag: bulk ? null : etag,
})

/** R8 */
export const asUpserted = (upserted: Upserted, bulk: boolean): RecordBody & { created: boolean } => {
  const { created, written } = upserted
  const { body, etag } = asWritten(upserted, bulk)
  const counts = `"created":${created > 0},"created_count":${created},"updated_count":${written - created}`
  return { body: `${body.slice(0, -1)},${counts}}`, etag, created: created > 0 }
}

/** R9 */
export const asDeleted = ({ deleted, ids }: Deleted, withIds: boolean): string => `{"deleted":${deleted}${withIds ? `,"ids":${ids ?? '[]'}` : ''}}`
