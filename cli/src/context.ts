/** The context of every command: the service and site, the credentials, and the output. */
import type { Command } from 'commander'
import { type Auth, type Client, createClient, type UnknownApps } from '../../client/src/index.ts'
import { exitCodes } from './exit-codes.ts'
import { Problem } from './problem.ts'
import { currentTarget, type Entry, entryFor, fileStore } from './sign-in/credentials.ts'
import { type Target, targetOf } from './target.ts'
import { makeOutput, type Output } from './terminal/output.ts'

/** The options of every command. */
interface GlobalOptions {
  url?: string
  site?: string
  json?: boolean
}

/** The target of a command. */
export interface Context {
  output: Output
  /** The service and site from the options, the environment, or the last sign-in. */
  target: Target
  /** Creates the client of the target. Throws a Problem if not signed in. */
  client(): Client
}

/** The address of a service that runs on this machine. */
const localAddress = 'http://127.0.0.1:8787'

export function contextOf(command: Command): Context {
  const options = command.optsWithGlobals<GlobalOptions>()
  const output = makeOutput(options.json ?? false)
  const target = chosenTarget(options)
  return { output, target, client: () => clientFor(target) }
}

function chosenTarget({ url, site }: GlobalOptions): Target {
  const { TESSERA_URL, TESSERA_SITE } = process.env
  const address = url ?? TESSERA_URL
  const slug = site ?? TESSERA_SITE
  if (address !== undefined) return targetOf(address, slug)
  const current = currentTarget()
  if (current === undefined) return targetOf(localAddress, slug)
  return slug === undefined ? current : { url: current.url, site: slug }
}

/** Creates a client of a target with the credentials from the environment, or from a sign-in. */
export function clientFor(target: Target): Client {
  return createClient<UnknownApps>({
    ...target,
    auth: credentialsFor(target),
    onSchemaChange: () => undefined,
  })
}

/** Credentials from the environment take precedence, because they are meant for machines without a user. */
export function credentialsFor(target: Target): Auth {
  const { TESSERA_API_KEY, TESSERA_USER, TESSERA_PASSWORD } = process.env
  if (TESSERA_API_KEY) return { apiKey: TESSERA_API_KEY }
  if (TESSERA_USER && TESSERA_PASSWORD) return { username: TESSERA_USER, password: TESSERA_PASSWORD }
  const entry = entryFor(target)
  if (entry === undefined)
    throw new Problem(
      `Nobody is signed in to ${target.url}. Sign in with: tessera login --url ${target.url}`,
      exitCodes.forbidden,
    )
  return authOf(entry)
}

/** Returns the credentials of a sign-in. */
export const authOf = (entry: Entry): Auth =>
  entry.apiKey === undefined ? { store: fileStore(entry) } : { apiKey: entry.apiKey }
