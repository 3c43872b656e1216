/** What every process for functions is started with: workerd, and its configuration. */
import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { getCACertificates } from 'node:tls'
import { serializeConfig } from 'miniflare'
import { unstable_getMiniflareWorkerOptions } from 'wrangler'
import { bundle } from '../bundle.ts'

export interface Program {
  command: string
  args: readonly string[]
  /** For its standard input. */
  config: Buffer
  /** What a request to the process carries as `authorization`. */
  token: string
}

/** The descriptor on which workerd says where it listens. */
export const controlDescriptor = 3

const root = join(import.meta.dirname, '..', '..')

/** The workerd that Miniflare uses, too. */
const workerd = createRequire(createRequire(import.meta.url).resolve('miniflare'))('workerd').default as string

export async function functionProgram({ privateHosts }: { privateHosts: boolean }): Promise<Program> {
  const token = randomUUID()
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(root, 'wrangler.toml'))
  const config = serializeConfig({
    services: [
      {
        name: 'internet',
        network: {
          // A second wall behind FunctionNetwork: this one looks at the address that is connected to.
          allow: privateHosts ? ['public', 'private'] : ['public'],
          tlsOptions: { trustBrowserCas: true, trustedCertificates: getCACertificates('extra') },
        },
      },
      {
        name: 'functions',
        worker: {
          modules: [{ name: 'functions.js', esModule: await bundle('dev/functions/worker.ts') }],
          compatibilityDate: workerOptions.compatibilityDate as string,
          compatibilityFlags: workerOptions.compatibilityFlags as string[],
          bindings: [
            { name: 'LOADER', workerLoader: { id: 'functions' } },
            { name: 'TOKEN', text: token },
          ],
          globalOutbound: { name: 'internet' },
        },
      },
    ],
    sockets: [{ name: 'http', address: '127.0.0.1:0', http: {}, service: { name: 'functions' } }],
  })
  return { command: workerd, args: ['serve', '--binary', '--experimental', `--control-fd=${controlDescriptor}`, '-'], config, token }
}
