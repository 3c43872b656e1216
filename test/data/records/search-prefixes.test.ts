/** A search for the beginning of a word finds every record that has the word, whatever its stem. D6. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { addDocuments, createShop, type Shop } from '../../support/fixtures.ts'
import { runs } from '../../support/runs.ts'
import { seed } from '../../support/seed.ts'

const languages = ['english', 'german', 'simple', 'french'] as const
const fields = [
  { name: 'id', type: 'integer' },
  { name: 'title', type: 'string' },
  { name: 'notes', type: 'string' },
]
const resources = languages.map((language) => ({
  name: `texts_${language}`,
  schema: { fields, primaryKey: 'id', search_fields: ['title', 'notes'], search_language: language },
}))

/** Words whose stems differ from their beginnings, and signs that Postgres takes for a part of a word. */
const words = [
  ...['running', 'runner', 'organization', 'organizing', 'happy', 'cities', 'skies', 'the', 'being', 'news'],
  ...['Häuser', 'Bäume', 'gegangen', 'Straße', 'über', 'œuvres', 'élèves', 'ÉTÉ', 'naïve', 'Ελλάδα', 'мороз'],
  ...['3', '3.14', '1e5', '2026-01-31', 'abc123', '123abc', 'R2D2', 'x', 'I', 'C', '007'],
  ...['ann@example.org', 'https://example.org/running/files?x=1', 'well-known', 'snake_case', "don't"],
  ...['/usr/local/lib', 'a&b', 'x<y>', 'AT&T', '(paren)', 'semi;colon', 'back\\slash', 'per%cent', '日本語'],
]
const separators = [' ', ', ', '. ', ' – ', '\n', '; ', '/', '"', " '", '_']

/** The words of a text: what stands between blanks, signs and punctuation. */
const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? []

const someText = fc
  .array(fc.tuple(fc.constantFrom(...words), fc.constantFrom(...separators)), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.flat().join(''))

interface Found {
  id: number
  _highlight?: Record<'title' | 'notes', string>
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** Returns the text of a highlight, and the text in which a blank stands for each mark. Marks are not nested. */
function readHighlight(html: string): { text: string; unmarked: string } {
  const unescaped = (text: string) => text.replace(/&(#39|\w+);/g, (_, name) => entities[name] ?? '?')
  const unmarked = html.replace(/<mark>[^<]+<\/mark>/g, ' ')
  return { text: unescaped(html.replace(/<mark>([^<]+)<\/mark>/g, '$1')), unmarked: unescaped(unmarked) }
}

let app: TestApp
let shop: Shop
const paths = new Map<string, (table: string) => string>()

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'prefixes', { resources })
  paths.set('flat_table', shop.data)
  paths.set('jsonb', await addDocuments(app, shop, resources))
})

describe.each(['flat_table', 'jsonb'])('in a %s table', (provider) => {
  const path = (language: string) => paths.get(provider)?.(`texts_${language}`) ?? ''
  const recordsOf = async (language: string, search: string, more = {}): Promise<Found[]> => {
    const query = new URLSearchParams({ search, fields: 'id', page_size: '1000', ordering: 'id', ...more })
    const { status, body } = await app.request('GET', `${path(language)}?${query}`, {
      token: shop.owner.token,
    })
    expect([search, status]).toEqual([search, 200])
    return body.data
  }
  const idsOf = async (language: string, search: string): Promise<number[]> =>
    (await recordsOf(language, search)).map(({ id }) => id)
  const write = (language: string, body: unknown) =>
    app.request('POST', path(language), { token: shop.owner.token, body })
  const clear = (language: string) =>
    app.request('DELETE', `${path(language)}?all=true`, { token: shop.owner.token })

  it('finds a word by each of its beginnings, and by itself, while it is typed', async () => {
    await clear('english')
    await write('english', [
      { id: 1, title: 'Running in the rain' },
      { id: 2, notes: 'An organization' },
    ])
    for (const typed of ['r*', 'ru*', 'run*', 'runn*', 'runni*', 'running*', 'RUNN*', '"running in th'])
      expect([typed, await idsOf('english', typed)]).toEqual([typed, [1]])
    for (const typed of ['organ*', 'organi*', 'organiz*', 'organization*', 'an*'])
      expect([typed, await idsOf('english', typed)]).toEqual([typed, [2]])
    for (const typed of ['unn*', 'runnx*', '-runn* rain', 'runn* snow'])
      expect([typed, await idsOf('english', typed)]).toEqual([typed, []])
    expect(await idsOf('english', 'runn* or organi*')).toEqual([1, 2])
    expect(await idsOf('english', 'runn* -organi*')).toEqual([1])
  })

  it('has an index of its words however it was made: new, changed, materialized or restored', async () => {
    const base = path('english').replace(/[^/]+\/data\/$/, '')
    const send = async (method: string, to: string, body?: unknown) => {
      const answer = await app.request(method, `${base}${to}`, { token: shop.owner.token, body })
      expect([to, answer.status < 300, answer.body]).toEqual([to, true, expect.toSatisfy(() => true)])
    }
    const schemaOf = (...searched: string[]) => ({
      ...{ fields, primaryKey: 'id' },
      ...(searched.length > 0 ? { search_fields: searched } : {}),
    })
    const create = (name: string, materialize: boolean, ...searched: string[]) =>
      send(
        'POST',
        `create_schema/?materialize=${materialize}${provider === 'jsonb' ? '&datasource=papers' : ''}`,
        {
          resources: [{ name, schema: schemaOf(...searched) }],
        },
      )
    const searched = async (name: string) =>
      (
        await app.sql<{ indexdef: string }>(
          `select indexdef from pg_indexes where schemaname = $1 and tablename = $2 and indexdef ~ 'simple'::text`,
          [shop.schema, `${provider === 'jsonb' ? 'papers' : 'shop'}_${name}`],
        )
      ).map(({ indexdef }) => ['title', 'notes'].filter((field) => indexdef.includes(field)))
    await create('made', true, 'title', 'notes')
    await create('draft', false, 'title')
    expect(await searched('draft')).toEqual([])
    await send('POST', 'draft/materialize/')
    await create('later', true)
    expect(await searched('later')).toEqual([])
    await send('PATCH', 'later/', { json_schema: schemaOf('title') })
    await create('gone', true, 'title')
    await send('DELETE', 'gone/')
    await send('POST', 'gone/restore/', { name: 'back' })
    expect([await searched('made'), await searched('draft'), await searched('later')]).toEqual([
      [['title', 'notes']],
      [['title']],
      [['title']],
    ])
    await send('PATCH', 'later/', { json_schema: schemaOf('notes') })
    expect([await searched('later'), await searched('gone'), await searched('back')]).toEqual([
      [['notes']],
      [],
      [['title']],
    ])
    await send('PATCH', 'back/', { json_schema: schemaOf() })
    expect(await searched('back')).toEqual([])
  })

  it('shows a rank for a record that only the beginning of a word finds', async () => {
    await clear('english')
    await write('english', [{ id: 1, title: 'running' }])
    const { body } = await app.request('GET', `${path('english')}?search=runn*&_rank=true&fields=id`, {
      token: shop.owner.token,
    })
    expect(body.data).toEqual([{ id: 1, _rank: expect.closeTo(0.06, 2) }])
  })

  it('marks the words that only their beginnings find, and no other words', async () => {
    await clear('english')
    const title = '<b>Running</b> runners, ann@running.org re-run; "RUNNING" prerunning runn'
    await write('english', [{ id: 1, title, notes: 'No organization, organizing running' }])
    const highlights = async (search: string) => {
      const query = new URLSearchParams({ search, fields: 'id', _highlight: 'title,notes' })
      const { status, body } = await app.request('GET', `${path('english')}?${query}`, {
        token: shop.owner.token,
      })
      expect(status).toBe(200)
      return body.data[0]?._highlight
    }
    expect(await highlights('runn*')).toEqual({
      title:
        '&lt;b&gt;<mark>Running</mark>&lt;/b&gt; <mark>runners</mark>, ann@<mark>running</mark>.org re-run; ' +
        '&quot;<mark>RUNNING</mark>&quot; prerunning <mark>runn</mark>',
      notes: 'No organization, organizing <mark>running</mark>',
    })
    expect(await highlights('runni* -snow*')).toEqual({
      title:
        '&lt;b&gt;<mark>Running</mark>&lt;/b&gt; runners, ann@<mark>running</mark>.org re-run; ' +
        '&quot;<mark>RUNNING</mark>&quot; prerunning runn',
      notes: 'No organization, organizing <mark>running</mark>',
    })
    expect((await highlights('organiza* or "no orga')).notes).toBe(
      '<mark>No</mark> <mark>organization</mark>, <mark>organizing</mark> running',
    )
    // Both the stem and the beginning find this word.
    expect((await highlights('running runn*')).notes).toBe('No organization, organizing <mark>running</mark>')
  })

  it('never loses a word: any word of any text, by any beginning', async () => {
    for (const language of languages) {
      await clear(language)
      const texts = fc.sample(fc.tuple(someText, someText), { numRuns: 40, seed })
      const rows = texts.map(([title, notes], id) => ({ id, title, notes }))
      expect((await write(language, rows)).status).toBe(201)
      const asked = fc.sample(
        fc
          .nat(rows.length - 1)
          .chain((id) => {
            const row = rows[id] as (typeof rows)[number]
            return fc.constantFrom(...wordsOf(`${row.title} ${row.notes}`))
          })
          .chain((word) =>
            fc.integer({ min: 1, max: [...word].length }).map((end) => [...word].slice(0, end)),
          ),
        { numRuns: runs(30, 1000) / languages.length, seed },
      )
      for (const letters of asked) {
        const start = letters.join('')
        const wanted = rows
          .filter(({ title, notes }) =>
            wordsOf(`${title} ${notes}`).some((word) => word.toLowerCase().startsWith(start.toLowerCase())),
          )
          .map(({ id }) => id)
        const found = await recordsOf(language, `${start}*`, { _highlight: 'title,notes' })
        const context = `seed ${seed}: ${language} ${start}*`
        expect(
          wanted.filter((id) => found.every((one) => one.id !== id)),
          context,
        ).toEqual([])
        for (const { id, _highlight } of found)
          for (const field of ['title', 'notes'] as const) {
            const { text, unmarked } = readHighlight(_highlight?.[field] ?? '')
            expect(text, context).toBe(rows[id]?.[field])
            expect(
              wordsOf(unmarked).filter((word) => word.toLowerCase().startsWith(start.toLowerCase())),
              `${context}: ${_highlight?.[field]}`,
            ).toEqual([])
          }
      }
    }
  })
})
