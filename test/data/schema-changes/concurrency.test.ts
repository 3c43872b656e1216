/** Schema changes while others read, write or change schemas, or while their connections are killed. D8. */
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { createSite, type Site, startApp, type TestApp } from '../../support/app.ts'
import { catalogOf } from '../../support/catalog.ts'
import { hold } from '../../support/locks.ts'
import { scaled } from '../../support/scaled.ts'
import { until } from '../../support/until.ts'

let app: TestApp
let site: Site
let token: string

const at = (path: string) => `${site.api}/apps/shop/${path}`
const table = (name: string, query = '') => at(`datatables/${name}/${query}`)
const change = (name: string, json_schema: unknown, query = '', of = app) =>
  of.request('PUT', table(name, query), { token, body: { json_schema } })
/**
 * Reads a table until the answer is not 503. The service notices a killed connection when it uses it, and
 * asks the database again after a second. The pause is needed because the clock of a Worker stands still
 * while it does not wait.
 */
async function read(name: string) {
  for (;;) {
    const { status, body } = await app.request('GET', table(name), { token })
    if (status !== 503) return body
    await pause(50)
  }
}
const catalog = async (name: string) =>
  JSON.stringify((await app.sql(catalogOf(`${site.schema}.shop_${name}`)))[0])
const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds))

const id = { name: 'id', type: 'integer' }
const schema = (...fields: unknown[]) => ({ fields: [id, ...fields], primaryKey: 'id' })
const text = (name: string, more = {}) => ({ name, type: 'string', ...more })

async function make(name: string, json_schema: unknown, data: unknown[] = []) {
  const body = { resources: [{ name, schema: json_schema }] }
  const made = await app.request('POST', at('datatables/create_schema/?materialize=true'), { token, body })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  if (data.length > 0)
    expect((await app.request('POST', table(name, 'data/'), { token, body: data })).status).toBe(201)
}

beforeAll(async () => {
  app = await startApp()
  site = await createSite(app, 'crowd')
  token = site.owner.token
  await app.request('POST', `${site.api}/apps/`, { token, body: { name: 'shop' } })
}, 30_000)

describe('concurrent schema changes of one table', () => {
  it('one of several concurrent changes succeeds, and the others get 409', async () => {
    await make('raced', schema(text('a')))
    const letGo = await hold(app, `perform from ${site.schema}.shop_raced`)
    const sent = vi.spyOn(globalThis, 'fetch')
    const names = ['north', 'east', 'south', 'west', 'up', 'down'].map((name) => `${name}_side`)
    const changes = names.map((name) => change('raced', schema(text('a'), text(name))))
    const hasTried = (name: string) =>
      sent.mock.calls.some(
        ([, { body } = {}]) => `${body}`.includes('lock table') && `${body}`.includes(name),
      )
    await until(
      () => names.every(hasTried),
      () => 'an attempt of each change',
    )
    sent.mockRestore()
    await letGo()
    const answers = await Promise.all(changes)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.body).toEqual({
      error: 'Schema has changed',
      detail: '"raced" has been changed by another request. Read its schema and send the change again.',
      code: 'changed_meanwhile',
    })
    const winner = answers.findIndex(({ status }) => status === 200)
    expect((await read('raced')).field_names).toEqual(['id', 'a', names[winner]])
  })

  it('a change with If-Match gets 412 if another one comes first', async () => {
    await make('matched', schema(text('a')))
    const { schema_hash } = await read('matched')
    const changes = await Promise.all(
      ['b', 'c', 'd', 'e'].map((name) =>
        app.request('PUT', table('matched'), {
          token,
          body: { json_schema: schema(text('a'), text(name)) },
          headers: { 'if-match': `"${schema_hash}"` },
        }),
      ),
    )
    expect(changes.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412])
  })

  it('concurrent changes of different tables all succeed', async () => {
    const names = ['one', 'two', 'three', 'four']
    await Promise.all(names.map((name) => make(name, schema(text('a')))))
    const answers = await Promise.all(names.map((name) => change(name, schema(text('a'), text('b')))))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })
})

describe('rules of the app that are replaced while a table is changed', () => {
  const rule = { name: 'all', who: 'anyone', can: ['read', 'create'], tables: '*' }
  const put = async (rules: unknown) =>
    expect((await app.request('PUT', at('access/'), { token, body: { rules } })).status).toBe(200)
  const narrow = { ...rule, where: { a: 'shown' } }
  const asGuest = async (name: string) => {
    const { body } = await app.request('GET', table(name, 'data/'))
    const written = await app.request('POST', table(name, 'data/'), { body: { a: 'by a guest' } })
    return [body.data.map(({ a }: { a: string }) => a), written.status]
  }

  it.each(['change', 'rollback'])('hold after the %s', async (kind) => {
    const name = `ruled_${kind}`
    await make(name, schema(text('a')), [{ a: 'shown' }, { a: 'hidden' }])
    expect((await change(name, schema(text('a'), text('b')))).status).toBe(200)
    await put([rule])
    expect(await asGuest(name)).toEqual([['shown', 'hidden'], 201])
    const [latest] = (await app.request('GET', table(name, 'operation-history/'), { token })).body.data
    const letGo = await hold(app, `perform from ${site.schema}.shop_${name}`)
    const sent = vi.spyOn(globalThis, 'fetch')
    const changing =
      kind === 'change'
        ? change(name, schema(text('a'), text('b'), text('c')))
        : app.request('POST', table(name, 'rollback/'), { token, body: { revision_id: latest.id } })
    await until(
      () => sent.mock.calls.some(([, { body } = {}]) => `${body}`.includes('lock table')),
      () => 'an attempt of the change',
    )
    sent.mockRestore()
    await put([narrow])
    await letGo()
    expect((await changing).status).toBe(200)
    expect(await asGuest(name)).toEqual([['shown'], 403])
    await put([])
  })
})

describe('a schema change', () => {
  const versions = [
    schema(text('a', { constraints: { required: true, maxLength: 20 } }), { name: 'n', type: 'integer' }),
    {
      ...schema(text('a', { constraints: { required: true } }), {
        name: 'n',
        type: 'number',
        constraints: { minimum: 0 },
      }),
      indexes: [{ name: 'by_n', fields: 'n' }],
    },
    schema(text('b', { 'x-rename-from': 'a', constraints: { required: true } }), text('n')),
    schema(
      text('a', { 'x-rename-from': 'b', constraints: { required: true } }),
      { name: 'n', type: 'integer' },
      text('c', { constraints: { required: true }, default: 'x' }),
    ),
    {
      ...schema(text('n', { 'x-rename-from': 'a' }), { name: 'a', type: 'integer', 'x-rename-from': 'n' }),
      search_fields: ['n'],
    },
    schema(text('a', { 'x-rename-from': 'n', constraints: { required: true } }), {
      name: 'n',
      type: 'integer',
      'x-rename-from': 'a',
    }),
  ]

  it('never causes a 5xx or missing records for readers and writers', async () => {
    const count = 50
    await make(
      'live',
      versions[0],
      Array.from({ length: count }, (_, index) => ({ a: `a${index}`, n: index })),
    )
    let changing = true
    const seen = new Map<number, number>()
    const note = (status: number) => seen.set(status, (seen.get(status) ?? 0) + 1)
    const least: number[] = []

    const readers = Array.from({ length: 3 }, async () => {
      while (changing) {
        const { status, body } = await app.request('GET', table('live', 'data/?page_size=5&ordering=-id'), {
          token,
        })
        note(status)
        least.push(status === 200 && body.data.length === 5 ? body.total : -1)
      }
    })
    const writers = ['a', 'b'].map(async (field) => {
      while (changing)
        note(
          (await app.request('POST', table('live', 'data/'), { token, body: { [field]: 'new', n: 1 } }))
            .status,
        )
    })
    const changes: number[] = []
    for (const next of versions.slice(1))
      changes.push((await change('live', next, '?allow_data_loss=true')).status)
    changing = false
    await Promise.all([...readers, ...writers])

    expect(changes.filter((status) => status !== 200)).toEqual([])
    expect([...seen.keys()].filter((status) => ![200, 201, 400].includes(status))).toEqual([])
    expect(Math.min(...least)).toBeGreaterThanOrEqual(count)
    expect(seen.get(201)).toBeGreaterThan(0)
  }, 60_000)
})

describe('a schema change whose connection is killed', () => {
  const versions = [
    {
      ...schema(text('a', { constraints: { unique: true } }), { name: 'n', type: 'integer' }),
      indexes: [{ name: 'by_n', fields: 'n' }],
    },
    {
      ...schema(
        text('b', { 'x-rename-from': 'a' }),
        { name: 'n', type: 'string', constraints: { required: true } },
        text('c'),
      ),
      search_fields: ['b'],
    },
    {
      ...schema(text('a', { 'x-rename-from': 'b', constraints: { unique: true } }), {
        name: 'n',
        type: 'integer',
      }),
      indexes: [{ name: 'by_n', fields: 'n' }],
    },
  ]
  const kill = () =>
    app.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
    )

  it.each([
    ['of a small table', {}],
    ['of a large table', { LARGE_TABLE_BYTES: '0', CHANGE_WAIT_MS: '600000' }],
  ])(
    'leaves either the old schema with its table or the new schema with its table: %s',
    async (kind, variables) => {
      const of = app.with(variables as Record<string, string>)
      const name = kind.replaceAll(' ', '_')
      await make(
        name,
        versions[0],
        Array.from({ length: 20 }, (_, index) => ({ a: `a${index}`, n: index })),
      )
      /** The table in the catalog of Postgres, by the hash of its schema version. */
      const known = new Map([[(await read(name)).schema_hash, await catalog(name)]])
      for (const next of versions.slice(1)) {
        expect((await change(name, next, '?allow_data_loss=true', of)).status).toBe(200)
        known.set((await read(name)).schema_hash, await catalog(name))
      }
      expect(known.size).toBe(2)

      const outcomes = new Set<string>()
      for (let round = 0; round < 8; round++) {
        const before = await read(name)
        const next = before.field_names.includes('b') ? versions[2] : versions[1]
        const changing = change(name, next, '?allow_data_loss=true', of)
        await pause(Math.random() * 120)
        await kill()
        const { status } = await changing
        expect([200, 503]).toContain(status)
        const after = await read(name)
        if (status === 200) expect(after.schema_hash).not.toBe(before.schema_hash)
        const { orphans } = JSON.parse(await orphansOf(name))
        if (orphans === 0) expect(await catalog(name)).toBe(known.get(after.schema_hash))
        outcomes.add(`${status} ${after.schema_hash === before.schema_hash ? 'old' : 'new'}`)
      }
      // Interrupted changes do not block the next one, and leave nothing behind.
      const last = (await read(name)).field_names.includes('b') ? versions[2] : versions[1]
      expect((await change(name, last, '?allow_data_loss=true', of)).status).toBe(200)
      expect(await catalog(name)).toBe(known.get((await read(name)).schema_hash))
      const { body } = await app.request('GET', table(name, 'operation-history/?page_size=100'), { token })
      const migrations = Map.groupBy(
        body.data as { migration_id: string; status: string }[],
        ({ migration_id }) => migration_id,
      )
      for (const [migration, steps] of migrations)
        if (migration) expect(new Set(steps.map(({ status }) => status)).size).toBe(1)
    },
    scaled(60_000),
  )

  const orphansOf = async (name: string) =>
    JSON.stringify(
      (
        await app.sql(
          `select (select count(*) from pg_attribute
                    where attrelid = $1::regclass and starts_with(attname, '_pending') and not attisdropped)
                + (select count(*) from pg_constraint
                    where conrelid = $1::regclass and starts_with(conname, '_pending'))
                + (select count(*) from pg_index join pg_class i on i.oid = indexrelid
                    where indrelid = $1::regclass and starts_with(i.relname, '_pending')) as orphans`,
          [`${site.schema}.shop_${name}`],
        )
      )[0],
    )
})
