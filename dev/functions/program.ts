/** What every process for functions is started with: workerd, and its configuration. */
import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { getCACertificates } from 'node:tls'
import { HttpOptions_Style, serializeConfig } from 'miniflare'
import { bundle } from '../bundle.ts'
import { workerSettings } from '../worker-settings.ts'

export interface Program {
  command: string
  args: readonly string[]
  /** For its standard input. */
  config: Buffer
  /** What a request to the process carries as `authorization`. */
  token: string
}

export interface ProgramOptions {
  privateHosts: boolean
  gate: string
}

/** The descriptor on which workerd says where it listens. */
export const controlDescriptor = 3

/** The workerd that Miniflare uses, too. */
const workerd = createRequire(createRequire(import.meta.url).resolve('miniflare'))('workerd')
  .default as string

/** Returns the module that runs in every process. */
export const functionCode = (): Promise<string> => bundle('dev/functions/worker.ts')

/** `code`: the module. `gate`: where the gate of the service listens, as `host:port`. */
export function functionProgram(code: string, { privateHosts, gate }: ProgramOptions): Program {
  const token = randomUUID()
  const { compatibilityDate, compatibilityFlags } = workerSettings()
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
      // In the form of a proxy's requests, so that the gate gets the whole URL.
      { name: 'gate', external: { address: gate, http: { style: HttpOptions_Style.PROXY } } },
      {
        name: 'functions',
        worker: {
          modules: [{ name: 'functions.js', esModule: code }],
          compatibilityDate: compatibilityDate as string,
          compatibilityFlags: compatibilityFlags as string[],
          bindings: [
            { name: 'LOADER', workerLoader: { id: 'functions' } },
            { name: 'GATE', service: { name: 'gate' } },
            { name: 'TOKEN', text: token },
          ],
          globalOutbound: { name: 'internet' },
        },
      },
    ],
    sockets: [{ name: 'http', address: '127.0.0.1:0', http: {}, service: { name: 'functions' } }],
  })
  return {
    command: workerd,
    args: ['serve', '--binary', '--experimental', `--control-fd=${controlDescriptor}`, '-'],
    config,
    token,
  }
}
