/** A workerd process for functions: starts it, sends it calls, and ends it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { constants, getPriority, setPriority } from 'node:os'
import type { Readable } from 'node:stream'
import { controlDescriptor, type Program } from './program.ts'

export interface Answer {
  status: number
  text: string
}

export interface FunctionProcess {
  readonly pid: number
  /** Sends a call. Fails, with the reason that `end` was given, if the process ends before it answers. */
  ask(call: Buffer): Promise<Answer>
  /** Ends the process at once, even if it is busy. */
  end(reason?: string): void
  /** Gives the service, Postgres and other functions a higher priority than this process. */
  yieldToOthers(): void
  readonly ended: Promise<unknown>
}

/** By how much to lower the priority. On a busy machine, the process must still reach its limit soon. */
const yieldingNiceness = 5

/** The maximum time to start, which usually takes 30 ms. */
const startMsMax = 15_000

export async function startFunctionProcess({
  command,
  args,
  config,
  token,
}: Program): Promise<FunctionProcess> {
  const child = spawn(command, args, {
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    windowsHide: true,
    // It gets nothing else from our environment, which may contain passwords. Windows needs its system
    // folder.
    env: { TZ: 'UTC', SystemRoot: process.env.SystemRoot },
  })
  let log = ''
  child.stderr?.on('data', (chunk) => {
    log = (log + chunk).slice(-2000)
  })
  let reason = 'The isolate ended: its process ended.'
  const ended = new Promise((done) => {
    child.once('exit', done)
    child.once('error', done)
  })
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(config)
  const late = setTimeout(() => child.kill('SIGKILL'), startMsMax)
  const port = await Promise.race([listeningPort(child), ended.then(() => undefined)])
  clearTimeout(late)
  if (port === undefined) throw new Error(`workerd did not start:\n${log}`)
  const pid = child.pid as number

  return {
    pid,
    async ask(call) {
      try {
        return await post(port, token, call)
      } catch {
        // Only the end of the process breaks the connection.
        child.kill('SIGKILL')
        await ended
        throw new Error(reason)
      }
    },
    end(why = reason) {
      reason = why
      child.kill('SIGKILL')
    },
    yieldToOthers() {
      try {
        setPriority(pid, Math.min(getPriority() + yieldingNiceness, constants.priority.PRIORITY_LOW))
      } catch {
        // The process has ended.
      }
    },
    ended,
  }
}

async function listeningPort(child: ChildProcess): Promise<number> {
  const control = child.stdio[controlDescriptor] as Readable
  for (let text = ''; ; ) {
    const [chunk] = await once(control, 'data')
    text += chunk
    const port = /"event":"listen".*"port":(\d+)\}/.exec(text)?.[1]
    if (port !== undefined) return Number(port)
  }
}

/** Each call has its own connection: workerd closes those that are idle, at any moment. */
function post(port: number, token: string, body: Buffer): Promise<Answer> {
  return new Promise((done, fail) => {
    const headers = { authorization: token, 'content-length': body.length }
    const call = request({ host: '127.0.0.1', port, method: 'POST', headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', fail)
      response.on('end', () =>
        done({ status: response.statusCode as number, text: Buffer.concat(chunks).toString() }),
      )
    })
    call.on('error', fail)
    call.end(body)
  })
}
