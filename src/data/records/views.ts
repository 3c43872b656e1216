/** The bodies of answers to reads. They are assembled from JSON text of Postgres, which is never parsed. R1. */
import type { Range } from '../query/parse/ast.ts'
import { pageOf } from '../query/parse/range.ts'
import type { OnePlan } from '../query/plan/plan.ts'
import type { Counted } from '../query/render/render-total.ts'
import type { Answer, RecordBody } from '../write/answer/bodies.ts'

/** The body of a list. */
export interface RecordList extends Answer {
  /** The value of the X-Total-Count header; undefined if it is unknown. */
  total: number | undefined
}

/** The number of members on all pages. */
export interface Total extends Counted {
  hasMore: boolean
}

/** The text of the records or groups of a page. */
type PageText = Pick<Answer, 'data' | 'rest'>

/** Builds a page of records or groups. `ranked`: see rankedOf. */
export function asList(
  page: PageText,
  { total, hasMore, is }: Total,
  range: Range,
  ranked?: number,
): RecordList {
  const { offset, limit } = range
  const meta = { offset, limit, count: total, has_more: hasMore, total_is: is, ranked_of: ranked }
  const beside =
    `,"total":${total},"page":${pageOf(range)},"page_size":${limit}` + `,"meta":${JSON.stringify(meta)}`
  return { ...page, beside, total: total ?? undefined }
}

/** The cursors of the pages before and after a page; null if there is no such page. */
export interface Cursors {
  next: string | null
  previous: string | null
}

/** Builds a page of records at a position. Such a page has no number. */
export function asListAtPosition(
  page: PageText,
  { total, hasMore, is }: Total,
  limit: number,
  cursors: Cursors,
): RecordList {
  const meta = { offset: null, limit, count: total, has_more: hasMore, total_is: is, ...cursors }
  const beside = `,"total":${total},"page":null,"page_size":${limit},"meta":${JSON.stringify(meta)}`
  return { ...page, beside, total: total ?? undefined }
}

/** Builds the answer to aggregates of all records. Spec: Aggregations, without _group_by. */
export const asTotals = (aggregates: string): RecordList => ({
  data: '[]',
  beside: `,"aggregates":${aggregates}`,
  bare: aggregates,
  profile: 'aggregate',
  total: undefined,
})

/** Builds the answer with one record. */
export const asOne = (
  data: string,
  version: string | null,
  { fields, populate, annotations }: OnePlan,
  isOfGuest: boolean,
): RecordBody => ({
  data,
  beside: '',
  etag: version,
  isOfGuest,
  fields: fields?.map(({ name }) => name),
  isPopulated: populate.length > 0 || annotations !== undefined,
})
