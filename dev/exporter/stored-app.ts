/** Reads an app of a service as the service stores it. */
import { slugOf } from '../../src/kernel/lib/slug.ts'
import type { Client } from '../client.ts'
import type { Members } from '../loader/descriptor.ts'
import { Refusal } from '../loader/refusal.ts'
import { type Service, tablePath } from '../loader/service.ts'

export interface StoredTable {
  name: string
  description: string
  datasource: string
  isMaterialized: boolean
  /** The schema as the service has stored it. */
  schema: Members
  schemaHash: string
}

/** A table of another app that is readable in this one. */
interface Reference {
  source_app_slug: string
  source_table_name: string
  reference_name: string
}

/** An app with its parts. */
export interface StoredApp {
  service: Service
  name: string
  description: string
  datasources: readonly Members[]
  tables: readonly StoredTable[]
  references: readonly Reference[]
}

interface AnsweredTable {
  name: string
  description: string
  datasource_slug: string
  is_materialized: boolean
  json_schema: Members
  schema_hash: string
  is_reference: boolean
  source_info?: { app: string; table: string }
}

/** Reads an app. Throws a Refusal if there is none of this name. */
export async function readStoredApp(client: Client, api: string, name: string): Promise<StoredApp> {
  const slug = slugOf(name)
  const app = await client.find<{ name: string; description: string }>(`${api}apps/${slug}/`)
  if (!app) {
    const { results } = await client.request<{ results: { slug: string }[] }>(
      'GET',
      `${api}apps/?page_size=100`,
    )
    throw new Refusal(
      `There is no app ${slug}. The apps are ${results.map((one) => one.slug).join(', ') || 'none'}.`,
    )
  }
  const service = { client, api, app: slug }
  const listed = await client.request<{ name: string }[]>('GET', `${api}apps/${slug}/datatables/`)
  const tables: AnsweredTable[] = []
  for (const one of listed.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    tables.push(await client.request<AnsweredTable>('GET', tablePath(service, one.name)))
  const datasources = await client.request<Members[]>('GET', `${api}apps/${slug}/datasources/`)
  const details: Members[] = []
  for (const { slug: one } of datasources)
    details.push(await client.request<Members>('GET', `${api}apps/${slug}/datasources/${one}/`))
  return {
    service,
    name: app.name,
    description: app.description,
    datasources: details
      .map(({ name: title, slug: one, provider_type, provider_config, description }) => ({
        name: title,
        slug: one,
        provider_type,
        provider_config,
        description,
      }))
      .toSorted((a, b) => (String(a.slug) < String(b.slug) ? -1 : 1)),
    tables: tables.filter((table) => !table.is_reference).map(storedTable),
    references: tables.flatMap(({ name: reference, source_info: source }) =>
      source
        ? { source_app_slug: source.app, source_table_name: source.table, reference_name: reference }
        : [],
    ),
  }
}

function storedTable(table: AnsweredTable): StoredTable {
  return {
    name: table.name,
    description: table.description,
    datasource: table.datasource_slug,
    isMaterialized: table.is_materialized,
    schema: table.json_schema,
    schemaHash: table.schema_hash,
  }
}
