/** Changes of large tables that go on as jobs: their answer, their progress, their end. D20. */
import { beforeAll, describe, expect, it } from 'vitest'
import { cleanUpTable } from '../../../src/data/schema-changes/jobs/continue.ts'
import { claimStopped } from '../../../src/data/schema-changes/jobs/store.ts'
import { openDatabase } from '../../../src/kernel/db/client.ts'
import { configOf } from '../../../src/kernel/env.ts'
import { createSite, type Site, startApp, type TestApp } from '../../support/app.ts'
import { catalogOf } from '../../support/catalog.ts'
import { holdBatches } from '../../support/held-batches.ts'
import { hold } from '../../support/locks.ts'
import { until } from '../../support/until.ts'

let app: TestApp
let large: TestApp
let site: Site
let token: string

const at = (path: string) => `${site.api}/apps/shop/${path}`
const table = (name: string, query = '') => at(`datatables/${name}/${query}`)
const physical = (name: string) => `${site.schema}.shop_${name}`
const catalog = async (name: string) => JSON.stringify((await app.sql(catalogOf(physical(name))))[0])
const send = (method: string, path: string, body?: unknown) =>
  large.request(method, path, { token, ...(body === undefined ? {} : { body }) })

const schema = (type: string) => ({
  fields: [
    { name: 'id', type: 'integer' },
    { name: 'n', type },
  ],
  primaryKey: 'id',
})
const rows = 500

async function make(name: string): Promise<void> {
  const resources = [{ name, schema: schema('string') }]
  expect((await send('POST', at('datatables/create_schema/?materialize=true'), { resources })).status).toBe(
    201,
  )
  await app.sql(`insert into ${physical(name)} (id, n) select i, i::text from generate_series(1, ${rows}) i`)
}

/**
 * Begins a change that waits after its first batch. Returns its answer, which a test gets when the work
 * behind it has ended, the operation that goes on, and the function that lets it.
 */
async function begin(name: string, method = 'PATCH', path = table(name), type = 'integer') {
  const { untilHeld, letGo } = await holdBatches(app)
  const changing = send(method, path, { name, json_schema: schema(type) })
  await untilHeld(name, changing)
  await until(
    async () => (await operations(name, 'running')).length === 1,
    () => `the operation of ${name}`,
  )
  const [operation] = await operations(name, 'running')
  return { changing, operation, letGo }
}

const operations = async (name: string, status: string) =>
  (await send('GET', table(name, `operation-history/?status=${status}`))).body.data

const job = async (name: string) =>
  (
    await app.sql<{ done: number; place: string[] | null; request: unknown; ended_at: string | null }>(
      `select done, place, request, ended_at from tenant._schema_jobs where table_name like '%shop_${name}"' order by id desc`,
    )
  )[0]
const cleanUp = (name: string) =>
  cleanUpTable(large.env, {
    kind: 'clean-up-table',
    siteId: Number(site.schema.slice('site_'.length)),
    table: `shop_${name}`,
  })

/** Ends the session that changes a large table, as the end of its Worker does. */
const killSession = () =>
  app.sql(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename like '%schema%'`,
  )

beforeAll(async () => {
  app = await startApp()
  large = app.with({ LARGE_TABLE_BYTES: '0', CHANGE_WAIT_MS: '0' })
  site = await createSite(app, 'jobs')
  token = site.owner.token
  await app.request('POST', `${site.api}/apps/`, { token, body: { name: 'shop' } })
})

describe('a change of a large table that takes longer than a request waits', () => {
  it('is 202 with the datatable as it stands, the operation and its place', async () => {
    await make('slow')
    const { changing, operation, letGo } = await begin('slow')
    expect(operation).toMatchObject({
      operation_type: 'alter_table',
      description: 'Change the schema of slow',
      migration_id: null,
      progress: { rows_done: expect.any(Number), rows_total: expect.any(Number) },
    })
    for (const [method, path, body] of [
      ['PATCH', '', { json_schema: schema('number') }],
      ['DELETE', '', undefined],
    ] as const) {
      const refused = await send(method, table('slow', path), body)
      expect([method, refused.status, refused.body]).toEqual([
        method,
        409,
        {
          error: 'Schema change in progress',
          detail: 'Another change of "slow" is in progress. Retry later.',
          code: 'schema_change_in_progress',
        },
      ])
    }
    await letGo()
    const answer = await changing
    expect([answer.status, answer.body.operation, answer.body.json_schema.fields[1].type]).toEqual([
      202,
      { id: operation.id, status: 'running' },
      'string',
    ])
    expect(answer.headers.get('location')).toBe(table('slow', 'operation-history/?status=running'))
    expect((await send('GET', table('slow', 'data/7/'))).body.data).toEqual({ id: 7, n: 7 })
    const done = (await operations('slow', 'success')).find(({ id }: { id: number }) => id === operation.id)
    expect(done.migration_id).toEqual(expect.any(String))
    expect((await send('POST', table('slow', 'rollback/'), { revision_id: done.id })).status).toBe(200)
    expect((await send('GET', table('slow', 'data/7/'))).body.data).toEqual({ id: 7, n: '7' })
  })

  it.each([
    ['PUT', 'datatables/'],
    ['PUT', 'datasources/main/datatables/'],
    ['PATCH', 'datasources/main/datatables/'],
  ])('is 202 for %s of %s, too', async (method, below) => {
    const name = `by_${method.toLowerCase()}_${below.length}`
    await make(name)
    const { changing, letGo } = await begin(name, method, at(`${below}${name}/`))
    await letGo()
    const answer = await changing
    expect([answer.status, answer.headers.get('location')]).toEqual([
      202,
      at(`${below}${name}/operation-history/?status=running`),
    ])
  })

  it('is cancelled by a rollback of its operation, and leaves the table as it was', async () => {
    await make('stopped')
    const original = await catalog('stopped')
    const { changing, operation, letGo } = await begin('stopped')
    const { id } = operation
    const plan = await send('POST', table('stopped', 'rollback/?dry_run=true'), { revision_id: id })
    expect([plan.status, plan.body]).toEqual([
      200,
      {
        changes: [
          {
            operation: 'rollback',
            description: `Cancel operation ${id}`,
            sql: '',
            rollback_sql: '',
            destructive: false,
          },
        ],
        warnings: [],
      },
    ])
    const cancelled = await send('POST', table('stopped', 'rollback/'), { revision_id: id })
    await letGo()
    expect([cancelled.status, cancelled.body.json_schema.fields[1].type]).toEqual([200, 'string'])
    expect((await changing).status).toBe(202)
    expect(await catalog('stopped')).toBe(original)
    expect(await operations('stopped', 'cancelled')).toMatchObject([{ id, migration_id: null }])
    const again = await send('POST', table('stopped', 'rollback/'), { revision_id: id })
    expect([again.status, again.body.detail]).toEqual([
      422,
      `Operation ${id} was cancelled and changed nothing.`,
    ])
  })

  it('is cancelled, too, while it waits for the lock of its commit', async () => {
    await make('late')
    const original = await catalog('late')
    const { changing, operation, letGo } = await begin('late')
    const reading = app.sql(
      `do $$ begin lock table ${physical('late')} in access share mode; perform pg_sleep(4); end $$`,
    )
    await letGo()
    await until(
      async () =>
        (
          await app.sql(
            `select from pg_locks l join pg_database d on d.oid = l.database
              where d.datname = current_database() and l.mode = 'AccessExclusiveLock' and not l.granted`,
          )
        ).length > 0,
      () => 'the commit that waits',
    )
    const cancelled = await send('POST', table('late', 'rollback/'), { revision_id: operation.id })
    expect(cancelled.status).toBe(200)
    await Promise.all([reading, changing])
    expect(await operations('late', 'cancelled')).toMatchObject([{ id: operation.id }])
    expect(await catalog('late')).toBe(original)
  })

  it('goes on in another Worker if its own has ended, from the row where it was', async () => {
    await make('killed')
    const { changing, letGo } = await begin('killed')
    await killSession()
    await letGo()
    expect((await changing).status).toBe(202)
    expect(await job('killed')).toMatchObject({ done: 2, place: expect.any(Array), ended_at: null })
    await cleanUp('killed')
    expect((await job('killed'))?.ended_at).not.toBeNull()
    expect(await operations('killed', 'success')).toHaveLength(3)
    expect((await send('GET', table('killed', `data/${rows}/`))).body.data).toEqual({ id: rows, n: rows })
  })

  it('begins anew there if its steps are no longer those of which some are done', async () => {
    await make('replanned')
    const { changing, letGo } = await begin('replanned')
    await killSession()
    await letGo()
    await changing
    await app.sql(`update tenant._schema_jobs set plan = 'other', done = 3 where ended_at is null`)
    await cleanUp('replanned')
    expect(await operations('replanned', 'success')).toHaveLength(3)
    const { body } = await send('GET', table('replanned', 'data/?n__null=true'))
    expect(body.total).toBe(0)
  })

  it('goes on there without another look at all records, and loses what it was allowed to', async () => {
    await make('losing')
    await app.sql(`update ${physical('losing')} set n = n || 'e0' where id > 450`)
    const { changing, letGo } = await begin(
      'losing',
      'PATCH',
      table('losing', '?allow_data_loss=true'),
      'number',
    )
    await killSession()
    await letGo()
    await changing
    expect(await job('losing')).toMatchObject({ request: { accepts: { n: 50 } }, ended_at: null })
    await cleanUp('losing')
    expect((await send('GET', table('losing', `data/${rows}/`))).body.data).toEqual({ id: rows, n: rows })
  })

  it('repeats a batch that runs out of time with fewer records', async () => {
    await make('patient')
    await app.sql('create sequence public.batches')
    await app.sql(`
      create function public.run_out_of_time() returns trigger language plpgsql security definer as $$
      begin
        if nextval('public.batches') <= 3 then
          raise sqlstate '57014';
        end if;
        return new;
      end $$`)
    await app.sql(`create trigger run_out_of_time before update of rows_done on tenant._claims
                     for each row execute function public.run_out_of_time()`)
    const answer = await app
      .with({ LARGE_TABLE_BYTES: '0', CHANGE_WAIT_MS: '600000' })
      .request('PATCH', table('patient'), { token, body: { json_schema: schema('integer') } })
    await app.sql('drop trigger run_out_of_time on tenant._claims')
    expect([answer.status, answer.body.json_schema?.fields[1].type]).toEqual([200, 'integer'])
  })

  /** Begins the change of a table to one with an index, whose build waits for a writer until `letGo`. */
  async function beginIndex(name: string) {
    await make(name)
    const letGo = await hold(app, `update ${physical(name)} set n = n where id = 1`)
    const indexed = { ...schema('string'), indexes: [{ name: 'by_n', fields: ['n'] }] }
    const changing = send('PATCH', table(name), { json_schema: indexed })
    await until(
      async () => (await builds()) === 1,
      () => 'the build of the index',
    )
    const [operation] = await operations(name, 'running')
    return { changing, operation, letGo }
  }
  const builds = async () =>
    (await app.sql(`select from pg_stat_progress_create_index where datname = current_database()`)).length

  it('leaves the build of an index to Postgres, and goes on when it is done', async () => {
    const { changing, letGo } = await beginIndex('indexed')
    expect((await changing).status).toBe(202)
    expect(await builds()).toBe(1)
    await cleanUp('indexed')
    expect(await operations('indexed', 'running')).toMatchObject([{ progress: { rows_done: 0 } }])
    await letGo()
    await until(
      async () => (await builds()) === 0,
      () => 'the end of the build',
    )
    await cleanUp('indexed')
    expect(await operations('indexed', 'success')).toHaveLength(3)
  })

  it('is cancelled while Postgres builds an index', async () => {
    const { changing, operation, letGo } = await beginIndex('unindexed')
    await make('plain')
    const original = await catalog('plain')
    const cancelled = await send('POST', table('unindexed', 'rollback/'), { revision_id: operation.id })
    await until(
      async () => (await builds()) === 0,
      () => 'the end of the build',
    )
    await letGo()
    expect([cancelled.status, (await changing).status]).toEqual([200, 202])
    expect(await operations('unindexed', 'cancelled')).toMatchObject([{ id: operation.id }])
    expect((await catalog('unindexed')).replaceAll('unindexed', 'plain')).toBe(original)
  })

  it('is failed if a record does not fit, and leaves the table as it was', async () => {
    await make('wrong')
    const original = await catalog('wrong')
    await app.sql(`update ${physical('wrong')} set n = 'none' where id = ${rows}`)
    const { changing, operation, letGo } = await begin('wrong')
    await letGo()
    expect((await changing).status).toBe(202)
    expect(await operations('wrong', 'failed')).toMatchObject([{ id: operation.id }])
    expect(await catalog('wrong')).toBe(original)
  })
})

describe('what an interrupted change has left', () => {
  /** Adds the row of a change that is not over, as an interruption leaves it. */
  const leave = async (name: string, siteId: number, more: Record<string, string> = {}) => {
    const values = {
      site_id: String(siteId),
      table_name: `'"site_${siteId}"."shop_${name}"'`,
      request: `'{}'`,
      created_by: '1',
      generation: '1',
      ...more,
    }
    const [row] = await app.sql<{ id: number }>(
      `insert into tenant._schema_jobs (${Object.keys(values).join()})
       values (${Object.values(values).join()}) returning id::integer`,
    )
    return row?.id as number
  }
  const siteId = () => Number(site.schema.slice('site_'.length))
  const columns = async (name: string) =>
    (
      await app.sql<{ name: string }>(
        `select attname::text as name from pg_attribute
          where attrelid = '${physical(name)}'::regclass and attnum > 0 and not attisdropped order by 1`,
      )
    ).map((column) => column.name)

  it('keeps nobody from changing the table: its process id may be that of another session', async () => {
    await make('reused')
    await leave('reused', siteId(), { is_sealed: 'true' })
    await app.sql(
      `insert into tenant._claims (site_id, table_name, session, session_name)
       select ${siteId()}, '"${site.schema}"."shop_reused"', pg_backend_pid(), 'another'`,
    )
    const [{ pid } = { pid: 0 }] = await app.sql<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() limit 1`,
    )
    await app.sql(`update tenant._claims set session = ${pid} where table_name like '%shop_reused"'`)
    const answer = await app.request('PATCH', table('reused'), {
      token,
      body: { json_schema: { ...schema('string'), title: 'Reused' } },
    })
    expect(answer.status).toBe(200)
  })

  it('is failed in the history when another change begins', async () => {
    await make('older')
    const [operation] = await app.sql<{ id: string }>(
      `insert into tenant._operations (site_id, app_id, datatable_name, operation_type, description, sql,
                                       rollback_sql, status, execution_time_ms, created_by)
       select d.site_id, d.app_id, 'older', 'alter_table', 'x', '', '', 'running', 0, 1
         from tenant._datatables d where d.physical_table_name = 'shop_older' returning id`,
    )
    await leave('older', siteId(), { operation_id: operation?.id as string })
    const answer = await app
      .with({ LARGE_TABLE_BYTES: '0', CHANGE_WAIT_MS: '600000' })
      .request('PATCH', table('older'), { token, body: { json_schema: schema('integer') } })
    expect(answer.status).toBe(200)
    expect(await operations('older', 'failed')).toMatchObject([{ id: Number(operation?.id) }])
    expect(await operations('older', 'running')).toEqual([])
  })

  it('stays while another session has the table', async () => {
    await make('claimed')
    await app.sql(`update ${physical('claimed')} set n = 'none' where id = ${rows}`)
    const original = await columns('claimed')
    const { changing, letGo } = await begin('claimed')
    await killSession()
    await app.sql(
      `update tenant._claims c set session = a.pid, session_name = a.application_name
         from (select pid, application_name from pg_stat_activity
                where datname = current_database() and pid <> pg_backend_pid() limit 1) a
        where c.table_name like '%shop_claimed"'`,
    )
    await letGo()
    await changing
    expect(await columns('claimed')).not.toEqual(original)
    await app.sql(`update tenant._claims set session_name = 'over' where table_name like '%shop_claimed"'`)
    await cleanUp('claimed')
    expect(await columns('claimed')).toEqual(original)
    expect(await operations('claimed', 'failed')).toHaveLength(1)
  })

  it('is found by the schedule, a few of each site in turn', async () => {
    const other = await createSite(app, 'others')
    const others = Number(other.schema.slice('site_'.length))
    const stopped = { is_sealed: 'true', queued_at: `now() - interval '3 minutes'` }
    for (let count = 0; count < 7; count++)
      await leave(`many_${count}`, siteId(), { ...stopped, queued_at: `now() - interval '1 day'` })
    await leave('few', others, stopped)
    await leave('forged', others, { queued_at: `'-infinity'` })
    const claim = async (limit: number) =>
      (await openDatabase(configOf(app.env)).batch({ stopped: claimStopped(limit) }, 10_000)).stopped.all.map(
        ({ site_id, table: name }) => [site_id === others, name.replace(/\d/, 'x')],
      )
    expect((await claim(2)).sort()).toEqual([
      [false, 'shop_many_x'],
      [true, 'shop_few'],
    ])
    expect(await claim(100)).toHaveLength(5)
    expect(await claim(100)).toHaveLength(1)
  })
})
