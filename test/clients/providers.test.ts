/**
 * Data providers of react-admin and refine work with records: the ones for json-server, which get the
 * address, the token and the profile, and the ones of the package tessera-client.
 */
import type { DataProvider as RefineProvider } from '@refinedev/core'
import simpleRest from '@refinedev/simple-rest'
import axios from 'axios'
import { type DataProvider as AdminProvider, fetchUtils } from 'ra-core'
import jsonServer from 'ra-data-json-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../client/dist/index.js'
import { dataProvider as adminProvider } from '../../client/dist/react-admin.js'
import { dataProvider as refineProvider } from '../../client/dist/refine.js'
import { app, type Stack, startStack } from './stack.ts'

let stack: Stack
const accept = 'application/json;profile=array'

beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack.stop())

const makers = () => `${stack.base}/api/apps/${app}/datatables`
const names = (records: readonly object[]) => records.map((record) => (record as { name?: unknown }).name)

const client = () => createClient({ url: stack.base, auth: { token: stack.token } })

/** The providers, each with the suffix of its resource names after the table name. */
const adminProviders: [name: string, provider: () => AdminProvider, suffix: string][] = [
  [
    'ra-data-json-server',
    () =>
      jsonServer(makers(), (url, options = {}) =>
        fetchUtils.fetchJson(url, {
          ...options,
          headers: new Headers({ accept, authorization: `Bearer ${stack.token}` }),
        }),
      ),
    '/data',
  ],
  ['tessera-client/react-admin', () => adminProvider(client(), { app }), ''],
]

describe.each(adminProviders)('%s', (name, provider, suffix) => {
  const resource = `tools${suffix}`
  const list = (page: number, perPage: number, field: string, order: 'ASC' | 'DESC', filter = {}) =>
    provider().getList(resource, { pagination: { page, perPage }, sort: { field, order }, filter })
  const ids: number[] = []
  let makerId: number

  it('creates records', async () => {
    const { data: maker } = await provider().create(`makers${suffix}`, { data: { name } })
    makerId = maker.id
    for (const tool of ['Saw', 'Axe', 'Drill', 'Plane', 'File']) {
      const { data } = await provider().create(resource, {
        data: { name: tool, fee: tool.length, maker_id: maker.id },
      })
      expect(data).toMatchObject({ name: tool, id: expect.any(Number) })
      ids.push(data.id)
    }
  })

  it('lists, sorts, filters, and pages', async () => {
    const first = await list(1, 2, 'name', 'ASC')
    expect([first.total, names(first.data)]).toEqual([5, ['Axe', 'Drill']])
    expect(names((await list(2, 2, 'name', 'ASC')).data)).toEqual(['File', 'Plane'])
    expect(names((await list(1, 10, 'name', 'DESC')).data)).toEqual(['Saw', 'Plane', 'File', 'Drill', 'Axe'])
    expect(await list(1, 10, 'id', 'ASC', { name: 'Saw' })).toMatchObject({
      total: 1,
      data: [{ name: 'Saw' }],
    })
    expect((await list(1, 10, 'id', 'ASC', { fee_gte: 5 })).total).toBe(2)
  })

  it('gets one, many, and the records that reference one', async () => {
    expect((await provider().getOne(resource, { id: ids[0] })).data).toMatchObject({
      id: ids[0],
      name: 'Saw',
    })
    expect(names((await provider().getMany(resource, { ids: [ids[0], ids[3]] as number[] })).data)).toEqual([
      'Saw',
      'Plane',
    ])
    const of = {
      target: 'maker_id',
      id: makerId,
      pagination: { page: 1, perPage: 3 },
      sort: { field: 'id', order: 'ASC' as const },
      filter: {},
    }
    expect(await provider().getManyReference(resource, of)).toMatchObject({ total: 5, data: [{}, {}, {}] })
  })

  it('updates a record that it has read, and loses no property', async () => {
    const { data: before } = await provider().getOne(resource, { id: ids[1] })
    const changed = await provider().update(resource, {
      id: before.id,
      data: { ...before, fee: 9.5 },
      previousData: before,
    })
    expect(changed.data).toEqual({ ...before, fee: 9.5, updated_at: expect.any(String) })
    const many = await provider().updateMany(resource, { ids: ids.slice(0, 2), data: { name: 'Same' } })
    expect(many.data).toEqual(ids.slice(0, 2))
  })

  it('deletes one and many; an error has its status', async () => {
    const [id] = ids as [number]
    expect((await provider().delete(resource, { id, previousData: { id } })).data).toMatchObject({ id })
    expect((await provider().deleteMany(resource, { ids: ids.slice(1) })).data).toEqual(ids.slice(1))
    expect((await list(1, 10, 'id', 'ASC')).total).toBe(0)
    await expect(provider().getOne(resource, { id })).rejects.toMatchObject({ status: 404 })
    await expect(provider().create(resource, { data: { fee: -1 } })).rejects.toMatchObject({
      status: 400,
      body: { error: 'Validation failed', code: 'validation_failed' },
    })
  })
})

const refineProviders: [name: string, provider: () => RefineProvider, suffix: string][] = [
  [
    '@refinedev/simple-rest',
    () =>
      simpleRest(
        makers(),
        axios.create({ headers: { accept, authorization: `Bearer ${stack.token}` } }),
      ) as RefineProvider,
    '/data',
  ],
  ['tessera-client/refine', () => refineProvider(client(), { app, apiUrl: makers() }), ''],
]

describe.each(refineProviders)('%s', (_name, provider, suffix) => {
  const resource = `tools${suffix}`
  const ids: number[] = []

  it('creates one record and many', async () => {
    for (const name of ['Saw', 'Axe', 'Drill', 'Plane', 'File']) {
      const { data } = await provider().create({ resource, variables: { name, fee: name.length } })
      expect(data).toMatchObject({ name, id: expect.any(Number) })
      ids.push(data.id as number)
    }
  })

  it('lists, sorts, filters, and pages', async () => {
    const page = (currentPage: number, order: 'asc' | 'desc') =>
      provider().getList({
        resource,
        pagination: { currentPage, pageSize: 2, mode: 'server' },
        sorters: [{ field: 'name', order }],
      })
    const first = await page(1, 'asc')
    expect([first.total, names(first.data)]).toEqual([5, ['Axe', 'Drill']])
    expect(names((await page(2, 'asc')).data)).toEqual(['File', 'Plane'])
    expect(names((await page(1, 'desc')).data)).toEqual(['Saw', 'Plane'])
    const found = await provider().getList({
      resource,
      filters: [{ field: 'fee', operator: 'gte', value: 5 }],
    })
    expect(names(found.data)).toEqual(['Drill', 'Plane'])
    expect(
      (await provider().getList({ resource, filters: [{ field: 'name', operator: 'eq', value: 'Saw' }] }))
        .total,
    ).toBe(1)
  })

  it('gets one record and many', async () => {
    expect((await provider().getOne({ resource, id: ids[0] as number })).data).toMatchObject({
      id: ids[0],
      name: 'Saw',
    })
    const many = await provider().getMany?.({ resource, ids: [ids[0], ids[3]] as number[] })
    expect(names(many?.data ?? [])).toEqual(['Saw', 'Plane'])
  })

  it('updates a part of a record, and a whole record', async () => {
    const id = ids[1] as number
    const part = await provider().update({ resource, id, variables: { fee: 9.5 } })
    expect(part.data).toMatchObject({ id, name: 'Axe', fee: 9.5 })
    const whole = await provider().update({
      resource,
      id,
      variables: { name: 'Hatchet' },
      meta: { method: 'put' },
    })
    expect(whole.data).toMatchObject({ id, name: 'Hatchet', fee: null })
  })

  it('deletes records; an error has its status', async () => {
    for (const id of ids) await provider().deleteOne({ resource, id })
    expect((await provider().getList({ resource })).total).toBe(0)
    await expect(provider().getOne({ resource, id: ids[0] as number })).rejects.toMatchObject({ status: 404 })
    await expect(provider().create({ resource, variables: { fee: -1 } })).rejects.toMatchObject({
      status: 400,
    })
  })
})
