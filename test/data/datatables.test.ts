/** Creates apps, datasources and datatables, and their physical tables. D1–D7. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createSite, type Site, startApp, type TestApp } from '../support/app.ts'

let app: TestApp
let site: Site
let token: string

const post = (path: string, body?: unknown) =>
  app.request('POST', `${site.api}/apps/${path}`, { token, body })
const get = (path: string) => app.request('GET', `${site.api}/apps/${path}`, { token })
const id = { name: 'id', type: 'integer' }
const schema = (...fields: unknown[]) => ({ fields: [id, ...fields], primaryKey: 'id' })

/** Reads the columns, constraints and indexes of a table from the catalog of Postgres. */
async function catalogOf(table: string) {
  const columns = await app.sql(
    `select column_name as name, data_type as type, is_nullable as nullable,
            coalesce(column_default, identity_generation, '') as filled
       from information_schema.columns where table_schema = $1 and table_name = $2 order by ordinal_position`,
    [site.schema, table],
  )
  const constraints = await app.sql<{ definition: string }>(
    `select pg_get_constraintdef(oid) as definition from pg_constraint
      where conrelid = format('%I.%I', $1::text, $2::text)::regclass and contype <> 'n' order by contype, conname`,
    [site.schema, table],
  )
  const indexes = await app.sql<{ definition: string }>(
    `select regexp_replace(indexdef, ' ON [^ ]+ ', ' ') as definition from pg_indexes
      where schemaname = $1 and tablename = $2 order by indexname`,
    [site.schema, table],
  )
  return {
    columns,
    constraints: constraints.map(({ definition }) => definition),
    indexes: indexes.map(({ definition }) => definition),
  }
}

beforeAll(async () => {
  app = await startApp()
  site = await createSite(app, 'tables')
  token = site.owner.token
  await post('', { name: 'Store Front' })
})

describe('apps', () => {
  it('a creation returns 400 if the name gives no slug or a slug that is taken', async () => {
    expect(await post('', { name: '!!!' })).toMatchObject({
      status: 400,
      body: { name: ['This name cannot be converted to a slug. Also send a "slug".'] },
    })
    expect(await post('', { name: 'store_front' })).toMatchObject({
      status: 400,
      body: { name: ['An app with the slug "store-front" already exists.'] },
    })
    expect(await post('', { name: ' ' })).toMatchObject({
      status: 400,
      body: { name: ['This field may not be blank.'] },
    })
  })

  it('a new app has no datasource, and GET returns it as it was created', async () => {
    const created = await post('', { name: 'Second', description: 'x' })
    expect(created).toMatchObject({ status: 201 })
    expect(created.body).toEqual({
      id: expect.any(Number),
      name: 'Second',
      slug: 'second',
      description: 'x',
      datasource_count: 0,
      table_count: 0,
      datasources: [],
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      updated_at: expect.stringMatching(/Z$/),
      created_by: site.owner.id,
      modified_by: null,
    })
    expect(await get('second/')).toMatchObject({ status: 200, body: created.body })
  })

  it('one of 50 concurrent creations of the same app succeeds', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => post('', { name: 'Race' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(49).fill(400)])
  })

  it('the list of apps has absolute links to its pages, and returns 404 beyond the last page', async () => {
    const { body } = await get('?page_size=2')
    expect(body).toMatchObject({
      count: 3,
      previous: null,
      next: `http://localhost${site.api}/apps/?page_size=2&page=2`,
    })
    expect(body.results.map(({ name }: { name: string }) => name)).toEqual(['Race', 'Second'])
    expect(Object.keys(body.results[0])).toEqual([
      'id',
      'name',
      'slug',
      'description',
      'datasource_count',
      'created_at',
      'updated_at',
      'created_by',
      'modified_by',
    ])
    expect(
      (await app.request('GET', new URL(body.next).pathname + new URL(body.next).search, { token })).body,
    ).toMatchObject({
      next: null,
      previous: `http://localhost${site.api}/apps/?page_size=2&page=1`,
      results: [{ name: 'Store Front' }],
    })
    expect(await get('?page=9')).toMatchObject({
      status: 404,
      body: { detail: 'Invalid page.', code: 'invalid_page' },
    })
    expect(await get('?page=x')).toMatchObject({
      status: 400,
      body: { page: ['Must be a whole number of 1 or more.'] },
    })
  })
})

describe('datasources', () => {
  it('a creation returns 422 for a server that cannot be used, and 400 for an unknown provider', async () => {
    expect(
      await post('store-front/datasources/', {
        name: 'M',
        slug: 'm',
        provider_type: 'mongodb',
        provider_config: { secret: 'NONE', database: 'shop' },
      }),
    ).toMatchObject({
      status: 422,
      body: {
        error: 'MongoDB cannot be used',
        detail: 'There is no secret "NONE".',
        code: 'not_supported',
      },
    })
    expect(
      await post('store-front/datasources/', { name: 'M', slug: 'M!', provider_type: 'csv' }),
    ).toMatchObject({
      status: 400,
      body: {
        slug: [expect.stringContaining('A slug has')],
        provider_type: ['Must be one of: flat_table, jsonb, mongodb.'],
      },
    })
    expect(
      (await post('nothing/datasources/', { name: 'M', slug: 'm', provider_type: 'flat_table' })).status,
    ).toBe(404)
  })

  it('a datasource is created once: the second creation with its slug returns 400', async () => {
    const input = {
      name: 'Main',
      slug: 'main',
      provider_type: 'flat_table',
      provider_config: { note: 1 },
      description: 'd',
    }
    const created = await post('store-front/datasources/', input)
    expect(created).toMatchObject({
      status: 201,
      body: { ...input, app_slug: 'store-front', is_active: true, table_count: 0, materialized_count: 0 },
    })
    expect((await get('store-front/datasources/main/')).body).toEqual(created.body)
    expect((await get('store-front/datasources/')).body).toMatchObject([{ slug: 'main', table_count: 0 }])
    expect(await post('store-front/datasources/', input)).toMatchObject({
      status: 400,
      body: { slug: ['A datasource with the slug "main" already exists in this app.'] },
    })
    expect((await get('store-front/datasources/other/')).status).toBe(404)
  })
})

describe('creating a datatable', () => {
  const create = (body: unknown, query = '') => post(`store-front/datasources/main/datatables/${query}`, body)

  it('a creation returns 400 and names every problem of the schema', async () => {
    expect(
      await create({
        name: 'broken',
        json_schema: schema(
          { name: 'a', type: 'money' },
          { name: 'b', type: 'string', constraints: { minimum: 1 } },
        ),
      }),
    ).toMatchObject({
      status: 400,
      body: {
        json_schema: [
          expect.stringContaining('fields[1] ("a").type: Must be one of'),
          'fields[2] ("b").constraints.minimum: does not apply to type string',
        ],
      },
    })
    expect(await create({ name: 'broken' })).toMatchObject({
      status: 400,
      body: { json_schema: ['This field is required.'] },
    })
  })

  it.each(['Upper', '1st', 'a-b', 'x'.repeat(49), 'stats', 'create_schema', 'a"; drop table x; --', ''])(
    'a creation returns 400 for the name %j',
    async (name) => {
      expect(await create({ name, json_schema: schema() })).toMatchObject({
        status: 400,
        body: { name: [expect.stringContaining('A table name begins')] },
      })
    },
  )

  it('a new datatable is unmaterialized; its records return 422 until it is materialized', async () => {
    const created = await create({
      name: 'later',
      description: 'd',
      json_schema: { fields: [{ name: 'title', type: 'string' }] },
    })
    expect(created.status).toBe(201)
    expect(created.body).toEqual({
      id: expect.any(Number),
      data_source: expect.any(Number),
      datasource_name: 'Main',
      datasource_slug: 'main',
      app_name: 'Store Front',
      app_slug: 'store-front',
      name: 'later',
      description: 'd',
      json_schema: {
        fields: [
          { name: 'id', type: 'uuid' },
          { name: 'title', type: 'string' },
        ],
        primaryKey: ['id'],
      },
      physical_table_name: 'store_front_later',
      is_materialized: false,
      is_active: true,
      schema_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      field_count: 2,
      field_names: ['id', 'title'],
      primary_key: ['id'],
      is_reference: false,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      created_by: site.owner.id,
      modified_by: null,
    })
    const refusal = {
      status: 422,
      body: {
        error: 'Datatable is not materialized',
        detail:
          '"later" has no physical table yet. ' +
          'Create it first: POST /api/apps/store-front/datatables/later/materialize/',
        code: 'not_materialized',
      },
    }
    expect(await get('store-front/datatables/later/data/')).toMatchObject(refusal)
    expect(await get('store-front/datatables/later/data/x/')).toMatchObject(refusal)
    expect(await post('store-front/datatables/later/data/', { title: 'x' })).toMatchObject(refusal)

    expect(await post('store-front/datatables/later/materialize/')).toMatchObject({
      status: 200,
      body: { is_materialized: true, modified_by: site.owner.id },
    })
    expect(await post('store-front/datatables/later/materialize/')).toMatchObject({
      status: 422,
      body: { error: 'Datatable is already materialized', code: 'already_materialized' },
    })
    expect(await post('store-front/datatables/later/data/', { title: 'x' })).toMatchObject({
      status: 201,
      body: { data: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), title: 'x' } },
    })
  })

  it('a creation returns 400 for a taken name, and 404 in an unknown datasource', async () => {
    expect(await create({ name: 'later', json_schema: schema() })).toMatchObject({
      status: 400,
      body: { name: ['A datatable named "later" already exists in this app.'] },
    })
    expect((await get('store-front/datasources/main/datatables/later/')).status).toBe(200)
    await post('store-front/datasources/', { name: 'Other', slug: 'other', provider_type: 'flat_table' })
    expect((await get('store-front/datasources/other/datatables/later/')).status).toBe(404)
    expect((await get('store-front/datasources/other/datatables/')).body).toEqual([])
    expect((await get('store-front/datasources/main/datatables/')).body).toMatchObject([
      { name: 'later', field_count: 2, is_materialized: true },
    ])
    expect((await get('store-front/datatables/')).body).toMatchObject([{ name: 'later' }])
  })

  it('every type, constraint and default becomes a column, NOT NULL, UNIQUE, CHECK or DEFAULT', async () => {
    const json_schema = {
      fields: [
        id,
        {
          name: 'code',
          type: 'string',
          constraints: { required: true, unique: true, minLength: 2, maxLength: 9, pattern: "^[a-z]+'?$" },
        },
        { name: 'state', type: 'string', constraints: { enum: ["it's", 'closed'] }, default: "it's" },
        { name: 'mail', type: 'string', format: 'email' },
        { name: 'amount', type: 'number', constraints: { minimum: -1.5, maximum: 10 }, default: 1.25 },
        { name: 'pieces', type: 'integer', constraints: { enum: [1, 2, 3] }, default: 2 },
        { name: 'open', type: 'boolean', default: true },
        { name: 'day', type: 'date', constraints: { minimum: '2020-01-01' } },
        { name: 'hour', type: 'time' },
        { name: 'at', type: 'datetime', default: '2026-01-31T12:00:00Z' },
        { name: 'ref', type: 'uuid' },
        { name: 'more', type: 'object', default: { a: "o'c" } },
        { name: 'list', type: 'array', constraints: { required: true }, default: [] },
        { name: 'created_at', type: 'datetime' },
        { name: 'is_deleted', type: 'boolean' },
      ],
      primaryKey: 'id',
      indexes: [
        { name: 'by_day', fields: ['day', 'hour'] },
        { name: 'one_open', fields: ['ref'], unique: true, where: { open: true, pieces__in: [1, 2] } },
        { name: 'inside', fields: ['more'], method: 'gin' },
      ],
      search_fields: ['code', { field: 'state', weight: 'A' }],
      search_language: 'german',
    }
    expect((await create({ name: 'full', json_schema }, '?materialize=true')).status).toBe(201)
    const made = await catalogOf('store_front_full')
    expect(made.columns).toEqual([
      { name: 'id', type: 'bigint', nullable: 'NO', filled: 'BY DEFAULT' },
      { name: 'code', type: 'text', nullable: 'NO', filled: '' },
      { name: 'state', type: 'text', nullable: 'YES', filled: "'it''s'::text" },
      { name: 'mail', type: 'text', nullable: 'YES', filled: '' },
      { name: 'amount', type: 'numeric', nullable: 'YES', filled: '1.25' },
      { name: 'pieces', type: 'bigint', nullable: 'YES', filled: "'2'::bigint" },
      { name: 'open', type: 'boolean', nullable: 'YES', filled: 'true' },
      { name: 'day', type: 'date', nullable: 'YES', filled: '' },
      { name: 'hour', type: 'time without time zone', nullable: 'YES', filled: '' },
      {
        name: 'at',
        type: 'timestamp with time zone',
        nullable: 'YES',
        filled: expect.stringMatching(/^'2026-01-31 .*'::timestamp with time zone$/),
      },
      { name: 'ref', type: 'uuid', nullable: 'YES', filled: '' },
      { name: 'more', type: 'jsonb', nullable: 'YES', filled: `'{"a": "o''c"}'::jsonb` },
      { name: 'list', type: 'jsonb', nullable: 'NO', filled: "'[]'::jsonb" },
      { name: 'created_at', type: 'timestamp with time zone', nullable: 'YES', filled: 'now()' },
      { name: 'is_deleted', type: 'boolean', nullable: 'YES', filled: 'false' },
      { name: 'search_vector', type: 'tsvector', nullable: 'YES', filled: '' },
    ])
    expect(made.constraints).toEqual([
      "CHECK ((amount <= '10'::numeric))",
      "CHECK ((amount >= '-1.5'::numeric))",
      'CHECK ((char_length(code) <= 9))',
      'CHECK ((char_length(code) >= 2))',
      "CHECK ((code ~ '^[a-z]+''?$'::text))",
      "CHECK ((day >= '2020-01-01'::date))",
      expect.stringContaining('CHECK (((char_length(mail) <= 254) AND (mail ~'),
      "CHECK ((pieces = ANY (ARRAY['1'::bigint, '2'::bigint, '3'::bigint])))",
      "CHECK ((state = ANY (ARRAY['it''s'::text, 'closed'::text])))",
      'PRIMARY KEY (id)',
      'UNIQUE (code)',
    ])
    expect(made.indexes).toEqual([
      expect.stringContaining('by_day$idx"'),
      expect.stringContaining('code$key"'),
      expect.stringMatching(/inside\$idx" .*USING gin|USING gin \(more\)/),
      expect.stringMatching(/UNIQUE INDEX.*WHERE .*open.*pieces/),
      expect.stringContaining('$pkey"'),
      expect.stringMatching(/USING gin \(search_vector\)/),
      expect.stringMatching(/words_idx" USING gin/),
    ])
    const filled = await post('store-front/datatables/full/data/', { code: "ab'" })
    expect(filled).toMatchObject({
      status: 201,
      body: {
        data: {
          state: "it's",
          amount: 1.25,
          pieces: 2,
          open: true,
          at: '2026-01-31T12:00:00Z',
          more: { a: "o'c" },
          list: [],
          is_deleted: false,
          created_at: expect.any(String),
        },
      },
    })
    expect(filled.body.data).not.toHaveProperty('search_vector')
  })

  it('a physical name that is too long for Postgres is cut and gets a hash', async () => {
    const name = 'x'.repeat(48)
    await post('', { name: 'An app with quite a long name indeed, so long that' })
    const made = await post(
      'an-app-with-quite-a-long-name-indeed-so-long-that/datatables/create_schema/?materialize=true',
      {
        resources: ['a', 'b'].map((last) => ({
          name: name.slice(1) + last,
          schema: schema({
            name: 'y'.repeat(60),
            type: 'string',
            constraints: { unique: true, maxLength: 5 },
          }),
        })),
      },
    )
    expect(made.status).toBe(201)
    const names = made.body.datatables.map(
      ({ physical_table_name }: { physical_table_name: string }) => physical_table_name,
    )
    expect(new Set(names).size).toBe(2)
    for (const physical of names) expect(physical).toMatch(/^an_app_.{45}_[0-9a-f]{10}$/)
  })

  it('a creation returns 400 and names each invalid filter of an index', async () => {
    const indexes = [
      { name: 'a', fields: 'id', where: { nope: 1, id__gt: 'x' } },
      { name: 'b', fields: 'id', where: { or: Array(200).fill({ id: 1 }) } },
    ]
    expect(await create({ name: 'filtered', json_schema: { ...schema(), indexes } })).toMatchObject({
      status: 400,
      body: {
        json_schema: [
          'indexes[0].where: Unknown field or parameter "nope". Fields: id.',
          'indexes[0].where: "x" is not a value of "id", which is of type integer.',
          'indexes[1].where: At most 100 conditions are allowed.',
        ],
      },
    })
  })

  it('two tables with the same plain physical name get different physical names', async () => {
    for (const app of ['pair-a', 'pair']) await post('', { name: app })
    const a = await post('pair-a/datatables/create_schema/?materialize=true', {
      resources: [{ name: 'b', schema: schema() }],
    })
    const b = await post('pair/datatables/create_schema/?materialize=true', {
      resources: [{ name: 'a_b', schema: schema() }],
    })
    expect([a.body.datatables[0].physical_table_name, b.body.datatables[0].physical_table_name]).toEqual([
      'pair_a_b',
      expect.stringMatching(/^pair_a_b_[0-9a-f]{8}$/),
    ])
  })

  it('the history records each step of a creation, and how to roll it back', async () => {
    const rows = await app.sql(
      `select operation_type, description, sql, rollback_sql, status, execution_time_ms >= 0 as timed
         from tenant._operations where datatable_name = 'later'`,
    )
    expect(rows).toEqual([
      {
        operation_type: 'create_table',
        description: 'Create table later',
        sql:
          `create table "${site.schema}"."store_front_later" ("id" uuid not null default gen_random_uuid(), ` +
          `"title" text, constraint "store_front_later$pkey" primary key ("id"));`,
        rollback_sql: `drop table "${site.schema}"."store_front_later";`,
        status: 'success',
        timed: true,
      },
    ])
  })
})

describe('foreign keys', () => {
  const packageOf = (...resources: [string, unknown][]) => ({
    resources: resources.map(([name, json]) => ({ name, schema: json })),
  })
  const key = (
    fields: string | string[],
    resource: string,
    reference: string | string[] = 'id',
    onDelete?: string,
  ) => ({
    fields,
    reference: { resource, fields: reference },
    ...(onDelete ? { 'x-actions': { onDelete } } : {}),
  })
  const create = (body: unknown, query = '?materialize=true') =>
    post(`keys/datatables/create_schema/${query}`, body)

  beforeAll(async () => {
    await post('', { name: 'keys' })
  })

  it('a creation returns 400 for foreign keys to missing tables, to other types and to fields that are not unique', async () => {
    const { status, body } = await create(
      packageOf(
        ['parents', schema({ name: 'code', type: 'string' })],
        [
          'children',
          {
            ...schema(
              { name: 'a', type: 'integer' },
              { name: 'b', type: 'string' },
              { name: 'c', type: 'string' },
              { name: 'd', type: 'integer' },
            ),
            foreignKeys: [
              key('a', 'nowhere'),
              key('b', 'parents'),
              key('c', 'parents', 'code'),
              key('d', 'parents', 'gone'),
            ],
          },
        ],
      ),
    )
    expect([status, body]).toEqual([
      400,
      {
        json_schema: [
          'resource "children": foreignKeys[0].reference.resource: there is no table "nowhere" in this app',
          'resource "children": foreignKeys[1]: "b" is of type string, but "id" of "parents" is of type integer',
          'resource "children": foreignKeys[2]: code of "parents" is neither its primary key nor unique',
          'resource "children": foreignKeys[3]: "parents" has no field "gone"',
        ],
      },
    ])
    expect((await get('keys/')).body).toMatchObject({ table_count: 0, datasource_count: 0 })
  })

  it('a dry run returns the steps that would create the tables, and creates nothing', async () => {
    const makers = schema()
    const wares = {
      ...schema({ name: 'maker_id', type: 'integer' }),
      foreignKeys: [key('maker_id', 'makers')],
    }
    const body = packageOf(['wares', wares], ['makers', makers])
    const dry = await create(body, '?materialize=true&dry_run=true')
    expect([dry.status, dry.body.changes.map((step: { description: string }) => step.description)]).toEqual([
      200,
      ['Create table wares', 'Create table makers', expect.stringContaining('foreign key')],
    ])
    expect(dry.body.changes[0]).toEqual({
      operation: 'create_table',
      description: 'Create table wares',
      sql: expect.stringMatching(/^create table /),
      rollback_sql: expect.stringMatching(/^drop table /),
      destructive: false,
    })
    expect(await create(body, '?dry_run=true')).toMatchObject({ status: 200, body: { changes: [] } })
    expect((await create(packageOf(['wares', wares]), '?dry_run=true')).status).toBe(400)
    expect((await get('keys/')).body).toMatchObject({ table_count: 0, datasource_count: 0 })
  })

  it('a materialization returns 422 if a referenced table has no physical table', async () => {
    expect((await create(packageOf(['plain', schema()]), '')).status).toBe(201)
    const answer = await create(
      packageOf([
        'pointing',
        { ...schema({ name: 'a', type: 'integer' }), foreignKeys: [key('a', 'plain')] },
      ]),
    )
    expect(answer).toMatchObject({
      status: 422,
      body: { error: 'Referenced datatable is not materialized', code: 'not_materialized' },
    })
  })

  it('materializing a datatable later checks its foreign keys again', async () => {
    const key = (resource: string) => ({
      foreignKeys: [{ fields: 'other_id', reference: { resource, fields: 'id' } }],
    })
    const other = { name: 'other_id', type: 'integer' }
    const path = 'store-front/datasources/main/datatables/'
    await post(path, { name: 'early', json_schema: { ...schema(other), ...key('late') } })
    expect(await post('store-front/datatables/early/materialize/')).toMatchObject({
      status: 400,
      body: { json_schema: ['foreignKeys[0].reference.resource: there is no table "late" in this app'] },
    })
    expect((await post(`${path}early/materialize/`)).status).toBe(400)
    expect(
      await post(`${path}?materialize=true`, {
        name: 'early_too',
        json_schema: { ...schema(other), ...key('early') },
      }),
    ).toMatchObject({
      status: 422,
      body: { error: 'Referenced datatable is not materialized', code: 'not_materialized' },
    })
    await post(path, { name: 'late', json_schema: schema() })
    expect((await post(`${path}early/materialize/`)).status).toBe(422)
    expect(await post(`${path}late/materialize/`)).toMatchObject({
      status: 200,
      body: { name: 'late', is_materialized: true },
    })
    expect((await post('store-front/datatables/early/materialize/')).status).toBe(200)
    expect(await get('store-front/datatables/early/')).toMatchObject({
      status: 200,
      body: { is_materialized: true },
    })
  })

  it('foreign keys become foreign keys of Postgres with an index, also in cycles and with two columns', async () => {
    const made = await create(
      packageOf(
        [
          'first',
          {
            ...schema({ name: 'second_id', type: 'integer' }, { name: 'boss', type: 'integer' }),
            foreignKeys: [key('second_id', 'second', 'id', 'SET NULL'), key('boss', '', 'id', 'CASCADE')],
          },
        ],
        [
          'second',
          { ...schema({ name: 'first_id', type: 'integer' }), foreignKeys: [key('first_id', 'first')] },
        ],
        [
          'grid',
          {
            fields: [
              { name: 'x', type: 'integer' },
              { name: 'y', type: 'integer' },
            ],
            primaryKey: ['x', 'y'],
          },
        ],
        [
          'cells',
          {
            ...schema({ name: 'gx', type: 'integer' }, { name: 'gy', type: 'integer' }),
            foreignKeys: [key(['gx', 'gy'], 'grid', ['x', 'y'], 'NO ACTION')],
          },
        ],
      ),
    )
    expect(made.status).toBe(201)
    expect(
      made.body.datatables.map(({ name, datasource_slug }: Record<string, string>) => [
        name,
        datasource_slug,
      ]),
    ).toEqual(['first', 'second', 'grid', 'cells'].map((name) => [name, 'main']))
    const qualified = (table: string) => `${site.schema}.keys_${table}`
    expect((await catalogOf('keys_first')).constraints).toEqual([
      `FOREIGN KEY (boss) REFERENCES ${qualified('first')}(id) ON DELETE CASCADE`,
      `FOREIGN KEY (second_id) REFERENCES ${qualified('second')}(id) ON DELETE SET NULL`,
      'PRIMARY KEY (id)',
    ])
    expect((await catalogOf('keys_cells')).constraints).toEqual([
      `FOREIGN KEY (gx, gy) REFERENCES ${qualified('grid')}(x, y)`,
      'PRIMARY KEY (id)',
    ])
    expect((await catalogOf('keys_second')).constraints).toEqual([
      `FOREIGN KEY (first_id) REFERENCES ${qualified('first')}(id) ON DELETE RESTRICT`,
      'PRIMARY KEY (id)',
    ])
    expect((await catalogOf('keys_second')).indexes).toHaveLength(2)
  })

  it('a data package is created completely or not at all', async () => {
    const before = (await get('keys/datatables/')).body.length
    expect(await create(packageOf(['fresh', schema()], ['first', schema()]))).toMatchObject({
      status: 400,
      body: { json_schema: ['resource "first": a datatable of this name already exists in this app'] },
    })
    // Only Postgres rejects this pattern: its regular expressions have no Unicode classes.
    expect(
      await create(
        packageOf(
          ['fresh', schema()],
          ['odd', schema({ name: 'a', type: 'string', constraints: { pattern: 'a\\pN' } })],
        ),
      ),
    ).toMatchObject({
      status: 400,
      body: {
        json_schema: [
          expect.stringContaining(
            'resource "odd": fields[1] ("a").constraints.pattern: is not a regular expression that Postgres supports',
          ),
        ],
      },
    })
    expect((await get('keys/datatables/')).body).toHaveLength(before)
    expect(await create(packageOf(['fresh', schema()], ['fresh', schema()]))).toMatchObject({ status: 400 })
    expect(await create({ resources: [] })).toMatchObject({ status: 400 })
    expect(await create(packageOf(['fresh', schema()]), '?datasource=none')).toMatchObject({
      status: 400,
      body: { datasource: ['There is no datasource "none" in this app.'] },
    })
  })

  it('a pattern has the same meaning in the service and in Postgres', async () => {
    const pattern = '^(?P<word>\\bgo\\b) \\d+\\z'
    expect(
      (
        await create(
          packageOf(['patterned', schema({ name: 'a', type: 'string', constraints: { pattern } })]),
        )
      ).status,
    ).toBe(201)
    expect(await post('keys/datatables/patterned/data/', { a: 'gone 1' })).toMatchObject({
      status: 400,
      body: { details: { a: [`Ensure this field matches the pattern ${pattern}`] } },
    })
    expect((await post('keys/datatables/patterned/data/', { a: 'go 12' })).status).toBe(201)
  })

  it('concurrent changes of one site wait for each other, and all succeed', async () => {
    // Each one waits at most five seconds for the others, even on a busy machine.
    const count = 8
    const answers = await Promise.all(
      Array.from({ length: count }, (_, index) => create(packageOf([`parallel_${index}`, schema()]))),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(count).fill(201))
  })

  it('one of several concurrent packages with the same tables succeeds', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => create(packageOf(['raced', schema()], ['raced_too', schema()]))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(400)])
  })
})
