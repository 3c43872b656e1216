/** The environments of a project, in tessera.config.js or tessera.config.ts. docs/guide/deploy-your-app.md. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { exitCodes } from '../exit-codes.ts'
import { Problem } from '../problem.ts'
import { type Target, targetOf } from '../target.ts'

/** Where the apps of a project are. */
export interface Environment extends Target {
  /** The organization of `--sites all`. */
  organization?: string
}

const files = ['tessera.config.js', 'tessera.config.ts']
const members = ['url', 'site', 'organization']

const wrong = (text: string) => new Problem(text, exitCodes.usage)

/** Reads an environment. Throws a Problem that says what is missing or wrong. */
export async function readEnvironment(name: string): Promise<Environment> {
  const file = files.find((each) => existsSync(each))
  if (file === undefined)
    throw wrong(
      `There is no ${files[0]} with the environment ${name}. Write it: export default ` +
        `{ environments: { ${name}: { url: 'https://shop.example.com' } } }`,
    )
  const { environments } = (await loaded(file)) as { environments?: Record<string, Record<string, unknown>> }
  const found = Object(environments)[name] as Record<string, unknown> | undefined
  if (found === undefined) {
    const names = Object.keys(Object(environments)).join(', ') || 'none'
    throw wrong(`${file} has no environment ${name}. It has: ${names}.`)
  }
  for (const [member, value] of Object.entries(found)) {
    if (!members.includes(member))
      throw wrong(`${file}: ${name} has the unknown member ${member}. Known are ${members.join(', ')}.`)
    if (typeof value !== 'string') throw wrong(`${file}: ${member} of ${name} must be a text.`)
  }
  const { url, site, organization } = found as Partial<Record<string, string>>
  if (url === undefined) throw wrong(`${file}: ${name} needs url, the address of the service.`)
  return { ...targetOf(url, site), ...(organization === undefined ? {} : { organization }) }
}

async function loaded(file: string): Promise<object> {
  try {
    return Object((await import(pathToFileURL(resolve(file)).href)).default)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ERR_UNKNOWN_FILE_EXTENSION')
      throw wrong(`Node ${process.version} cannot read ${file}. Use Node 22.18 or newer, or ${files[0]}.`)
    throw wrong(`${file} cannot be read: ${message}`)
  }
}
