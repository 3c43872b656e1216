/** Runs the package tessera-local of the project: the service on this machine. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { type Client, createClient, type UnknownApps } from '../../../client/src/index.ts'
import { exitCodes } from '../exit-codes.ts'
import { Problem } from '../problem.ts'
import { ensureOrganization, organizationPath } from '../site/sites.ts'

/** The organization and the site of a project on this machine. */
export const slug = 'dev'

/** How often a slow start is mentioned, in ms. */
const noteMs = 2_000

export interface LocalStack {
  url: string
  username: string
  password: string
  /** A client of the site, as its owner. */
  client: Client
  /** Whether the site was made by this start. */
  isNew: boolean
  /** Resolves when the service has ended. */
  ended: Promise<unknown>
  stop(): Promise<void>
}

interface Options {
  dataFolder: string
  /** The folder of a stopped service as which a new one begins. */
  from?: string
  /** More variables of the service. */
  variables?: Readonly<Record<string, string>>
  port: number
  /** Gets a line of progress every other second. */
  note(line: string): void
  /** Whether to leave out the log of the service. */
  isQuiet?: boolean
  /** Ends the service. */
  signal?: AbortSignal
}

/** Returns the folder of tessera-local. Throws a Problem if the project has not installed it. */
function packageFolder(): string {
  const require = createRequire(resolve('package.json'))
  try {
    return dirname(require.resolve('tessera-local/package.json'))
  } catch {
    throw new Problem(
      'This project has no tessera-local. Install it: npm install --save-dev tessera-local',
      exitCodes.notFound,
    )
  }
}

/** Returns the version of tessera-local in the project. */
export const localVersion = (): string =>
  JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')).version

/**
 * Starts the service with an empty site, and waits until it answers. Throws a Problem if it does not start.
 */
export async function startLocal(options: Options): Promise<LocalStack> {
  const { dataFolder, from, port, variables, note, isQuiet, signal } = options
  const child = spawn(
    process.execPath,
    [join(packageFolder(), 'bin.js'), '--plain', ...(from ? ['--from', from] : [])],
    {
      stdio: ['ignore', isQuiet ? 'ignore' : 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, ...variables, DATA_DIR: dataFolder, PORT: String(port), DEFAULT_SITE: slug },
    },
  )
  const ended = once(child, 'exit')
  signal?.addEventListener('abort', () => child.kill('SIGTERM'))
  const began = Date.now()
  const seconds = () => Math.round((Date.now() - began) / 1000)
  const noting = setInterval(() => note(`Starting: ${seconds()} s`), noteMs)
  const [ready] = await Promise.race([once(child, 'message'), ended])
  clearInterval(noting)
  // The service has printed the reason.
  if (typeof ready !== 'object' || ready === null)
    throw new Problem('The service did not start.', exitCodes.unavailable)
  const { url, email: username, password } = ready as { url: string; email: string; password: string }
  const address = url.replace(/\/$/, '')
  const client = createClient<UnknownApps>({ url: address, auth: { username, password } })
  const isNew = await ensureSite(client)
  return { url: address, username, password, client, isNew, ended, stop: () => stop(child, ended) }
}

/** Makes the site. Returns whether there was none. */
async function ensureSite(client: Client): Promise<boolean> {
  await ensureOrganization(client, slug, 'Development')
  const path = `${organizationPath(slug)}sites/`
  const { results } = await client.request<{ results: { slug: string }[] }>({ path })
  if (results.some((site) => site.slug === slug)) return false
  await client.request({
    method: 'POST',
    path,
    body: { name: 'Development', slug, environment: 'development' },
  })
  return true
}

async function stop(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM')
  await ended
}
