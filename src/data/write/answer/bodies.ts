/** The bodies of answers to writes of records. They are assembled from JSON text of Postgres. R1. */
import type { LongText } from '../../../kernel/db/long-text.ts'
import type { Json } from '../../../kernel/errors.ts'
import type { Profile } from '../../../kernel/http/envelope.ts'
import type { CreatedRecords, DeletedRecords, WrittenRecords } from '../../providers/provider.ts'
import type { WrittenRow } from '../plan/records.ts'

/** The body of an answer with records. */
export interface Answer {
  /** The JSON text of `data`. */
  data: string
  /** What follows `data`, if it is long. */
  rest?: LongText
  /** The JSON text of the other members, each with a comma before it. */
  beside: string
  /** The body without the envelope. Omitted: `data`; null: there is none. */
  bare?: string | null
  /** Omitted for records and for one record. */
  profile?: Profile
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
export const asUpserted = (upserted: WrittenRow, bulk: boolean): CreatedBody => {
  const { created = 0, written } = upserted
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
