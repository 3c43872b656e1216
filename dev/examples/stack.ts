/** Runs a separate local stack with the demo in a temporary folder, for as long as a script needs it. */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { temporaryFolder } from '../temporary-folder.ts'

export interface Stack {
  /** The address of the service, without a slash at its end. */
  address: string
  stop(): Promise<void>
}

/** How long the start may take. */
const patienceMs = 120_000

/** Starts a stack. Throws with the output of the stack if it does not start. */
export async function startStack(): Promise<Stack> {
  const folder = temporaryFolder('examples')
  const port = await freePort()
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'start.ts')], {
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: folder,
      RATE_LIMIT_SCALE: '1000',
      ALLOW_PRIVATE_HOSTS: 'true',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk))
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  const address = `http://127.0.0.1:${port}`
  for (const until = Date.now() + patienceMs; Date.now() < until && child.exitCode === null; ) {
    const answer = await fetch(`${address}/readyz`).catch(() => undefined)
    if (answer?.ok) return { address, stop }
    await new Promise((again) => setTimeout(again, 200))
  }
  await stop()
  throw new Error(`the stack did not start:\n${printed}`)
}

function freePort(): Promise<number> {
  return new Promise((found, failed) => {
    const server = createServer().once('error', failed)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => found(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
