/**
 * Clients resolve dots in a path before they send it, so a record with the key ".." has the URL of its table.
 * Such a record cannot be created, and a table that was deleted with such a URL can be restored. R7, D17.
 */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { formatKey } from '../../src/data/query/plan/keys.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { addDocuments, createShop, ownerOf, type Shop } from '../support/fixtures.ts'
import { runs } from '../support/runs.ts'
import { scaled } from '../support/scaled.ts'

let app: TestApp
let shop: Shop
/** The paths of the records of a table, by the provider of its datasource. */
let paths: Record<string, (table: string) => string>

const key = { name: 'id', type: 'string' }
const note = { name: 'note', type: 'string' }
const notes = { fields: [key, note], primaryKey: 'id' }
const pairs = {
  fields: [{ name: 'a', type: 'string' }, { name: 'b', type: 'string' }, note],
  primaryKey: ['a', 'b'],
}
const resources = [
  { name: 'notes', schema: notes },
  { name: 'pairs', schema: pairs },
  {
    name: 'coded',
    schema: {
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'code', type: 'string', constraints: { unique: true } },
        note,
      ],
      primaryKey: 'code',
    },
  },
  { name: 'linked', schema: { ...notes, hierarchy: true } },
]
const providers = ['flat_table', 'jsonb'] as const

const request = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { token: shop.owner.token, ...(body === undefined ? {} : { body }) })
const refusal = (details: Record<string, string[]>) => ({
  status: 400,
  body: { error: 'Validation failed', details, code: 'validation_failed' },
})
const rule = 'It is used in paths, so it may not be empty, "." or "..".'
/** Returns a path as a client sends it: with dots resolved. */
const sent = (path: string) => new URL(path, 'http://localhost').pathname

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'paths', { resources })
  paths = { flat_table: shop.data, jsonb: await addDocuments(app, shop, resources) }
})

describe.each(providers)('a record of a %s datasource whose key looks like a part of a path', (provider) => {
  const at = (table: string) => (paths[provider] as (table: string) => string)(table)
  const unaddressable = ['', '.', '..']

  it.each(unaddressable)('gets 400 for the key %j, alone, in bulk, and in an upsert', async (id) => {
    expect(await request('POST', at('notes'), { id })).toMatchObject(refusal({ id: [rule] }))
    expect(await request('POST', at('notes'), [{ id: 'fine' }, { id }])).toMatchObject(
      refusal({ id: [`rows[1]: ${rule}`] }),
    )
    expect(await request('POST', `${at('notes')}upsert/?unique_fields=id`, { id })).toMatchObject(
      refusal({ id: [rule] }),
    )
    expect(
      await request('POST', `${at('notes')}upsert/?unique_fields=id`, [{ id: 'fine' }, { id }]),
    ).toMatchObject(refusal({ id: [`rows[1]: ${rule}`] }))
    expect(await request('PATCH', at('notes'), [{ id, note: 'x' }])).toMatchObject(
      refusal({ id: [`rows[0]: ${rule}`] }),
    )
    expect(await request('POST', at('coded'), { id: 1, code: id })).toMatchObject(refusal({ code: [rule] }))
    expect((await request('GET', at('notes'))).body.total).toBe(0)
    const validated = await request('POST', at('notes').replace(/data\/$/, 'validate_data/'), {
      data: [{ id }],
    })
    expect(validated.body).toEqual({
      is_valid: false,
      errors: [`rows[0].id: ${rule}`],
      validated_rows: 1,
    })
  })

  it.each(unaddressable)('is rejected by Postgres too, for the key %j', async (id) => {
    const table = `${shop.schema}.${provider === 'jsonb' ? 'papers' : 'shop'}_notes`
    const insert =
      provider === 'jsonb'
        ? `insert into ${table} (_data) values (jsonb_build_object('id', $1::text))`
        : `insert into ${table} (id) values ($1)`
    await expect(app.sql(insert, [id])).rejects.toMatchObject({
      code: '23514',
      constraint: expect.stringMatching(/notes\$id\$path$/),
    })
  })

  it('gets 400 if a default would give it such a key', async () => {
    const api = at('notes').replace(/notes\/data\/$/, '')
    const schema = { fields: [{ ...key, default: '..' }], primaryKey: 'id' }
    const datasource = provider === 'jsonb' ? '?datasource=papers' : ''
    const refused = await request('POST', `${api}create_schema/${datasource}`, {
      resources: [{ name: 'odd', schema }],
    })
    expect([refused.status, refused.body]).toEqual([
      400,
      { json_schema: [`resource "odd": fields[0] ("id").default: ${rule}`] },
    ])
  })

  it('gets 422 if a schema change would give an existing record such a key', async () => {
    const api = at('notes').replace(/notes\/data\/$/, '')
    const datasource = provider === 'jsonb' ? '?datasource=papers&materialize=true' : '?materialize=true'
    const fields = [
      { name: 'id', type: 'integer' },
      { name: 'code', type: 'string', constraints: { unique: true, required: true } },
    ]
    const made = await request('POST', `${api}create_schema/${datasource}`, {
      resources: [{ name: 'moved', schema: { fields, primaryKey: 'id' } }],
    })
    expect(made.status).toBe(201)
    expect(
      (
        await request('POST', at('moved'), [
          { id: 1, code: '..' },
          { id: 2, code: 'a' },
        ])
      ).status,
    ).toBe(201)
    const rekeyed = () => request('PATCH', `${api}moved/`, { json_schema: { fields, primaryKey: 'code' } })
    expect(await rekeyed()).toMatchObject({
      status: 422,
      body: { violations: [{ fields: ['code'], rule: 'path', records: [{ id: 1 }] }] },
    })
    expect((await request('PATCH', `${at('moved')}1/`, { code: 'b' })).status).toBe(200)
    expect((await rekeyed()).status).toBe(200)
    expect(await request('POST', at('moved'), { id: 3, code: '.' })).toMatchObject(refusal({ code: [rule] }))
    // After the rollback, the field is no key.
    const { body } = await request('GET', `${api}moved/operation-history/?status=success`)
    expect((await request('POST', `${api}moved/rollback/`, { revision_id: body.data[0].id })).status).toBe(
      200,
    )
    expect((await request('POST', at('moved'), { id: 3, code: '.' })).status).toBe(201)
  })

  it('that exists nevertheless can be read with a filter, and deleted by ids', async () => {
    const physical = `${shop.schema}.${provider === 'jsonb' ? 'papers' : 'shop'}_notes`
    const constraint = `${provider === 'jsonb' ? 'papers' : 'shop'}_notes$id$path`
    const [{ definition } = { definition: '' }] = await app.sql<{ definition: string }>(
      `select pg_get_constraintdef(oid) as definition from pg_constraint where conname = $1 and conrelid = '${physical}'::regclass`,
      [constraint],
    )
    await app.sql(`alter table ${physical} drop constraint "${constraint}"`)
    for (const id of unaddressable) {
      const insert =
        provider === 'jsonb'
          ? `insert into ${physical} (_data) values ($1)`
          : `insert into ${physical} (id, note) select $1::json ->> 'id', 'x'`
      await app.sql(insert, [JSON.stringify({ id, note: 'x' })])
    }
    for (const id of unaddressable) {
      expect((await request('GET', `${at('notes')}?id=${id}`)).body.data).toEqual([{ id, note: 'x' }])
    }
    const deleted = await request('DELETE', `${at('notes')}?ids=${encodeURIComponent('..,"",.')}`)
    expect([deleted.status, deleted.body]).toEqual([200, { deleted: 3, ids: ['..', '', '.'] }])
    await app.sql(`alter table ${physical} add constraint "${constraint}" ${definition}`)
  })

  it('is allowed as a part of a composite key, because a comma separates it', async () => {
    for (const [a, b] of [
      ['..', '.'],
      ['', ''],
      ['.', ''],
    ] as const) {
      expect((await request('POST', at('pairs'), { a, b, note: 'x' })).status).toBe(201)
      for (const id of [`${a},${b}`, formatKey([a, b])]) {
        expect((await request('GET', sent(`${at('pairs')}${encodeURIComponent(id)}/`))).body).toEqual({
          data: { a, b, note: 'x' },
        })
      }
      expect(
        (await request('DELETE', `${at('pairs')}?ids=${encodeURIComponent(formatKey([a, b]))}`)).body,
      ).toEqual({
        deleted: 1,
        ids: [[a, b]],
      })
    }
  })
})

describe('the URL of a table that a client makes of "<records>/%2E%2E/"', () => {
  const table = () => ownerOf(app, shop, '/apps/shop/datatables/')

  it('changes or deletes the table, which can be undone with its records', async () => {
    const records = `${shop.api}/apps/shop/datatables/linked/data/`
    await request('POST', records, [
      { id: 'a', note: '1' },
      { id: 'b', note: '2' },
    ])
    await table().post('linked/edges/', [{ from_id: 'a', to_id: 'b', type: 'parent' }])
    for (const dots of ['..', '%2E%2E', '%2e.', '.%2E'])
      expect(sent(`${records}${dots}/`)).toBe(`${shop.api}/apps/shop/datatables/linked/`)

    expect((await request('DELETE', sent(`${records}%2E%2E/`))).status).toBe(204)
    expect((await request('GET', records)).status).toBe(404)
    expect((await table().post('linked/restore/')).status).toBe(200)
    expect((await request('GET', `${records}?ordering=id`)).body.data).toEqual([
      { id: 'a', note: '1' },
      { id: 'b', note: '2' },
    ])
    expect((await table().get('linked/edges/')).body.results).toMatchObject([{ from_id: 'a', to_id: 'b' }])

    // A change of a record is no valid change of a table.
    expect(await request('PATCH', sent(`${records}%2E%2E/`), { note: 'x' })).toMatchObject({
      status: 400,
      body: { note: ['Unknown field.'] },
    })
    expect(await request('DELETE', sent(`${records}%2E/`))).toMatchObject({ status: 400 })
  })
})

describe('other names in a path', () => {
  it.each(['.', '..', ''])('get 400 for a secret with the key %j, also in Postgres', async (name) => {
    const refused = await request('POST', `${shop.api}/secrets/`, {
      secret_type: 'api-key',
      key: name,
      value: { api_key: 'x' },
    })
    expect([refused.status, Object.keys(refused.body.detail)]).toEqual([400, ['key']])
    expect(refused.body.detail.key).toContain(rule)
    await request('POST', `${shop.api}/secrets/`, {
      secret_type: 'api-key',
      key: 'FINE',
      value: { api_key: 'x' },
    })
    expect((await request('PUT', `${shop.api}/secrets/FINE/`, { key: name })).body.detail.key).toContain(rule)
    await expect(app.sql(`update tenant._secrets set key = $1`, [name])).rejects.toMatchObject({
      constraint: '_secrets_key_check',
    })
  })

  it.each(['.', '..', ''])('get 400 for a user with the name %j, also in Postgres', async (username) => {
    const body = { username, email: 'dots@example.org', password: 'Correct-horse-1' }
    const refused = await request('POST', '/api/users/', body)
    expect([refused.status, refused.body.username]).toEqual([400, expect.arrayContaining([rule])])
    await expect(app.sql('update users set username = $1', [username])).rejects.toMatchObject({
      constraint: 'users_username_path_check',
    })
  })

  it.each(['.', '..', ''])(
    'get 400 for a social app with the provider_id %j, also in Postgres',
    async (provider_id) => {
      const body = {
        provider: 'openid_connect',
        provider_id,
        name: 'Dots',
        client_id: 'a',
        secret: 'b',
        settings: { server_url: 'https://id.example.com/.well-known/openid-configuration' },
      }
      const refused = await request('POST', `${shop.api}/auth/social-apps/`, body)
      expect([refused.status, Object.keys(refused.body)]).toEqual([400, ['provider_id']])
      await request('POST', `${shop.api}/auth/social-apps/`, {
        provider: 'github',
        name: 'GitHub',
        client_id: 'a',
        secret: 'b',
      })
      if (provider_id !== '') {
        await expect(
          app.sql(`update tenant._social_apps set provider_id = $1`, [provider_id]),
        ).rejects.toMatchObject({
          constraint: '_social_apps_handle_check',
        })
      }
    },
  )

  it.each(['.', '..', '../..'])(
    'get 400 as slugs of dots: an app, an organization, a function, a type or a tag called %j',
    async (name) => {
      const made: [path: string, body: unknown][] = [
        [`${shop.api}/apps/`, { name }],
        ['/api/cloud/organizations/', { name }],
        [`${shop.api}/apps/shop/functions/`, { name, execution_mode: 'system', system_function: 'noop' }],
        [`${shop.api}/secret-types/`, { name }],
        [`${shop.api}/tags/`, { name }],
        [`${shop.api}/apps/shop/datasources/`, { name: 'x', slug: name, provider_type: 'flat_table' }],
        [`${shop.api}/apps/shop/datasources/main/datatables/`, { name, json_schema: notes }],
      ]
      for (const [path, body] of made)
        expect([path, (await request('POST', path, body)).status]).toEqual([path, 400])
    },
  )
})

/** Keys with characters that have a meaning somewhere between a client and a record. */
const text = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(
        fc.constantFrom(
          '.',
          '..',
          ',',
          '"',
          '""',
          '/',
          '%',
          '%2E',
          '%2F',
          '\\',
          ' ',
          '+',
          '?',
          '#',
          '&',
          ';',
          'a',
          'é',
          '\n',
          '💧',
        ),
        {
          maxLength: 5,
        },
      )
      .map((parts) => parts.join('')),
  },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: 'binary', maxLength: 12 })
      .filter((some) => some.isWellFormed() && !some.includes('\0')),
  },
)

describe.each(providers)('any text as a key of a %s datasource', (provider) => {
  const at = (table: string) => (paths[provider] as (table: string) => string)(table)

  it('is refused, or can be read by its path, found by a filter, listed and deleted by ids', {
    timeout: scaled(240_000),
  }, async () => {
    const property = fc.asyncProperty(text, async (id) => {
      const made = await request('POST', at('notes'), { id, note: 'x' })
      if (id === '' || id === '.' || id === '..')
        return void expect(made).toMatchObject(refusal({ id: [rule] }))
      expect([made.status, made.body]).toEqual([201, { data: { id, note: 'x' } }])
      const written = formatKey([id])
      const address = sent(`${at('notes')}${encodeURIComponent(written)}/`)
      expect((await request('GET', address)).body).toEqual({ data: { id, note: 'x' } })
      // Also without quotes, unless the whole key looks like a text in quotes.
      if (!/^"(?:[^"]|"")*"$/s.test(id))
        expect((await request('GET', sent(`${at('notes')}${encodeURIComponent(id)}/`))).body.data.id).toBe(id)
      expect((await request('PATCH', address, { note: 'y' })).body).toEqual({ data: { id, note: 'y' } })
      expect(
        (await request('GET', `${at('notes')}?filters=${encodeURIComponent(JSON.stringify({ id }))}`)).body
          .data,
      ).toEqual([{ id, note: 'y' }])
      expect((await request('DELETE', `${at('notes')}?ids=${encodeURIComponent(written)}`)).body).toEqual({
        deleted: 1,
        ids: [id],
      })
      expect((await request('GET', at('notes'))).body.total).toBe(0)
    })
    await fc.assert(property, {
      numRuns: runs(20, 400),
      examples: [['..'], ['.'], [''], ['"a"'], ['""'], ['a,b'], ['%2E%2E'], ['../..']],
    })
  })

  it('works twice in a composite key, too: the key that the service prints leads back to the record', {
    timeout: scaled(240_000),
  }, async () => {
    const property = fc.asyncProperty(text, text, async (a, b) => {
      const record = { a, b, note: 'x' }
      expect((await request('POST', at('pairs'), record)).status).toBe(201)
      const written = formatKey([a, b])
      const address = sent(`${at('pairs')}${encodeURIComponent(written)}/`)
      expect((await request('GET', address)).body).toEqual({ data: record })
      if (!/[",]/.test(a + b))
        expect(
          (await request('GET', sent(`${at('pairs')}${encodeURIComponent(`${a},${b}`)}/`))).body,
        ).toEqual({ data: record })
      const list = encodeURIComponent([written, formatKey(['not', 'there'])].join(','))
      const { body } = await request('DELETE', `${at('pairs')}?ids=${list}`)
      expect(body).toEqual({ deleted: 1, ids: [[a, b]] })
      expect((await request('POST', at('pairs'), record)).status).toBe(201)
      expect(
        (await request('DELETE', sent(`${at('pairs')}${encodeURIComponent(formatKey(body.ids[0]))}/`)))
          .status,
      ).toBe(204)
    })
    await fc.assert(property, { numRuns: runs(10, 200) })
  })

  it('works for records with edges, too: by from_id and to_id', { timeout: scaled(240_000) }, async () => {
    const edges = at('linked').replace(/data\/$/, 'edges/')
    const property = fc.asyncProperty(text, async (id) => {
      if (['', '.', '..', 'far'].includes(id)) return
      for (const each of [id, 'far'])
        expect((await request('POST', at('linked'), { id: each })).status).toBe(201)
      const edge = { from_id: id, to_id: 'far', type: 'parent' }
      expect((await request('POST', edges, [edge])).status).toBe(201)
      for (const query of [
        `from_id=${encodeURIComponent(formatKey([id]))}`,
        `to_id=x,far&from_id=x,${encodeURIComponent(formatKey([id]))}`,
      ]) {
        expect((await request('GET', `${edges}?${query}`)).body.results).toMatchObject([edge])
      }
      const graph = await request('GET', `${sent(`${at('linked')}far/`)}?format=graph`)
      expect(graph.body.data.edges).toMatchObject([{ from: id, to: 'far' }])
      expect(
        (await request('DELETE', `${at('linked')}?ids=far,${encodeURIComponent(formatKey([id]))}`)).body
          .deleted,
      ).toBe(2)
    })
    await request('DELETE', `${at('linked')}?ids=a,b`)
    await fc.assert(property, { numRuns: runs(5, 100) })
  })
})

describe('a list of keys in a request', () => {
  it.each(['"a', 'a,"b', '"a"b', '"a""'])('gets 400 for a misplaced quote: %s', async (list) => {
    const message = `${JSON.stringify(list)} has a misplaced quote. Quote values with commas or quotes, for example "a,""b""".`
    expect(await request('DELETE', `${shop.data('notes')}?ids=${encodeURIComponent(list)}`)).toMatchObject(
      refusal({ ids: [message] }),
    )
    const edges = shop.data('linked').replace(/data\/$/, 'edges/')
    for (const name of ['from_id', 'to_id']) {
      expect(await request('GET', `${edges}?${name}=${encodeURIComponent(list)}`)).toMatchObject(
        refusal({ [name]: [message] }),
      )
    }
  })

  it('gets 400 for an empty part without quotes, and for a missing part', async () => {
    expect(await request('DELETE', `${shop.data('notes')}?ids=a,,b`)).toMatchObject(
      refusal({ ids: ['"" is not a valid id of "notes".'] }),
    )
    expect(await request('DELETE', `${shop.data('pairs')}?ids=a,b,c`)).toMatchObject(
      refusal({ ids: ['"c" is not a valid id of "pairs".'] }),
    )
    expect(await request('DELETE', `${shop.data('pairs')}?ids=a,`)).toMatchObject(
      refusal({ ids: ['"a," is not a valid id of "pairs".'] }),
    )
  })

  it('gets 404 for a path of a composite key with a misplaced quote, or a missing or extra part', async () => {
    for (const id of ['"a,b', 'a', 'a,b,c', '"a,b"']) {
      expect((await request('GET', `${shop.data('pairs')}${encodeURIComponent(id)}/`)).body).toEqual({
        error: 'Record not found',
        detail: `"pairs" has no record with the id ${JSON.stringify(id)}.`,
        code: 'record_not_found',
      })
    }
  })

  it('names a missing record of a bulk change with its key as in a path', async () => {
    const missing = await request('PATCH', shop.data('pairs'), [{ a: 'x,y', b: '"', note: 'z' }])
    expect([missing.status, missing.body.detail]).toEqual([
      404,
      `rows[0]: "pairs" has no record with the id ${JSON.stringify('"x,y",""""')}.`,
    ])
  })
})
