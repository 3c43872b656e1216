/**
 * The settings of the local stack from the environment, except the variables of the Worker.
 * docs/operate/configuration.md.
 */
import { join, resolve } from 'node:path'
import { demoPassword } from '../src/kernel/access/demo-password.ts'
import { cpuMsMax } from '../src/runtime/functions/runners/limits.ts'

export interface Settings {
  host: string
  port: number
  /** The address of the Worker, at `port`. */
  address: string
  dataFolder: string
  functionCpuMs: number
  admin: { email: string; password: string }
}

const host = '127.0.0.1'

/** The folder of the data unless DATA_DIR is set. */
export const defaultDataFolder = join(import.meta.dirname, '..', '.tessera', 'data')

/** Returns the settings. Throws if one is malformed, and names it. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const port = Number(env.PORT ?? 8787)
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`PORT is ${env.PORT}; it has to be a number from 1 to 65535.`)
  const seconds = Number(env.FUNCTION_CPU_SECONDS || cpuMsMax / 1000)
  if (!(seconds > 0))
    throw new Error(`FUNCTION_CPU_SECONDS is ${env.FUNCTION_CPU_SECONDS}; it has to be a number above 0.`)
  return {
    host,
    port,
    address: `http://${host}:${port}`,
    dataFolder: resolve(env.DATA_DIR || defaultDataFolder),
    functionCpuMs: seconds * 1000,
    admin: {
      email: env.ADMIN_EMAIL ?? 'admin@example.com',
      password: env.ADMIN_PASSWORD ?? demoPassword,
    },
  }
}
