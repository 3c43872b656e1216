/**
 * How versions leave the history of a table: those of one record on request, and all versions after some
 * days.
 */
import { createScheduledController } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import worker from '../../../src/worker.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { addDocuments, createShop, grant, type Shop } from '../../support/fixtures.ts'
import { type HeldQueue, heldQueue } from '../../support/queue.ts'

const id = { name: 'id', type: 'integer' }
const text = { name: 'text', type: 'string' }
const notes = (history: unknown) => ({
  fields: [id, text, { name: 'topic_id', type: 'integer' }],
  primaryKey: 'id',
  foreignKeys: [{ fields: 'topic_id', reference: { resource: 'topics', fields: 'id' } }],
  history,
})
const resources = [
  { name: 'topics', schema: { fields: [id, text], primaryKey: 'id', history: true } },
  { name: 'notes', schema: notes({ days: 30 }) },
  {
    name: 'people',
    schema: { fields: [{ name: 'email', type: 'string' }, text], primaryKey: 'email', history: true },
  },
  { name: 'plain', schema: { fields: [id, text], primaryKey: 'id' } },
]

let app: TestApp
let shop: Shop
let jobs: HeldQueue

beforeAll(async () => {
  app = await startApp()
  jobs = heldQueue()
  app.env.JOBS = jobs.binding
  shop = await createShop(app, 'erased', { resources })
  await addDocuments(app, shop, resources)
})

const tick = () => worker.scheduled(createScheduledController(), app.env)

describe.each(['shop', 'papers'])('in the app %s', (name) => {
  const table = (one: string, rest = '') => `${shop.api}/apps/${name}/datatables/${one}/${rest}`
  const send = async (method: string, path: string, body?: unknown, token = shop.owner.token) => {
    const answer = await app.request(method, path, { token, ...(body === undefined ? {} : { body }) })
    return [answer.status, answer.body]
  }
  const numbers = async (one: string, key: unknown) => {
    const [, body] = await send('GET', table(one, `data/${key}/history/?ordering=number`))
    return body.data?.map(({ number, operation }: Version) => `${number} ${operation}`) ?? body.error
  }
  const history = (one: string) => `${shop.schema}."${name}_${one}$history"`
  /** Moves all versions into the past by a number of days. */
  const earlier = (one: string, days: number) =>
    app.sql(
      `update ${history(one)} set valid_from = valid_from - make_interval(days => ${days}),
              valid_to = valid_to - make_interval(days => ${days})`,
    )
  const sweep = async (copies = 1) => {
    await app.sql("update site_meters set histories_swept_at = '-infinity'")
    await tick()
    await jobs.drain(app.env, { copies })
  }

  describe('DELETE of the history of a record', () => {
    it('returns 404 without any version, 422 without a history, and 400 for an unknown parameter', async () => {
      const notFound = {
        error: 'Record not found',
        detail: '"topics" has no record with the id "9".',
        code: 'record_not_found',
      }
      expect(await send('DELETE', table('topics', 'data/9/history/'))).toEqual([404, notFound])
      expect((await send('DELETE', table('topics', 'data/x/history/')))[0]).toBe(404)
      expect(await send('DELETE', table('plain', 'data/1/history/'))).toEqual([
        422,
        {
          error: 'No history',
          detail: '"plain" keeps no versions of its records. Set "history": true in its schema.',
          code: 'no_history',
        },
      ])
      expect((await send('DELETE', table('topics', 'data/1/history/?number=1')))[0]).toBe(400)
      expect((await send('DELETE', table('topics', 'data/1/history/?dry_run=maybe')))[0]).toBe(400)
    })

    it('returns 403 to callers who may only change records', async () => {
      const writer = await app.user(`writer-${name}`)
      await grant(app, shop, writer, ['access_site', 'change_site', 'delete_site'])
      expect((await send('DELETE', table('topics', 'data/1/history/'), undefined, writer.token))[0]).toBe(403)
    })

    it('erases all versions except the current one; the numbers of versions continue', async () => {
      await send('POST', table('topics', 'data/'), [
        { id: 1, text: 'secret' },
        { id: 2, text: 'other' },
      ])
      await send('PATCH', table('topics', 'data/1/'), { text: 'more' })
      await send('PATCH', table('topics', 'data/1/'), { text: 'public' })
      expect(await send('DELETE', table('topics', 'data/1/history/?dry_run=true'))).toEqual([
        200,
        { erased: 2, dry_run: true },
      ])
      expect(await numbers('topics', 1)).toEqual(['1 create', '2 update', '3 update'])
      expect(await send('DELETE', table('topics', 'data/1/history/'))).toEqual([200, { erased: 2 }])
      expect(await send('DELETE', table('topics', 'data/1/history/'))).toEqual([200, { erased: 0 }])
      expect(await numbers('topics', 1)).toEqual(['3 update'])
      expect(await numbers('topics', 2)).toEqual(['1 create'])
      await send('PATCH', table('topics', 'data/1/'), { text: 'next' })
      expect(await numbers('topics', 1)).toEqual(['3 update', '4 update'])
      expect(
        (await send('GET', table('topics', 'data/?as_of=2999-01-01T00:00:00Z&ordering=id')))[1].data,
      ).toEqual([
        { id: 1, text: 'next' },
        { id: 2, text: 'other' },
      ])
      const [row] = await app.sql<{ left: number }>(
        `select count(*)::integer as left from ${history('topics')} where _data ->> 'text' in ('secret', 'more')`,
      )
      expect(row?.left).toBe(0)
    })

    it('erases all versions of a deleted record; a new record with its key begins with version 1', async () => {
      await send('POST', table('topics', 'data/'), { id: 3, text: 'gone' })
      await send('DELETE', table('topics', 'data/3/'))
      expect(await send('DELETE', table('topics', 'data/3/history/'))).toEqual([200, { erased: 2 }])
      expect(await numbers('topics', 3)).toBe('Record not found')
      expect((await send('DELETE', table('topics', 'data/3/history/')))[0]).toBe(404)
      await send('POST', table('topics', 'data/'), { id: 3, text: 'new' })
      expect(await numbers('topics', 3)).toEqual(['1 create'])
    })

    it('adds each erasure to the audit, without a key that identifies a person', async () => {
      await send('POST', table('people', 'data/'), { email: 'ada@example.org', text: 'a' })
      await send('PATCH', table('people', 'data/ada@example.org/'), { text: 'b' })
      expect(await send('DELETE', table('people', 'data/ada@example.org/history/'))).toEqual([
        200,
        { erased: 1 },
      ])
      const audit = `/api/cloud/organizations/erased-org/audit/?kind=erasure&page_size=100`
      const entries = (await send('GET', audit))[1].results.filter(({ object }: Entry) =>
        object.startsWith(name),
      )
      expect(entries.map(({ object, values }: Entry) => [object, values])).toEqual([
        [`${name}/people`, { versions: { to: 1 } }],
        [`${name}/topics/3`, { versions: { to: 2 } }],
        [`${name}/topics/1`, { versions: { to: 2 } }],
      ])
      expect(entries[0]).toMatchObject({ action: 'create', site: 'erased', actor: { id: shop.owner.id } })
    })
  })

  describe('a history with a number of days', () => {
    it.each([
      [{ days: 0 }, 'history.days: Ensure this value is greater than or equal to 1.'],
      [{ days: 36_501 }, 'history.days: Ensure this value is less than or equal to 36500.'],
      [{ days: 1.5 }, 'history: Must be true, false, or {"days": <1 to 36500>}.'],
      [{ days: '30' }, 'history: Must be true, false, or {"days": <1 to 36500>}.'],
      [{ days: 30, hours: 1 }, 'history: unknown key "hours"'],
      [30, 'history: Must be true, false, or {"days": <1 to 36500>}.'],
    ])('returns 400 for %j', async (history, problem) => {
      const answer = await send('PATCH', table('notes'), { json_schema: notes(history) })
      expect(answer).toEqual([400, { json_schema: [problem] }])
    })

    it('returns 400 for an earlier time, also if a relationship is read', async () => {
      const time = new Date(Date.now() - 31 * 86_400_000).toISOString()
      const problem = '"notes" keeps its history for 30 days, so it cannot be read as of an earlier time.'
      expect(await send('GET', table('notes', `data/?as_of=${time}`))).toEqual([
        400,
        { error: 'Validation failed', details: { as_of: [problem] }, code: 'validation_failed' },
      ])
      expect((await send('GET', table('notes', `data/1/?as_of=${time}`)))[1].details).toEqual({
        as_of: [problem],
      })
      expect((await send('GET', table('topics', `data/?as_of=${time}&populate=notes`)))[1].details).toEqual({
        populate: [problem],
      })
      expect((await send('GET', table('topics', `data/?as_of=${time}`)))[0]).toBe(200)
    })

    it('is swept: versions that no time within these days needs are removed, and no others', async () => {
      const data = table('notes', 'data/')
      await send(
        'POST',
        data,
        [1, 2, 3, 4].map((key) => ({ id: key, text: 'first' })),
      )
      await send('PATCH', `${data}1/`, { text: 'second' })
      await send('DELETE', `${data}2/`)
      await send('DELETE', `${data}4/`)
      await earlier('notes', 31)
      await send('PATCH', `${data}1/`, { text: 'third' })
      await send('POST', data, { id: 4, text: 'again' })
      await earlier('notes', 29)
      await send('PATCH', `${data}1/`, { text: 'fourth' })
      await send('DELETE', `${data}3/`)
      const reach = () => new Date(Date.now() - 30 * 86_400_000 + 60_000).toISOString()
      const then = async () => (await send('GET', `${data}?as_of=${reach()}&ordering=id`))[1].data
      const before = await then()
      expect(before.map(({ id: key, text: is }: Note) => `${key} ${is}`)).toEqual(['1 second', '3 first'])
      expect(await numbers('notes', 1)).toHaveLength(4)
      await sweep(2)
      expect(await numbers('notes', 1)).toEqual(['2 update', '3 update', '4 update'])
      expect(await numbers('notes', 2)).toBe('Record not found')
      expect(await numbers('notes', 3)).toEqual(['1 create', '2 delete'])
      expect(await numbers('notes', 4)).toEqual(['2 delete', '3 create'])
      expect(await then()).toEqual(before)
      await sweep()
      expect(await numbers('notes', 1)).toHaveLength(3)
    })

    it('is queued for the sweep once an hour, and at once after a schema change', async () => {
      await sweep()
      await tick()
      expect(jobs.waiting).toEqual([])
      expect((await send('PATCH', table('notes'), { json_schema: notes({ days: 60 }) }))[0]).toBe(200)
      await tick()
      expect(jobs.waiting).toEqual([
        { body: { kind: 'sweep-histories', siteId: Number(shop.schema.slice('site_'.length)) } },
      ])
      // A message that arrives after another change has no effect.
      expect((await send('PATCH', table('notes'), { json_schema: notes(true) }))[0]).toBe(200)
      await jobs.drain(app.env)
      expect(await numbers('notes', 1)).toHaveLength(3)
    })

    it('loses versions if the days are reduced, so the change needs allow_data_loss; records are not rewritten', async () => {
      const [status, body] = await send('PATCH', table('notes'), { json_schema: notes({ days: 45 }) })
      expect([
        status,
        body.error,
        body.changes.map(({ description, sql }: Change) => [description, sql]),
      ]).toEqual([422, 'Schema change can lose data', [['Keep the history of notes for 45 days', '']]])
      expect(
        (
          await send('PATCH', table('notes', '?allow_data_loss=true'), { json_schema: notes({ days: 45 }) })
        )[0],
      ).toBe(200)
      expect((await send('PATCH', table('notes'), { json_schema: notes({ days: 90 }) }))[0]).toBe(200)
      expect((await send('GET', table('notes')))[1].json_schema.history).toEqual({ days: 90 })
      expect(await numbers('notes', 1)).toHaveLength(3)
    })

    it('is not swept while its table is in the trash, or after the days are removed', async () => {
      const due = () =>
        app.sql(`select from tenant._datatables
                  where is_materialized and json_schema #> '{history,days}' is not null`)
      const before = (await due()).length
      expect((await send('DELETE', table('notes')))[0]).toBe(204)
      expect(await due()).toHaveLength(before - 1)
      expect((await send('POST', table('notes', 'restore/'), {}))[0]).toBe(200)
      expect(await due()).toHaveLength(before)
      expect((await send('PATCH', table('notes'), { json_schema: notes(true) }))[0]).toBe(200)
      expect(await due()).toHaveLength(before - 1)
      expect(
        (
          await send('PATCH', table('notes', '?allow_data_loss=true'), { json_schema: notes({ days: 30 }) })
        )[0],
      ).toBe(200)
    })
  })
})

interface Version {
  number: number
  operation: string
}
interface Note {
  id: number
  text: string
}
interface Entry {
  object: string
  values: unknown
}
interface Change {
  description: string
  sql: string
}
