/** Reads an app of a service as parts. */

import { type Client, TesseraError } from '../../../client/src/index.ts'
import { readStoredApp } from '../../../dev/exporter/stored-app.ts'
import { functionSettings } from '../../../src/operation/transfers/source/function-settings.ts'
import type { Members, TablePart } from '../../../src/operation/transfers/source/source.ts'
import {
  type SubscribedFunction,
  subscribedFunction,
} from '../../../src/operation/transfers/source/subscribed-function.ts'
import { dataClient } from '../data-client.ts'
import { requireSite } from '../require-site.ts'
import type { Target } from '../target.ts'
import type { FunctionPart, Parts } from './parts.ts'

/** An app of a service, with the ids and hashes that requests need. */
export interface ServiceApp {
  parts: Parts
  /** The hashes of the schemas from the service, by table. */
  schemaHashes: ReadonlyMap<string, string>
  /** The ids of the functions by slug. */
  functionIds: ReadonlyMap<string, number>
  /** The site whose roles were read. Undefined: the caller cannot read them. */
  site: string | undefined
}

/** A role of a site, as the service lists it. */
export type ListedRole = Members & { name: string }

/** Returns the path of the roles of a site. */
export const rolesPath = (site: string): string => `/api/cloud/sites/${encodeURIComponent(site)}/roles/`

/** Reads the roles of the site. Undefined: an API key and whoever may not see the site cannot read them. */
async function readRoles(client: Client, { site }: Target): Promise<readonly ListedRole[] | undefined> {
  if (site === undefined) return undefined
  try {
    return await client.request<ListedRole[]>({ path: rolesPath(site), query: { page_size: 100 } })
  } catch (error) {
    if (error instanceof TesseraError && [401, 403].includes(error.status)) return undefined
    throw error
  }
}

/** Reads an app; undefined if the site has no app with this slug. Throws 404 if the site does not answer. */
export async function readService(
  client: Client,
  target: Target,
  app: string,
): Promise<ServiceApp | undefined> {
  const path = `/api/apps/${encodeURIComponent(app)}/`
  try {
    await client.request({ path })
  } catch (error) {
    if (!(error instanceof TesseraError && error.status === 404)) throw error
    await requireSite(client)
    return undefined
  }
  const data = dataClient(client, target)
  const { name, description, datasources, tables, references } = await readStoredApp(
    data.client,
    data.api,
    app,
  )
  const own = tables.map((table): [string, TablePart] => [
    table.name,
    {
      description: table.description,
      datasource: table.datasource,
      materialized: table.isMaterialized,
      schema: table.schema,
    },
  ])
  const referenced = references.map((reference): [string, TablePart] => [
    reference.reference_name,
    { reference: { app: reference.source_app_slug, table: reference.source_table_name } },
  ])
  const functions = await readFunctions(client, path)
  const { rules } = await client.request<{ rules: Members[] }>({ path: `${path}access/` })
  const roleList = await readRoles(client, target)
  const roles = new Map((roleList ?? []).map(({ name: role, ...members }) => [role, members]))
  return {
    parts: {
      app: {
        name,
        description,
        datasources: Object.fromEntries(datasources.map(({ slug, ...one }) => [String(slug), one])),
        ...(rules.length > 0 ? { rules } : {}),
      },
      tables: new Map([...own, ...referenced].toSorted(byName)),
      functions: functions.parts,
      subscriptions: await readSubscriptions(client, path),
      secretTypes: await readSecretTypes(client),
      roles,
    },
    site: roleList === undefined ? undefined : target.site,
    schemaHashes: new Map(tables.map((table) => [table.name, table.schemaHash])),
    functionIds: functions.ids,
  }
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1)

interface ListedFunction extends Members {
  id: number
  slug: string
  code?: string
}

async function readFunctions(client: Client, app: string) {
  const all = await readAll<ListedFunction>(client, `${app}functions/`)
  const parts = all.map(({ slug, code = '', ...settings }): [string, FunctionPart] => [
    slug,
    { settings: functionSettings(settings), code },
  ])
  return { parts: new Map(parts.toSorted(byName)), ids: new Map(all.map(({ slug, id }) => [slug, id])) }
}

interface ListedSubscriber {
  function_slug: string
  tables: string[] | null
}

async function readSubscriptions(client: Client, app: string): Promise<Parts['subscriptions']> {
  const subscriptions: Record<string, SubscribedFunction[]> = {}
  for (const event of await client.events.list()) {
    const { data } = await client.request<{ data: { subscribers: ListedSubscriber[] } }>({
      path: `${app}events/${encodeURIComponent(event)}/`,
      query: { ordering: 'function_slug' },
    })
    // A subscription whose tables have been deleted runs nothing.
    const functions = data.subscribers
      .filter(({ tables }) => tables?.length !== 0)
      .map((one) => subscribedFunction(one.function_slug, one.tables))
    if (functions.length > 0) subscriptions[event] = functions
  }
  return subscriptions
}

interface ListedType extends Members {
  slug: string
}

/** Reads the secret types of the site, by slug, without the system types that every site has. */
export async function readSecretTypes(client: Client): Promise<Map<string, Members>> {
  const all = await readAll<ListedType>(client, '/api/secret-types/', { type: 'custom' })
  const types = all.map(({ slug, name, description, sensitivity_level, schema }): [string, Members] => [
    slug,
    { name, description, sensitivity_level, schema },
  ])
  return new Map(types.toSorted(byName))
}

/** Reads all pages of a list. */
export async function readAll<Item>(
  client: Client,
  path: string,
  filters: Record<string, string> = {},
): Promise<Item[]> {
  const all: Item[] = []
  for (let page = 1; ; page++) {
    const query = { ...filters, page, page_size: 100 }
    const answer = await client.request<{ results?: Item[]; items?: Item[]; count: number }>({ path, query })
    const items = answer.results ?? answer.items ?? []
    all.push(...items)
    if (items.length === 0 || all.length >= answer.count) return all
  }
}
