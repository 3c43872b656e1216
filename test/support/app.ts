/** The service in a test: a database for each file, and requests to the app as workerd makes them. */
import { env as bindings, createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { neon, neonConfig } from '@neondatabase/serverless'
import { inject } from 'vitest'
import { hashPassword } from '../../src/kernel/access/passwords.ts'
import { type Identity, issueTokens } from '../../src/kernel/access/tokens.ts'
import { configOf, type Env } from '../../src/kernel/env.ts'
import { pause } from '../../src/kernel/lib/retry.ts'
import worker from '../../src/worker.ts'
import { checkAnswer } from './contract.ts'
import { checkBodyCode, checkCode } from './error-codes.ts'
import { heldQueue } from './queue.ts'

neonConfig.fetchEndpoint = inject('neonEndpoint')

const baseEnv = bindings as unknown as Env

interface Answer {
  status: number
  headers: Headers
  /** The parsed body if it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert whole bodies of many shapes
  body: any
  /** The body as text. */
  text: string
}

interface RequestOptions {
  token?: string | undefined
  headers?: Record<string, string>
  /** An object is sent as JSON; a string, bytes or a stream are sent unchanged. */
  body?: unknown
}

export interface User {
  id: number
  username: string
  email: string
  token: string
}

export interface TestApp {
  env: Env
  /** The URL for the role that owns the platform. */
  databaseUrl: string
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>
  /** Sends a request without reading the body of the response. */
  open(method: string, path: string, options?: RequestOptions): Promise<Response>
  /** Runs plain SQL on the file's database, as a superuser, who can see all rows. */
  sql<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>
  /** Returns the same app with other variables. */
  with(variables: Record<string, string>): TestApp
  user(name: string, options?: { superuser?: boolean; password?: string }): Promise<User>
  /** Returns the user with a new token. */
  signedIn(user: User): Promise<User>
  /** Returns the present content of tokens and sessions of an account. */
  identity(user: Pick<User, 'id'>): Promise<Identity>
}

/** Runs plain SQL, one statement outside any transaction. */
async function query<Row>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  return (await neon(url).query(text, values)) as Row[]
}

/** Returns the URL of a file's database for the superuser of the server. */
function superuserUrl(databaseUrl: string): string {
  const url = new URL(inject('superuserUrl'))
  url.pathname = new URL(databaseUrl).pathname
  return url.href
}

let databases = 0

/** The databases of the running file. */
const ofFile = new Set<string>()

/** Drops the databases of a file that has ended, even if they have open connections. */
export async function dropDatabases(): Promise<void> {
  for (const name of ofFile)
    await query(inject('superuserUrl'), `drop database if exists ${name} with (force)`)
  ofFile.clear()
}

/**
 * Clones the template database. Roles belong to the server, so each database numbers its sites from another
 * start.
 */
async function cloneDatabase(): Promise<string> {
  const name = `test_${Date.now()}_${Math.floor(Math.random() * 1e9)}_${databases++}`
  ofFile.add(name)
  await query(inject('databaseUrl'), `create database ${name} template template_tessera strategy file_copy`)
  // A clone has the rights in the database, but not those on it (migrations/rights.sql).
  await query(inject('databaseUrl'), `revoke temporary on database ${name} from public`)
  const url = new URL(inject('databaseUrl'))
  url.pathname = `/${name}`
  await query(url.href, `alter sequence sites_id_seq restart with ${1 + Math.floor(Math.random() * 1e12)}`)
  return url.href
}

/** Starts the app with a new database. `variables` replace those of the environment. */
export async function startApp(variables: Record<string, string> = {}): Promise<TestApp> {
  const databaseUrl = await cloneDatabase()
  const ofRole = (url: string) => {
    const own = new URL(url)
    own.pathname = new URL(databaseUrl).pathname
    return own.href
  }
  const urls = {
    DATABASE_URL: ofRole(inject('serviceUrl')),
    SCHEMA_DATABASE_URL: ofRole(inject('schemaUrl')),
  }
  // The consumers of the Worker itself have another database, and would outlive the file.
  const queues = { JOBS: heldQueue().binding, EVENTS: heldQueue().binding }
  return appWith({ ...baseEnv, ...urls, ...queues, ...variables }, databaseUrl)
}

function appWith(env: Env, databaseUrl: string): TestApp {
  const urlOf = (path: string) => (path.startsWith('http') ? path : `http://localhost${path}`)

  async function open(
    method: string,
    path: string,
    { token, headers = {}, body }: RequestOptions = {},
    ctx = createExecutionContext(),
  ): Promise<Response> {
    const sent =
      body === undefined ||
      typeof body === 'string' ||
      body instanceof Uint8Array ||
      body instanceof ReadableStream
        ? body
        : JSON.stringify(body)
    const response = await worker.fetch(
      new Request(urlOf(path), {
        method,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          'cf-connecting-ip': '198.51.100.7',
          ...headers,
        },
        ...(sent === undefined ? {} : { body: sent }),
      }),
      env,
      ctx,
    )
    checkCode(method, urlOf(path), response)
    return response
  }

  async function request(method: string, path: string, options?: RequestOptions): Promise<Answer> {
    const ctx = createExecutionContext()
    const response = await open(method, path, options, ctx)
    const text = new TextDecoder().decode(await response.arrayBuffer())
    await waitOnExecutionContext(ctx)
    const answer = isJson(response) && method !== 'HEAD' ? JSON.parse(text) : text
    checkAnswer(method, urlOf(path), response.status, response.headers.get('content-type') ?? '', answer)
    if (response.status >= 400) checkBodyCode(`${method} ${urlOf(path)}`, response.headers, answer)
    return { status: response.status, headers: response.headers, body: answer, text }
  }

  async function identity({ id }: Pick<User, 'id'>): Promise<Identity> {
    const [row] = await query<{ generation: number }>(
      databaseUrl,
      'select generation from users where id = $1',
      [id],
    )
    return { userId: id, generation: row?.generation ?? 0 }
  }

  return {
    env,
    databaseUrl,
    request,
    open: (method, path, options) => open(method, path, options),
    identity,
    signedIn: async (user) => ({
      ...user,
      token: (await issueTokens(configOf(env), await identity(user))).access,
    }),
    with: (variables) => appWith({ ...env, ...variables }, databaseUrl),
    sql: (text, values) => query(superuserUrl(databaseUrl), text, values),
    async user(name, { superuser = false, password } = {}) {
      const email = `${name}@example.org`
      const [row] = await query<{ id: string }>(
        databaseUrl,
        'insert into users (username, email, password_hash, is_superuser) values ($1, $2, $3, $4) returning id',
        [name, email, password ? await hashPassword(password, configOf(env).PASSWORD_COST) : null, superuser],
      )
      const id = Number(row?.id)
      const { access } = await issueTokens(configOf(env), { userId: id, generation: 1 })
      return { id, username: name, email, token: access }
    },
  }
}

const isJson = (response: Response) =>
  /^application\/(scim\+)?json/.test(response.headers.get('content-type') ?? '')

export interface Site {
  slug: string
  /** The path of its API. */
  api: string
  schema: string
  owner: User
}

/** Returns the id of a site, which its rows in the schema `tenant` have. */
export const siteIdOf = ({ schema }: Pick<Site, 'schema'>): number => Number(schema.slice('site_'.length))

/**
 * Sends a request again if it gets 503, which changes nothing. A machine that is busy with other work may
 * make Postgres too slow for a time limit of the service.
 */
export async function insist(ask: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await ask()
    if (answer.status !== 503 || attempt === 5) return answer
    await pause(1_000)
  }
}

/** Creates an organization with one site and an owner. */
export async function createSite(app: TestApp, name: string): Promise<Site> {
  const owner = await app.user(`${name}-owner`)
  const post = (path: string, body: object) =>
    insist(() => app.request('POST', `/api/cloud/organizations/${path}`, { token: owner.token, body }))
  const organization = await post('', { name: `${name} org` })
  const site = await post(`${organization.body.slug}/sites/`, { name, slug: name })
  if (site.status !== 201) throw new Error(`no site: ${JSON.stringify(site.body)}`)
  return { slug: name, api: `/sites/${name}/api`, schema: site.body.schema_name, owner }
}
