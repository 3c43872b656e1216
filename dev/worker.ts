/** The Worker, bundled and run on workerd with the bindings that wrangler.toml declares. */
import { join } from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type Request, type Response } from 'miniflare'
import { unstable_getMiniflareWorkerOptions } from 'wrangler'
import { bundle } from './bundle.ts'

const root = join(import.meta.dirname, '..')

export interface WorkerOptions {
  host: string
  /** 0: any free port. */
  port: number
  /** Where Durable Objects and queues keep their state. Omitted: nowhere, it ends with the Worker. */
  stateFolder?: string
  /** Variables and secrets over those of wrangler.toml. */
  bindings: Record<string, string>
  /** The binding FUNCTION_PROCESSES. Omitted: functions run in the Worker's own process, and one that loops holds it up. */
  functions?: (request: Request) => Promise<Response>
  /** Without its log. */
  quiet?: boolean
}

export interface RunningWorker {
  url: URL
  /** Fires the cron trigger once. */
  tick(): Promise<void>
  /** Bundles and starts anew, with the same bindings. */
  reload(): Promise<void>
  stop(): Promise<void>
}

export async function startWorker({ host, port, stateFolder, bindings, functions, quiet = false }: WorkerOptions): Promise<RunningWorker> {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(root, 'wrangler.toml'))
  const options = async () =>
    // wrangler describes a Worker in the form of Miniflare 4.
    convertV4MiniflareOptions({
      log: new Log(LogLevel.WARN),
      cf: false,
      ...(quiet ? { handleStructuredLogs: () => undefined } : {}),
      ...(stateFolder ? { resourcePersistencePath: stateFolder } : {}),
      workers: [
        {
          ...workerOptions,
          name: 'tessera',
          modules: [{ type: 'ESModule', path: 'worker.js', contents: await bundle('src/worker.ts') }],
          // Miniflare's queue hands out one batch at a time: what takes long goes on behind it, and holds up no other.
          compatibilityFlags: [...(workerOptions.compatibilityFlags as string[]), 'queue_consumer_no_wait_for_wait_until'],
          bindings: { ...(workerOptions.bindings as Record<string, string>), QUEUE_PATIENCE_MS: '250', ...bindings },
          ...(functions ? { serviceBindings: { FUNCTION_PROCESSES: functions } } : {}),
        },
        {
          // Miniflare puts Workers of its own before ours, which cost a request more than ours does: the port leads to ours itself.
          name: 'door',
          compatibilityDate: workerOptions.compatibilityDate as string,
          modules: [{ type: 'ESModule', path: 'door.js', contents: 'export default {}' }],
          unsafeDirectSockets: [{ host, port, serviceName: 'tessera' }],
        },
      ],
    })
  const settings = await options()
  const miniflare = withoutSignalHandlers(() => new Miniflare(settings))
  await miniflare.ready
  const url = await miniflare.unsafeGetDirectURL('door')
  return {
    url,
    async tick() {
      const worker = await miniflare.getWorker('tessera')
      await worker.scheduled({ cron: '* * * * *' })
    },
    async reload() {
      await miniflare.setOptions(await options())
    },
    stop: () => miniflare.dispose(),
  }
}

/**
 * Makes something whose handlers of signals are not wanted: Miniflare's end the process at once, before what else runs
 * in it could be ended in order. Its own runtime is ended by `stop`.
 */
function withoutSignalHandlers<Made>(make: () => Made): Made {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const before = new Map(signals.map((signal) => [signal, process.listeners(signal)]))
  const made = make()
  for (const [signal, listeners] of before) {
    for (const listener of process.listeners(signal)) if (!listeners.includes(listener)) process.off(signal, listener)
  }
  return made
}
