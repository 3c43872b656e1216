/** The options of `npm run load` and `npm run export`. */
import { isAbsolute, join } from 'node:path'
import { parseArgs } from 'node:util'
import { demoPassword } from '../../src/kernel/access/demo-password.ts'
import { Refusal } from './refusal.ts'

/** The account and the service. */
export interface Access {
  url: URL
  user: string
  password: string
}

/** The options that both commands have. */
export const accessOptions = {
  app: { type: 'string' },
  url: { type: 'string' },
  user: { type: 'string' },
  password: { type: 'string' },
} as const

/** The help for the options that both commands have. */
export const accessUsage = `  --url       where Tessera runs, with /sites/<slug> where that names the site;
              default http://127.0.0.1:8787
  --user      default $ADMIN_EMAIL, or the local demo's
  --password  default $ADMIN_PASSWORD, or the local demo's`

/** Returns the account and the service. Throws a Refusal for an invalid address. */
export function accessOf(values: { url?: string; user?: string; password?: string }): Access {
  const address = values.url ?? 'http://127.0.0.1:8787'
  if (!URL.canParse(address))
    throw new Refusal(`--url ${address} is not an address such as http://127.0.0.1:8787.`)
  return {
    url: new URL(address),
    user: values.user ?? process.env.ADMIN_EMAIL ?? 'admin@example.com',
    password: values.password ?? process.env.ADMIN_PASSWORD ?? demoPassword,
  }
}

/** Returns the path of the API on a service. */
export const apiOf = ({ url }: Access): string => `${url.pathname.replace(/\/$/, '')}/api/`

/**
 * Returns a path relative to the folder of the user: npm runs scripts in the project's folder, and passes on
 * where it was called.
 */
export const callerPath = (path: string): string =>
  isAbsolute(path) ? path : join(process.env.INIT_CWD ?? process.cwd(), path)

/** Parses the arguments. Throws a Refusal with the usage if they are wrong. */
export function parseArguments<Options extends NonNullable<Parameters<typeof parseArgs>[0]>['options']>(
  options: Options,
  usage: string,
) {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
    })
  } catch (error) {
    throw new Refusal(`${error instanceof Error ? error.message : error}\n\n${usage}`)
  }
}
