/** Subscriptions to the events of some tables. E9. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createEventful, type Eventful, noop } from '../support/events.ts'

let one: Eventful
const data = (table: string) => `/apps/shop/datatables/${table}/data/`

beforeAll(async () => {
  one = await createEventful('one')
})

const subscribe = (event: string, function_id: number, tables: unknown) =>
  one.owner.post(`/cloud/events/${event}/subscribe/`, { function_id, tables })

describe('a subscription with tables', () => {
  it('is 400 for a table that the app does not have, for no tables, and for an event of accounts', async () => {
    const id = await one.listener('refused', [], noop)
    const of = async (event: string, tables: unknown) => {
      const { status, body } = await subscribe(event, id, tables)
      return [status, body]
    }
    const failed = (message: string) => [400, { success: false, message, code: 'validation_failed' }]
    expect(await of('RECORD_CREATE', ['makers', 'boats', 'cars'])).toEqual(
      failed('The app of the function has no table "boats", "cars".'),
    )
    expect(await of('POST_USER_CREATE', ['makers'])).toEqual(
      failed('The event "POST_USER_CREATE" concerns no table.'),
    )
    expect(await of('RECORD_CREATE', [])).toEqual([400, { tables: [expect.any(String)] }])
    expect(await of('RECORD_CREATE', 'makers')).toEqual([400, { tables: [expect.any(String)] }])
    expect((await one.owner.get('/apps/shop/events/RECORD_CREATE/')).body.data.subscribers).toEqual([])
  })

  it('shows them in alphabetical order, and can be sent as it was read', async () => {
    const id = await one.listener('shown', [], noop)
    const { status, body } = await subscribe('RECORD_DELETE', id, ['products', 'makers'])
    expect([status, body.data.tables]).toEqual([201, ['makers', 'products']])
    const { subscribers } = (await one.owner.get('/apps/shop/events/RECORD_DELETE/')).body.data
    expect(subscribers[0].tables).toEqual(['makers', 'products'])
    expect((await one.owner.post('/cloud/events/RECORD_DELETE/unsubscribe/', subscribers[0])).status).toBe(
      200,
    )
    const again = await one.owner.post('/cloud/events/RECORD_DELETE/subscribe/', subscribers[0])
    expect([again.status, again.body.data.tables]).toEqual([201, ['makers', 'products']])
    await one.unsubscribe('RECORD_DELETE', id)
  })

  it('runs for their records only; records of other tables leave nothing in the outbox', async () => {
    const id = await one.listener('makers-only', [], noop)
    await subscribe('RECORD_CREATE', id, ['makers'])
    await one.owner.post(data('makers'), { id: 1, name: 'a' })
    await one.queue.drain(one.app.env)
    expect((await one.runs('makers-only')).map(({ params }) => params.datatable)).toEqual(['makers'])
    const sent = await one.owner.post(data('products'), { sku: 'A-1', maker_id: 1 })
    expect(sent.status).toBe(201)
    expect(await one.app.sql(`select * from tenant._deliveries`)).toEqual([])
    const every = await one.listener('every-table', ['RECORD_CREATE'], noop)
    await one.owner.post(data('products'), { sku: 'A-2', maker_id: 1 })
    await one.queue.drain(one.app.env)
    expect(await one.runs('makers-only')).toHaveLength(1)
    expect((await one.runs('every-table')).map(({ params }) => params.datatable)).toEqual(['products'])
    await one.unsubscribe('RECORD_CREATE', every)
  })

  it('belongs to a table, not to its name: a restored table keeps it, a new one of the name does not', async () => {
    const fields = [{ name: 'id', type: 'integer' }]
    const create = () =>
      one.owner.post('/apps/shop/datatables/create_schema/?materialize=true', {
        resources: [{ name: 'boats', schema: { fields, primaryKey: 'id' } }],
      })
    await create()
    const id = await one.listener('boat-events', [], noop)
    await subscribe('RECORD_CREATE', id, ['boats'])
    const shown = async () => {
      const { subscribers } = (await one.owner.get('/apps/shop/events/RECORD_CREATE/')).body.data
      return subscribers.find((each: { function_id: number }) => each.function_id === id).tables
    }
    const heard = async (table: string, record: number) => {
      await one.owner.post(data(table), { id: record })
      await one.queue.drain(one.app.env)
      return (await one.runs('boat-events')).map(({ params }) => params.record_id)
    }
    expect([await heard('boats', 1), await shown()]).toEqual([[1], ['boats']])
    await one.owner.delete('/apps/shop/datatables/boats/')
    expect(await shown()).toEqual([])
    await create()
    expect([await heard('boats', 2), await shown()]).toEqual([[1], []])
    const restored = await one.owner.post('/apps/shop/datatables/boats/restore/', { name: 'ships' })
    expect([restored.status, await shown()]).toEqual([200, ['ships']])
    expect(await heard('ships', 3)).toEqual([1, 3])
  })
})
