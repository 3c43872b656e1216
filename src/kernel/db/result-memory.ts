/**
 * Bounds the bytes of Postgres results that an isolate processes at a time. A result takes several times its
 * size while it is parsed and serialized, and an isolate has 128 MB. So a large result is read only when
 * there is memory for it.
 */
import { Gate, type Release } from '../lib/gate.ts'
import { sqlstates } from './failures.ts'
import { streamOf, type TakeText, withoutLongText } from './long-text.ts'

/** Results up to this size never wait. */
const smallBytes = 256 * 1024
/** A result of unknown size counts as the largest possible answer of records. */
const unknownBytes = 12 * 1024 * 1024
/**
 * Measured: with 12 MiB of results at a time, workerd needs less than 100 MB more than when idle
 * (test/dev/memory.test.ts).
 */
const gate = new Gate(12 * 1024 * 1024)
/** How long a result may wait for memory. The deadline of its statement does not pause. */
const waitMs = 5_000
/** Memory that was not released after this long is released. */
const holdMs = 30_000

/** Waits for memory. Returns whether it was reserved. */
export type Reserve = (bytes: number) => Promise<boolean>

/** The memory for the results of one request. */
export interface ResultMemory {
  reserve: Reserve
  /** Releases the reserved memory. */
  release(): void
}

/**
 * Returns the memory for the results of one request. It holds one result at a time: the previous one has been
 * processed when the next one arrives. With `mayRefuse`, a result is refused if there is no memory in
 * time. Without it, the result is read anyway, because a committed write cannot be undone.
 */
export function resultMemoryFor(share: string, mayRefuse: boolean): ResultMemory {
  let releaseGate: Release | undefined
  const release = () => {
    releaseGate?.()
    releaseGate = undefined
  }
  return {
    release,
    async reserve(bytes) {
      release()
      releaseGate = await gate.enter({ share, cost: bytes, waitMs, holdMs })
      return releaseGate !== undefined || !mayRefuse
    },
  }
}

/** What a request of the driver has besides the options of `fetch`. */
interface Bounds {
  /** Is asked for memory before a large result is read. */
  reserve?: Reserve
  /** Gets the long text of a result, which then needs no memory. */
  take?: TakeText
}

/** `fetch` for the driver. */
export async function boundedFetch(
  address: string,
  { reserve, take, ...options }: RequestInit & Bounds,
): Promise<Response> {
  const whole = await fetch(address, options)
  const response = take ? await withoutLongText(whole, take) : whole
  return reserve
    ? boundResponse(response, async (bytes) => (await reserve(bytes)) && !options.signal?.aborted)
    : response
}

/**
 * Returns the response when there is memory for it, otherwise an error in the format of the driver's
 * endpoint.
 */
export async function boundResponse(response: Response, reserve: Reserve): Promise<Response> {
  const length = response.headers.get('content-length')
  if (length !== null && Number(length) <= smallBytes) return response
  if (length !== null) return (await reserve(Number(length))) ? response : refuse(response.body)
  if (!response.body) return response
  const reader = response.body.getReader()
  const first: Uint8Array[] = []
  let size = 0
  while (size <= smallBytes) {
    const { value } = await reader.read()
    if (!value) return new Response(joined(first, size), { status: response.status })
    first.push(value)
    size += value.byteLength
  }
  return (await reserve(unknownBytes)) ? new Response(streamOf(first, reader), response) : refuse(reader)
}

function joined([one, ...others]: readonly Uint8Array[], size: number): Uint8Array | null {
  if (one === undefined || others.length === 0) return one ?? null
  const whole = new Uint8Array(size)
  let end = 0
  for (const chunk of [one, ...others]) {
    whole.set(chunk, end)
    end += chunk.byteLength
  }
  return whole
}

async function refuse(unread: ReadableStream | ReadableStreamDefaultReader | null): Promise<Response> {
  await unread?.cancel().catch(() => undefined)
  return Response.json(
    { message: 'There is no memory for the result.', code: sqlstates.noResultMemory },
    { status: 400 },
  )
}
