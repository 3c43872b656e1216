/** Searches: what they find, in which language, with which rank, and what they return. D6, R14. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { addDocuments, createShop, type Shop } from '../../support/fixtures.ts'

const resources = [
  {
    name: 'makers',
    schema: {
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'name', type: 'string' },
      ],
      primaryKey: 'id',
      search_fields: ['name'],
      search_language: 'simple',
    },
  },
  {
    name: 'works',
    schema: {
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'title', type: 'string' },
        { name: 'notes', type: 'string' },
        { name: 'price', type: 'number' },
        { name: 'maker_id', type: 'integer' },
      ],
      primaryKey: 'id',
      foreignKeys: [{ fields: 'maker_id', reference: { resource: 'makers', fields: 'id' } }],
      indexes: [{ name: 'words', fields: ['title'], method: 'trigram' }],
      search_fields: [{ field: 'title', weight: 'A' }, { field: 'notes' }],
    },
  },
  { name: 'plain', schema: { fields: [{ name: 'id', type: 'integer' }], primaryKey: 'id' } },
]
const makers = [
  { id: 1, name: 'Anna Brier' },
  { id: 2, name: 'Otto' },
]
const works = [
  { id: 1, title: 'Red bridges at night', notes: 'Of Häuser & <b>boats</b>', price: 5, maker_id: 1 },
  { id: 2, title: 'Boats', notes: 'A "bridge" in the harbour', price: 5, maker_id: 2 },
  { id: 3, title: "The brier's hammer", notes: null, price: 1 },
  { id: 4, title: null, notes: 'bridge bridge bridge', price: 9, maker_id: 1 },
]

let app: TestApp
let shop: Shop
const paths = new Map<string, (table: string) => string>()

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'searches', { resources })
  const papers = await addDocuments(app, shop, resources)
  const { token } = shop.owner
  for (const [provider, data] of [
    ['flat_table', shop.data],
    ['jsonb', papers],
  ] as const) {
    paths.set(provider, data)
    await app.request('POST', data('makers'), { token, body: makers })
    expect(await app.request('POST', data('works'), { token, body: works })).toMatchObject({ status: 201 })
  }
})

describe.each(['flat_table', 'jsonb'])('a search of a %s table', (provider) => {
  const get = (query: string, table = 'works') =>
    app.request('GET', `${paths.get(provider)?.(table)}?${query}`, { token: shop.owner.token })
  const idsOf = async (query: string, table?: string): Promise<number[]> => {
    const { status, body } = await get(query, table)
    expect([status, body.details]).toEqual([200, undefined])
    return body.data.map(({ id }: { id: number }) => id)
  }
  const found = async (search: string, more = '') =>
    (await idsOf(`search=${encodeURIComponent(search)}&ordering=id${more}`)).join()
  const filters = (tree: unknown) => `filters=${encodeURIComponent(JSON.stringify(tree))}`

  it('returns 400 and names every invalid parameter', async () => {
    const wrong = 'search=bridge&_language=klingon&_rank=perhaps&_highlight=price,gone&_fuzzy=2'
    expect(await get(wrong)).toMatchObject({
      status: 400,
      body: {
        error: 'Validation failed',
        details: {
          _language: [
            expect.stringMatching(/^Unknown language "klingon"\. Languages: arabic, .*, yiddish\.$/),
          ],
          _rank: ['Must be true or false; "perhaps" is not.'],
          _fuzzy: ['Must be true or false; "2" is not.'],
          _highlight: [
            '"price" is not a searched field. Searched fields: title, notes.',
            '"gone" is not a searched field. Searched fields: title, notes.',
          ],
        },
        code: 'validation_failed',
      },
    })
    const alone = await get('_rank=true&_highlight=title&ordering=-_rank')
    expect(alone.body.details).toEqual({
      ordering: ['"_rank" is the rank of a search: add search.'],
      _rank: ['Only applies to a search: add search.'],
      _highlight: ['Only applies to a search: add search.'],
    })
    const grouped = await get('search=x&_rank=true&_highlight=title&_aggregate=count(*)')
    expect(grouped.body.details).toEqual({
      _rank: ['Only applies to records: omit _aggregate and _group_by.'],
      _highlight: ['Only applies to records: omit _aggregate and _group_by.'],
    })
  })

  it('returns 400 for invalid searches in filters, and for tables that cannot be searched', async () => {
    const tree = {
      or: [{ search: 5 }, { search: ' ' }, { search: 'x'.repeat(1001) }, { 'maker.serach': 'x' }],
    }
    expect((await get(filters(tree))).body.details).toEqual({
      filters: [
        'A search is a text, for example {"search": "bridge"}; 5 is not.',
        'A search needs at least one word.',
        'A search may have 1000 characters at most.',
        'Unknown field "serach" of "makers". Fields: id, name.',
      ],
    })
    expect((await get(filters({ search: 'x' }), 'plain')).body.details).toEqual({
      filters: ['"plain" cannot be searched: its schema has no search_fields.'],
    })
    expect((await get(`search=${'a '.repeat(101)}`)).body.details).toEqual({
      search: ['A search may have 100 words at most.'],
    })
    expect((await get('search=brier&_fuzzy=true', 'makers')).body.details).toEqual({
      search: ['"makers" has no trigram index of a searched field, which _fuzzy needs.'],
    })
    expect((await get(`search=${'abcde '.repeat(11)}&_fuzzy=true`)).body.details).toEqual({
      search: ['With _fuzzy, a search may have 10 longer words at most.'],
    })
  })

  it('finds words, phrases, prefixes and alternatives, and excludes words', async () => {
    expect(await found('bridge')).toBe('1,2,4')
    expect(await found('BRIDGES boat')).toBe('1,2')
    expect(await found('bri*')).toBe('1,2,3,4')
    expect(await found('bri* -bridge')).toBe('3')
    expect(await found('the bri*')).toBe('1,2,3,4')
    expect(await found('"red bridge"')).toBe('1')
    expect(await found('"bridge red"')).toBe('')
    expect(await found('"red bridge')).toBe('1')
    expect(await found('hammer or night -boats')).toBe('3')
    expect(await found('night -"red bridge" or hammer')).toBe('3')
    expect(await found('-bridge')).toBe('3')
    expect(await found('or')).toBe('')
    expect(await found('the or bri*')).toBe('1,2,3,4')
    expect(await found('-the bri*')).toBe('1,2,3,4')
    // A prefix may be a stop word.
    expect(await found('a*')).toBe('1,2')
    expect(await found('o*')).toBe('1')
  })

  it('forgives what is incomplete at the end of the text that is being typed', async () => {
    for (const typed of ['bridge or', 'bridge OR ', 'bridge or or', 'bridge "', 'bridge or "', 'bridge -'])
      expect([typed, await found(typed)]).toEqual([typed, '1,2,4'])
    for (const typed of ['"red bridges at', '"red bridges', '"red bri', '"red b', 'night "re'])
      expect([typed, await found(typed)]).toEqual([typed, '1'])
    expect(await found('night -"red bri')).toBe('')
    expect(await found('anna or', '')).toBe('')
    expect(await idsOf('search=otto+or&ordering=id', 'makers')).toEqual([2])
    expect(await idsOf('search=otto+or+br*&ordering=id', 'makers')).toEqual([1, 2])
  })

  it('accepts any text', async () => {
    const texts = [
      "'",
      "b'*",
      '\\*',
      '\\',
      '*',
      '**',
      '-',
      '--x',
      '"',
      '""',
      '-"',
      '&|!():*',
      "x':*",
      '<->',
      ':',
    ]
    for (const text of texts)
      expect([text, await found(text, '&_fuzzy=true')]).toEqual([text, expect.any(String)])
    expect(await found('!bridge')).toBe('1,2,4')
    expect(await found("brier's*")).toBe('3')
  })

  it('can use another language', async () => {
    expect(await found('haus')).toBe('')
    expect(await found('haus', '&_language=german')).toBe('1')
    expect(await found('bridge', '&_language=simple')).toBe('2,4')
    expect(await found('bridg*', '&_language=simple')).toBe('1,2,4')
    expect(await found('the', '&_language=simple')).toBe('2,3')
  })

  it('can be part of filters, combined with others and along paths', async () => {
    const of = (tree: unknown) => idsOf(`${filters(tree)}&ordering=id`)
    expect(await of({ search: 'bridge', price__gt: 5 })).toEqual([4])
    expect(await of({ or: [{ search: 'hammer' }, { price: 9 }] })).toEqual([3, 4])
    expect(await of({ not: { search: 'bridge' } })).toEqual([3])
    expect(await of({ 'maker.search': 'anna' })).toEqual([1, 4])
    expect(await of({ not: { 'maker.search': 'anna' } })).toEqual([2, 3])
    expect(await idsOf('maker.search=bri*&ordering=id')).toEqual([1, 4])
    const asked = encodeURIComponent(
      JSON.stringify({ works: { filters: { search: 'red' }, ordering: '-_rank' } }),
    )
    expect((await get(`populate=${asked}&id=1`, 'makers')).body.data).toEqual([
      { id: 1, name: 'Anna Brier', works: [expect.objectContaining({ id: 1 })] },
    ])
  })

  it('can be sorted by rank together with other fields, and returns the rank', async () => {
    expect(await idsOf('search=bridge')).toEqual([1, 4, 2])
    expect(await idsOf('search=bridge&ordering=-price,-_rank')).toEqual([4, 1, 2])
    expect(await idsOf(`${filters({ search: 'bridge' })}&ordering=_rank`)).toEqual([2, 4, 1])
    const { body } = await get('search=bridge&_rank=true&fields=id&page_size=1')
    expect(body.data).toEqual([{ id: 1, _rank: 0.6079271 }])
    const excluding = await get('search=bridge -boats&_rank=true&fields=id'.replace(' ', '+'))
    const alone = await get('search=bridge&_rank=true&fields=id')
    const withoutBoats = ({ id }: { id: number }) => id === 4
    expect(excluding.body.data).toEqual(alone.body.data.filter(withoutBoats))
    expect((await get('search=-boats&_rank=true&fields=id')).body.data).toEqual([
      { id: 3, _rank: 0 },
      { id: 4, _rank: 0 },
    ])
    const pages: unknown[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await get(`search=bridge&ordering=price,-_rank&_rank=true&page_size=1&after=${cursor}`)
      pages.push(...page.body.data.map(({ id }: { id: number }) => id))
      cursor = page.body.meta.next
    }
    expect(pages).toEqual([1, 2, 4])
  })

  it('returns highlights that are safe in HTML', async () => {
    const query =
      'search=bridge%20or%20boats%20or%20hau*%20-red&_highlight=title,notes&fields=title&ordering=id'
    expect((await get(query)).body.data).toEqual([
      {
        title: 'Red bridges at night',
        _highlight: {
          title: 'Red <mark>bridges</mark> at night',
          notes: 'Of Häuser &amp; &lt;b&gt;<mark>boats</mark>&lt;/b&gt;',
        },
      },
      {
        title: 'Boats',
        _highlight: {
          title: '<mark>Boats</mark>',
          notes: 'A &quot;<mark>bridge</mark>&quot; in the harbour',
        },
      },
      {
        title: null,
        _highlight: { title: null, notes: '<mark>bridge</mark> <mark>bridge</mark> <mark>bridge</mark>' },
      },
    ])
    const apostrophe = await get('search=hammer&_highlight=title&fields=id&_language=german')
    expect(apostrophe.body.data).toEqual([
      { id: 3, _highlight: { title: 'The brier&#39;s <mark>hammer</mark>' } },
    ])
  })

  it('with _fuzzy finds longer words with one typo in fields that have a trigram index', async () => {
    const words = [
      'hamer',
      'hammmer',
      'hamner',
      'hmamer',
      'ahmmer',
      'ammer',
      'hammre',
      'hammere',
      'HAMNER',
      'hamemr',
    ]
    for (const word of words) expect([word, await found(word, '&_fuzzy=true')]).toEqual([word, '3'])
    for (const word of ['hamr', 'hanner', 'hmmaer', '"hamer"', 'hamnr', '-hamer hammer -hammer'])
      expect([word, await found(word, '&_fuzzy=true')]).toEqual([word, ''])
    expect(await found('hamer')).toBe('')
    expect(await found('hamer or nihgt', '&_fuzzy=true')).toBe('1,3')
    expect(await found('hamer -brier', '&_fuzzy=true')).toBe('')
    expect(await found('the hamer', '&_fuzzy=true')).toBe('3')
    expect(await found('the', '&_fuzzy=true')).toBe('')
    // The notes have no trigram index.
    expect(await found('habrour', '&_fuzzy=true')).toBe('')
  })

  it('can be the filter of changes and deletions', async () => {
    const path = `${paths.get(provider)?.('works')}?filter=${encodeURIComponent('{"search": "hammer"}')}`
    const { token } = shop.owner
    expect(await app.request('PATCH', path, { token, body: { price: 2 } })).toMatchObject({
      status: 200,
      body: { data: [{ id: 3, price: 2 }] },
    })
    expect(await app.request('DELETE', `${path}&expect=1`, { token })).toMatchObject({ status: 200 })
    expect(await found('hammer')).toBe('')
  })
})

describe.each(['flat_table', 'jsonb'])(
  'a list by rank of a %s table with more than 10,000 matches',
  (provider) => {
    const count = 10_050
    /** The ids of those that match better; the first is not among the newest 10,000. */
    const better = [7, 5_000]

    beforeAll(async () => {
      const rows = `select n + 100000 as id, 'gravel' as title, case when n in (${better}) then 'gravel' end as notes
                    from generate_series(1, ${count}) n`
      await app.sql(
        provider === 'jsonb'
          ? `insert into ${shop.schema}.papers_works (_data) select to_jsonb(r) from (${rows}) r`
          : `insert into ${shop.schema}.shop_works (id, title, notes) ${rows}`,
      )
    })

    const list = async (query: string) => {
      const path = `${paths.get(provider)?.('works')}?search=gravel&fields=id&page_size=2&${query}`
      const { body } = await app.request('GET', path, { token: shop.owner.token })
      return { ids: body.data.map(({ id }: { id: number }) => id - 100_000), ...body }
    }

    it('ranks the newest 10,000 by their keys, and says so on each page', async () => {
      const first = await list('')
      expect([first.ids, first.total, first.meta]).toEqual([
        [5_000, 51],
        count,
        { offset: 0, limit: 2, count, has_more: true, total_is: 'exact', ranked_of: 10_000 },
      ])
      const last = await list('page=5000')
      expect([last.ids, last.total, last.meta]).toEqual([
        [count - 1, count],
        count,
        { offset: 9_998, limit: 2, count, has_more: false, total_is: 'exact', ranked_of: 10_000 },
      ])
      const beyond = await list('page=5001')
      expect([beyond.ids, beyond.total, beyond.meta.ranked_of]).toEqual([[], count, 10_000])
      expect((await list('_total=none')).meta).toMatchObject({ total_is: 'none', ranked_of: 10_000 })
    })

    it('ranks all where the list is read by cursors, and with fewer matches', async () => {
      const walked = await list('after=')
      expect([walked.ids, walked.meta.ranked_of]).toEqual([[7, 5_000], undefined])
      const few = await list('id__gt=109000')
      expect([few.ids, few.total, few.meta.ranked_of]).toEqual([[9_001, 9_002], 1_050, undefined])
      const fewUncounted = await list('id__gt=110049&_total=none')
      expect([fewUncounted.ids, fewUncounted.meta.ranked_of]).toEqual([[10_050], undefined])
    })
  },
)
