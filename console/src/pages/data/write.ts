/** Changes a record of the grid, and stores how to undo the last change. */
import { queryOptions } from '@tanstack/react-query'
import { clientOf } from '../../session/client.ts'
import { viewerOf } from '../../session/viewer.ts'
import { bodyOf, type DataRecord, recordPath, type Source, showRecord } from './records.ts'

/** A record with the ETag of its state. */
export interface Tagged {
  record: DataRecord
  etag: string
}

/** The current record with its ETag, even if it is marked as deleted. It is always loaded again. */
export const recordQuery = (source: Source, key: string) =>
  queryOptions({
    queryKey: [source.site, 'record', source.app, source.table, key, source.as],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<Tagged> => {
      const query = { include_deleted: source.as === undefined || undefined }
      return tagged(
        await viewerOf(source.site, source.as).send({ path: recordPath(source, key), query, signal }),
      )
    },
  })

async function tagged(answer: Response): Promise<Tagged> {
  const { data } = await bodyOf<{ data: DataRecord }>(answer)
  return { record: data, etag: answer.headers.get('etag') ?? '' }
}

/**
 * Changes fields of a record, and updates it in all lists. Throws StaleError if the record no longer has the
 * ETag `etag`; without `etag`, changes any state.
 */
export async function changeRecord(
  source: Source,
  primaryKey: readonly string[],
  key: string,
  changes: DataRecord,
  etag?: string,
): Promise<Tagged> {
  const answer = await clientOf(source.site).send({
    method: 'PATCH',
    path: recordPath(source, key),
    body: changes,
    key: true,
    ...(etag === undefined ? {} : { headers: { 'If-Match': etag } }),
  })
  const changed = await tagged(answer)
  showRecord(source, primaryKey, changed.record)
  return changed
}

type Undo = () => Promise<unknown>

let last: Undo | undefined

/** Stores how to undo the latest change. */
export function noteUndo(undo: Undo): void {
  last = undo
}

/**
 * Undoes the last change, once. Returns whether there was one. Throws StaleError if the record has changed
 * since.
 */
export async function undoLast(): Promise<boolean> {
  const undo = last
  last = undefined
  await undo?.()
  return undo !== undefined
}
