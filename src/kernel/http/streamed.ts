/** Answers with lines that are sent while they are created, only as fast as the client reads. */
import type { Context, MiddlewareHandler } from 'hono'
import type { z } from 'zod'
import type { LongText } from '../db/long-text.ts'
import { describeFailure, log } from '../lib/log.ts'
import type { AppEnv } from './app-env.ts'
import type { Answer } from './openapi/describe.ts'
import { PreparedResponse } from './route.ts'
import { type StreamForm, streamHeaders, streamTypes } from './stream-forms.ts'

/** The texts of an answer, one after the other. */
export interface Stream {
  /** The number of all lines; undefined if the client has not requested it. */
  total: number | undefined
  texts: AsyncGenerator<string>
  /** Releases the resources of the stream. It is called when the stream has ended for any reason. */
  end(): void
}

/** Adds a header that says that the answer depends on the Accept header. */
export const varyByAccept: MiddlewareHandler<AppEnv> = async (c, next) => {
  c.header('Vary', 'Accept', { append: true })
  await next()
}

const examples: Readonly<Record<StreamForm, string>> = {
  csv: 'id,name\r\n1,"Saw"\r\n',
  ndjson: '{"id":1,"name":"Saw"}\n',
}

/** Documents the forms of an answer that are streams. `lines` is the schema of their text. */
export const streamAnswers = (lines: z.ZodType): Answer[] =>
  Object.entries(streamTypes).map(([form, mediaType]) => ({
    body: lines,
    mediaType,
    example: examples[form as StreamForm],
    headers: ['Content-Disposition'],
  }))

/** Creates the response. `name` is the name of the file. A HEAD request gets no body. */
export function respondWithStream(
  c: Context<AppEnv>,
  form: StreamForm,
  name: string,
  stream: Stream,
): PreparedResponse<200> {
  if (stream.total !== undefined) c.header('X-Total-Count', String(stream.total))
  const headers = streamHeaders(form, name)
  if (c.req.method !== 'HEAD') return new PreparedResponse(200, c.body(bodyOf(c, stream), 200, headers))
  stream.end()
  return new PreparedResponse(200, c.body(null, 200, headers))
}

/**
 * Returns a body of two texts with the rest of a long one between them, if there is any. A HEAD request gets
 * no body.
 */
export function bodyAround(
  c: Context<AppEnv>,
  before: string,
  rest: LongText | undefined,
  after: string,
): string | ReadableStream<Uint8Array> | null {
  if (!rest) return before + after
  if (c.req.method !== 'HEAD') return bodyOf(c, { texts: around(before, rest.parts, after), end: rest.end })
  rest.end()
  return null
}

async function* around(before: string, parts: AsyncGenerator<string>, after: string): AsyncGenerator<string> {
  if (before !== '') yield before
  for await (const part of parts) if (part !== '') yield part
  if (after !== '') yield after
}

const encoder = new TextEncoder()

/** How long a client may read nothing. */
const idleMs = 30_000

/** Why a stream has ended that its client could still read. */
class NotRead extends Error {}

/**
 * Returns the body of a stream. The next text is requested when the client has read the previous one. A
 * failure is logged and closes the connection, because the status has already been sent: only this tells the
 * client that the body is incomplete. A client that does not read is not waited for.
 */
function bodyOf(
  c: Context<AppEnv>,
  { texts, end }: Pick<Stream, 'texts' | 'end'>,
): ReadableStream<Uint8Array> {
  let timer: ReturnType<typeof setTimeout> | undefined
  let hasEnded = false

  function release(): void {
    hasEnded = true
    clearTimeout(timer)
    end()
  }

  function fail(controller: ReadableStreamDefaultController, error: unknown): void {
    if (hasEnded) return
    release()
    const isDevelopment = c.env.ENVIRONMENT === 'development'
    const level = error instanceof NotRead ? 'info' : 'error'
    log({ level, request_id: c.var.requestId, aborted: true, ...describeFailure(error, isDevelopment) })
    controller.error(error)
  }

  function awaitReader(controller: ReadableStreamDefaultController): void {
    timer = setTimeout(() => {
      fail(controller, new NotRead(`Nothing was read for ${idleMs} ms.`))
      void texts.return(undefined)
    }, idleMs)
  }

  return new ReadableStream<Uint8Array>(
    {
      start: awaitReader,
      async pull(controller) {
        clearTimeout(timer)
        try {
          const { value, done } = await texts.next()
          if (hasEnded) return
          if (done) {
            release()
            return controller.close()
          }
          controller.enqueue(encoder.encode(value))
          awaitReader(controller)
        } catch (error) {
          fail(controller, error)
        }
      },
      async cancel() {
        release()
        await texts.return(undefined)
      },
    },
    // Nothing is produced before the client reads.
    { highWaterMark: 0 },
  )
}
