/** A server in Node that functions call. It keeps the requests, and the path says how it responds. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface WebhookServer {
  url: string
  close(): Promise<void>
}

/** A request to a path. */
export interface Received {
  headers: Record<string, string>
  body: string
}

export async function startWebhookServer(): Promise<WebhookServer> {
  const received = new Map<string, Received[]>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const path = request.url ?? ''
      // Returns the request to a path.
      if (path.startsWith('/received/')) {
        response.end(JSON.stringify(received.get(path.slice('/received'.length)) ?? []))
        return
      }
      const headers = request.headers as Record<string, string>
      received.set(path, [...(received.get(path) ?? []), { headers, body: Buffer.concat(chunks).toString() }])
      const [, kind, rest = ''] = path.split('/')
      if (kind === 'status') response.writeHead(Number(rest)).end('no')
      else if (kind === 'redirect') response.writeHead(302, { location: '/json/redirected' }).end()
      else if (kind === 'text') response.end('plain text')
      else if (kind === 'large') response.end('x'.repeat(2 * 1024 * 1024))
      else if (kind === 'unhurried') setTimeout(() => response.end('in its own time'), Number(rest)).unref()
      else if (kind === 'slow') setTimeout(() => response.end('late'), 30_000).unref()
      else
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ path, method: request.method }))
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
