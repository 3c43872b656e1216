/** The app that gets the records: creates it and its tables, or finds existing ones. */

import { quoteValue } from '../../src/kernel/lib/quote-value.ts'
import { slugOf } from '../../src/kernel/lib/slug.ts'
import { type Client, messagesOf, RefusedError } from '../client.ts'
import { doubtText } from './column-forms.ts'
import { isMembers, type Members } from './descriptor.ts'
import { keysOf } from './order.ts'
import { Refusal } from './refusal.ts'
import { type Service, tablePath } from './service.ts'
import { type Column, compile, type Table } from './table.ts'

/** What to do with existing tables. */
export type Mode = 'create' | 'append' | 'replace'

/** An existing app. */
export interface Found {
  service: Service
  exists: boolean
  /** The tables of the app by name. */
  tables: ReadonlyMap<string, Members>
}

/** Looks for the app and its tables. */
export async function findApp(client: Client, api: string, name: string): Promise<Found> {
  const slug = slugOf(name)
  if (slug === '')
    throw new Refusal(`--app ${quoteValue(name)} has no letters or digits of which a slug could be made.`)
  const app = await client.find<{ slug: string }>(`${api}apps/${slug}/`)
  const service = { client, api, app: slug }
  if (!app) return { service, exists: false, tables: new Map() }
  const tables = await client.request<Members[]>('GET', `${api}apps/${slug}/datatables/`)
  return { service, exists: true, tables: new Map(tables.map((table) => [String(table.name), table])) }
}

/**
 * Returns the tables that already exist in the app. Throws a Refusal if there are some and no mode was
 * chosen.
 */
export function clashesOf(found: Found, tables: readonly Table[], mode: Mode): Table[] {
  const clashes = tables.filter(({ name }) => found.tables.has(name))
  if (mode === 'create' && clashes.length > 0)
    throw new Refusal(
      `The app ${found.service.app} already has ${clashes.map(({ name }) => name).join(', ')}. ` +
        'Add --append to add the rows to them, or --replace to delete these tables with their records first.',
    )
  return clashes
}

/** Returns a table with its schema in the app. Throws a Refusal if the schema lacks a field of the file. */
export async function asExisting({ service }: Found, table: Table): Promise<Table> {
  const existing = await service.client.request<{ json_schema: Members }>(
    'GET',
    tablePath(service, table.name),
  )
  const model = compile(table.name, existing.json_schema)
  if ('problems' in model) throw new Refusal(model.problems.join('\n'))
  const lacking = [...table.columns.values()].filter(({ name }) => !model.fields.has(name))
  if (lacking.length > 0)
    throw new Refusal(
      `The table ${table.name} of the app has no field ${lacking.map(({ name }) => name).join(', ')}. ` +
        `Its fields are ${[...model.fields.keys()].join(', ')}. Add the field to the table first, or use ` +
        `--replace.`,
    )
  return { ...table, model, schema: existing.json_schema, columns: columnsFor(table, model) }
}

/**
 * Returns the columns of a file. Without a schema, they are read as the fields of the table are declared.
 * Throws a Refusal if the values of a column may be read in two ways.
 */
function columnsFor({ columns, inferred }: Table, model: Table['model']): Table['columns'] {
  if (!inferred) return columns
  const doubts: string[] = []
  const read = [...columns].map(([label, column]): [string, Column] => {
    const { type = 'string', format, itemType } = model.fields.get(column.name)?.schema ?? {}
    const guess = inferred.formOf(label, type)
    if (guess && 'doubt' in guess) doubts.push(`The column ${quoteValue(label)}: ${doubtText(guess)}`)
    const form = guess && 'form' in guess ? guess.form : {}
    return [label, { ...column, field: { name: label, type, format, itemType, ...form } }]
  })
  if (doubts.length > 0) throw new Refusal(doubts.join('\n'))
  return new Map(read)
}

/** The parts of an app other than its tables. */
export interface Parts {
  datasources: readonly Members[]
  /** References to tables of other apps. */
  references: readonly Members[]
}

/** Creates the app if it does not exist, the datasources and the tables. */
export async function createTables(
  found: Found,
  app: { name: string; description: string },
  { datasources, references }: Parts,
  tables: readonly Table[],
): Promise<void> {
  const { client, api, app: slug } = found.service
  if (!found.exists) await asRefusal(() => client.request('POST', `${api}apps/`, { ...app, slug }))
  const present = await client.request<{ slug: string }[]>('GET', `${api}apps/${slug}/datasources/`)
  for (const datasource of datasources)
    if (!present.some((one) => one.slug === datasource.slug))
      await asRefusal(() => client.request('POST', `${api}apps/${slug}/datasources/`, datasource))
  await importReferences(found, references)
  for (const group of groupsOf(tables)) {
    const { datasource, isMaterialized } = group[0] as Table
    const where = datasource === undefined ? '' : `&datasource=${encodeURIComponent(datasource)}`
    const query = `materialize=${isMaterialized}${where}`
    await asRefusal(() =>
      client.request('POST', `${api}apps/${slug}/datatables/create_schema/?${query}`, {
        resources: group.map(({ name, description, schema }) => ({ name, description, schema })),
      }),
    )
  }
}

/** Imports the references to tables of other apps that an exported app had. */
async function importReferences({ service }: Found, references: readonly Members[]): Promise<void> {
  if (references.length === 0) return
  const path = `${service.api}apps/${service.app}/datatables/import-reference/`
  const answer = await service.client.request<{ errors?: { error: unknown }[] }>('POST', path, references)
  const errors = (answer.errors ?? []).map(
    ({ error }) =>
      `  ${messagesOf(error)
        .map(({ text }) => text)
        .join(' ')}`,
  )
  if (errors.length > 0)
    throw new Refusal(
      `The app has tables of other apps, which have to be loaded first:\n${errors.join('\n')}\n` +
        'Load these apps, and then this package again.',
    )
}

/** Groups tables that one request creates. Each group comes after the groups that it references. */
function groupsOf(tables: readonly Table[]): Table[][] {
  const groups = new Map<string, Table[]>()
  for (const table of tables) {
    const key = JSON.stringify([!table.isMaterialized, table.datasource ?? null])
    groups.set(key, [...(groups.get(key) ?? []), table])
  }
  const waiting = [...groups.values()].toSorted(
    (one, other) => Number(other[0]?.isMaterialized) - Number(one[0]?.isMaterialized),
  )
  const ordered: Table[][] = []
  while (waiting.length > 0) {
    const names = (group: readonly Table[]) => new Set(group.map(({ name }) => name))
    const next = waiting.findIndex((group) => {
      const later = names(waiting.filter((other) => other !== group).flat())
      return group.every((table) => keysOf(table).every(({ resource }) => !later.has(resource)))
    })
    if (next === -1)
      throw new Refusal(
        'Tables of several datasources reference each other in a circle, so none can be created first.',
      )
    ordered.push(...waiting.splice(next, 1))
  }
  return ordered
}

/** Turns an error of the service into one that is printed without the request. */
async function asRefusal(request: () => Promise<unknown>): Promise<void> {
  try {
    await request()
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    const lines = messagesOf(error.body).map(({ field, text }) => `  ${field ? `${field}: ` : ''}${text}`)
    throw new Refusal(`The service refused the tables (${error.status}):\n${lines.join('\n')}`)
  }
}

/**
 * Deletes tables with their records, each after the tables that reference it. Throws a Refusal if other
 * tables reference one.
 */
export async function deleteTables({ service }: Found, tables: readonly Table[]): Promise<void> {
  let left = tables.map(({ name }) => name)
  while (left.length > 0) {
    const kept: { name: string; by: string[] }[] = []
    for (const name of left) {
      const by = await deleteTable(service, name, '')
      if (by.length > 0) kept.push({ name, by })
    }
    const outside = kept.find(({ by }) => by.some((other) => !left.includes(other)))
    if (outside)
      throw new Refusal(
        `The table ${outside.name} is referenced by ${outside.by.join(', ')}, which the package does not ` +
          `have. ` +
          'Delete these first, or load into another app.',
      )
    // The remaining ones reference each other.
    if (kept.length === left.length) {
      await deleteTable(service, left[0] as string, '?cascade=true')
      left = left.slice(1)
    } else left = kept.map(({ name }) => name)
  }
}

/** Deletes a table. If that fails, returns the tables that reference it. */
async function deleteTable(service: Service, name: string, query: string): Promise<string[]> {
  try {
    await service.client.request('DELETE', `${tablePath(service, name)}${query}`)
    return []
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    if (error.status === 404) return []
    const { body, status } = error
    const by = isMembers(body) && Array.isArray(body.referenced_by) ? body.referenced_by.map(String) : []
    if (status !== 409 || by.length === 0) throw error
    const others = by.filter((other) => other !== name)
    return others.length > 0 || query !== '' ? others : deleteTable(service, name, '?cascade=true')
  }
}
