/** One grammar of paths into JSON: the same names and spellings in every place. R2, R7, R13, D6. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { addDocuments, createShop, type Shop } from '../../support/fixtures.ts'
import { jsonNames, spellings } from '../../support/json-names.ts'

const field = (name: string, type: string) => ({ name, type })
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
const indexed = jsonNames.slice(0, 45)
const resources = [
  { name: 'boxes', schema: { fields: [field('id', 'integer')], primaryKey: 'id' } },
  {
    name: 'things',
    schema: {
      fields: [field('id', 'integer'), field('box_id', 'integer'), field('o', 'object')],
      primaryKey: 'id',
      foreignKeys: [{ fields: 'box_id', reference: { resource: 'boxes', fields: 'id' } }],
      indexes: indexed.map((name, at) => ({
        name: `i${at}`,
        fields: [(spellings('o', [name], 'text')[at % 5] as string).concat('::number')],
      })),
    },
  },
  {
    name: 'parts',
    schema: {
      fields: [field('id', 'integer'), field('thing_id', 'integer')],
      primaryKey: 'id',
      foreignKeys: [{ fields: 'thing_id', reference: { resource: 'things', fields: 'id' } }],
    },
  },
]

/** An object with one member, whatever its name. */
const objectOf = (name: string, value: unknown) => Object.fromEntries([[name, value]])

/** Values where a wrong reading of a name would look. */
const decoys = [
  { a: { b: 9000, '': 9000, nullsfirst: 9000 }, k: { l: 9000 }, x: 9000, b: 9000, l: 9000, '"a"': 9000 },
  { a: { gt: 9000 }, '1': { '5': 9000 }, '"': { '': 9000 }, number: 9000, '.': { '.': 9000 } },
]
const numberOf = (at: number) => at + 1
const rows = [
  ...jsonNames.map((name, at) => ({ id: at + 1, box_id: 1, o: objectOf(name, numberOf(at)) })),
  ...decoys.map((o, at) => ({ id: 900 + at, box_id: 2, o })),
]

let app: TestApp
let shop: Shop
const paths = new Map<string, (table: string) => string>()

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'json-paths', { resources })
  paths.set('flat_table', shop.data).set('jsonb', await addDocuments(app, shop, resources))
  for (const data of paths.values())
    for (const [table, body] of [
      ['boxes', [{ id: 1 }, { id: 2 }]],
      ['things', rows],
      ['parts', jsonNames.map((_, at) => ({ id: at + 1, thing_id: at + 1 }))],
    ] as const)
      expect(await app.request('POST', data(table), { token: shop.owner.token, body })).toMatchObject({
        status: 201,
      })
})

describe.each(['flat_table', 'jsonb'])('a member of JSON in records of a %s table', (provider) => {
  const get = async (query: Record<string, string>, table = 'things') => {
    const path = `${paths.get(provider)?.(table)}?${new URLSearchParams(query)}`
    const { status, body } = await app.request('GET', path, { token: shop.owner.token })
    expect([path, status, body.details]).toEqual([path, 200, undefined])
    return body
  }
  const ids = async (query: Record<string, string>) =>
    (await get(query)).data.map(({ id }: { id: number }) => id)
  /** One of the spellings, another one for each name. */
  const one = (all: readonly string[], id: number): string => all[id % all.length] as string
  const named = (all: readonly string[], name: (position: number) => string) =>
    all.map((path, position) => `${path}::number as ${name(position)}`).join()

  const places: Record<string, (name: string, id: number, value: number) => Promise<void>> = {
    async 'a filter'(name, id, value) {
      const written = spellings('o', [name], 'text', true)
      const pairs = written.flatMap((path) => [
        [path, String(value)],
        [`${path}__gte`, String(value)],
        [`${path}__lt`, '9000'],
      ])
      expect(await ids(Object.fromEntries(pairs))).toEqual([id])
      expect(await ids({ [`${one(written, id)}::integer__in`]: `${value},-5` })).toEqual([id])
    },
    async filters(name, id, value) {
      const written = spellings('o', [name], 'text', true)
      const filters = written.flatMap((path) => [{ [path]: value }, { not: { [`${path}__null`]: true } }])
      expect(await ids({ filters: JSON.stringify({ and: filters }) })).toEqual([id])
    },
    async 'an order'(name, id) {
      const written = spellings('o', [name], 'text')
      for (const path of [written[0] as string, one(written, id)]) {
        const first = await ids({ ordering: `-${path}::number,id`, page_size: '1', id__lt: '900' })
        expect([path, first]).toEqual([path, [id]])
      }
    },
    async 'a group and its aggregates'(name, _, value) {
      const written = spellings('o', [name], 'expression')
      const _group_by = named(written, (position) => `v${position}`)
      const _aggregate = `count(*),max(${one(written, value)}::number) as m`
      const { data } = await get({ _group_by, _aggregate, [`o.${quoted(name)}`]: String(value) })
      const keys = Object.fromEntries(written.map((_path, position) => [`v${position}`, value]))
      expect(data).toEqual([{ ...keys, count: 1, m: value }])
    },
    async 'the order and the conditions of groups'(name, id, value) {
      const { data } = await get({
        _group_by: `${one(spellings('o', [name], 'expression'), id)}::number${name.length > 30 ? ' as v' : ''}`,
        _aggregate: 'count(*)',
        ordering: `-${one(spellings('o', [name], 'text'), id)}`,
        _having: `o.${quoted(name)}__gte=${value}`,
        id__lt: '900',
      })
      expect(data.map((row: object) => Object.values(row))).toEqual([[value, 1]])
    },
    async 'an annotation'(name, id, value) {
      const written = spellings('o', [name], 'expression')
      const _annotate = named(written, (position) => `v${position}`)
      const { data } = await get({ _annotate, v0: String(value), ordering: '-v1' })
      const values = Object.fromEntries(written.map((_path, position) => [`v${position}`, value]))
      expect(data).toMatchObject([{ id, ...values }])
    },
    async _distinct(name, id) {
      const path = one(spellings('o', [name], 'text'), id)
      const found = await ids({ _distinct: `${path}::number`, ordering: '-id', id__lt: '900' })
      const other = id === jsonNames.length ? id - 1 : jsonNames.length
      expect([path, found.toSorted()]).toEqual([path, [id, other].toSorted()])
    },
    async 'a question of populate'(name, id) {
      const path = one(spellings('o', [name], 'text', true), id)
      const things = { filters: { [`${path}__gt`]: 0 }, ordering: `-${path}::number`, fields: 'id', limit: 2 }
      const { data } = await get({ populate: JSON.stringify({ things }), id: '1' }, 'boxes')
      expect([path, data]).toEqual([path, [{ id: 1, things: [{ id }] }]])
    },
    async 'an aggregate of related records, and a filter and an order through one'(name, id, value) {
      const path = one(spellings('o', [name], 'expression'), id)
      const _annotate = `max(things.${path}::number) filter (where things.${path}::number > 0) as m`
      const { data } = await get({ _annotate, id: '1' }, 'boxes')
      expect([path, data]).toEqual([path, [{ id: 1, m: value }]])
      const text = one(spellings('o', [name], 'text', true), id)
      const parts = await get(
        { [`thing.${text}`]: String(value), ordering: `-thing.${text}::number` },
        'parts',
      )
      expect(parts.data).toEqual([{ id, thing_id: id }])
    },
  }
  const cases = Object.keys(places).flatMap((place) => jsonNames.map((name) => [place, name] as const))

  it.each(cases)('is found in %s: %j', async (place, name) => {
    const at = jsonNames.indexOf(name)
    await places[place]?.(name, at + 1, numberOf(at))
  })

  it('is indexed under its own name, however the index spells it', async () => {
    const physical = provider === 'flat_table' ? 'shop_things' : 'papers_things'
    for (const [at, name] of indexed.entries()) {
      const [{ found } = { found: 0 }] = await app.sql<{ found: number }>(
        `select count(*)::int as found from pg_indexes where schemaname = $1 and tablename = $2
           and indexname = $3 and position('array[' || quote_literal($4) in lower(indexdef)) > 0`,
        [shop.schema, physical, `${physical}$i${at}$idx`, name.toLowerCase()],
      )
      expect([name, found]).toEqual([name, 1])
    }
  })

  it('decides in an access rule what a guest sees, and what a write by filter changes', async () => {
    const path = paths.get(provider)?.('things') as string
    const or = jsonNames.map((name, at) => ({
      [one(spellings('o', [name], 'text', true), at)]: numberOf(at),
    }))
    const rules = [
      { name: 'a', who: 'anyone', can: ['read'], where: { or: or.slice(0, 40) } },
      { name: 'b', who: 'anyone', can: ['read'], where: { or: or.slice(40) } },
    ]
    const owner = { token: shop.owner.token }
    const put = await app.request('PUT', path.replace('data/', 'access/'), { ...owner, body: { rules } })
    expect([put.status, put.body.details]).toEqual([200, undefined])
    const { body } = await app.request('GET', `${path}?page_size=100&ordering=id&fields=id`)
    expect(body.data).toEqual(jsonNames.map((_, at) => ({ id: at + 1 })))
    const filter = (tree: unknown) => `${path}?filter=${encodeURIComponent(JSON.stringify(tree))}`
    const patched = await app.request('PATCH', filter({ or }), { ...owner, body: { box_id: 2 } })
    expect([patched.status, patched.body.data.length]).toEqual([200, jsonNames.length])
    const parts = paths.get(provider)?.('parts') as string
    expect((await app.request('DELETE', `${parts}?filter={"id__gt":0}`, owner)).status).toBe(200)
    for (const [at, one] of or.entries())
      expect([at, (await app.request('DELETE', filter(one), owner)).body]).toEqual([at, { deleted: 1 }])
    expect(await ids({})).toEqual(decoys.map((_, at) => 900 + at))
  })
})
