/**
 * How many bytes of Postgres's answers the isolate works on at a time. An answer is several times its size while it is
 * parsed and put together anew, and an isolate has 128 MB: so a large one stays with the sender until there is room for it.
 */
import { Gate, type Leave } from '../lib/gate.ts'
import { sqlstates } from './failures.ts'

/** Smaller answers never wait for larger ones. */
const freeBytes = 256 * 1024
/** One that does not say how large it is counts as the largest that there are. */
const unknownBytes = 20 * 1024 * 1024
/** Measured: 12 MiB of answers at once keep workerd below 100 MB above what it has when it is idle (test/dev/memory.test.ts). */
const gate = new Gate(12 * 1024 * 1024)
/** The deadline of the statement goes on meanwhile. */
const waitMs = 5_000
const holdMs = 30_000

/** Whether there is room for so many bytes: it has waited for that. */
export type Reserve = (bytes: number) => Promise<boolean>

export interface Room {
  reserve: Reserve
  /** Gives back what was reserved. */
  release(): void
}

/**
 * Room for the answers of one request, one at a time: what came before is worked up when the next one is asked for.
 * `mayRefuse`: an answer for which there is no room in time is none. Otherwise it is taken all the same, as what was written
 * cannot be undone.
 */
export function roomFor(share: string, mayRefuse: boolean): Room {
  let leave: Leave | undefined
  const release = () => {
    leave?.()
    leave = undefined
  }
  return {
    release,
    async reserve(bytes) {
      release()
      leave = await gate.enter({ share, cost: bytes, waitMs, holdMs })
      return leave !== undefined || !mayRefuse
    },
  }
}

/** As `fetch`, for the driver. `reserve` stands among the options of a request; without it nothing is bounded. */
export async function boundedFetch(address: string, { reserve, ...options }: RequestInit & { reserve?: Reserve }): Promise<Response> {
  const response = await fetch(address, options)
  return reserve ? bounded(response, async (bytes) => (await reserve(bytes)) && !options.signal?.aborted) : response
}

/** The response, once there is room for it; else a failure in the words of the driver's endpoint. */
export async function bounded(response: Response, reserve: Reserve): Promise<Response> {
  const length = response.headers.get('content-length')
  if (length !== null && Number(length) <= freeBytes) return response
  if (length !== null) return (await reserve(Number(length))) ? response : refused(response.body)
  if (!response.body) return response
  const reader = response.body.getReader()
  const first: Uint8Array[] = []
  for (let size = 0; size <= freeBytes; ) {
    const { value } = await reader.read()
    if (!value) return new Response(continued(first, reader), response)
    first.push(value)
    size += value.byteLength
  }
  return (await reserve(unknownBytes)) ? new Response(continued(first, reader), response) : refused(reader)
}

const continued = (first: Uint8Array[], reader: ReadableStreamDefaultReader<Uint8Array>) =>
  new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = first.shift() ?? (await reader.read()).value
      if (chunk) controller.enqueue(chunk)
      else controller.close()
    },
    cancel: (reason) => reader.cancel(reason),
  })

async function refused(unread: ReadableStream | ReadableStreamDefaultReader | null): Promise<Response> {
  await unread?.cancel().catch(() => undefined)
  return Response.json({ message: 'no room for the answer', code: sqlstates.noRoom }, { status: 400 })
}
