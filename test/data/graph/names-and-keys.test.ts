/** Names of edge types in any script, and edges between records whose keys are numbers. G7. */
import { beforeAll, describe, expect, it } from 'vitest'
import { type BothProviders, createInBothProviders, providers } from '../../support/both-providers.ts'

const names = [
  'reports to',
  '上司',
  '2nd-line',
  '_',
  'Ελένη',
  'a-b_c 9',
  '__proto__',
  'x'.repeat(50),
  '一'.repeat(50),
]
const resources = [
  {
    name: 'people',
    schema: {
      fields: [
        { name: 'id', type: 'number' },
        { name: 'name', type: 'string' },
      ],
      primaryKey: 'id',
      graph: {
        enabled: true,
        types: names.map((name, place) => ({ name, inverse: `${place} inverse` })),
      },
    },
  },
]

let both: BothProviders
beforeAll(async () => {
  both = await createInBothProviders('names', resources, [])
})

describe.each(providers)('a graph in a %s datasource', (provider) => {
  const call = (method: string, path: string, body?: unknown) =>
    both.app.request(method, both.data[provider]('people').replace(/data\/$/, path), {
      token: both.shop.owner.token,
      ...(body === undefined ? {} : { body }),
    })

  it('finds records whose keys are numbers by their edges, however the numbers are written', async () => {
    const [boss, clerk] = [
      { id: 1.5, name: 'boss' },
      { id: -2, name: 'clerk' },
    ]
    expect((await call('POST', 'data/', [boss, clerk])).status).toBe(201)
    const made = await call('POST', 'edges/', [{ from_id: -2.0, to_id: 1.5, type: names[0] }])
    expect(made).toMatchObject({ status: 201, body: { results: [{ from_id: -2, to_id: 1.5 }] } })
    expect((await call('POST', 'edges/', [{ from_id: 7.25, to_id: 1.5, type: names[0] }])).status).toBe(400)
    expect((await call('GET', 'edges/?from_id=-2.00')).body.results).toMatchObject([{ to_id: 1.5 }])
    expect((await call('GET', 'data/1.50/?include=descendants')).body).toMatchObject({
      data: boss,
      '0 inverse': [{ ...clerk, _depth: 1, _relationship_type: names[0] }],
    })
    expect((await call('GET', 'data/?format=tree')).body).toMatchObject({
      data: [{ ...boss, children: [{ ...clerk, _relationship_type: names[0] }] }],
      total: 2,
    })
    expect((await call('GET', 'data/?format=graph')).body.data).toMatchObject({
      nodes: [boss, clerk],
      edges: [{ from: -2, to: 1.5, type: names[0] }],
    })
    expect((await call('DELETE', 'data/?ids=1.5,-2')).body).toEqual({ deleted: 2, ids: [1.5, -2] })
    expect((await call('GET', 'edges/')).body.total).toBe(0)
  })

  it.each(names)('has edges of the type %j in answers, filters and labels', async (type) => {
    await call('POST', 'data/', [{ id: 1 }, { id: 2 }])
    expect((await call('POST', 'edges/', [{ from_id: 2, to_id: 1, type }])).status).toBe(201)
    const query = encodeURIComponent(type)
    expect((await call('GET', `edges/?types=${query}`)).body.results).toMatchObject([{ type }])
    const answer = (await call('GET', `data/2/?include=ancestors&relationship_type=${query}`)).body
    expect(Object.getOwnPropertyDescriptor(answer, type)?.value).toMatchObject([
      { id: 1, _relationship_type: type },
    ])
    const list = await call('GET', `data/?include=ancestors&relationship_type=${query}&ordering=-id`)
    if (new TextEncoder().encode(type).length > 63) {
      expect(list).toMatchObject({
        status: 400,
        body: { details: { include: [expect.stringContaining('which has more than 63 bytes')] } },
      })
    } else {
      expect(Object.getOwnPropertyDescriptor(list.body.data[0], type)?.value).toMatchObject([{ id: 1 }])
    }
    expect((await call('DELETE', 'data/?ids=1,2')).body.deleted).toBe(2)
  })
})
