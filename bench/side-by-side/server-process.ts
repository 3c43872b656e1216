/** Starts the server of a peer as a process, and waits until it answers. */
import { type ChildProcess, spawn } from 'node:child_process'

export interface ServerProcess {
  pid: number
  stop(): Promise<void>
}

interface Options {
  cwd: string
  env: Record<string, string>
  /** An address that answers with a status below 500 when the server is ready. */
  ready: URL
}

const patienceMs = 60_000

/** A server gets only `env` and PATH, because the settings of the caller's tools must not affect it. */
const inherited = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' }

/** Rejects with the output of the server if it ends, or does not answer in time. */
export async function startServerProcess(
  command: string,
  args: readonly string[],
  { cwd, env, ready }: Options,
): Promise<ServerProcess> {
  const child = spawn(command, args, {
    cwd,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  const keep = (chunk: Buffer) => {
    printed = (printed + chunk).slice(-2000)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  let failure: string | undefined
  child.once('error', (error) => {
    failure = error.message
  })
  child.once('exit', (code, signal) => {
    failure ??= `it ended (${signal ?? code})`
  })
  for (const deadline = Date.now() + patienceMs; ; ) {
    const status = await fetch(ready).then(
      (answer) => answer.status,
      () => undefined,
    )
    if (status !== undefined && status < 500) break
    if (Date.now() > deadline) failure ??= `it does not answer at ${ready.href}`
    if (failure !== undefined) {
      await end(child)
      throw new Error(`${failure}: ${printed.trim()}`)
    }
    await new Promise((again) => setTimeout(again, 100))
  }
  return { pid: child.pid as number, stop: () => end(child) }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const exited = new Promise((done) => child.once('exit', done))
  child.kill()
  const late = setTimeout(() => child.kill('SIGKILL'), 5000)
  await exited
  clearTimeout(late)
}
