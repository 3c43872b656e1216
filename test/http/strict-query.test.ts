/**
 * A misspelled parameter never has an effect: dangerous cases. contract.test.ts tests every operation. W5.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { createSite, startApp, type TestApp } from '../support/app.ts'
import { createShop, grant, ownerOf, type Shop } from '../support/fixtures.ts'
import { stateOf } from '../support/state.ts'

let app: TestApp
let shop: Shop
let owner: ReturnType<typeof ownerOf>

const integer = { name: 'id', type: 'integer' }
const refusal = (details: Record<string, string[]>) => ({
  status: 400,
  body: { error: 'Validation failed', details, code: 'validation_failed' },
})
const columns = async (table: string): Promise<string[]> =>
  (
    await app.sql<{ name: string }>(
      'select column_name as name from information_schema.columns where table_schema = $1 and table_name = $2 order by 1',
      [shop.schema, `shop_${table}`],
    )
  ).map(({ name }) => name)

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'strict')
  owner = ownerOf(app, shop, '/')
  await owner.post('apps/shop/datatables/makers/data/', [
    { id: 1, name: 'Ostra' },
    { id: 2, name: 'Birke' },
  ])
  await owner.post('secret-types/', { name: 'login', schema: { type: 'object', required: ['user'] } })
  await owner.post('secrets/', { secret_type: 'login', key: 'LOGIN', value: { user: 'ada' } })
})

/** Returns the response of a request. Fails if the request has changed anything that is stored. */
async function changingNothing(request: () => ReturnType<TestApp['request']>) {
  const before = await stateOf(app)
  const answer = await request()
  expect(await stateOf(app)).toEqual(before)
  return answer
}

describe('a misspelled safety switch', () => {
  const withoutName = {
    json_schema: { fields: [integer, { name: 'label', type: 'string' }], primaryKey: 'id' },
  }

  it.each(['dryrun=true', 'dry-run=true', 'DRY_RUN=true', 'dry_runn=true', 'dryrun'])(
    'prevents a schema change with ?%s',
    async (query) => {
      for (const change of [owner.put, owner.patch]) {
        const url = `apps/shop/datatables/makers/?allow_data_loss=true&${query}`
        const refused = await changingNothing(() => change(url, withoutName))
        expect(refused).toMatchObject({
          status: 400,
          body: { [query.replace('=true', '')]: ['Unknown parameter. Did you mean "dry_run"?'] },
        })
      }
      expect(await columns('makers')).toEqual(['id', 'name'])
    },
  )

  it.each([
    ['dry_run', { dry_run: ['Must be true or false.'] }],
    ['dry_run=', { dry_run: ['Must be true or false.'] }],
    ['dry_run=2', { dry_run: ['Must be true or false.'] }],
    ['dry_run=true&dry_run=false', { dry_run: ['This parameter may be given only once.'] }],
    ['dry_run=true&dry%5Frun=true', { dry_run: ['This parameter may be given only once.'] }],
    ['dryrun=true', { dryrun: ['Unknown parameter. Did you mean "dry_run"?'] }],
    ['dry_run[]=true', { 'dry_run[]': ['Unknown parameter. Did you mean "dry_run"?'] }],
    ['app=shop', { app: ['Unknown parameter. Known parameters: dry_run.'] }],
  ])('prevents a change of a secret type with ?%s', async (query, detail) => {
    const refused = await changingNothing(() =>
      owner.put(`secret-types/login/?${query}`, { description: 'changed', schema: {} }),
    )
    expect([refused.status, refused.body]).toEqual([
      400,
      { error: 'Validation failed', detail, code: 'validation_failed' },
    ])
  })

  it('on the deletion of one record deletes nothing, for example a filter: DELETE data/2/?name=zzz', async () => {
    const refused = await changingNothing(() => owner.delete('apps/shop/datatables/makers/data/2/?name=zzz'))
    expect(refused).toMatchObject(
      refusal({ name: ['Unknown parameter. Known parameters: hard_delete, return, dry_run.'] }),
    )
    expect((await owner.get('apps/shop/datatables/makers/data/2/')).body).toEqual({
      data: { id: 2, name: 'Birke' },
    })
  })

  it('prevents an upsert, for example upsert/?ignore_duplicates=true', async () => {
    for (const query of ['ignore_duplicates=true', 'unique_fields=id&ignore_duplicates=true']) {
      const refused = await changingNothing(() =>
        owner.post(`apps/shop/datatables/makers/data/upsert/?${query}`, [{ id: 1, name: 'Overwritten' }]),
      )
      expect(refused).toMatchObject(
        refusal({
          ignore_duplicates: [
            'Unknown parameter. Known parameters: atomic, unique_fields, include_deleted, return, _envelope, dry_run.',
          ],
        }),
      )
    }
  })

  it('prevents the import of a data package: create_schema/?materialise=true', async () => {
    const body = { resources: [{ name: 'made', schema: { fields: [integer], primaryKey: 'id' } }] }
    const refused = await changingNothing(() =>
      owner.post('apps/shop/datatables/create_schema/?materialise=true', body),
    )
    expect(refused).toMatchObject({
      status: 400,
      body: { materialise: ['Unknown parameter. Did you mean "materialize"?'] },
    })
    expect((await owner.get('apps/shop/datatables/made/')).status).toBe(404)
  })
})

describe('a parameter that Postgres cannot store', () => {
  it('is rejected by name, in the error format of its operation', async () => {
    const nul = ['Text may not contain the NUL character.']
    expect(await owner.get('secrets/?app=a%00b')).toMatchObject({
      status: 400,
      body: { error: 'Validation failed', detail: { app: nul }, code: 'validation_failed' },
    })
    expect(await owner.get('secrets/ANY/history/?app=%00')).toMatchObject({
      status: 400,
      body: { error: 'Validation failed', detail: { app: nul }, code: 'validation_failed' },
    })
    expect(await owner.get('auth/social-apps/?search=%00')).toMatchObject({ status: 400 })
  })
})

describe('a parameter that an operation does not declare', () => {
  it('is rejected by operations without parameters, for example GET and DELETE', async () => {
    const none = { verbose: ['Unknown parameter. This operation has no parameters.'] }
    expect(await owner.get('apps/shop/?verbose=1')).toMatchObject({ status: 400, body: none })
    const answer = {
      status: 400,
      body: { error: 'Validation failed', detail: none, code: 'validation_failed' },
    }
    expect(await changingNothing(() => owner.delete('secret-types/login/?verbose=1'))).toMatchObject(answer)
    expect(await owner.get('secret-types/login/?verbose=1')).toMatchObject(answer)
  })

  it('is named in the response, even if its name is that of a built-in property', async () => {
    const { status, body } = await owner.get('apps/?__proto__=1&constructor=2&=3&page=1&a%20b=4')
    const unknown = [
      'Unknown parameter. Known parameters: page, page_size, limit, offset, search, ordering, is_active.',
    ]
    expect([status, body]).toEqual([
      400,
      JSON.parse(
        JSON.stringify({ constructor: unknown, '': unknown, 'a b': unknown }).replace(
          '{',
          `{"__proto__":${JSON.stringify(unknown)},`,
        ),
      ),
    ])
  })

  it('is named among at most a hundred others', async () => {
    const { status, body } = await owner.get(
      `apps/?${Array.from({ length: 1000 }, (_, index) => `zzz${index}=1`).join('&')}`,
    )
    expect([status, Object.keys(body).length]).toEqual([400, 100])
  })

  it('is a filter in a list of records and in a walk, which suggest the nearest name', async () => {
    const { status, body } = await owner.get('apps/shop/datatables/makers/data/?nmae=x&page_sise=5&id__gt=0')
    expect([status, body]).toEqual([
      400,
      {
        error: 'Validation failed',
        details: {
          nmae: ['Unknown field or parameter "nmae". Did you mean "name"? Fields: id, name.'],
          page_sise: ['Unknown field or parameter "page_sise". Did you mean "page_size"? Fields: id, name.'],
        },
        code: 'validation_failed',
      },
    ])
  })

  it('may be repeated if it is a list', async () => {
    const upserted = await owner.post(
      'apps/shop/datatables/products/data/upsert/?unique_fields=id&unique_fields=sku',
      { id: 1, sku: 'A-1' },
    )
    expect(upserted).toMatchObject(
      refusal({
        unique_fields: [
          'No primary key, unique constraint or unconditional unique index covers exactly id, sku.',
        ],
      }),
    )
    expect((await owner.delete('apps/shop/datatables/makers/data/?ids=8&ids=9')).body).toEqual({
      deleted: 0,
      ids: [],
    })
  })

  it('is not reported without access: 401, 403 and 404 come first, in one round trip', async () => {
    const { api } = await createSite(app, 'other')
    const reader = await app.user('reader')
    await grant(app, shop, reader, ['access_site'])
    const ask = (token: string | undefined, path: string, method = 'DELETE') =>
      app.request(method, `${path}?zzz=1`, token === undefined ? {} : { token })
    // Access rules may let anybody write records and edges, but not change a table.
    const table = `${shop.api}/apps/shop/datatables/makers/`
    expect((await ask(undefined, table)).status).toBe(401)
    expect((await ask(reader.token, table)).status).toBe(403)
    expect((await ask(shop.owner.token, `${api}/apps/shop/`)).status).toBe(403)
    expect((await ask(shop.owner.token, '/sites/nowhere/api/apps/shop/')).status).toBe(404)
    const refused = await ask(shop.owner.token, shop.data('makers'))
    expect([refused.status, refused.headers.get('server-timing')]).toEqual([
      400,
      expect.stringMatching(/desc="1"$/),
    ])
  })
})

describe('a repeated name in one object of a body', () => {
  const post = (path: string, body: string) =>
    changingNothing(() => app.request('POST', `${shop.api}/${path}`, { token: shop.owner.token, body }))
  const detail = (name: string) => ({
    detail: `The body has the name ${name} twice in one object.`,
    code: 'malformed_body',
  })

  it.each([
    ['a record', 'apps/shop/datatables/makers/data/', '{"name": "a", "name": "b"}', '"name"'],
    [
      'one of many records',
      'apps/shop/datatables/makers/data/',
      '[{"name": "a"}, {"name": "b", "n\\u0061me": "c"}]',
      '"name"',
    ],
    ['an app', 'apps/', '{"name": "a", "name": "b"}', '"name"'],
    [
      'the value of a secret',
      'secrets/',
      '{"secret_type": "login", "key": "TWICE", "value": {"user": "a", "user": "b"}}',
      '"user"',
    ],
    ['an object in an unknown property', 'apps/', '{"name": "a", "x": {"\\"": 1, "\\u0022": 2}}', '"\\""'],
    ['a long name', 'apps/', `{"${'x'.repeat(5000)}": 1, "${'x'.repeat(5000)}": 2}`, `"${'x'.repeat(59)}…`],
  ])('is rejected with 400 and named in %s', async (_what, path, body, name) => {
    const refused = await post(path, body)
    expect([refused.status, refused.body]).toEqual([400, detail(name)])
  })

  it('is not reported to callers without access', async () => {
    const stranger = await app.user('stranger')
    expect(
      (
        await app.request('POST', `${shop.api}/apps/`, {
          token: stranger.token,
          body: '{"name": "a", "name": "b"}',
        })
      ).status,
    ).toBe(403)
    expect(
      (await app.request('POST', `${shop.api}/apps/`, { body: '{"name": "a", "name": "b"}' })).status,
    ).toBe(401)
  })
})
