/** The bodies of record responses, put together from JSON that Postgres made: it is passed on, never parsed. R1. */
import type { RecordQuery } from '../query/ast.ts'
import type { ReadPlan } from '../query/plan.ts'

export interface RecordList {
  body: string
  total: number
}

export function asList({ data, total }: { data: string; total: number }, { page, pageSize }: RecordQuery, { offset, limit }: ReadPlan): RecordList {
  const meta = { offset, limit, count: total, has_more: offset + limit < total }
  return { body: `{"data":${data},"total":${total},"page":${page},"page_size":${pageSize},"meta":${JSON.stringify(meta)}}`, total }
}

export const asOne = (record: string): string => `{"data":${record}}`

/** `records` is the text of an array; of a single create, its only member is the answer. */
export const asCreated = (records: string, bulk: boolean): string => `{"data":${bulk ? records : records.slice(1, -1)}}`
