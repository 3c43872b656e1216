/** Sends the archive of an export as a stream: part after part, as fast as the client reads. */
import type { RequestContext } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { describeFailure, log } from '../../../kernel/lib/log.ts'
import { wrongState } from '../errors.ts'
import { withTransfer } from '../service.ts'
import { countDownload } from '../store.ts'
import { compressedEnd, type StoredFile, selectFiles, selectPart } from './parts.ts'
import { directoryOf, localHeader, type ZipEntry } from './zip.ts'

/** The maximum duration of a download in milliseconds. */
const streamMs = 15 * 60_000

/** Opens the archive of an export. Throws 404 for callers who may not know of it, 409 if it is not done. */
export async function openArchive(ctx: RequestContext, id: string) {
  const { transfer, files } = await withTransfer(ctx, id, {
    counted: countDownload(id),
    files: selectFiles(id),
  })
  const { kind, state, slug } = transfer.one
  if (kind !== 'export') throw wrongState('Only an export has an archive to download.')
  if (state !== 'done')
    throw wrongState(`The export is ${state}. Its archive can be downloaded once it is done.`)
  const leave = await ctx.share.openStream(streamMs)
  return { name: `${slug}.zip`, body: bodyOf(ctx, bytesOf(ctx, id, files.all), leave) }
}

/** Creates the bytes of the zip file. */
async function* bytesOf(
  ctx: RequestContext,
  id: string,
  files: readonly StoredFile[],
): AsyncGenerator<Uint8Array> {
  const entries: ZipEntry[] = []
  let offset = 0
  for (const { path, parts, size, packed, crc } of files) {
    const entry = { path, size, crc, packed: packed + compressedEnd.length, method: 8, offset }
    entries.push(entry)
    const header = localHeader(entry)
    yield header
    for (let number = 0; number < parts; number++) {
      const { part } = await withTransfer(ctx, id, { part: selectPart(id, path, number) })
      // The time limit of the transfer has passed, or the site was erased.
      if (!part.first) throw notFound()
      yield new Uint8Array(Buffer.from(part.first.data ?? '', 'base64'))
    }
    yield compressedEnd
    offset += header.length + entry.packed
  }
  yield directoryOf(entries, offset)
}

/**
 * Returns the body of the response. The status has already been sent, so a failure can only close the
 * connection.
 */
function bodyOf(ctx: RequestContext, bytes: AsyncGenerator<Uint8Array>, leave: () => void) {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = await bytes.next()
          if (!done) return controller.enqueue(value)
          leave()
          controller.close()
        } catch (error) {
          leave()
          log({ level: 'error', request_id: ctx.requestId, aborted: true, ...describeFailure(error, false) })
          controller.error(error)
        }
      },
      async cancel() {
        leave()
        await bytes.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
