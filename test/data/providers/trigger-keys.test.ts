/** Foreign keys from and to documents work like foreign keys between columns. D6, D11, R4, R5. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { createShop, ownerOf, type Shop } from '../../support/fixtures.ts'

let app: TestApp
let shop: Shop
let owner: ReturnType<typeof ownerOf>

const id = { name: 'id', type: 'integer' }
const integer = (name: string, more = {}) => ({ name, type: 'integer', ...more })
const to = (
  fields: string | string[],
  resource: string,
  reference: string | string[] = 'id',
  onDelete?: string,
) => ({
  fields,
  reference: { resource, fields: reference },
  ...(onDelete ? { 'x-actions': { onDelete } } : {}),
})

/** The tables by datasource. Rows reference documents; documents reference rows, documents and themselves. */
const packages = {
  papers: [
    {
      name: 'authors',
      schema: {
        fields: [
          id,
          { name: 'code', type: 'string', constraints: { unique: true } },
          { name: 'is_deleted', type: 'boolean' },
        ],
      },
    },
    {
      name: 'notes',
      schema: {
        fields: [id, integer('author_id'), integer('above')],
        foreignKeys: [to('author_id', 'authors'), to('above', '', 'id', 'CASCADE')],
      },
    },
  ],
  main: [
    {
      name: 'books',
      schema: {
        fields: [id, integer('author_id'), { name: 'author_code', type: 'string' }],
        foreignKeys: [to('author_id', 'authors', 'id', 'SET NULL'), to('author_code', 'authors', 'code')],
      },
    },
    { name: 'rooms', schema: { fields: [id, integer('floor')], uniqueKeys: [['floor', 'id']] } },
  ],
  more: [
    {
      name: 'seats',
      schema: {
        fields: [id, integer('floor'), integer('room')],
        foreignKeys: [to(['floor', 'room'], 'rooms', ['floor', 'id'])],
      },
    },
    {
      name: 'loans',
      schema: {
        fields: [id, integer('book_id', { default: 1 }), integer('reader_id')],
        foreignKeys: [
          to('book_id', 'books', 'id', 'SET DEFAULT'),
          to('reader_id', 'authors', 'id', 'CASCADE'),
        ],
      },
    },
  ],
}

const missing = (field: string, resource: string, where = '') => ({
  status: 400,
  body: {
    error: 'Foreign key violation',
    detail: `${where}This ${field.replaceAll(',', ', ')} references no record of "${resource}".`,
    field,
    code: 'reference_missing',
  },
})

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'held', { resources: [{ name: 'plain', schema: { fields: [id] } }] })
  owner = ownerOf(app, shop, '/apps/shop/datatables/')
  const sources = ownerOf(app, shop, '/apps/shop/datasources/')
  for (const slug of ['papers', 'more']) await sources.post('', { name: slug, slug, provider_type: 'jsonb' })
  for (const [datasource, resources] of Object.entries(packages)) {
    const made = await owner.post(`create_schema/?materialize=true&datasource=${datasource}`, { resources })
    expect([made.status, made.body.json_schema]).toEqual([201, undefined])
  }
  await owner.post('authors/data/', [
    { id: 1, code: 'a' },
    { id: 2, code: 'b' },
    { id: 3, code: 'c' },
  ])
  await owner.post('books/data/', [{ id: 1 }, { id: 2, author_id: 1, author_code: 'a' }])
  await owner.post('rooms/data/', [{ id: 1, floor: 4 }])
})

describe('a reference to a missing record', () => {
  it('returns 400 and names the record, no matter which of the two tables stores documents', async () => {
    expect(await owner.post('notes/data/', [{ author_id: 1 }, { author_id: 9 }])).toMatchObject(
      missing('author_id', 'authors', 'rows[1]: '),
    )
    expect(await owner.post('notes/data/', { above: 99 })).toMatchObject(missing('above', 'notes'))
    expect(await owner.post('books/data/', { author_code: 'x' })).toMatchObject(
      missing('author_code', 'authors'),
    )
    expect(await owner.patch('books/data/1/', { author_id: 9 })).toMatchObject(
      missing('author_id', 'authors'),
    )
    expect(await owner.post('seats/data/', { floor: 4, room: 2 })).toMatchObject(
      missing('floor,room', 'rooms'),
    )
    expect(await owner.post('loans/data/upsert/?unique_fields=id', { id: 5, book_id: 7 })).toMatchObject(
      missing('book_id', 'books'),
    )
    expect((await owner.post('seats/data/', [{ floor: 4 }, { floor: 4, room: 1 }])).status).toBe(201)
    const self = await owner.post('notes/data/', [
      { id: 70, above: 71 },
      { id: 71, above: 70 },
    ])
    expect([self.status, self.headers.get('server-timing')]).toEqual([
      201,
      expect.stringContaining('desc="1"'),
    ])
  })

  it('prevents a new foreign key, and the error names the records', async () => {
    await owner.post('create_schema/?materialize=true&datasource=papers', {
      resources: [{ name: 'later', schema: { fields: [id, integer('book_id')] } }],
    })
    await owner.post('later/data/', [
      { id: 1, book_id: 2 },
      { id: 2, book_id: 77 },
    ])
    const json_schema = { fields: [id, integer('book_id')], foreignKeys: [to('book_id', 'books')] }
    expect(await owner.patch('later/', { json_schema })).toMatchObject({
      status: 422,
      body: {
        error: 'Existing records break the schema',
        violations: [{ rule: 'foreignKey', records: [{ id: 2 }] }],
        code: 'records_break_schema',
      },
    })
    await owner.delete('later/data/2/')
    expect((await owner.patch('later/', { json_schema })).status).toBe(200)
    expect(await owner.post('later/data/', { book_id: 77 })).toMatchObject(missing('book_id', 'books'))
    const renamed = {
      fields: [id, { ...integer('volume'), 'x-rename-from': 'book_id' }],
      foreignKeys: [to('volume', 'books')],
    }
    expect((await owner.patch('later/', { json_schema: renamed })).status).toBe(200)
    expect(await owner.post('later/data/', { volume: 77 })).toMatchObject(missing('volume', 'books'))
    const [last] = (await owner.get('later/operation-history/')).body.data
    expect((await owner.post('later/rollback/', { revision_id: last.id })).status).toBe(200)
    expect(await owner.post('later/data/', { book_id: 77 })).toMatchObject(missing('book_id', 'books'))
    expect((await owner.delete('later/?purge=true')).status).toBe(204)
    expect((await owner.delete('books/data/2/')).status).toBe(204)
    await owner.post('books/data/', { id: 2, author_id: 1, author_code: 'a' })
  })
})

describe('a deletion', () => {
  it('a deletion of a referenced record returns 403', async () => {
    await owner.post('notes/data/', { id: 10, author_id: 2 })
    expect(await owner.delete('authors/data/2/?hard_delete=true')).toMatchObject({
      status: 403,
      body: {
        error: 'Cannot delete record',
        detail: 'Records of "notes" reference the record whose id is 2.',
        code: 'still_referenced',
      },
    })
    expect(await owner.delete('rooms/data/1/')).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('"seats"'), code: 'still_referenced' },
    })
  })

  it('a deletion deletes, clears or resets the referencing records, as the foreign key says', async () => {
    await owner.post('loans/data/', [
      { id: 1, book_id: 2, reader_id: 3 },
      { id: 2, book_id: 2 },
    ])
    await owner.post('books/data/', { id: 30, author_id: 3 })
    expect((await owner.delete('authors/data/3/?hard_delete=true')).status).toBe(204)
    expect((await owner.get('loans/data/?ordering=id')).body.data).toEqual([
      { id: 2, book_id: 2, reader_id: null },
    ])
    expect((await owner.get('books/data/30/')).body.data.author_id).toBe(null)
    expect((await owner.delete('books/data/2/')).status).toBe(204)
    expect((await owner.get('loans/data/2/')).body.data.book_id).toBe(1)
    await owner.post('notes/data/', [{ id: 20 }, { id: 21, above: 20 }, { id: 22, above: 21 }])
    expect((await owner.delete('notes/data/20/')).status).toBe(204)
    expect((await owner.get('notes/data/?id__in=20,21,22')).body.total).toBe(0)
  })

  it('a referenced value cannot be changed', async () => {
    await owner.post('authors/data/', { id: 5, code: 'e' })
    await owner.post('books/data/', { id: 50, author_code: 'e' })
    expect(await owner.patch('authors/data/5/', { code: 'f' })).toMatchObject({
      status: 400,
      body: { error: 'Foreign key violation', field: 'code', code: 'still_referenced' },
    })
    expect((await owner.patch('authors/data/5/', { code: 'e' })).status).toBe(200)
  })

  it('a concurrent deletion and new reference never leave a reference to a missing record', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => 1000 + index)
    await owner.post(
      'authors/data/',
      ids.map((one) => ({ id: one, code: `c${one}` })),
    )
    const answers = await Promise.all(
      ids.flatMap((one) => [
        owner.post('notes/data/', { author_id: one }),
        owner.post('books/data/', { author_code: `c${one}` }),
        owner.delete(`authors/data/${one}/?hard_delete=true`),
        owner.patch(`authors/data/${one}/`, { code: `d${one}` }),
      ]),
    )
    // 409: a book could read its author, whom another request then deleted or renamed.
    expect(answers.filter(({ status }) => ![200, 201, 204, 400, 403, 404, 409].includes(status))).toEqual([])
    const dangling = await app.sql(`
      select 'note' from ${shop.schema}.shop_notes n
       where n._data ->> 'author_id' is not null and not exists (select from ${shop.schema}.shop_authors a where a._data ->> 'id' = n._data ->> 'author_id')
      union all
      select 'book' from ${shop.schema}.shop_books b
       where b.author_code is not null and not exists (select from ${shop.schema}.shop_authors a where a._data ->> 'code' = b.author_code)`)
    expect(dangling).toEqual([])
  })
})

describe('a chain of records with cascading keys', () => {
  it('deleting the end of a chain of 10,000 records returns 403, not a 5xx', async () => {
    const chain = Array.from({ length: 10_000 }, (_, index) => ({
      id: 100_000 + index,
      above: index === 0 ? null : 99_999 + index,
    }))
    expect((await owner.post('notes/data/', chain)).status).toBe(201)
    const answer = await owner.delete('notes/data/?ids=100000')
    expect(answer).toMatchObject({
      status: 403,
      body: {
        error: 'Cannot delete record',
        detail: expect.stringContaining('chain of references to delete is too long'),
        code: 'still_referenced',
      },
    })
    expect((await owner.delete('notes/data/?filter={"id__gte":100000}&expect=10000')).body).toEqual({
      deleted: 10_000,
    })
  })
})

describe('related records', () => {
  it('related records can be populated, and can filter and sort, in both directions', async () => {
    await owner.post('books/data/', { id: 60, author_id: 1, author_code: 'b' })
    const { body } = await owner.get('books/data/?id=60&populate=author,author_code')
    expect(body.data).toMatchObject([
      { id: 60, author: { id: 1, code: 'a' }, author_code: { id: 2, code: 'b' } },
    ])
    expect((await owner.get('books/data/?author_id.code=a&author_code.id=2')).body.data).toMatchObject([
      { id: 60 },
    ])
    expect((await owner.get('notes/data/?author.code=b&ordering=author.code')).body.data).toMatchObject([
      { id: 10 },
    ])
    expect(
      (await owner.get('authors/data/1/?populate=books_by_author')).body.data.books_by_author,
    ).toMatchObject([{ id: 60 }])
    expect(
      (await owner.get('loans/data/?_aggregate=count(*)&_group_by=book_id&populate=book')).body.data,
    ).toMatchObject([{ book: { id: 1 } }])
  })
})

describe('deleting and restoring a table with such keys', () => {
  it('deleting a referenced table returns 409; a restored table enforces its keys again, also under another name', async () => {
    expect(await owner.delete('authors/')).toMatchObject({ status: 409 })
    expect((await owner.delete('notes/')).status).toBe(204)
    expect((await owner.delete('authors/data/2/?hard_delete=true')).status).toBe(403)
    await owner.delete('books/data/60/')
    expect((await owner.delete('authors/data/2/?hard_delete=true')).status).toBe(204)
    expect(await owner.post('notes/restore/', {})).toMatchObject({
      status: 422,
      body: { error: 'Existing records break the schema', code: 'records_break_schema' },
    })
    await owner.post('authors/data/', { id: 2, code: 'z' })
    expect((await owner.post('notes/restore/', { name: 'memos' })).status).toBe(200)
    expect(await owner.post('memos/data/', { author_id: 9 })).toMatchObject(missing('author_id', 'authors'))
    expect(await owner.post('memos/data/', { above: 99 })).toMatchObject(missing('above', 'memos'))
    expect(await owner.delete('authors/data/2/?hard_delete=true')).toMatchObject({ status: 403 })
    const { body } = await owner.delete('authors/?cascade=true&dry_run=true')
    expect(body.datatables.toSorted()).toEqual(['authors', 'books', 'loans', 'memos'])
    expect((await owner.delete('authors/?cascade=true&purge=true')).status).toBe(204)
    const left = await app.sql(
      `select tgname from pg_trigger g join pg_class c on c.oid = g.tgrelid
       where c.relnamespace = $1::regnamespace and g.tgfoid in ('tessera.hold_reference'::regproc, 'tessera.hold_referenced'::regproc) order by 1`,
      [shop.schema],
    )
    expect(left).toHaveLength(4)
  })
})
