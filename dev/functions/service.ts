/** The binding FUNCTION_PROCESSES of the local stack: takes a run from the Worker, and answers what comes of it. */
import { type Request, Response } from 'miniflare'
import { processHeaders } from '../../src/functions/runners/process.ts'
import { startPool } from './pool.ts'
import { functionProgram } from './program.ts'

export interface FunctionProcesses {
  fetch(request: Request): Promise<Response>
  /** Bundles anew what runs in the processes. */
  reload(): Promise<void>
  stop(): Promise<void>
}

interface Options {
  /** CPU time of a run. */
  cpuMs: number
  /** Whether functions may reach private addresses, where their `allowed_hosts` lead there. */
  privateHosts: boolean
}

export async function startFunctionProcesses({ cpuMs, privateHosts }: Options): Promise<FunctionProcesses> {
  const pool = startPool(await functionProgram({ privateHosts }), { cpuMs })
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
    async reload() {
      pool.replace(await functionProgram({ privateHosts }))
    },
    stop: () => pool.stop(),
  }
}
