/** The bodies of record responses, put together from JSON that Postgres made: it is passed on, never parsed. R1. */
import type { Deleted, Upserted, Written } from '../providers/provider.ts'
import type { Range } from '../query/ast.ts'

interface Answer {
  /** The text of what stands under `data`. */
  data: string
  /** The members that stand beside it, each with a comma before it. */
  beside: string
  /** What is answered without the envelope, where that is not `data`; null: nothing is. */
  bare?: string | null
}

export interface RecordList extends Answer {
  /** Of what is computed of all records together there is none. */
  total: number | undefined
}

/** Of one record, also the tag of its state. R12. */
export interface RecordBody extends Answer {
  etag: string | null
}

export function asList(data: string, total: number, { offset, limit }: Range): RecordList {
  const meta = { offset, limit, count: total, has_more: offset + limit < total }
  const page = Math.floor(offset / limit) + 1
  return { data, beside: `,"total":${total},"page":${page},"page_size":${limit},"meta":${JSON.stringify(meta)}`, total }
}

/** Spec: Aggregations, without _group_by. */
export const asTotals = (aggregates: string): RecordList => ({
  data: '[]',
  beside: `,"aggregates":${aggregates}`,
  bare: aggregates,
  total: undefined,
})

export const asOne = (data: string, etag: string): RecordBody => ({ data, beside: '', etag })

/** Of a single record, the only member of the array is the answer. */
export const asWritten = ({ data, etag }: Written, bulk: boolean): RecordBody => ({
  data: bulk ? data : data.slice(1, -1),
  beside: '',
  etag: bulk ? null : etag,
})

/** R8 */
export const asUpserted = (upserted: Upserted, bulk: boolean): RecordBody & { created: boolean } => {
  const { created, written } = upserted
  const beside = `,"created":${created > 0},"created_count":${created},"updated_count":${written - created}`
  return { ...asWritten(upserted, bulk), beside, created: created > 0 }
}

/** R9 */
export const asDeleted = ({ deleted, ids }: Deleted, withIds: boolean): string => `{"deleted":${deleted}${withIds ? `,"ids":${ids ?? '[]'}` : ''}}`
