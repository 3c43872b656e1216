/** The history of a table through schema changes, the trash and parallel writers. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { createShop, type Shop } from '../../support/fixtures.ts'

let app: TestApp
let shop: Shop

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'kept')
  const { token } = shop.owner
  const post = (path: string, body: unknown) =>
    app.request('POST', `${shop.api}/apps/${path}`, { token, body })
  await post('', { name: 'papers' })
  await post('papers/datasources/', { name: 'Main', slug: 'main', provider_type: 'jsonb' })
})

const send = async (method: string, path: string, body?: unknown) => {
  const answer = await app.request(method, path, {
    token: shop.owner.token,
    ...(body === undefined ? {} : { body }),
  })
  return [answer.status, answer.body]
}

const text = { name: 'text', type: 'string' }
const schema = (fields: object[] = [text], more = {}) => ({
  fields: [{ name: 'id', type: 'integer' }, ...fields],
  primaryKey: 'id',
  history: true,
  ...more,
})

describe.each(['shop', 'papers'])('in the app %s', (name) => {
  const tables = () => `${shop.api}/apps/${name}/datatables/`
  const table = (one: string, rest = '') => `${tables()}${one}/${rest}`
  const versions = async (one: string, id: number) =>
    (await send('GET', table(one, `data/${id}/history/?ordering=number`)))[1].data

  async function make(one: string, json_schema: object, ...records: object[]) {
    const resources = [{ name: one, schema: json_schema }]
    const [status, body] = await send('POST', `${tables()}create_schema/?materialize=true&datasource=main`, {
      resources,
    })
    expect([status, body.json_schema]).toEqual([201, undefined])
    if (records.length > 0) expect((await send('POST', table(one, 'data/'), records))[0]).toBe(201)
  }
  const change = (one: string, json_schema: object, query = '') =>
    send('PATCH', table(one, query), { json_schema })
  const stands = async (one: string) => {
    const [row] = await app.sql<{ stands: boolean }>(
      `select to_regclass('${shop.schema}."${one}$history"') is not null as stands`,
    )
    return row?.stands
  }

  it('a change of the primary key, of its name or of its type returns 422', async () => {
    await make('keyed', schema([text, { name: 'code', type: 'integer' }]))
    const refused = {
      table: 'keyed',
      fields: ['id'],
      referenced_fields: ['id'],
      problem: 'the history of "keyed" identifies records by this key, so its fields must stay',
    }
    for (const wanted of [
      { ...schema([text, { name: 'code', type: 'integer' }]), primaryKey: 'code' },
      { ...schema(), fields: [{ name: 'id', type: 'string' }, text] },
      {
        ...schema(),
        fields: [{ name: 'number', type: 'integer', 'x-rename-from': 'id' }],
        primaryKey: 'number',
      },
    ]) {
      const [status, body] = await change('keyed', wanted, '?allow_data_loss=true')
      expect([status, body.referenced_by]).toEqual([422, [refused]])
    }
  })

  it('an invalid value for history returns 400', async () => {
    const [status, body] = await change('keyed', { ...schema(), history: 'yes' })
    expect([status, body]).toEqual([400, { json_schema: [expect.stringMatching(/^history: /)] }])
  })

  it('turning the history on adds a version of each record; the time before is unknown', async () => {
    await make('late', schema([text], { history: false }), { id: 1, text: 'a' }, { id: 2 })
    const [{ at } = { at: '' }] = await app.sql<{ at: string }>(
      `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at`,
    )
    const [status, plan] = await change('late', schema(), '?dry_run=true')
    expect([status, plan.changes.map(({ description }: Change) => description)]).toEqual([
      200,
      ['Begin the history of late'],
    ])
    expect((await change('late', schema()))[0]).toBe(200)
    expect(await versions('late', 1)).toMatchObject([
      { number: 1, operation: 'schema', changed: null, record: { id: 1, text: 'a' } },
    ])
    const [, before] = await send('GET', table('late', `data/?as_of=${at}`))
    expect([before.data, before.total]).toEqual([[], 0])
    await send('PATCH', table('late', 'data/1/'), { text: 'b' })
    expect(await versions('late', 1)).toMatchObject([
      {},
      { number: 2, operation: 'update', changed: ['text'] },
    ])
  })

  it('turning the history off loses all versions, so the change needs allow_data_loss', async () => {
    const off = schema([text], { history: false })
    const [status, body] = await change('late', off)
    expect([status, body.error, body.changes.map(({ description }: Change) => description)]).toEqual([
      422,
      'Schema change can lose data',
      ['Drop the history of late with all versions'],
    ])
    expect(await versions('late', 1)).toHaveLength(2)
    expect((await change('late', off, '?allow_data_loss=true'))[0]).toBe(200)
    expect(await stands(`${name}_late`)).toBe(false)
    const [, { data: operations }] = await send('GET', table('late', 'operation-history/?status=success'))
    const [rolledBack, answer] = await send('POST', table('late', 'rollback/'), {
      revision_id: operations[0].id,
    })
    expect([rolledBack, answer.warnings]).toEqual([
      200,
      ['The versions of the records of "late" are lost: the history begins again.'],
    ])
    expect(await versions('late', 1)).toMatchObject([
      { number: 1, operation: 'schema', record: { text: 'b' } },
    ])
  })

  it('versions get new fields; earlier values that cannot be converted are lost', async () => {
    await make('changed', schema(), { id: 1, text: 'word' })
    await send('PATCH', table('changed', 'data/1/'), { text: '7' })
    const fields = [
      { name: 'count', type: 'integer', 'x-rename-from': 'text' },
      { name: 'kind', type: 'string', default: 'new' },
    ]
    expect((await change('changed', schema(fields)))[0]).toBe(200)
    expect(
      (await versions('changed', 1)).map(({ operation, record }: Version) => [operation, record]),
    ).toEqual([
      ['create', { id: 1, count: null, kind: null }],
      ['update', { id: 1, count: 7, kind: null }],
      ['schema', { id: 1, count: 7, kind: 'new' }],
    ])
    const restored = await send('POST', table('changed', 'data/1/restore/1/'))
    expect(restored).toEqual([200, { data: { id: 1, count: null, kind: 'new' } }])
  })

  it('a deleted table keeps its history in the trash', async () => {
    await make('thrown', schema(), { id: 1, text: 'a' })
    await send('PATCH', table('thrown', 'data/1/'), { text: 'b' })
    expect((await send('DELETE', table('thrown')))[0]).toBe(204)
    expect(await stands(`${name}_thrown`)).toBe(false)
    expect((await send('POST', table('thrown', 'restore/'), {}))[0]).toBe(200)
    await send('PATCH', table('thrown', 'data/1/'), { text: 'c' })
    expect((await versions('thrown', 1)).map(({ record }: Version) => record.text)).toEqual(['a', 'b', 'c'])
    expect((await send('DELETE', table('thrown', '?purge=true')))[0]).toBe(204)
    expect(await stands(`${name}_thrown`)).toBe(false)
  })

  it('dropping a table from the trash also drops its history', async () => {
    await make('expired', schema(), { id: 1, text: 'a' })
    expect((await send('DELETE', table('expired')))[0]).toBe(204)
    const trashed = () =>
      app.sql<{ name: string }>(
        `select relname as name from pg_class where relname like '\\_deleted\\_%$history' and relkind = 'r'`,
      )
    expect(await trashed()).toHaveLength(1)
    await app.sql(`update tenant._deleted_datatables set drop_at = now() - interval '1 day'`)
    await app.sql(`do $do$ begin
      set local role ${shop.schema};
      set local search_path = tenant, ${shop.schema};
      perform tessera.drop_deleted_datatable();
    end $do$`)
    expect(await trashed()).toHaveLength(0)
  })

  it('the name of a history never collides with the name of a datatable, even if it is long', async () => {
    await make('coins', schema(), { id: 1, text: 'a' })
    await make('coins_history', schema(), { id: 1, text: 'b' })
    const long = 'a'.repeat(48)
    await make(long, schema(), { id: 1, text: 'c' })
    const texts = await Promise.all(['coins', 'coins_history', long].map((one) => versions(one, 1)))
    expect(texts.map(([{ record }]) => record.text)).toEqual(['a', 'b', 'c'])
  })

  it('200 parallel writers leave no gaps between versions, and what they write together appears together', async () => {
    await make(
      'busy',
      schema([{ name: 'pair', type: 'integer' }]),
      { id: 1, pair: 0 },
      { id: 2, pair: 0 },
      { id: 3 },
    )
    const writers = Array.from({ length: 200 }, (_, index) => {
      const data = table('busy', 'data/')
      const both = [1, 2].map((id) => ({ id, pair: index }))
      if (index % 4 === 0) return send('PATCH', `${data}3/`, { pair: index })
      if (index % 4 === 1) return send('POST', `${data}upsert/?unique_fields=id`, both)
      if (index % 40 === 2) return send('DELETE', `${data}?ids=3`)
      return send('PATCH', data, both)
    })
    const statuses = (await Promise.all(writers)).map(([status]) => status)
    const allowed = [200, 201, 404, 409, 503]
    expect(statuses.filter((status) => !allowed.includes(status))).toEqual([])
    const rows = await app.sql<Row>(
      `select (_data ->> 'id')::integer as id, number, valid_from::text as since, valid_to::text as until,
              valid_from <= valid_to as ordered from ${shop.schema}."${name}_busy$history" order by 1, 2`,
    )
    for (const [index, row] of rows.entries()) {
      const before = rows[index - 1]
      const isFirst = before?.id !== row.id
      expect([row.number, row.ordered]).toEqual([isFirst ? 1 : before.number + 1, true])
      if (!isFirst) expect(row.since).toBe(before.until)
      if (rows[index + 1]?.id !== row.id) expect(row.until).toBe('infinity')
    }
    const times = rows
      .filter(({ id }) => id < 3)
      .map(({ since }) => since.replace(' ', 'T').replace(/\+00$/, 'Z'))
    const torn: unknown[] = []
    for (const time of times.slice(0, 60)) {
      const [, { data }] = await send('GET', table('busy', `data/?as_of=${time}&id__lt=3`))
      if (data.length > 0 && data[0].pair !== data[1].pair) torn.push(data)
    }
    expect(torn).toEqual([])
  })
})

interface Change {
  description: string
}

interface Version {
  operation: string
  record: Record<string, unknown>
}

interface Row {
  id: number
  number: number
  since: string
  until: string
  ordered: boolean
}
