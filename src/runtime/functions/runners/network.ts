/** The network of a function's isolate: only https to the hosts that the function lists. E6, S8. */
import { exports, WorkerEntrypoint } from 'cloudflare:workers'
import type { Env } from '../../../kernel/env.ts'
import { OutgoingFailure } from '../../../kernel/outgoing/failure.ts'
import type { OutgoingConfig } from '../../../kernel/outgoing/fetch.ts'

/** The most bytes that a request of a function sends. */
const sentBytesMax = 10 * 1024 * 1024

interface Props {
  hosts: readonly string[]
  config: OutgoingConfig
  /** The time limit of a request: that of the attempt that makes it. */
  timeoutMs: number
}

/** Receives all requests of an isolate. Rejects those to other hosts, and fails as `guardedFetch` does. */
export class FunctionNetwork extends WorkerEntrypoint<Env, Props> {
  override async fetch(request: Request): Promise<Response> {
    const { hostname } = new URL(request.url)
    if (!this.ctx.props.hosts.includes(hostname))
      throw new Error(`the function may not reach the host "${hostname}"`)
    const { method } = request
    const headers = new Headers(request.headers)
    // The host is taken from the URL, which is checked.
    headers.delete('host')
    const tooMuch = new AbortController()
    const init = { method, headers, body: limited(request, tooMuch), signal: tooMuch.signal }
    const { guardedFetch } = await import('../../../kernel/outgoing/fetch.ts')
    return guardedFetch(this.ctx.props.config, request.url, init, this.ctx.props.timeoutMs)
  }
}

/**
 * Returns the body of a request without reading it: it is counted while it is sent, so that the service never
 * holds it. Throws OutgoingFailure if its length is known to be above the limit. If the limit is exceeded
 * later, aborts the request: a body that only ends with an error would arrive as a whole one.
 */
function limited({ body, headers }: Request, tooMuch: AbortController): ReadableStream | null {
  if (!body) return null
  const length = headers.get('content-length')
  if (Number(length) > sentBytesMax) throw tooMuchSent()
  // Many servers need the length, which is sent for this kind of stream.
  if (length !== null) return body.pipeThrough(new FixedLengthStream(Number(length)))
  let bytes = 0
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes > sentBytesMax) tooMuch.abort(tooMuchSent())
      else controller.enqueue(chunk)
    },
  })
  return body.pipeThrough(counting)
}

const tooMuchSent = () =>
  new OutgoingFailure(`a function can send at most ${sentBytesMax} bytes in a request`)

/** Returns the network of an isolate; null, which means no network, if no hosts are named. */
export function networkTo(
  hosts: readonly string[],
  { ALLOW_PRIVATE_HOSTS, DNS_OVER_HTTPS }: OutgoingConfig,
  timeoutMs: number,
): Fetcher | null {
  if (hosts.length === 0) return null
  const { FunctionNetwork: entrypoint } = exports as unknown as {
    FunctionNetwork(options: { props: Props }): Fetcher
  }
  return entrypoint({ props: { hosts, config: { ALLOW_PRIVATE_HOSTS, DNS_OVER_HTTPS }, timeoutMs } })
}
