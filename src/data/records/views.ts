/** The bodies of record responses, put together from JSON that Postgres made: it is passed on, never parsed. R1. */
import type { Profile } from '../../http/envelope.ts'
import type { Deleted, Upserted, Written } from '../providers/provider.ts'
import type { Range, TotalMode } from '../query/ast.ts'
import { pageOf } from '../query/range.ts'

interface Answer {
  /** The text of what stands under `data`. */
  data: string
  /** The members that stand beside it, each with a comma before it. */
  beside: string
  /** What is answered without the envelope, where that is not `data`; null: nothing is. */
  bare?: string | null
  /** Its form, where it is neither records nor a record. */
  profile?: Profile
}

export interface RecordList extends Answer {
  /** For the header: undefined where nobody knows it. */
  total: number | undefined
}

/** How many there are on all pages. */
export interface Total {
  /** Null: it was not asked for. */
  total: number | null
  hasMore: boolean
  /** Undefined: nobody asked how it is found. */
  is: TotalMode | undefined
}

/** Of one record, also the tag of its state. R12. */
export interface RecordBody extends Answer {
  etag: string | null
}

/** A page of records, or of groups. */
export function asList(data: string, { total, hasMore, is }: Total, range: Range): RecordList {
  const { offset, limit } = range
  const meta = { offset, limit, count: total, has_more: hasMore, total_is: is }
  const beside = `,"total":${total},"page":${pageOf(range)},"page_size":${limit},"meta":${JSON.stringify(meta)}`
  return { data, beside, total: total ?? undefined }
}

/** Spec: Aggregations, without _group_by. */
export const asTotals = (aggregates: string): RecordList => ({
  data: '[]',
  beside: `,"aggregates":${aggregates}`,
  bare: aggregates,
  profile: 'aggregate',
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
