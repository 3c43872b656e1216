/** `tessera login`, `logout` and `status`. */
import type { Command } from 'commander'
import {
  type Client,
  createClient,
  memoryStore,
  TesseraError,
  type UnknownApps,
} from '../../../client/src/index.ts'
import { action, examples } from '../command.ts'
import { authOf, type Context, clientFor } from '../context.ts'
import { exitCodes } from '../exit-codes.ts'
import { hintOf } from '../failure.ts'
import { Problem } from '../problem.ts'
import { requireSite } from '../require-site.ts'
import { isReadable, nameOf, type Target } from '../target.ts'
import { ask, canAsk, readStdin } from '../terminal/ask.ts'
import { hasDisplay } from '../terminal/browser.ts'
import type { Output } from '../terminal/output.ts'
import { allEntries, type Entry, entryFor, forgetEntry, keepEntry } from './credentials.ts'
import { tokensByBrowser } from './in-browser.ts'

/** Adds the commands to the program. */
export function addSignInCommands(program: Command): void {
  examples(
    program
      .command('login')
      .description('sign in to a service, and keep the sign-in for later commands')
      .option(
        '--user <name>',
        'a user name or e-mail address; default $TESSERA_USER, otherwise you are ' + 'asked',
      )
      .option(
        '--browser',
        'sign in on a page in the browser; the default in a terminal with a browser, without ' + '--user',
      )
      .option('--no-open', 'only print the address of the page')
      .option('--key', 'sign in with an API key instead of a password')
      .option('--stdin', 'read the password or the key from the standard input')
      .action(action(logIn)),
    'tessera login --url https://shop.example.com',
    'tessera login --url https://shop.example.com --browser --no-open',
    'tessera login --url http://127.0.0.1:8787 --user admin@example.com --stdin < password.txt',
    'TESSERA_API_KEY=… tessera login --url https://shop.example.com --key',
  )
  examples(
    program
      .command('logout')
      .description('end a sign-in, here and at the service')
      .option('--all', 'all sign-ins of this machine')
      .action(action(logOut)),
    'tessera logout',
    'tessera logout --all',
  )
  examples(
    program
      .command('status')
      .description('show the service, the site, the signed-in account and its apps')
      .action(action(showStatus)),
    'tessera status',
    'tessera status --site tidewater-shop --json',
  )
}

interface LoginOptions {
  user?: string
  browser?: boolean
  /** Whether to open the browser. */
  open: boolean
  key?: boolean
  stdin?: boolean
}

async function logIn(context: Context, options: LoginOptions): Promise<void> {
  const { output, target } = context
  if ([options.user, options.key, options.browser].filter(Boolean).length > 1)
    throw new Problem('Use only one of --user, --key and --browser.', exitCodes.usage)
  if (isReadable(target))
    output.note(`${target.url} is not encrypted: others on the way can read the password.`)
  const entry = await entryBy(context, options)
  await keepEntry(entry)
  const who = entry.username ?? 'an API key'
  output.result({ ...shown(target), user: entry.username ?? null, credential: kindOf(entry) }, () =>
    output.line(`Signed in to ${nameOf(target)} as ${who}.`),
  )
}

function entryBy({ target, output }: Context, options: LoginOptions): Promise<Entry> {
  if (options.key) return withKey(target, options)
  const isNamed = (options.user ?? process.env.TESSERA_USER) !== undefined || options.stdin
  if (options.browser || (!isNamed && canAsk() && hasDisplay())) return withBrowser(target, output, options)
  return withPassword(target, options)
}

async function withBrowser(target: Target, output: Output, { open }: LoginOptions): Promise<Entry> {
  const { client, entry } = signingIn(target)
  await client.accounts.keepTokens(await tokensByBrowser(target, client, { output, opensBrowser: open }))
  return entry()
}

/**
 * Returns a client without credentials, and a function that creates the sign-in when the client has tokens.
 */
function signingIn(target: Target) {
  const store = memoryStore()
  const client = createClient<UnknownApps>({ ...target, auth: { store } })
  return {
    client,
    async entry(): Promise<Entry> {
      // The sign-in itself does not use the site, so the next command would fail.
      if (target.site !== undefined) await requireSite(client)
      const { username } = await client.accounts.me()
      const tokens = await store.read()
      return { ...target, username, ...(tokens ? { tokens } : {}) }
    },
  }
}

/** Returns a secret: from the standard input, the environment, or a prompt. It is never an argument. */
async function secretOf(variable: string, question: string, { stdin }: LoginOptions): Promise<string> {
  const given = stdin ? await readStdin() : process.env[variable]
  if (given) return given
  if (stdin) throw new Problem('The standard input is empty.', exitCodes.usage)
  if (canAsk()) return ask(question, { isHidden: true })
  throw new Problem(`Set ${variable}, or add --stdin: nobody can be asked here.`, exitCodes.usage)
}

async function withPassword(target: Target, options: LoginOptions): Promise<Entry> {
  const named = options.user ?? process.env.TESSERA_USER
  if (named === undefined && !canAsk())
    throw new Problem('Add --user: there is no terminal to ask for the user name.', exitCodes.usage)
  const username = named ?? (await ask('User name or e-mail:'))
  const password = await secretOf('TESSERA_PASSWORD', 'Password:', options)
  const { client, entry } = signingIn(target)
  await client.accounts.signIn(username, password)
  return entry()
}

async function withKey(target: Target, options: LoginOptions): Promise<Entry> {
  const apiKey = (await secretOf('TESSERA_API_KEY', 'API key:', options)).trim()
  await appsOfKey(createClient<UnknownApps>({ ...target, auth: { apiKey } }))
  return { ...target, apiKey }
}

async function logOut({ output, target }: Context, { all }: { all?: boolean }): Promise<void> {
  const found = entryFor(target)
  const entries = all ? [...allEntries()] : [found].filter((entry) => entry !== undefined)
  for (const entry of entries) {
    // If the service cannot be reached, the tokens are not revoked. They are removed here in any case.
    if (entry.tokens)
      await createClient({ ...onlyTarget(entry), auth: authOf(entry) })
        .accounts.signOut()
        .catch(() => output.note(`${entry.url} was not told.`))
    await forgetEntry(entry)
  }
  output.result({ signed_out: entries.map(shown) }, () => {
    if (entries.length === 0) output.line(`Nobody is signed in to ${nameOf(target)}.`)
    for (const entry of entries) output.line(`Signed out of ${nameOf(entry)}.`)
  })
}

interface AppItem {
  slug: string
  name: string
}

/** The apps that a status shows. */
interface ShownApps {
  /** Null if they cannot be read. */
  apps: readonly AppItem[] | null
  /** The text if there are none. */
  otherwise: string
}

const otherwise = 'none that you may see'
const unseen: ShownApps = { apps: null, otherwise }

async function showStatus({ output, target }: Context): Promise<void> {
  const client = clientFor(target)
  const credential = credentialName(entryFor(target))
  // An API key cannot read accounts.
  const user = credential === 'api-key' ? null : await client.accounts.me()
  const found = await (user === null ? appsOfKey(client) : appsOfAccount(client, target))
  const slugs = found.apps?.map(({ slug }) => slug) ?? null
  const json = { ...shown(target), credential, user: user?.username ?? null, apps: slugs }
  output.result(json, () => {
    output.line(`Service  ${target.url}`)
    output.line(`Site     ${target.site ?? 'that of the address'}`)
    output.line(`User     ${user ? `${user.username} <${user.email}>` : 'of an API key'}`)
    output.line(`Apps     ${slugs?.join(', ') || found.otherwise}`)
  })
}

async function appsOf(client: Client): Promise<ShownApps> {
  const query = { page_size: 100 }
  const { results } = await client.request<{ results: AppItem[] }>({ path: '/api/apps/', query })
  return { apps: results, otherwise }
}

const isStatus = (error: unknown, status: number): error is TesseraError =>
  error instanceof TesseraError && error.status === status

/**
 * Reads the apps of an account. An address without a site is that of the whole service. Throws 404 for any
 * other site that does not answer.
 */
async function appsOfAccount(client: Client, { site }: Target): Promise<ShownApps> {
  try {
    return await appsOf(client)
  } catch (error) {
    if (isStatus(error, 403)) return unseen
    const hint = isStatus(error, 404) && site === undefined ? hintOf(error) : undefined
    if (hint === undefined || !isOfNoSite.test(hint)) throw error
    return { apps: null, otherwise: `none. ${hint}` }
  }
}

/** The hint of the service about an address that names no site. */
const isOfNoSite = /is not the host of a site/

/**
 * Reads the apps with an API key, which tests the key: with scopes, it lists the apps that it may read;
 * without, it may read the events of the site instead. A valid key may lack the permission for both.
 */
async function appsOfKey(client: Client): Promise<ShownApps> {
  try {
    return await appsOf(client)
  } catch (error) {
    if (isStatus(error, 403)) return unseen
    if (!isStatus(error, 401)) throw error
  }
  try {
    await client.events.list()
  } catch (error) {
    if (!isStatus(error, 403)) throw error
  }
  return { apps: null, otherwise: 'not shown with an API key without scopes' }
}

const kindOf = (entry: Entry | undefined) => (entry?.apiKey === undefined ? 'account' : 'api-key')
const credentialName = (entry: Entry | undefined) => (process.env.TESSERA_API_KEY ? 'api-key' : kindOf(entry))
const onlyTarget = ({ url, site }: Target): Target => ({ url, ...(site === undefined ? {} : { site }) })
const shown = ({ url, site }: Target) => ({ url, site: site ?? null })
