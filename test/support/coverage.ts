/** Collects the observed responses from the test files. Every declared response must be observed. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Coverage {
  url: string
  /** Returns the declared responses that no test has observed. */
  unseen(): string[]
  close(): Promise<void>
}

export async function startCoverage(): Promise<Coverage> {
  const declared = new Set<string>()
  const seen = new Set<string>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const report = JSON.parse(Buffer.concat(chunks).toString()) as { declared: string[]; seen: string[] }
      for (const name of report.declared) declared.add(name)
      for (const name of report.seen) seen.add(name)
      response.end()
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    unseen: () => [...declared].filter((name) => !seen.has(name)).sort(),
    close: () => new Promise((closed) => server.close(() => closed())),
  }
}
