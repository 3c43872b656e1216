/** The operation history, and rolling back its operations. Spec: Migration operation status; D9, D13. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createSite, type Site, startApp, type TestApp } from '../../support/app.ts'
import { catalogOf } from '../../support/catalog.ts'

let app: TestApp
let site: Site
let token: string

const table = (name: string, query = '') => `${site.api}/apps/shop/datatables/${name}/${query}`
const change = (name: string, json_schema: unknown, query = '') =>
  app.request('PUT', table(name, query), { token, body: { json_schema } })
const rollBack = (name: string, revision_id: unknown) =>
  app.request('POST', table(name, 'rollback/'), { token, body: { revision_id } })
const read = async (name: string) => (await app.request('GET', table(name), { token })).body
const operations = async (name: string, query = '') =>
  (await app.request('GET', table(name, `operation-history/${query}`), { token })).body
const newest = async (name: string): Promise<number> => (await operations(name, '?status=success')).data[0].id
const catalog = async (name: string) => (await app.sql(catalogOf(`${site.schema}.shop_${name}`)))[0]

const id = { name: 'id', type: 'integer' }
const schema = (...fields: unknown[]) => ({ fields: [id, ...fields], primaryKey: 'id' })
const text = (name: string, more = {}) => ({ name, type: 'string', ...more })

async function make(name: string, json_schema: unknown, ...data: unknown[]) {
  const body = { resources: [{ name, schema: json_schema }] }
  const made = await app.request('POST', `${site.api}/apps/shop/datatables/create_schema/?materialize=true`, {
    token,
    body,
  })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  if (data.length > 0)
    expect((await app.request('POST', table(name, 'data/'), { token, body: data })).status).toBe(201)
}

beforeAll(async () => {
  app = await startApp()
  site = await createSite(app, 'rollbacks')
  token = site.owner.token
  await app.request('POST', `${site.api}/apps/`, { token, body: { name: 'shop' } })
}, 30_000)

describe('the operation history', () => {
  it('the history lists the steps of every change, the latest first, with pages and a filter by status', async () => {
    await make('listed', schema(text('a')))
    await change('listed', schema(text('a'), text('b'), text('c')))
    const all = await operations('listed')
    expect(all).toMatchObject({ total: 3, page: 1, page_size: 20 })
    expect(all.data[0]).toEqual({
      id: expect.any(Number),
      operation_type: 'alter_table',
      description: 'Add field c',
      sql: `alter table "${site.schema}"."shop_listed" add column "c" text;`,
      rollback_sql: `alter table "${site.schema}"."shop_listed" drop column "c";`,
      status: 'success',
      execution_time_ms: expect.any(Number),
      created_at: expect.stringMatching(/Z$/),
      migration_id: all.data[1].migration_id,
    })
    expect(all.data[2]).toMatchObject({ operation_type: 'create_table', description: 'Create table listed' })
    expect(await operations('listed', '?page=2&page_size=2')).toEqual({
      data: [all.data[2]],
      total: 3,
      page: 2,
      page_size: 2,
    })
    expect(await operations('listed', '?page=9')).toMatchObject({ data: [], total: 3 })
    expect(await operations('listed', '?status=failed')).toMatchObject({ data: [], total: 0 })
    expect(await operations('listed', '?status=done')).toEqual({
      status: ['Must be one of: success, failed, rolled_back, running, cancelled.'],
    })
    expect(
      (
        await app.request(
          'GET',
          `${site.api}/apps/shop/datasources/main/datatables/listed/operation-history/`,
          { token },
        )
      ).body,
    ).toEqual(all)
    expect((await app.request('GET', table('nothing', 'operation-history/'), { token })).status).toBe(404)
    expect((await app.request('GET', table('listed', 'operation-history/'))).status).toBe(401)
  })
})

describe('rolling back a change that lost values', () => {
  it('the plan and the answer of a rollback name the lost values', async () => {
    await make(
      'lossy',
      { ...schema(text('a'), text('b'), { name: 'n', type: 'number' }), hierarchy: true },
      { id: 1, a: 'x', b: 'y', n: 1.5 },
    )
    const changed = await change(
      'lossy',
      schema(text('a'), { name: 'n', type: 'integer' }),
      '?allow_data_loss=true',
    )
    expect(changed.status).toBe(200)
    const warnings = [
      'The old values of "b" are lost: the field is restored without them.',
      'The values of "n" were converted to integer, and may differ from the old ones.',
      'The edges of the type "parent" are lost: the type is restored without them.',
    ]
    const revision_id = await newest('lossy')
    const plan = await app.request('POST', table('lossy', 'rollback/?dry_run=true'), {
      token,
      body: { revision_id },
    })
    expect([plan.status, plan.body]).toEqual([
      200,
      {
        changes: [
          {
            operation: 'rollback',
            description: `Roll back operation ${revision_id}`,
            sql: expect.stringContaining('add column "b" text'),
            rollback_sql: '',
            destructive: false,
          },
        ],
        warnings,
      },
    ])
    expect((await read('lossy')).json_schema.fields).toHaveLength(3)
    const done = await rollBack('lossy', revision_id)
    expect([done.status, done.body.warnings, done.body.field_names]).toEqual([
      200,
      warnings,
      ['id', 'a', 'b', 'n'],
    ])
    expect((await app.request('GET', table('lossy', 'data/1/'), { token })).body.data).toEqual({
      id: 1,
      a: 'x',
      b: null,
      n: 2,
    })
  })

  it('a rollback without losses has no warnings', async () => {
    await make('lossless', schema(text('a')), { id: 1, a: 'x' })
    await change('lossless', schema(text('a'), text('b')))
    const revision_id = await newest('lossless')
    const plan = await app.request('POST', table('lossless', 'rollback/?dry_run=true'), {
      token,
      body: { revision_id },
    })
    expect(plan.body).toMatchObject({ changes: [{ destructive: true }], warnings: [] })
    expect((await rollBack('lossless', revision_id)).body).not.toHaveProperty('warnings')
  })
})

describe('rolling back', () => {
  it('a rollback returns 400 for an invalid id, 404 for an unknown one, and 403 without permission', async () => {
    await make('refusing', schema(text('a')))
    await make('another', schema(text('a')))
    expect(await rollBack('refusing', 'x')).toMatchObject({
      status: 400,
      body: { revision_id: ['Must be a number.'] },
    })
    expect(await rollBack('refusing', 999_999)).toMatchObject({
      status: 404,
      body: {
        error: 'Operation not found',
        detail: 'The history of "refusing" has no operation 999999.',
        code: 'not_found',
      },
    })
    expect((await rollBack('refusing', await newest('another'))).status).toBe(404)
    const stranger = await app.user('stranger')
    expect(
      (
        await app.request('POST', table('refusing', 'rollback/'), {
          token: stranger.token,
          body: { revision_id: await newest('refusing') },
        })
      ).status,
    ).toBe(403)
  })

  it('a rollback undoes all steps of a change and restores the schema, the hash and the table', async () => {
    await make(
      'undone',
      { ...schema(text('a', { constraints: { unique: true } }), text('b')), search_fields: ['b'] },
      { a: '1', b: 'x' },
    )
    const before = { view: await read('undone'), catalog: await catalog('undone') }
    const next = {
      ...schema(
        { name: 'n', type: 'integer', 'x-rename-from': 'a' },
        text('b', { constraints: { required: true } }),
        text('c'),
      ),
      indexes: [{ name: 'by_b', fields: 'b' }],
    }
    expect((await change('undone', next)).status).toBe(200)
    const steps = (await operations('undone', '?status=success')).data.filter(
      ({ operation_type }: Record<string, string>) => operation_type === 'alter_table',
    )
    const { status, body } = await rollBack('undone', steps[2].id)
    expect([status, body]).toEqual([
      200,
      { ...before.view, modified_by: site.owner.id, updated_at: expect.any(String) },
    ])
    expect(await catalog('undone')).toEqual(before.catalog)
    expect((await app.request('GET', table('undone', 'data/'), { token })).body.data).toEqual([
      { id: 1, a: '1', b: 'x' },
    ])

    const after = (await operations('undone', '?page_size=100')).data
    expect(
      after
        .filter(({ status: state }: Record<string, string>) => state === 'rolled_back')
        .map(({ id: step }: { id: number }) => step),
    ).toEqual(steps.map(({ id: step }: { id: number }) => step))
    expect(after[0]).toMatchObject({
      operation_type: 'rollback',
      description: `Roll back: ${steps.at(-1).description}`,
      sql: steps.at(-1).rollback_sql,
      rollback_sql: steps.at(-1).sql,
      status: 'success',
      migration_id: steps[0].migration_id,
    })
    expect(await rollBack('undone', steps[0].id)).toMatchObject({
      status: 409,
      body: { error: 'Operation already rolled back', code: 'already_rolled_back' },
    })
    expect(await rollBack('undone', after[0].id)).toMatchObject({
      status: 422,
      body: { error: 'Operation cannot be rolled back', code: 'cannot_be_rolled_back' },
    })
    // The same change can be made and rolled back again.
    expect((await change('undone', next)).status).toBe(200)
    expect((await rollBack('undone', await newest('undone'))).status).toBe(200)
    expect(await catalog('undone')).toEqual(before.catalog)
  })

  it('a rollback returns 409 until all later changes have been rolled back', async () => {
    await make('stacked', schema(text('a')))
    const hashes = [(await read('stacked')).schema_hash]
    for (const fields of [[text('a'), text('b')], [text('a', { title: 'A' }), text('b')], [text('b')]]) {
      hashes.push((await change('stacked', schema(...fields), '?allow_data_loss=true')).body.schema_hash)
    }
    const [third, second, first, creation] = (await operations('stacked')).data.map(
      ({ id: step }: { id: number }) => step,
    )
    expect(await rollBack('stacked', first)).toMatchObject({
      status: 409,
      body: {
        error: 'Later changes must be rolled back first',
        detail: expect.stringContaining(`${third}, ${second}`),
        code: 'later_changes',
        revisions: [third, second],
      },
    })
    expect((await rollBack('stacked', third)).body.schema_hash).toBe(hashes[2])
    expect((await rollBack('stacked', second)).body.schema_hash).toBe(hashes[1])
    expect((await rollBack('stacked', first)).body.schema_hash).toBe(hashes[0])
    expect(await rollBack('stacked', creation)).toMatchObject({
      status: 200,
      body: { is_materialized: false, schema_hash: hashes[0] },
    })
  })

  it('rolling back a creation unmaterializes the table, unless other tables reference it', async () => {
    await make('parents', schema(text('a')), { a: 'x' })
    await make('children', {
      ...schema({ name: 'parent', type: 'integer' }),
      foreignKeys: [{ fields: 'parent', reference: { resource: 'parents', fields: 'id' } }],
    })
    expect(await rollBack('parents', await newest('parents'))).toMatchObject({
      status: 409,
      body: {
        error: 'Datatable is referenced',
        referenced_by: [{ table: 'children', fields: ['parent'] }],
        code: 'still_referenced',
      },
    })
    expect(await rollBack('children', await newest('children'))).toMatchObject({
      status: 200,
      body: { is_materialized: false },
    })
    expect(await rollBack('parents', await newest('parents'))).toMatchObject({
      status: 200,
      body: { is_materialized: false },
    })
    expect(await app.sql('select to_regclass($1) is null as gone', [`${site.schema}.shop_parents`])).toEqual([
      { gone: true },
    ])
    expect((await app.request('GET', table('parents', 'data/'), { token })).status).toBe(422)
    expect((await app.request('POST', table('parents', 'materialize/'), { token })).body).toMatchObject({
      is_materialized: true,
    })
    expect(
      (await operations('parents')).data.map(({ operation_type, status }: Record<string, string>) => [
        operation_type,
        status,
      ]),
    ).toEqual([
      ['create_table', 'success'],
      ['rollback', 'success'],
      ['create_table', 'rolled_back'],
    ])
  })

  it('a rollback returns 422, names the records that violate the old schema, and changes nothing', async () => {
    await make(
      'kept',
      schema(
        text('a', { constraints: { required: true, maxLength: 3 } }),
        text('gone', { constraints: { required: true } }),
      ),
      {
        a: 'abc',
        gone: 'x',
      },
    )
    await change('kept', schema(text('a')), '?allow_data_loss=true')
    await app.request('POST', table('kept', 'data/'), { token, body: [{ a: 'abcd' }, { a: null }] })
    const before = [await read('kept'), await catalog('kept')]
    const revision = await newest('kept')
    expect(await rollBack('kept', revision)).toMatchObject({
      status: 422,
      body: {
        error: 'Existing records break the schema',
        violations: [
          { fields: ['gone'], rule: 'required', records: [{ id: 1 }, { id: 2 }, { id: 3 }] },
          { fields: ['a'], rule: 'required', records: [{ id: 3 }] },
          { fields: ['a'], rule: 'maxLength', records: [{ id: 2 }] },
        ],
        code: 'records_break_schema',
      },
    })
    expect([await read('kept'), await catalog('kept')]).toEqual(before)
    const [failed] = (await operations('kept', '?status=failed')).data
    expect(failed).toMatchObject({
      operation_type: 'rollback',
      description: `Roll back operation ${revision}`,
      sql: expect.stringContaining('add column "gone"'),
    })
    expect(await rollBack('kept', failed.id)).toMatchObject({
      status: 422,
      body: { detail: `Operation ${failed.id} failed and changed nothing.`, code: 'cannot_be_rolled_back' },
    })
  })

  it('a rollback returns 422 if the old schema references a table or field that no longer exists', async () => {
    await make('targets', schema(text('code', { constraints: { unique: true } })))
    await make('pointing', {
      ...schema(text('code')),
      foreignKeys: [{ fields: 'code', reference: { resource: 'targets', fields: 'code' } }],
    })
    await change('pointing', schema(text('code')))
    await change('targets', schema(text('code')))
    expect(await rollBack('pointing', await newest('pointing'))).toMatchObject({
      status: 422,
      body: {
        error: 'Operation cannot be rolled back',
        detail: expect.stringContaining('neither its primary key nor unique'),
        code: 'cannot_be_rolled_back',
      },
    })
  })
})
