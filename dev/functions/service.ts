/** The binding FUNCTION_PROCESSES of the local stack: takes a run from the Worker, and returns its result. */
import { type Request, Response } from 'miniflare'
import { processHeaders } from '../../src/runtime/functions/runners/process.ts'
import { functionCode } from './function-code.ts'
import { startPool } from './pool.ts'
import { programMaker } from './program.ts'

export interface FunctionProcesses {
  fetch(request: Request): Promise<Response>
  /** Sets the address of the gate of the Worker whose functions run from now on. */
  useGate(url: URL): void
  /** Bundles the program of the processes again. Returns whether it has changed. */
  reload(): Promise<boolean>
  stop(): Promise<void>
}

interface Options {
  /** CPU time of a run. */
  cpuMs: number
  /** Whether functions may reach private addresses that are in their `allowed_hosts`. */
  privateHosts: boolean
}

export async function startFunctionProcesses({ cpuMs, privateHosts }: Options): Promise<FunctionProcesses> {
  let code = await functionCode()
  const make = await programMaker()
  // An address at which nothing answers, until the Worker listens.
  let gate = '127.0.0.1:0'
  const program = () => make(code, { privateHosts, gate })
  const pool = startPool(program(), { cpuMs })
  return {
    async fetch(request) {
      const header = (name: keyof typeof processHeaders) => request.headers.get(processHeaders[name]) ?? ''
      const { status, text } = await pool.run({
        site: header('site'),
        isolate: header('isolate'),
        timeoutMs: Number(header('timeoutMs')),
        withinMs: Number(header('withinMs') || Infinity),
        call: Buffer.from(await request.arrayBuffer()),
      })
      return new Response(text, { status })
    },
    useGate({ host }) {
      if (host === gate) return
      gate = host
      pool.replace(program())
    },
    async reload() {
      const before = code.code
      code = await functionCode()
      if (code.code !== before) pool.replace(program())
      return code.code !== before
    },
    stop: () => pool.stop(),
  }
}
