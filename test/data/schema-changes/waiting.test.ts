/** Changes of a site's schema that wait for each other, and those that need not. W1, D7. */
import { beforeAll, describe, expect, it } from 'vitest'
import { siteIdOf, startApp, type TestApp } from '../../support/app.ts'
import { createShop, ownerOf, type Shop } from '../../support/fixtures.ts'
import { hold } from '../../support/locks.ts'

let app: TestApp
let shop: Shop
let owner: ReturnType<typeof ownerOf>

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'waiting')
  owner = ownerOf(app, shop, '/apps')
  expect((await owner.post('/', { name: 'Target' })).status).toBe(201)
})

/** Holds the lock of a schema change of the site while `work` runs. */
async function whileChanging<Result>(work: () => Promise<Result>): Promise<Result> {
  const release = await hold(
    app,
    `insert into tenant._locks (site_id, name) values (${siteIdOf(shop)}, 'schema')
       on conflict (site_id, name) do update set name = excluded.name`,
  )
  try {
    return await work()
  } finally {
    await release()
  }
}
const schema = { fields: [{ name: 'id', type: 'integer' }], primaryKey: 'id' }

describe('while a schema change of the site runs', () => {
  it.each<[string, unknown, object]>([
    ['no object', 7, { non_field_errors: [expect.any(String)] }],
    ['no members', {}, { source_app_slug: [expect.any(String)], source_table_name: [expect.any(String)] }],
    [
      'an unknown app',
      { source_app_slug: 'nowhere', source_table_name: 'makers' },
      { source_app_slug: ['There is no app "nowhere" in this site.'] },
    ],
    [
      'an unknown table',
      { source_app_slug: 'shop', source_table_name: 'nothing' },
      { source_table_name: ['The app "shop" has no datatable "nothing".'] },
    ],
    [
      'a wrong name',
      { source_app_slug: 'shop', source_table_name: 'makers', reference_name: 'A-B' },
      { reference_name: [expect.any(String)] },
    ],
    [
      'a taken name',
      { source_app_slug: 'shop', source_table_name: 'makers', reference_name: 'products' },
      { reference_name: ['A datatable named "products" already exists in this app.'] },
    ],
  ])('a reference with %s is 400 at once, alone and in a list', async (_what, body, messages) => {
    const at = '/shop/datatables/import-reference/'
    const [alone, list] = await whileChanging(() =>
      Promise.all([owner.post(at, body), owner.post(at, [body, body])]),
    )
    expect([alone.status, alone.body]).toEqual([400, messages])
    expect(list).toMatchObject({ status: 207, body: { created: 0, failed: 2, references: [] } })
  })

  it('a datasource and a table without a physical table are created at once', async () => {
    const made = await whileChanging(async () => [
      await owner.post('/target/datasources/', { name: 'Fresh', slug: 'fresh', provider_type: 'flat_table' }),
      await owner.post('/target/datasources/fresh/datatables/', { name: 'drafts', json_schema: schema }),
      await owner.post('/target/datatables/create_schema/', { resources: [{ name: 'sketches', schema }] }),
    ])
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201])
  })

  it('sixty wrong references at once are 400, and none is 503', async () => {
    const body = { source_app_slug: 'nowhere', source_table_name: 'x' }
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        owner.post('/target/datatables/import-reference/', n % 2 ? body : [body]),
      ),
    )
    expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([207, 400])
  })

  it('a change that waits longer than it may is 503 with the reason and Retry-After', {
    timeout: 60_000,
  }, async () => {
    const refused = await whileChanging(() =>
      owner.post('/target/datasources/fresh/datatables/?materialize=true', {
        name: 'late',
        json_schema: schema,
      }),
    )
    expect([refused.status, refused.body, refused.headers.get('retry-after')]).toEqual([
      503,
      {
        detail: 'Another schema change of this site is running. Try again when it has finished.',
        code: 'schema_change_in_progress',
      },
      '5',
    ])
    expect((await owner.get('/target/datatables/late/')).status).toBe(404)
  })

  it('an app gets no more tables than its quota by drafts that are made at once', async () => {
    const limited = app.with({ QUOTA_TABLES: '4' })
    const of = ownerOf(limited, shop, '/apps')
    expect((await of.post('/', { name: 'Small' })).status).toBe(201)
    await of.post('/small/datasources/', { name: 'Main', slug: 'main', provider_type: 'flat_table' })
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        of.post('/small/datasources/main/datatables/', { name: `t${n}`, json_schema: schema }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 422, 422, 422, 422])
  })
})
