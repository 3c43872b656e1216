/** The client in workerd, against the application and its database. docs/guide/client.md. */
import { beforeAll, describe, expect, it } from 'vitest'
import { type AppDocument, generateTypes } from '../../client/src/generate.ts'
import { UnauthenticatedError } from '../../client/src/index.ts'
import { createSite, type Site, startApp, type TestApp } from '../support/app.ts'
import typesOfTheDemo from './demo-types.ts?raw'
import { expected } from './expected.ts'
import { playScenario, type TrialApps } from './scenario.ts'
import { clientOf } from './support.ts'

let app: TestApp
let site: Site
beforeAll(async () => {
  app = await startApp()
  site = await createSite(app, 'lamps')
})

describe('a typed client', () => {
  it('does in workerd what it does in Node and in a browser', async () => {
    const db = clientOf<TrialApps>(app, { site: site.slug, auth: { token: site.owner.token } })
    expect(await playScenario(db)).toEqual(expected)
  })

  it('asks for credentials by a 401, which it throws where it has none', async () => {
    await expect(clientOf(app, { site: site.slug }).accounts.me()).rejects.toBeInstanceOf(
      UnauthenticatedError,
    )
  })
})

describe('generated types', () => {
  it('are those of the documents of the apps', async () => {
    const documentOf = async (slug: string) =>
      (await app.request('GET', `${site.api}/apps/${slug}/schema/`, { token: site.owner.token }))
        .body as AppDocument
    // The scenario has made the tables of the demo under other names.
    const rename = (text: string) =>
      text
        .replaceAll('"trial"', '"shop"')
        .replaceAll('"staff"', '"company"')
        .replaceAll(/\btrial/g, 'shop')
        .replaceAll(/\bstaff/g, 'company')
        .replaceAll(/\bTrial/g, 'Shop')
        .replaceAll(/\bStaff/g, 'Company')
    const text = generateTypes(
      { trial: await documentOf('trial'), staff: await documentOf('staff') },
      { from: '../../client/src/index.ts' },
    )
    expect(rename(text)).toBe(typesOfTheDemo)
  })

  it('write text of a schema into comments and names so that it stays there', () => {
    const record = {
      properties: {
        "it's */ } \n": { type: 'string', 'x-type': 'string', description: 'ends */ the\ncomment' },
        plain: { anyOf: [{ type: ['integer', 'string'] }, { type: 'null' }], 'x-type': 'integer' },
      },
      'x-primary-key': ["it's */ } \n"],
    }
    const schemas = { 't.Record': record, 't.NewRecord': { ...record, required: [] } }
    const text = generateTypes(
      { '9-a': { paths: {}, tags: [], components: { schemas } } },
      { integers: 'exact' },
    )
    expect(text).toContain("      /** ends *\\/ the comment */\n      'it\\'s */ } \\n': string\n")
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a type
    expect(text).toContain('plain: number | `${bigint}` | null')
    expect(text).toContain('export interface App9A {')
    expect(text).toContain('create: never')
  })
})

describe('a client and the schema of a table', () => {
  it('gets its hash with each list and each record, in a page of another origin, too', async () => {
    const origin = 'https://admin.example.com'
    const path = `${site.api}/apps/trial/datatables/categories`
    const ask = (to: string) =>
      app
        .with({ CORS_ORIGINS: origin })
        .request('GET', `${path}/${to}`, { token: site.owner.token, headers: { origin } })
    const { body } = await ask('schema/')
    for (const { headers } of [
      await ask('data/'),
      await ask('data/1/'),
      await ask('data/?_aggregate=count(*)'),
    ]) {
      expect(headers.get('x-schema-hash')).toBe(body.schema_hash)
      expect(headers.get('access-control-expose-headers')?.split(',')).toContain('X-Schema-Hash')
    }
  })

  it('reports once that it is not that of the types', async () => {
    const changes: unknown[] = []
    const db = clientOf<TrialApps>(app, {
      site: site.slug,
      auth: { token: site.owner.token },
      schemas: { trial: { categories: 'of-yesterday' } },
      onSchemaChange: (change) => changes.push(change),
    })
    await db.app('trial').categories.list()
    await db.app('trial').categories.get(1)
    await db.app('trial').suppliers.list()
    expect(changes).toEqual([
      {
        app: 'trial',
        table: 'categories',
        expected: 'of-yesterday',
        actual: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ])
  })

  it('reports a change that happens while it works', async () => {
    const changes: { table: string }[] = []
    const auth = { token: site.owner.token }
    const db = clientOf(app, { site: site.slug, auth, onSchemaChange: (change) => changes.push(change) })
    const path = '/api/apps/trial/datatables/warehouses/'
    const table = db.app('trial').$table('warehouses')
    await table.list()
    const { json_schema: schema } = await db.request<{ json_schema: { fields: object[] } }>({ path })
    const fields = [...schema.fields, { name: 'note', type: 'string' }]
    await db.request({ method: 'PATCH', path, body: { json_schema: { ...schema, fields } } })
    await table.list()
    expect(changes.map((change) => change.table)).toEqual(['warehouses'])
  })
})

describe('a table with a history', () => {
  it('lists its versions, reads as of a time, and restores', async () => {
    const db = clientOf(app, { site: site.slug, auth: { token: site.owner.token } })
    const schema = {
      history: true,
      primaryKey: 'id',
      fields: [{ name: 'id', type: 'integer' }, { name: 'title' }],
    }
    const path = '/api/apps/trial/datatables/create_schema/'
    const body = { resources: [{ name: 'works', schema }] }
    await db.request({ method: 'POST', path, query: { materialize: true }, body })
    const works = db.app('trial').$table('works')
    await works.create({ id: 1, title: 'Dunes' })
    const [first] = (await works.history(1)).data
    await works.update(1, { title: 'Sea' })
    expect(await works.get(1, { asOf: first?.valid_from ?? '' })).toEqual({ id: 1, title: 'Dunes' })
    expect((await works.history(1)).data.map(({ number, operation }) => [number, operation])).toEqual([
      [2, 'update'],
      [1, 'create'],
    ])
    expect(await works.restore(1, 1)).toEqual({ id: 1, title: 'Dunes' })
  })
})
