/** The command to start processes for functions: workerd, and its configuration. */
import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { getCACertificates } from 'node:tls'
import type { FunctionCode } from './function-code.ts'

export interface Program {
  command: string
  args: readonly string[]
  /** The text for its standard input. */
  config: Buffer
  /** The value of `authorization` in requests to the process. */
  token: string
}

interface ProgramOptions {
  privateHosts: boolean
  gate: string
}

/** The file descriptor on which workerd reports its port. */
export const controlDescriptor = 3

/** Creates the program that runs in every process. */
export type MakeProgram = (code: FunctionCode, options: ProgramOptions) => Program

/**
 * Returns a function that creates programs. It loads Miniflare, which the command line has only if the user
 * installed it.
 */
export async function programMaker(): Promise<MakeProgram> {
  const miniflare = await import('miniflare')
  // The workerd that Miniflare uses, too.
  const workerd = createRequire(createRequire(import.meta.url).resolve('miniflare'))('workerd')
    .default as string
  return (code, options) => ({
    command: workerd,
    args: ['serve', '--binary', '--experimental', `--control-fd=${controlDescriptor}`, '-'],
    ...configured(miniflare, code, options),
  })
}

/** Returns the program. `code`: the module. `gate`: the address of the gate of the service, `host:port`. */
function configured(
  { HttpOptions_Style, serializeConfig }: typeof import('miniflare'),
  { code, compatibilityDate, compatibilityFlags }: FunctionCode,
  { privateHosts, gate }: ProgramOptions,
): Pick<Program, 'config' | 'token'> {
  const token = randomUUID()
  const config = serializeConfig({
    services: [
      {
        name: 'internet',
        network: {
          // A second check after FunctionNetwork: this one checks the address of each connection.
          allow: privateHosts ? ['public', 'private'] : ['public'],
          tlsOptions: { trustBrowserCas: true, trustedCertificates: getCACertificates('extra') },
        },
      },
      // In the form of proxy requests, so that the gate gets the whole URL.
      { name: 'gate', external: { address: gate, http: { style: HttpOptions_Style.PROXY } } },
      {
        name: 'functions',
        worker: {
          modules: [{ name: 'functions.js', esModule: code }],
          compatibilityDate,
          compatibilityFlags: [...compatibilityFlags],
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
  return { config, token }
}
