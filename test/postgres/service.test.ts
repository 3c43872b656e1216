/** The service on the oldest supported version of Postgres: one operation of each kind, with its API. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onConnection } from '../../dev/connection.ts'
import { type Service, startService } from '../support/service.ts'
import { otherVersions, programsOf } from './versions.ts'

const [oldest] = otherVersions

let service: Service
beforeAll(async () => {
  service = await startService([], {}, await programsOf(oldest))
})
afterAll(() => service?.stop())

const data = '/api/apps/town/datatables'
const send = <Body>(method: string, path: string, body?: unknown) =>
  service.client.request<Body>(method, path, body)

describe(`on Postgres ${oldest}`, () => {
  it('the service runs', async () => {
    const version = await onConnection(service.postgres.superuserUrl(), async (client) => {
      const { rows } = await client.query<{ version: string }>('select version()')
      return rows[0]?.version
    })
    expect(version).toMatch(new RegExp(`^PostgreSQL ${oldest}\\.`))
  })

  it('a site is created', async () => {
    expect(
      await send('POST', '/api/cloud/organizations/harbour-street/sites/', {
        name: 'Second',
        slug: 'second',
      }),
    ).toMatchObject({ slug: 'second' })
  })

  it('tables are created, with a foreign key and a graph', async () => {
    await send('POST', '/api/apps/', { name: 'Town' })
    const id = { name: 'id', type: 'integer' }
    const name = { name: 'name', type: 'string', constraints: { required: true } }
    await send('POST', `${data}/create_schema/?materialize=true`, {
      resources: [
        { name: 'streets', schema: { fields: [id, name], primaryKey: 'id' } },
        {
          name: 'houses',
          schema: {
            fields: [id, name, { name: 'street_id', type: 'integer' }, { name: 'built_on', type: 'date' }],
            primaryKey: 'id',
            foreignKeys: [{ fields: 'street_id', reference: { resource: 'streets', fields: 'id' } }],
            hierarchy: true,
          },
        },
      ],
    })
    expect(await send('GET', `${data}/houses/`)).toMatchObject({ name: 'houses', is_materialized: true })
  })

  it('records are created, changed, read with a filter and counted', async () => {
    await send('POST', `${data}/streets/data/`, [{ id: 1, name: 'Mill Lane' }])
    await send('POST', `${data}/houses/data/`, [
      { id: 1, name: 'Mill', street_id: 1, built_on: '1850-06-01' },
      { id: 2, name: 'Shed', street_id: 1 },
      { id: 3, name: 'Barn', street_id: 1 },
    ])
    await send('PATCH', `${data}/houses/data/2/`, { name: 'Old shed' })
    expect(
      await send('POST', `${data}/streets/data/upsert/?unique_fields=id`, [
        { id: 2, name: 'Sea Road' },
        { id: 1, name: 'Mill Lane' },
      ]),
    ).toMatchObject({ data: [{ id: 2 }, { id: 1 }], created_count: 1, updated_count: 1 })
    expect(
      await send('GET', `${data}/houses/data/?street_id.name__icontains=mill&ordering=-id&page_size=2`),
    ).toMatchObject({ meta: { count: 3 }, data: [{ name: 'Barn' }, { name: 'Old shed' }] })
  })

  it('edges are created, and a cycle of them is refused', async () => {
    const link = (from_id: number, to_id: number) =>
      send('POST', `${data}/houses/edges/`, [{ from_id, to_id, type: 'parent' }])
    await link(1, 2)
    await link(2, 3)
    await expect(link(3, 1)).rejects.toMatchObject({ status: 422 })
  })

  it('a secret is created and read', async () => {
    await send('POST', '/api/secrets/', { key: 'MAP_KEY', secret_type: 'api-key', value: { api_key: 'abc' } })
    expect(await send('GET', '/api/secrets/MAP_KEY/')).toMatchObject({ value: { api_key: 'abc' } })
  })
})
