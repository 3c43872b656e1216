/**
 * The indexes of a history: how many rows a read as of a time reads, and how the indexes follow the schema.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { catalogAsOf } from '../../../src/data/catalog/as-of.ts'
import type { Catalog } from '../../../src/data/catalog/load-catalog.ts'
import { relationshipGraph } from '../../../src/data/model/relationships.ts'
import type { Table } from '../../../src/data/model/table.ts'
import { renderList } from '../../../src/data/query/render/render-list.ts'
import { sql } from '../../../src/kernel/db/sql.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { createShop, ownerOf, type Shop } from '../../support/fixtures.ts'
import { planOf } from '../../support/queries.ts'
import { tablesOf } from '../../support/tables.ts'
import { runInSite } from '../../support/tenant.ts'

const id = { name: 'id', type: 'integer' }
const text = { name: 'text', type: 'string' }
const toTopics = { fields: 'topic_id', reference: { resource: 'topics', fields: 'id' } }
const topics = { fields: [id, text], primaryKey: 'id', history: true }
const notes = {
  fields: [id, text, { name: 'topic_id', type: 'integer' }],
  primaryKey: 'id',
  foreignKeys: [toTopics],
  history: true,
}
const resources = [
  { name: 'topics', schema: topics },
  { name: 'notes', schema: notes },
]
/** The number of topics. There are ten times as many notes. Each record has three versions. */
const count = 500

let app: TestApp
let shop: Shop
let tables: ReturnType<typeof ownerOf>
let time: string

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'indexed', { resources })
  tables = ownerOf(app, shop, '/apps/shop/datatables/')
  const [topicRows, noteRows] = [`${shop.schema}.shop_topics`, `${shop.schema}.shop_notes`]
  await app.sql(`insert into ${topicRows} select n, 'Topic ' || n from generate_series(1, ${count}) n`)
  await app.sql(
    `insert into ${noteRows} select n, 'Note ' || n, 1 + n % ${count} from generate_series(1, ${count * 10}) n`,
  )
  const change = async () => {
    for (const rows of [topicRows, noteRows]) await app.sql(`update ${rows} set text = text || '.'`)
  }
  await change()
  const [now] = await app.sql<{ time: string }>(
    `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as time`,
  )
  time = now?.time ?? ''
  await change()
  for (const rows of ['topics', 'notes'])
    await app.sql(`vacuum analyze ${shop.schema}."shop_${rows}$history"`)
})

describe('a read as of a time', () => {
  /** Returns how many rows the scans have read from the heap of a history. */
  async function versionsRead(name: string, query: string): Promise<number> {
    const present = tablesOf(resources, Number(shop.schema.slice('site_'.length)))
    const catalog = { tables: present, relationships: relationshipGraph(present) }
    const past = catalogAsOf(catalog as unknown as Catalog, time)
    const list = renderList(planOf(past.tables.get(name) as Table, past.relationships, query))
    const explained = await runInSite(app, shop, [sql`explain (analyze, format json) ${list}`])
    let read = 0
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return
      const one = node as Record<string, unknown>
      if (String(one['Relation Name']).endsWith('$history') && one['Node Type'] !== 'Index Only Scan')
        read +=
          (Number(one['Actual Rows']) + Number(one['Rows Removed by Filter'] ?? 0)) *
          Number(one['Actual Loops'])
      for (const member of Object.values(one)) visit(member)
    }
    visit(explained.rows(0))
    return read
  }

  it.each([
    ['notes', 'a page in the order of the key', 'limit=20&_total=none', 20 * 3],
    ['notes', 'a later page', 'limit=20&offset=100&_total=none', 120 * 3],
    ['notes', 'a list filtered by keys', 'id__in=5,7,4000&_total=none', 3 * 3],
    ['notes', 'records that are referenced', 'limit=20&populate=topic&_total=none', 20 * 3 * 2],
    ['topics', 'records that reference', 'limit=5&populate=notes&_total=none', 5 * 3 + 50 * 3],
    ['notes', 'a total, which skips the versions of other times', '_count=true', count * 10],
  ])('of %s reads only the rows it needs: %s', async (name, _what, query, most) => {
    // A page reads one row more, which tells whether there is another page.
    expect(await versionsRead(name, query)).toBeLessThanOrEqual(most * 1.2)
  })
})

describe('the indexes of a history', () => {
  const indexesOf = async (table: string) =>
    (
      await app.sql<{ definition: string }>(
        `select regexp_replace(indexdef, '^.* INDEX (.*) ON .* USING btree ', '\\1 ') as definition
           from pg_indexes where schemaname = $1 and tablename = $2 order by indexname`,
        [shop.schema, `${table}$history`],
      )
    ).map(({ definition }) => definition)
  const [bigint, key] = [
    "(((_data ->> 'topic_id'::text))::bigint)",
    "((((_data ->> 'id'::text))::bigint), number)",
  ]
  const always = (table: string) => [
    `"${table}$history$key" ${key}`,
    `"${table}$history$times" (valid_to, valid_from, operation)`,
  ]
  const reference = (table: string, field: string) =>
    `"${table}$history$${field}$ref" (${bigint.replace('topic_id', field)})`
  const change = (json_schema: object) => tables.patch('notes/?allow_data_loss=true', { json_schema })

  it('cover the key, the time and each foreign key', async () => {
    expect(await indexesOf('shop_topics')).toEqual(always('shop_topics'))
    expect(await indexesOf('shop_notes')).toEqual([
      ...always('shop_notes'),
      reference('shop_notes', 'topic_id'),
    ])
  })

  it('follow foreign keys that are dropped, added and renamed, and a rollback', async () => {
    expect((await change({ ...notes, foreignKeys: [] })).status).toBe(200)
    expect(await indexesOf('shop_notes')).toEqual(always('shop_notes'))
    expect((await change(notes)).status).toBe(200)
    expect(await indexesOf('shop_notes')).toEqual([
      ...always('shop_notes'),
      reference('shop_notes', 'topic_id'),
    ])
    const renamed = {
      ...notes,
      fields: [id, text, { name: 'about_id', type: 'integer', 'x-rename-from': 'topic_id' }],
      foreignKeys: [{ ...toTopics, fields: 'about_id' }],
    }
    expect((await change(renamed)).status).toBe(200)
    expect(await indexesOf('shop_notes')).toEqual([
      reference('shop_notes', 'about_id'),
      ...always('shop_notes'),
    ])
    const { body } = await tables.get('notes/operation-history/?status=success')
    expect((await tables.post('notes/rollback/', { revision_id: body.data[0].id })).status).toBe(200)
    expect(await indexesOf('shop_notes')).toEqual([
      ...always('shop_notes'),
      reference('shop_notes', 'topic_id'),
    ])
  })

  it('are renamed in the trash, so that another table can have their names, and are restored', async () => {
    const { body } = await tables.get('notes/')
    expect((await tables.delete('notes/')).status).toBe(204)
    const aside = `_deleted_${body.id}`
    expect(await indexesOf(aside)).toEqual([...always(aside), reference(aside, 'topic_id')])
    const again = { resources: [{ name: 'notes', schema: notes }] }
    expect((await tables.post('create_schema/?materialize=true', again)).status).toBe(201)
    expect((await tables.delete('notes/?purge=true')).status).toBe(204)
    expect((await tables.post('notes/restore/', {})).status).toBe(200)
    expect(await indexesOf('shop_notes')).toEqual([
      ...always('shop_notes'),
      reference('shop_notes', 'topic_id'),
    ])
  })
})
