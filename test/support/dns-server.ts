/**
 * A resolver for DNS over HTTPS in Node, in the JSON format. It returns the records that a test has set for a
 * name.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface DnsServer {
  url: string
  close(): Promise<void>
}

/** The data of a name: TXT records in DNS notation, a DNS error code, or a failing resolver. */
export interface Zone {
  txt?: readonly string[]
  code?: number
  status?: number
}

const noSuchName = 3
const txt = 16
const cname = 5

export async function startDnsServer(): Promise<DnsServer> {
  const zones = new Map<string, Zone>()
  const asked = new Map<string, number>()

  function resolve(name: string, type: string | null) {
    const zone = zones.get(name)
    if (!zone) return { Status: noSuchName }
    // As for an alias: its records follow the CNAME record.
    const alias = { name, type: cname, TTL: 60, data: 'records.example.net.' }
    const records = (type === 'TXT' ? (zone.txt ?? []) : []).map((data) => ({
      name,
      type: txt,
      TTL: 60,
      data,
    }))
    return {
      Status: zone.code ?? 0,
      Question: [{ name, type: txt }],
      Answer: records.length > 0 ? [alias, ...records] : [],
    }
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const name = url.searchParams.get('name') ?? ''
    if (request.method === 'PUT') {
      zones.set(name, JSON.parse(await bodyOf(request)))
      return response.end()
    }
    if (url.pathname === '/asked') return response.end(String(asked.get(name) ?? 0))
    asked.set(name, (asked.get(name) ?? 0) + 1)
    const wanted = request.headers.accept === 'application/dns-json'
    response.writeHead(wanted ? (zones.get(name)?.status ?? 200) : 400, {
      'content-type': 'application/dns-json',
    })
    response.end(JSON.stringify(resolve(name, url.searchParams.get('type'))))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/dns-query`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
