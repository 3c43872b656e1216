/** The Worker, bundled and run on workerd with the bindings that wrangler.toml declares. */
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type Request, type Response } from 'miniflare'
import { bundle } from './bundle.ts'
import { workerSettings } from './worker-settings.ts'

export interface WorkerOptions {
  host: string
  /** The port; 0: any free one. */
  port: number
  /**
   * The folder in which Durable Objects and queues store their state. Omitted: only in memory, while the
   * Worker runs.
   */
  stateFolder?: string
  /** Variables and secrets that override those of wrangler.toml. */
  bindings: Record<string, string>
  /**
   * The binding FUNCTION_PROCESSES. Omitted: functions run in the Worker's own process, and an endless loop
   * blocks it.
   */
  functions?: (request: Request) => Promise<Response>
  /** The version of the Worker. Omitted: another one for each start. */
  version?: string
  /** The code to start with. Omitted: it is bundled now. */
  code?: Promise<string>
  /** Whether to suppress the log. */
  quiet?: boolean
}

export interface RunningWorker {
  url: URL
  /** The address of the gate for the processes of functions. It needs the credential of a run. */
  gate(): Promise<URL>
  /** Fires the cron trigger once. */
  tick(): Promise<void>
  /**
   * Bundles and restarts, with the same bindings, if the sources have changed; returns whether they have. If
   * the new Worker cannot be bundled or started, throws, and the previous one stays live.
   */
  reload(): Promise<boolean>
  /** Restarts, without the state in memory. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Returns the Worker of MongoDB, as mongodb/wrangler.toml describes it to Cloudflare. */
export async function mongodbWorker() {
  const { compatibilityDate, compatibilityFlags } = await workerSettings()
  return {
    name: 'tessera-mongodb',
    modules: [
      { type: 'ESModule' as const, path: 'mongodb.js', contents: await bundle('mongodb/src/worker.ts') },
    ],
    durableObjects: { CLIENTS: { className: 'MongodbClient', useSQLite: true } },
    compatibilityDate: compatibilityDate as string,
    compatibilityFlags: compatibilityFlags as string[],
  }
}

/** Returns the Worker as one module. */
export const bundleWorker = (): Promise<string> => bundle('src/worker.ts')

export async function startWorker({
  host,
  port,
  stateFolder,
  bindings,
  functions,
  version,
  code = bundleWorker(),
  quiet = false,
}: WorkerOptions): Promise<RunningWorker> {
  const workerOptions = { ...(await workerSettings()) }
  // A binding of the same name takes its place.
  if (version !== undefined) delete workerOptions.versionMetadata
  const beside = await mongodbWorker()
  const fixedVersion: Record<string, Record<string, string>> = version === undefined
    ? {}
    : { VERSION: { id: version, tag: '', timestamp: '' } }
  const options = (contents: string) =>
    // wrangler describes a Worker in the format of Miniflare 4.
    convertV4MiniflareOptions({
      log: new Log(LogLevel.WARN),
      cf: false,
      ...(quiet ? { handleStructuredLogs: () => undefined } : {}),
      ...(stateFolder ? { resourcePersistencePath: stateFolder } : {}),
      workers: [
        {
          ...workerOptions,
          name: 'tessera',
          modules: [{ type: 'ESModule', path: 'worker.js', contents }],
          // Miniflare's queue delivers one batch at a time: long work continues in the background, without
          // blocking others.
          compatibilityFlags: [
            ...(workerOptions.compatibilityFlags as string[]),
            'queue_consumer_no_wait_for_wait_until',
          ],
          bindings: {
            ...(workerOptions.bindings as Record<string, string>),
            QUEUE_PATIENCE_MS: '250',
            ...bindings,
            ...fixedVersion,
          },
          serviceBindings: {
            ...(workerOptions.serviceBindings as Record<string, string>),
            ...(functions && { FUNCTION_PROCESSES: functions }),
          },
        },
        beside,
        {
          // Miniflare puts its own Workers in front of ours, which cost a request more than ours does. So the
          // port leads directly to ours.
          name: 'door',
          compatibilityDate: workerOptions.compatibilityDate as string,
          modules: [{ type: 'ESModule', path: 'door.js', contents: 'export default {}' }],
          unsafeDirectSockets: [
            { host, port, serviceName: 'tessera' },
            { host: '127.0.0.1', port: 0, serviceName: 'tessera', entrypoint: 'FunctionGate', proxy: true },
          ],
        },
      ],
    })
  let running = await code
  const miniflare = withoutSignalHandlers(() => new Miniflare(options(running)))
  await miniflare.ready
  const url = await miniflare.unsafeGetDirectURL('door')
  return {
    url,
    gate: () => miniflare.unsafeGetDirectURL('door', 'FunctionGate'),
    async tick() {
      const worker = await miniflare.getWorker('tessera')
      await worker.scheduled({ cron: '* * * * *' })
    },
    async reload() {
      const contents = await bundleWorker()
      if (contents === running) return false
      try {
        await miniflare.setOptions(options(contents))
      } catch (error) {
        await miniflare.setOptions(options(running))
        throw error
      }
      running = contents
      return true
    },
    restart: () => miniflare.setOptions(options(running)),
    stop: () => miniflare.dispose(),
  }
}

/**
 * Creates something without its signal handlers: Miniflare's handlers end the process at once, before other
 * parts could be stopped cleanly. `stop` ends its own runtime.
 */
function withoutSignalHandlers<Made>(make: () => Made): Made {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const before = new Map(signals.map((signal) => [signal, process.listeners(signal)]))
  const made = make()
  for (const [signal, listeners] of before) {
    for (const listener of process.listeners(signal))
      if (!listeners.includes(listener)) process.off(signal, listener)
  }
  return made
}
