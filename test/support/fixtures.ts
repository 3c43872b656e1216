/** An app with tables that many tests read and write. */
import { createSite, insist, type Site, type TestApp, type User } from './app.ts'

const shop = {
  resources: [
    {
      name: 'makers',
      schema: {
        fields: [
          { name: 'id', type: 'integer' },
          { name: 'name', type: 'string', constraints: { required: true, unique: true, maxLength: 40 } },
        ],
        primaryKey: 'id',
      },
    },
    {
      name: 'products',
      schema: {
        fields: [
          { name: 'id', type: 'integer' },
          {
            name: 'sku',
            type: 'string',
            constraints: { required: true, unique: true, pattern: '^[A-Z]+-[0-9]+$' },
          },
          { name: 'price', type: 'number', constraints: { minimum: 0 } },
          { name: 'stock', type: 'integer', default: 0 },
          { name: 'maker_id', type: 'integer' },
          { name: 'released_on', type: 'date' },
          { name: 'is_deleted', type: 'boolean' },
        ],
        primaryKey: 'id',
        foreignKeys: [{ fields: 'maker_id', reference: { resource: 'makers', fields: 'id' } }],
      },
    },
  ],
}

export interface Shop extends Site {
  /** Returns the path of a table's records. */
  data(table: string): string
}

/** Creates the tables of a data package's resources in the app `shop`, materialized. */
export async function addTables(
  app: TestApp,
  { api, owner }: Site,
  resources: readonly unknown[],
): Promise<void> {
  const path = `${api}/apps/shop/datatables/create_schema/?materialize=true`
  const created = await insist(() => app.request('POST', path, { token: owner.token, body: { resources } }))
  if (created.status !== 201) throw new Error(JSON.stringify(created.body))
}

/**
 * Creates the same tables in a jsonb datasource of another app, `papers`. Returns a function for the path of
 * a table's records.
 */
export async function addDocuments(
  app: TestApp,
  { api, owner }: Site,
  resources: readonly unknown[],
): Promise<(table: string) => string> {
  const post = (path: string, body: unknown) =>
    insist(() => app.request('POST', `${api}/apps/${path}`, { token: owner.token, body }))
  await post('', { name: 'papers' })
  await post('papers/datasources/', { name: 'Papers', slug: 'papers', provider_type: 'jsonb' })
  const created = await post('papers/datatables/create_schema/?materialize=true&datasource=papers', {
    resources,
  })
  if (created.status !== 201) throw new Error(JSON.stringify(created.body))
  return (table) => `${api}/apps/papers/datatables/${table}/data/`
}

/**
 * Creates a site with the app `shop` and its tables, or those of another data package, materialized and
 * empty.
 */
export async function createShop(
  app: TestApp,
  name: string,
  { resources }: { resources: readonly unknown[] } = shop,
): Promise<Shop> {
  const site = await createSite(app, name)
  const { token } = site.owner
  await insist(() => app.request('POST', `${site.api}/apps/`, { token, body: { name: 'shop' } }))
  await addTables(app, site, resources)
  return { ...site, data: (table) => `${site.api}/apps/shop/datatables/${table}/data/` }
}

type Rows = readonly Readonly<Record<string, unknown>>[]

/**
 * Creates records by table, and then deletes those that should be soft-deleted, because references to deleted
 * records are refused. `key` returns the fields of a table's primary key.
 */
export async function addRows(
  app: TestApp,
  { owner, data }: Pick<Shop, 'owner' | 'data'>,
  rows: Readonly<Record<string, Rows>>,
  key: (table: string) => readonly string[] = () => ['id'],
): Promise<void> {
  const send = async (method: string, table: string, body: Rows, query = '') => {
    const path = `${data(table)}${query}`
    const { status, body: answer } = await app.request(method, path, { token: owner.token, body })
    if (status > 201) throw new Error(JSON.stringify(answer))
  }
  const isDeleted = ({ is_deleted }: Rows[number]) => is_deleted === true
  for (const [table, all] of Object.entries(rows)) {
    await send(
      'POST',
      table,
      all.map((row) => (isDeleted(row) ? { ...row, is_deleted: false } : row)),
    )
  }
  for (const [table, all] of Object.entries(rows)) {
    const marks = all.filter(isDeleted).map((row) => ({
      ...Object.fromEntries(key(table).map((name) => [name, row[name]])),
      is_deleted: true,
    }))
    if (marks.length > 0) await send('PATCH', table, marks, '?include_deleted=true')
  }
}

/** Removes all records of tables, which are given by app and name. */
export const removeRows = (app: TestApp, { schema }: Site, tables: readonly [app: string, table: string][]) =>
  app.sql(`truncate ${tables.map(([of, table]) => `"${schema}"."${of}_${table}"`).join()}`)

/** Gives a user these permissions in a site, and no others. */
export const grant = (app: TestApp, site: Site, user: User, permissions: readonly string[]) =>
  app.sql(
    'insert into site_permissions (site_id, user_id, permissions) values ($1, $2, $3) on conflict (site_id, user_id) do update set permissions = $3',
    [Number(site.schema.slice('site_'.length)), user.id, permissions],
  )

/** Returns functions that send requests of a site's owner below one path. */
export function ownerOf(app: TestApp, site: Site, below = '/apps/') {
  const request = (method: string) => (path: string, body?: unknown) =>
    app.request(method, `${site.api}${below}${path}`, {
      token: site.owner.token,
      ...(body === undefined ? {} : { body }),
    })
  return {
    get: request('GET'),
    post: request('POST'),
    put: request('PUT'),
    patch: request('PATCH'),
    delete: request('DELETE'),
  }
}
