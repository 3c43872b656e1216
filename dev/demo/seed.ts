/** Creates the demo through the public API. Existing parts stay unchanged. */
import type { Client } from '../client.ts'
import type { DemoApp } from './app.ts'
import { demo, demoApps } from './data.ts'
import { seedSecrets } from './secrets.ts'

const siteName = 'Demo'
/** The name of the site until everything exists, so that a start continues after an interrupted one. */
const unfinishedName = 'Demo (unfinished)'
const api = `/sites/${demo.site}/api`

export async function seedDemo(client: Client): Promise<void> {
  const site = await client.find<{ name: string }>(`/api/cloud/sites/${demo.site}/`)
  if (site && site.name !== unfinishedName) return
  if (!site) await createSite(client)
  for (const app of demoApps) await seedApp(client, app)
  await seedSecrets(client, api)
  await client.request('PATCH', `/api/cloud/sites/${demo.site}/`, { name: siteName })
}

async function createSite(client: Client): Promise<void> {
  const path = '/api/cloud/organizations/'
  const slug = demo.organization.toLowerCase().replace(' ', '-')
  if (!(await client.find(`${path}${slug}/`)))
    await client.request('POST', path, { name: demo.organization, slug })
  await client.request('POST', `${path}${slug}/sites/`, {
    name: unfinishedName,
    slug: demo.site,
    environment: 'development',
  })
}

/** Creates an app unless it exists. */
export async function seedApp(client: Client, app: DemoApp): Promise<void> {
  const { slug, name, description, resources, documents = [], rows, edges, finish } = app
  const path = `${api}/apps/${slug}/`
  if (!(await client.find(path))) await client.request('POST', `${api}/apps/`, { name, slug, description })
  await createTables(client, path, 'flat_table', resources)
  await createTables(client, path, 'jsonb', documents)
  const tables = `${path}datatables/`
  for (const [table, records] of rows()) await fill(client, `${tables}${table}/data/`, records)
  for (const [table, connections] of edges?.() ?? [])
    await fill(client, `${tables}${table}/edges/`, connections)
  await finish?.(client, path)
}

/** Each type has its own datasource; the one with columns is `main`, which the service creates. */
async function createTables(
  client: Client,
  path: string,
  provider: 'flat_table' | 'jsonb',
  resources: DemoApp['resources'],
): Promise<void> {
  const [first] = resources
  if (!first || (await client.find(`${path}datatables/${first.name}/`))) return
  const datasource = provider === 'jsonb' ? 'documents' : 'main'
  if (provider === 'jsonb' && !(await client.find(`${path}datasources/${datasource}/`)))
    await client.request('POST', `${path}datasources/`, {
      name: 'Documents',
      slug: datasource,
      provider_type: provider,
    })
  const query = provider === 'jsonb' ? `materialize=true&datasource=${datasource}` : 'materialize=true'
  await client.request('POST', `${path}datatables/create_schema/?${query}`, { resources })
}

/** Creates everything or, if it was created before, nothing. */
async function fill(client: Client, path: string, items: readonly unknown[]): Promise<void> {
  const { total } = await client.request<{ total: number }>('GET', `${path}?page_size=1`)
  if (total === 0) await client.request('POST', path, items)
}
