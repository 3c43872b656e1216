/** Ports of this machine that nothing listens on. */
import { createServer } from 'node:net'

/**
 * Returns a port below the range of the system's ephemeral ports, so that no client can connect to itself.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    if (await isFree(port)) return port
  }
}

/** Returns whether nothing listens on a loopback port. */
export function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer()
    probe.once('error', () => done(false))
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => done(true)))
  })
}
