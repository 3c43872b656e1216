/**
 * Lists records, or aggregates of them, as a stream of lines. It reads page after page by position, each in
 * its own transaction. The Worker holds one page at a time.
 */

import type { RequestContext } from '../../kernel/context.ts'
import { answerBytesMax } from '../../kernel/db/answer-bytes.ts'
import { DatabaseFailure, sqlstates } from '../../kernel/db/failures.ts'
import type { StreamForm } from '../../kernel/http/stream-forms.ts'
import type { Stream } from '../../kernel/http/streamed.ts'
import { booleanOf } from '../../kernel/lib/boolean-text.ts'
import { csvLine } from '../../kernel/lib/csv.ts'
import type { RecordsPath } from '../catalog/find-table.ts'
import { queryTooSlow } from '../failures/errors.ts'
import { asksForPage } from '../query/parse/range.ts'
import type { Position } from '../query/plan/keyset.ts'
import { requestedPosition } from './positions.ts'
import { isReadInParts, readStreamPage, type StreamPage, type StreamQuestion } from './stream-page.ts'

/** The most bytes of a page. A longer record is a page of its own. */
const pageBytesMax = 4 * 1024 * 1024
/** The desired bytes of a page: large enough to need few pages, and small in the memory of the Worker. */
const pageBytes = 512 * 1024
/** The number of records on the first page, and the maximum for any page. */
const [rowsFirst, rowsMax] = [1_000, 50_000]
/** The factor by which a page can be larger than the one before. */
const growthMax = 8
/** How long a stream may take. */
const streamMs = 15 * 60_000

/** The reason why a stream cannot continue. */
class StreamEnded extends Error {}

/**
 * Opens a stream and reads its first page: of all records that match, or of the page that the request asks
 * for. Throws 400 for invalid
 * parameters, and 422 for too large a query, before anything is sent.
 */
export async function openStream(
  ctx: RequestContext,
  path: RecordsPath,
  parameters: URLSearchParams,
  form: StreamForm,
): Promise<Stream> {
  const position = await requestedPosition(ctx, parameters)
  const question: StreamQuestion = { path, parameters, form, position, isPage: asksForPage(parameters) }
  const leave = await ctx.share.openStream(streamMs)
  const end = () => {
    leave()
    ctx.share.release()
  }
  try {
    const pages = pagesOf(ctx, question)
    const { value: first } = await pages.next()
    const opened = first as StreamPage
    const mark = booleanOf(parameters.get('_bom')) ? '\uFEFF' : ''
    const header = form === 'csv' ? csvLine(opened.columns) : ''
    return { total: opened.total, texts: textsOf(`${mark}${header}`, opened, pages), end }
  } catch (error) {
    end()
    throw error
  }
}

async function* textsOf(
  header: string,
  first: StreamPage,
  others: AsyncGenerator<StreamPage>,
): AsyncGenerator<string> {
  if (header !== '' || first.text !== '') yield header + first.text
  for await (const { text } of others) yield text
}

/** Reads the pages. The first one is always yielded, even without records. */
async function* pagesOf(ctx: RequestContext, question: StreamQuestion): AsyncGenerator<StreamPage> {
  const until = Date.now() + streamMs
  let rows = rowsFirst
  let read = 0
  let after: Position | undefined
  let first: StreamPage | undefined
  for (;;) {
    const page: StreamPage | undefined = await readSome(ctx, question, { rows, read, after })
    if (!page) {
      rows = Math.ceil(rows / 4)
      continue
    }
    first ??= page
    if (page.shape !== first.shape) throw new StreamEnded('The table changed while it was read.')
    yield page
    if (!page.after) return
    if (Date.now() > until) throw new StreamEnded(`A stream may take ${streamMs} ms.`)
    after = page.after
    read += page.rows
    rows = rowsAfter(page)
  }
}

/** Returns the number of records for the next page. */
function rowsAfter({ rows, text }: StreamPage): number {
  const fitting = Math.floor((rows * pageBytes) / Math.max(1, text.length))
  return Math.max(1, Math.min(fitting, rows * growthMax, rowsMax))
}

/** What makes a stream fast. */
const fasterStreams = [
  'an index that begins with the fields of the filter or of the order',
  'a filter that finds fewer records',
]

/** The beginning of a page, and its number of records. */
interface Place {
  rows: number
  /** The number of records on the pages before it. */
  read: number
  after: Position | undefined
}

/** Reads a page. Returns undefined if it must be tried again with fewer records. */
async function readSome(
  ctx: RequestContext,
  question: StreamQuestion,
  place: Place,
): Promise<StreamPage | undefined> {
  const bytesMax = place.rows === 1 ? answerBytesMax : pageBytesMax
  try {
    return await readStreamPage(ctx, question, { ...place, bytesMax })
  } catch (failure) {
    if (isReadInParts(failure, place.rows)) return undefined
    const isSlow = failure instanceof DatabaseFailure && failure.sqlstate === sqlstates.queryCanceled
    throw isSlow ? queryTooSlow(fasterStreams, failure) : failure
  }
}
