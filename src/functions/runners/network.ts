/** The network of a function's isolate: only https to the hosts that the function lists. E6, S8. */
import { exports, WorkerEntrypoint } from 'cloudflare:workers'
import type { Env } from '../../env.ts'
import { guardedFetch, type OutgoingConfig } from '../../outgoing/fetch.ts'

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
    const init = { method, headers, ...(request.body ? { body: await request.arrayBuffer() } : {}) }
    return guardedFetch(this.ctx.props.config, request.url, init, this.ctx.props.timeoutMs)
  }
}

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
