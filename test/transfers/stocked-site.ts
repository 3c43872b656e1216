/** A site with everything that a transfer copies, and its content in a form that can be compared. */
import type { TestApp, User } from '../support/app.ts'
import { createSite, type Site } from '../support/app.ts'
import { hardRecords, hardTable } from '../support/hard-values.ts'

const field = (name: string, type: string, constraints?: object) => ({
  name,
  type,
  ...(constraints ? { constraints } : {}),
})

const resources = [
  {
    name: 'makers',
    schema: {
      fields: [
        field('id', 'integer'),
        field('name', 'string', { required: true, unique: true }),
        field('parent_id', 'integer'),
        field('is_deleted', 'boolean'),
      ],
      primaryKey: 'id',
      foreignKeys: [{ fields: 'parent_id', reference: { resource: '', fields: 'id' } }],
      graph: { enabled: true, types: [{ name: 'supplies', inverse: 'supplied_by' }] },
      history: true,
    },
  },
  {
    name: 'products',
    schema: {
      fields: [
        field('id', 'integer'),
        field('sku', 'string', { required: true, unique: true }),
        field('price', 'number', { minimum: 0 }),
        field('maker_id', 'integer'),
        field('made_at', 'datetime'),
        field('facts', 'object'),
        { name: 'gross', type: 'number', generated: 'round(price * 1.19, 2)' },
      ],
      primaryKey: 'id',
      checks: [{ name: 'taxed', expression: 'gross >= price', message: 'A price has a tax.' }],
      foreignKeys: [{ fields: 'maker_id', reference: { resource: 'makers', fields: 'id' } }],
      indexes: [{ name: 'by_price', fields: ['price'] }],
      search_fields: ['sku'],
      access: {
        rules: [
          { name: 'cheap', who: 'anyone', can: ['read'], where: { 'maker.name': 'Maker 1', price__lt: 10 } },
        ],
      },
    },
  },
]

/** The number of records in one request. */
const rowsEach = 5_000

const product = (n: number) => ({
  id: n + 1,
  sku: `P-${n + 1}`,
  price: n / 7,
  maker_id: (n % 19) + 1,
  made_at: new Date(1.7e12 + 1000 * n).toISOString(),
  facts: { n, text: 'Größe → "x"\n' },
})

/** Creates the site. */
export async function stockedSite(app: TestApp, name: string, rows: number): Promise<Site> {
  const site = await createSite(app, name)
  const { owner, api } = site
  const post = async (path: string, body: unknown) => {
    const answer = await app.request('POST', `${api}/${path}`, { token: owner.token, body })
    if (answer.status > 201) throw new Error(`${path}: ${answer.text}`)
    return answer.body
  }
  await post('apps/', { name: 'Shop', slug: 'shop' })
  await post('apps/shop/datatables/create_schema/?materialize=true', { resources })
  await post('apps/shop/datasources/main/datatables/', {
    name: 'draft',
    json_schema: { fields: [{ name: 'a', type: 'string' }] },
  })
  await post('apps/', { name: 'Papers' })
  await post('apps/papers/datasources/', { name: 'Papers', slug: 'papers', provider_type: 'jsonb' })
  await post('apps/papers/datatables/create_schema/?materialize=true&datasource=papers', {
    resources: [
      { name: 'notes', schema: { fields: [field('id', 'integer'), field('text', 'any')], primaryKey: 'id' } },
    ],
  })
  await post('apps/papers/datatables/import-reference/', {
    source_app_slug: 'shop',
    source_table_name: 'makers',
    reference_name: 'producers',
  })
  const makers = Array.from({ length: 20 }, (_, n) => ({
    id: n + 1,
    name: `Maker ${n + 1}`,
    parent_id: n === 0 ? null : 20 - n,
    is_deleted: n === 19,
  }))
  await post('apps/shop/datatables/makers/data/', makers)
  await post(
    'apps/shop/datatables/makers/edges/',
    makers.slice(1, 19).map(({ id }) => ({ from_id: 1, to_id: id, type: 'supplies', metadata: { id } })),
  )
  for (let first = 0; first < rows; first += rowsEach)
    await post(
      'apps/shop/datatables/products/data/',
      Array.from({ length: Math.min(rowsEach, rows - first) }, (_, index) => product(first + index)),
    )
  await post(
    'apps/papers/datatables/notes/data/',
    '[{"id":1,"text":12345678901234567890.10},{"id":2,"text":"5"}]',
  )
  await post('apps/shop/datatables/create_schema/?materialize=true', { resources: [hardTable] })
  await post('apps/shop/datatables/cases/data/', hardRecords)
  const note = await post('apps/shop/functions/', {
    name: 'note',
    code: 'export default () => 1',
    as: 'caller',
    ordering: 'record',
    secrets: ['PAY'],
    variables: { CURRENCY: 'EUR', Note: 'a "b"\n€' },
    filter_conditions: 'event.data.id > 0',
  })
  await post('cloud/events/RECORD_CREATE/subscribe/', { function_id: note.id })
  await post('apps/shop/functions/', {
    name: 'nightly',
    code: 'export default () => 2',
    schedule: '0 3 * * *',
    schedule_zone: 'Europe/Berlin',
    timeout_seconds: 7,
    allowed_hosts: ['api.example.com'],
    is_active: false,
  })
  await post('apps/shop/functions/', {
    name: 'hook',
    execution_mode: 'proxy',
    webhook_url: 'https://hooks.example.com/x',
    headers: { 'X-Key': 'of the hook' },
  })
  const rules = [{ name: 'readers', who: 'role:clerk', can: ['read'], tables: '*' }]
  const ruled = await app.request('PUT', `/sites/${name}/api/apps/shop/access/`, {
    token: owner.token,
    body: { rules },
  })
  if (ruled.status !== 200) throw new Error(`rules: ${ruled.text}`)
  await post('secret-types/', { name: 'printer', sensitivity_level: 'sensitive' })
  await post('tags/', { name: 'hall', color: '#0EA5E9' })
  await post('secrets/', { secret_type: 'printer', key: 'PRINTER', value: { port: 631 }, tags: ['hall'] })
  await post('secrets/', { secret_type: 'api-key', key: 'PAY', value: { api_key: 'of shop' }, app: 'shop' })
  await post('secrets/', { secret_type: 'api-key', key: 'PAY', value: { api_key: 'of site' } })
  const stock = { name: 'Stock', app: 'shop', table: 'products', measure: 'sum', field: 'stock' }
  await post('questions/', stock)
  await post('dashboards/', { name: 'Shop', questions: [{ ...stock, group_by: 'maker_id' }] })
  const { status, text } = await app.request('PATCH', `/api/cloud/sites/${name}/`, {
    token: owner.token,
    body: settings,
  })
  if (status !== 200) throw new Error(`settings: ${text}`)
  return site
}

const settings = {
  environment: 'staging',
  sign_up: 'invited',
  allowed_domains: ['example.com'],
  require_verified_email: false,
  sign_up_by_provider: false,
  domain_groups: [{ domain: 'example.com', group: 'Staff', role: 'clerk' }],
  roles: [{ name: 'clerk', title: 'Clerk', description: 'At the desk', groups: ['Staff'] }],
  branding: {
    name: 'Größe & Co',
    color: '#0f766e',
    logo: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAEklEQVR42mNk+M9QzwAEjDAGACCDAv8cI7IoAAAAAElFTkSuQmCC',
  },
}

/** Reads everything that a client sees of a site, in a form that is equal for equal sites. */
export async function contentOf(app: TestApp, slug: string, owner: User, { secrets = true } = {}) {
  const get = async (path: string) => {
    const answer = await app.request('GET', `/sites/${slug}/api/${path}`, { token: owner.token })
    if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`)
    return answer
  }
  const lines = async (path: string, query: string) => {
    const options = { token: owner.token, headers: { accept: 'application/x-ndjson' } }
    return (await app.request('GET', `/sites/${slug}/api/apps/${path}/data/${query}`, options)).text
  }
  const schemas: Record<string, unknown> = {}
  const records: Record<string, string> = {}
  for (const name of ['shop', 'papers'])
    for (const { name: table } of (await get(`apps/${name}/datatables/`)).body) {
      const { json_schema, description, is_materialized, source_info } = (
        await get(`apps/${name}/datatables/${table}/`)
      ).body
      schemas[`${name}/${table}`] = { json_schema, description, is_materialized, of: source_info?.table }
      if (is_materialized)
        records[`${name}/${table}`] = await lines(
          `${name}/datatables/${table}`,
          ['makers', 'cases'].includes(table) ? '?include_deleted=true' : '',
        )
    }
  const site = (await app.request('GET', `/api/cloud/sites/${slug}/`, { token: owner.token })).body
  const indexes = await app.sql<{ definition: string }>(
    `select regexp_replace(indexdef, ' ON [^ ]+\\.', ' ON ') as definition from pg_indexes
      where schemaname = $1 and tablename !~ '^_' order by 1`,
    [site.schema_name],
  )
  const edges = (await get('apps/shop/datatables/makers/edges/?page_size=1000')).body.results
  const functions = (await get('apps/shop/functions/')).body.results
  const event = (await get('apps/shop/events/RECORD_CREATE/')).body.data
  const {
    id: _id,
    uuid: _uuid,
    name: _name,
    slug: _slug,
    schema_name: _schema,
    created: _created,
    ...settings
  } = site
  return {
    settings: { ...settings, branding: { ...site.branding, logo: await logoOf(app, site.branding.logo) } },
    rules: (await get('apps/shop/access/')).body.rules,
    schemas,
    indexes,
    records,
    edges: edges.map(({ id: _, created_at: _at, ...edge }: Record<string, unknown>) => edge),
    functions: functions.map(
      ({ id: _, created_at: _at, updated_at: _updated, ...one }: Record<string, unknown>) => one,
    ),
    subscribers: event.subscribers.map(({ function_slug }: Record<string, unknown>) => function_slug),
    types: (await get('secret-types/?type=custom')).body.items,
    tags: (await get('tags/')).body,
    questions: savedOf(await get('questions/')),
    dashboards: savedOf(await get('dashboards/')),
    secrets: secrets
      ? await Promise.all(
          ['PRINTER/', 'PAY/', 'PAY/?app=shop'].map(async (path) => {
            const { value, tags, app: level, secret_type } = (await get(`secrets/${path}`)).body
            return { value, tags, level, secret_type }
          }),
        )
      : (await get('secrets/')).body.items,
    guests: (await app.request('GET', `/sites/${slug}/api/apps/shop/datatables/products/data/?fields=id,sku`))
      .body,
  }
}

/** Returns the saved queries without the properties that differ in a copy. */
const savedOf = ({ body }: Awaited<ReturnType<TestApp['request']>>) =>
  body.results.map(
    ({ id: _, created_at: _at, updated_at: _updated, created_by: _by, ...one }: Record<string, unknown>) =>
      one,
  )

async function logoOf(app: TestApp, path: string) {
  const answer = await app.open('GET', path)
  return [answer.headers.get('content-type'), Buffer.from(await answer.arrayBuffer()).toString('base64')]
}
