/**
 * Sites for tests, on the service that `tessera test` has started. The entry point `tessera-client/testing`.
 * docs/guide/test-your-app.md.
 */
import { type Client, createClient } from './client.ts'
import { sleep } from './connection/retry.ts'
import type { Execution } from './site/functions.ts'
import type { Permission } from './site/sites.ts'
import type { Apps, UnknownApps } from './types/schema.ts'

/** An e-mail that the service has sent. */
export interface Letter {
  to: string
  subject: string
  text: string
  html: string
  created: string
}

/** The person to sign in. Default: somebody new, who has signed up at the site. */
export interface TestPerson {
  /** Default: an address that nobody has. */
  email?: string | undefined
  /** The roles in the site. */
  roles?: readonly string[] | undefined
  /** The permissions in the site. With `access_site`, access rules do not apply. */
  permissions?: readonly Permission[] | undefined
}

/** A site that nobody else uses. */
export interface TestSite<S extends Apps = UnknownApps> {
  slug: string
  url: string
  /** The owner, to whom access rules do not apply. */
  owner: Client<S>
  /** Somebody without an account. */
  visitor: Client<S>
  /** Signs a new person up, gives the roles and permissions, and signs in. */
  signInAs(person?: TestPerson): Promise<Client<S>>
  /**
   * Runs a function as its schedule would at a time, and waits for the result. In its statements, `now` stays
   * the real time.
   */
  runSchedule<Result = unknown>(
    app: keyof S & string,
    functionSlug: string,
    options?: { at?: string | Date | undefined; missed?: number | undefined },
  ): Promise<Execution<Result>>
  /** Returns the newest e-mails to an address, the last one first. Waits until there is one. */
  letters(to: string): Promise<Letter[]>
  /** Deletes the site. */
  delete(): Promise<void>
}

const password = 'Test-person-1'
/** Between two looks at what the service does in the background, in ms. */
const everyMs = 50
const waitMaxMs = 60_000

/**
 * Makes a copy of the site that has the apps and their seeds. Throws an Error outside `tessera test`.
 * `S`: the apps with their tables, as in `createClient`.
 */
export async function createTestSite<S extends Apps = UnknownApps>(): Promise<TestSite<S>> {
  const { url, site: source, ...auth } = readEnvironment()
  const platform = createClient({ url, auth })
  const slug = `test-${unique()}`
  await copySite(platform, source, slug)
  const owner = createClient<S>({ url, site: slug, auth })
  const visitor = createClient<S>({ url, site: slug })
  return {
    slug,
    url: `${url}/sites/${slug}`,
    owner,
    visitor,
    async signInAs({ email = `${unique()}@example.com`, roles = [], permissions = [] } = {}) {
      const id = await signUp(visitor.accounts, platform, slug, email)
      if (roles.length + permissions.length > 0)
        await platform.sites.permissions(slug).replace(id, permissions, { roles })
      return createClient<S>({ url, site: slug, auth: { username: email, password } })
    },
    runSchedule(app, functionSlug, { at = new Date(), missed = 0 } = {}) {
      const scheduled_at = new Date(at).toISOString()
      return owner.app(app).$functions.run(functionSlug, { type: 'SCHEDULE', scheduled_at, missed })
    },
    letters: (to) => until(`an e-mail to ${to}`, async () => nonEmpty(await readLetters(platform, to))),
    async delete() {
      await platform.sites.delete(slug)
    },
  }
}

/** Reads where `tessera test` has started the service. */
function readEnvironment() {
  const variables = (globalThis as { process?: { env: Record<string, string | undefined> } }).process?.env
  const { TESSERA_URL: url, TESSERA_SITE: site, TESSERA_USER, TESSERA_PASSWORD } = variables ?? {}
  if (!url || !site || !TESSERA_USER || !TESSERA_PASSWORD)
    throw new Error('There is no service for tests. Run them with: tessera test -- <command>')
  return { url, site, username: TESSERA_USER, password: TESSERA_PASSWORD }
}

async function copySite(platform: Client, source: string, slug: string): Promise<void> {
  const path = `/api/cloud/sites/${encodeURIComponent(source)}/copy/`
  const { id } = await platform.request<Transfer>({
    method: 'POST',
    path,
    body: { slug, activate: true },
  })
  const end = await until('the copy of the site', async () => {
    const transfer = await platform.request<Transfer>({ path: `/api/cloud/transfers/${id}/` })
    return transfer.state === 'running' ? undefined : transfer
  })
  if (end.state !== 'done') throw new Error(`The site could not be copied: ${end.error}`)
}

interface Transfer {
  id: string
  state: string
  error: string | null
}

/**
 * Signs a person up, also at a site that is closed: it is open until the account exists. Returns the id of
 * the account.
 */
async function signUp(
  accounts: Client['accounts'],
  platform: Client,
  slug: string,
  email: string,
): Promise<number> {
  const { sign_up } = await platform.sites.get(slug)
  if (sign_up !== 'open') await platform.sites.update(slug, { sign_up: 'open' })
  await accounts.signUp({ email, password })
  const token = await until(`the e-mail that finishes the sign-up of ${email}`, async () => {
    const texts = (await readLetters(platform, email)).map(({ text }) => text)
    return /sign-up\/confirm\/\?token=([\w-]+)/.exec(texts.join('\n'))?.[1]
  })
  const { id } = await accounts.confirmSignUp(token, password)
  if (sign_up !== 'open') await platform.sites.update(slug, { sign_up })
  return id
}

async function readLetters(platform: Client, to: string): Promise<Letter[]> {
  const path = '/_dev/mailbox/'
  return (await platform.request<{ results: Letter[] }>({ path, query: { to } })).results
}

const nonEmpty = <Item>(items: Item[]): Item[] | undefined => (items.length > 0 ? items : undefined)

/** Returns what `look` finds. Throws an Error if it finds nothing for too long. */
async function until<Found>(what: string, look: () => Promise<Found | undefined>): Promise<Found> {
  for (const began = Date.now(); ; ) {
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() - began > waitMaxMs) throw new Error(`${waitMaxMs / 1000} s have passed without ${what}.`)
    await sleep(everyMs)
  }
}

/** Returns eight characters that nobody else gets. */
const unique = (): string => crypto.randomUUID().slice(0, 8)
