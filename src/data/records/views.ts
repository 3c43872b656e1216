/**
 * The bodies of record responses. They are assembled from JSON text of Postgres, which is never parsed. R1.
 */
import type { Json } from '../../errors.ts'
import type { Profile } from '../../http/envelope.ts'
import type {
  CreatedRecords,
  DeletedRecords,
  UpsertedRecords,
  WrittenRecords,
} from '../providers/provider.ts'
import type { Range, TotalMode } from '../query/parse/ast.ts'
import { pageOf } from '../query/parse/range.ts'
import type { OnePlan } from '../query/plan/plan.ts'

interface Answer {
  /** The JSON text of `data`. */
  data: string
  /** The JSON text of the other members, each with a comma before it. */
  beside: string
  /** The body without the envelope. Omitted: `data`; null: there is none. */
  bare?: string | null
  /** Omitted for records and for one record. */
  profile?: Profile
}

/** The body of a list. */
export interface RecordList extends Answer {
  /** The value of the X-Total-Count header; undefined if it is unknown. */
  total: number | undefined
}

/** The number of members on all pages. */
export interface Total {
  /** Null if the client did not ask for it. */
  total: number | null
  hasMore: boolean
  /** How the total was determined; undefined if the client did not set `_total`. */
  is: TotalMode | undefined
}

/** The body of one record. R12. */
export interface RecordBody extends Answer {
  /** The version of the record, from which responses.ts makes its ETag; null if the answer has none. */
  etag: string | null
  /** Whether invalid records are left out. */
  isPartial?: boolean
  /** The names of the fields that are shown. Omitted: all. */
  fields?: readonly string[] | undefined
  /** Whether it also shows related records or annotations, whose changes do not change the ETag. */
  isPopulated?: boolean
  /** Whether the caller is a guest, to whom rules can show the same version differently. */
  isOfGuest?: boolean
}

/** Builds a page of records or groups. */
export function asList(data: string, { total, hasMore, is }: Total, range: Range): RecordList {
  const { offset, limit } = range
  const meta = { offset, limit, count: total, has_more: hasMore, total_is: is }
  const beside =
    `,"total":${total},"page":${pageOf(range)},"page_size":${limit}` + `,"meta":${JSON.stringify(meta)}`
  return { data, beside, total: total ?? undefined }
}

/** The cursors of the pages before and after a page; null if there is no such page. */
export interface Cursors {
  next: string | null
  previous: string | null
}

/** Builds a page of records at a position. Such a page has no number. */
export function asListAtPosition(
  data: string,
  { total, hasMore, is }: Total,
  limit: number,
  cursors: Cursors,
): RecordList {
  const meta = { offset: null, limit, count: total, has_more: hasMore, total_is: is, ...cursors }
  const beside = `,"total":${total},"page":null,"page_size":${limit},"meta":${JSON.stringify(meta)}`
  return { data, beside, total: total ?? undefined }
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

/** The body of the answer to a write. */
export interface WrittenBody extends RecordBody {
  /** The numbers of written records, as members of a JSON object. */
  counts: string
}

/** The body of the answer to a creation. */
export interface CreatedBody extends WrittenBody {
  /** Whether any record was created. */
  created: boolean
}

/** Builds the answer to a creation. A single record is the only member of the array, if it was created. */
export function asCreated(created: CreatedRecords, bulk: boolean): CreatedBody {
  const { written, ignored } = created
  const left = ignored ?? []
  const ignoredCounts = `,"ignored_count":${left.length},"ignored":${JSON.stringify(left)}`
  const counts = `"created_count":${written}${ignored === undefined ? '' : ignoredCounts}`
  const body = asWritten(created, bulk, counts)
  if (ignored === undefined) return { ...body, created: true }
  if (body.profile === 'minimal') return { ...body, created: written > 0 }
  const data = !bulk && left.length > 0 ? '[]' : body.data
  return { ...body, data, beside: `,${counts}`, created: written > 0 }
}

/** Builds the answer to a change. */
export const asUpdated = (updated: WrittenRecords, bulk: boolean): WrittenBody =>
  asWritten(updated, bulk, `"updated_count":${updated.written}`)

const asWritten = ({ data, etag }: WrittenRecords, bulk: boolean, counts: string): WrittenBody =>
  data === null
    ? { data: `{${counts}}`, beside: '', profile: 'minimal', etag: null, counts }
    : { data: bulk ? data : data.slice(1, -1), beside: '', etag: bulk ? null : etag, counts }

/** Builds the answer to an upsert. R8 */
export const asUpserted = (upserted: UpsertedRecords, bulk: boolean): CreatedBody => {
  const { created, written } = upserted
  const counts = `"created":${created > 0},"created_count":${created},"updated_count":${written - created}`
  const body = asWritten(upserted, bulk, counts)
  return { ...body, beside: body.profile === 'minimal' ? '' : `,${counts}`, created: created > 0 }
}

/** A record of a request that was not written, with the error that it would have got on its own. */
export interface FailedRecord {
  /** Its position in the body, from 0. */
  index: number
  /** The line on which it begins, in a body of lines. */
  line?: number | undefined
  status: number
  body: Json
}

/** Adds the records that were not written to the answer to a write of many. */
export function withFailures<Body extends WrittenBody>(answer: Body, failed: readonly FailedRecord[]): Body {
  const errors = failed.map(({ body, ...place }) => ({ ...place, ...(body as object) }))
  const members = `${answer.counts},"failed_count":${failed.length},"failed":${JSON.stringify(errors)}`
  return answer.profile === 'minimal'
    ? { ...answer, data: `{${members}}`, isPartial: true }
    : { ...answer, beside: `,${members}`, isPartial: true }
}

/** Builds the answer to the deletion of one record: undefined if it has no body. */
export function asDeletedRecord({ data, written }: DeletedRecords, isDry: boolean): RecordBody | undefined {
  if (data !== null) return { data: data.slice(1, -1), beside: '', etag: null }
  return isDry ? { data: `{"deleted":${written}}`, beside: '', profile: 'minimal', etag: null } : undefined
}

/** Builds the answer to a bulk delete. R9 */
export const asDeleted = ({ written, ids, data }: DeletedRecords, withIds: boolean): string =>
  `{"deleted":${written}${withIds ? `,"ids":${ids ?? '[]'}` : ''}${data === null ? '' : `,"data":${data}`}}`
