/** A site with an app whose datasource is in MongoDB. */
import { inject } from 'vitest'
import { createSite, type Site, type TestApp } from '../support/app.ts'

type Answer = Awaited<ReturnType<TestApp['request']>>

export interface Desk extends Site {
  app: TestApp
  /** Sends a request as the owner, below the API of the site. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Returns the path of the records of a table. */
  data(table: string): string
  /** Creates a table with its collection. */
  table(name: string, json_schema: unknown): Promise<Answer>
}

/**
 * Creates the site, the secret `MONGO` with the connection string, and the datasource `docs` of the app
 * `shop`.
 */
export async function createDesk(testApp: TestApp, name: string): Promise<Desk> {
  const app = testApp.with({ ALLOW_PRIVATE_HOSTS: 'true' })
  const site = await createSite(app, name)
  const ask: Desk['ask'] = (method, path, body, headers = {}) =>
    app.request(method, `${site.api}${path}`, {
      token: site.owner.token,
      headers,
      ...(body === undefined ? {} : { body }),
    })
  const made = async (path: string, body: unknown) => {
    const answer = await ask('POST', path, body)
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    return answer
  }
  await made('/apps/', { name: 'shop' })
  await made('/secret-types/', { name: 'connection', sensitivity_level: 'sensitive' })
  await made('/secrets/', { key: 'MONGO', secret_type: 'connection', value: { url: inject('mongodbUrl') } })
  await made('/apps/shop/datasources/', {
    name: 'Documents',
    slug: 'docs',
    provider_type: 'mongodb',
    provider_config: { secret: 'MONGO', database: databaseOf(name) },
  })
  return {
    ...site,
    app,
    ask,
    data: (table) => `/apps/shop/datatables/${table}/data/`,
    table: (table, json_schema) =>
      made('/apps/shop/datasources/docs/datatables/?materialize=true', { name: table, json_schema }),
  }
}

/** The database of a site; a server of yours keeps those of earlier runs, so each run has others. */
export const databaseOf = (site: string): string => `tessera_test_${site.replaceAll('-', '_')}_${started}`

const started = Date.now().toString(36)

type Command = Record<string, unknown>

const shell = (body: object) =>
  fetch(inject('mongodbShell'), { method: 'POST', body: JSON.stringify(body) }).then((answer) =>
    answer.json(),
  )

/** Runs a command on the database of a site, as anybody else may. Values are in Extended JSON. */
export const run = (site: string, command: Command) =>
  shell({ database: databaseOf(site), command }) as Promise<{
    cursor: { firstBatch: Record<string, unknown>[] }
  }>

/** Begins a transaction of another client: each command is in it, and without one it is committed. */
export function hold(site: string): (command?: Command) => Promise<unknown> {
  const held = crypto.randomUUID()
  return (command) => shell(command ? { database: databaseOf(site), command, held } : { ends: held })
}

/** Numbers are the same up to 12 digits: quotients and roots have other numbers of digits. */
export const near = (value: unknown): unknown => {
  if (typeof value === 'number') return Number(value.toPrecision(12))
  if (Array.isArray(value)) return value.map(near)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, near(member)]))
}
