/**
 * The gate from a function on this machine to the API of its site. It works like the gate of the service, but
 * with the credentials of the command line. It listens only on this machine, and accepts requests only from
 * unfinished runs.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from '../../../../client/src/connection/transport.ts'
import { type Auth, ConnectionError } from '../../../../client/src/index.ts'
import { AppError, forbiddenToFunctions, invalidCredentials } from '../../../../src/kernel/errors.ts'
import { tooManyOfRun } from '../../../../src/runtime/functions/errors.ts'
import { passedHeaders, pathOfRecords } from '../../../../src/runtime/functions/runners/gate-rules.ts'
import { credentialHeader, linesPath, requestsMax } from '../../../../src/runtime/functions/runners/limits.ts'
import type { Target } from '../../target.ts'

export interface PrintedLine {
  level: string
  message: string
}

/** An open gate. */
export interface Gate {
  /** The address on which it listens, such as `host:port`. */
  host: string
  /** Allows the requests of a run. Returns its credential, and a function that revokes it. */
  open(onLine: (line: PrintedLine) => void): { credential: string; close(): void }
  stop(): void
}

interface Run {
  onLine(line: PrintedLine): void
  requests: number
}

/** The response headers that belong to the connection, and are not passed on. */
const ofTheWay = ['connection', 'content-encoding', 'content-length', 'keep-alive', 'transfer-encoding']

export async function openGate(target: Target, app: string, auth: Auth): Promise<Gate> {
  const runs = new Map<string, Run>()
  const { session } = connect({ ...target, auth })
  const mount = target.site === undefined ? '' : `/sites/${encodeURIComponent(target.site)}`

  async function answer(request: Request, run: Run): Promise<Response> {
    const url = new URL(request.url)
    if (url.pathname === linesPath) {
      run.onLine((await request.json()) as PrintedLine)
      return new Response(null, { status: 204 })
    }
    if (++run.requests > requestsMax) return refused(tooManyOfRun(requestsMax))
    const path = pathOfRecords(url, { site: target.site, app, origin: target.url })
    if (path === undefined) return refused(forbiddenToFunctions())
    const body = request.body && (await request.arrayBuffer())
    const ask = (authorization: string | undefined) => {
      const headers = passedHeaders(request.headers)
      if (authorization) headers.set('authorization', authorization)
      const address = `${target.url}${mount}${path}${url.search}`
      return fetch(address, { method: request.method, headers, body, redirect: 'manual' })
    }
    const sent = await session.authorization()
    const first = await ask(sent)
    const other = first.status === 401 ? await session.renew(sent) : undefined
    return other === undefined ? first : ask(other)
  }

  // workerd sends no Host header to a proxy.
  const server = createServer({ requireHostHeader: false }, async (incoming, outgoing) => {
    const run = runs.get(String(incoming.headers[credentialHeader]))
    try {
      const response = run ? await answer(asRequest(incoming), run) : refused(invalidCredentials())
      await send(outgoing, response)
    } catch (error) {
      const { message } = new ConnectionError(incoming.method ?? '', incoming.url ?? '', error)
      await send(outgoing, refused(new AppError(503, 'unavailable', { detail: message })))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    open(onLine) {
      const credential = randomBytes(24).toString('base64url')
      runs.set(credential, { onLine, requests: 0 })
      return { credential, close: () => void runs.delete(credential) }
    },
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const refused = (error: AppError): Response => Response.json(error.body, error)

/** Converts a request of Node. The target of a request through the gate is a complete URL, as for a proxy. */
function asRequest(incoming: IncomingMessage): Request {
  const { method = 'GET', url = '/' } = incoming
  const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  const hasBody = !['GET', 'HEAD'].includes(method)
  const body = hasBody ? (incoming as unknown as ReadableStream) : null
  return new Request(url, { method, headers, body, ...(hasBody ? { duplex: 'half' } : {}) })
}

async function send(outgoing: ServerResponse, response: Response): Promise<void> {
  const headers = [...response.headers].filter(([name]) => !ofTheWay.includes(name))
  outgoing.writeHead(response.status, headers.flat())
  outgoing.end(Buffer.from(await response.arrayBuffer()))
}
