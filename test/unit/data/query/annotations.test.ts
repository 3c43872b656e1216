/** The SQL of lists with annotations, and of lists with _distinct. */
import { describe, expect, it } from 'vitest'
import { relationshipGraph } from '../../../../src/data/model/relationships.ts'
import type { Table } from '../../../../src/data/model/table.ts'
import { renderList } from '../../../../src/data/query/render/render-list.ts'
import type { Sql } from '../../../../src/kernel/db/sql.ts'
import { collection } from '../../../support/collection.ts'
import { countedBy, oneLine, planOf } from '../../../support/queries.ts'
import { tablesOf } from '../../../support/tables.ts'

const tables = tablesOf(collection.resources)
const graph = relationshipGraph(tables)
const listOf = (table: string, query: Record<string, string>) =>
  renderList(planOf(tables.get(table) as Table, graph, new URLSearchParams(query).toString()))
/** Returns the SQL statement of a list without the quotes around names. */
const textOf = (list: Sql) => oneLine(list).text.replaceAll('"', '')
/** Returns the part of the SQL after the selected columns of the page. */
const pageOf = (text: string) => /^with .*?_page as materialized \((.*?)\) select _found/.exec(text)?.[1]
const besideOf = (text: string) =>
  /from (\(select \* from _page .*?) offset 0\) _record\) _records$/.exec(text)?.[1]
const sharedOf = (text: string) => /^with (.*?), _page as materialized/.exec(text)?.[1]
const countOf = (list: Sql) => countedBy(list)?.text.replaceAll('"', '')

const alive = '_row1.is_deleted is not true'
const aggregates = 'count(works_by_artist) as n,avg(works_by_artist.price) as mean'

describe('the SQL of annotations', () => {
  it('computes them only for the rows of the page, and aggregates of the same related records together', () => {
    const list = listOf('artists', { _annotate: aggregates, fields: 'name,n,mean', page_size: '2' })
    expect(countOf(list)).toBe('select from site_7.shop_artists _row where _row.is_deleted is not true')
    expect(pageOf(textOf(list))).toBe(
      'select _row.id, _row.name from site_7.shop_artists _row where _row.is_deleted is not true ' +
        'order by _row.id limit $1',
    )
    expect(besideOf(textOf(list))).toBe(
      '(select * from _page limit $9) _row ' +
        'cross join lateral (select _of1._a0 as n, _of1._a1 as mean from (select) _one ' +
        'cross join lateral (select count(*) as _a0, avg(_row1.price) as _a1 from site_7.shop_works _row1 ' +
        `where _row1.artist_id = _row.id and ${alive}) _of1 offset 0) _computed`,
    )
  })

  it('groups related records once for an order, and counts records without them', () => {
    const list = listOf('artists', { _annotate: aggregates, fields: 'id', ordering: '-mean' })
    expect(countOf(list)).toBe('select from site_7.shop_artists _row where _row.is_deleted is not true')
    expect(pageOf(textOf(list))).toBe(
      'select _row.id from (select _row.*, _of1._a0 as mean from site_7.shop_artists _row ' +
        'left join (select _row1.artist_id as _key0, avg(_row1.price) as _a0 from site_7.shop_works _row1 ' +
        `where true and ${alive} group by _row1.artist_id) _of1 on _of1._key0 = _row.id) _row ` +
        'where _row.is_deleted is not true order by _row.mean desc nulls last, _row.id limit $1',
    )
  })

  it('computes them once for the page and the total: for each record if there are few, otherwise in groups', () => {
    const list = listOf('artists', { _annotate: aggregates, n__gt: '1', name: 'Ada' })
    expect(sharedOf(textOf(list))).toBe(
      '_among as materialized (select _row.* from site_7.shop_artists _row ' +
        'where (_row.name = $1::text and _row.is_deleted is not true)), ' +
        '_rows as materialized (select _row.* from (select _row.*, _of1._a0 as n from _among _row ' +
        'cross join lateral (select count(*) as _a0 from site_7.shop_works _row1 ' +
        `where _row1.artist_id = _row.id and ${alive}) _of1 ` +
        'where (select count(*) <= $2::bigint from _among) ' +
        'union all select _row.*, coalesce(_of1._a0, 0) as n from _among _row ' +
        'left join (select _row1.artist_id as _key0, count(*) as _a0 from site_7.shop_works _row1 ' +
        `where true and ${alive} and exists (select from _among _row ` +
        'where _row1.artist_id = _row.id) ' +
        'group by _row1.artist_id) _of1 on _of1._key0 = _row.id ' +
        'where not (select count(*) <= $3::bigint from _among)) _row ' +
        'where _row.n > $4::bigint)',
    )
    expect([pageOf(textOf(list)), countOf(list)]).toEqual([
      expect.stringContaining('from _rows _row where true order by _row.id limit $5'),
      undefined,
    ])
    expect(textOf(list)).toContain(
      "(select jsonb_build_object('total', count(*), 'is', 'exact') from _rows _row where true) end as counted",
    )
  })

  it('groups records behind a junction table by the record of the list, each related record once', () => {
    const list = listOf('works', { _annotate: 'count(shows) as n', fields: 'id', ordering: 'n' })
    expect(pageOf(textOf(list))).toContain(
      'left join (select _via1._key0 as _key0, count(*) as _a0 from (select distinct _via1.work_id as _key0, ' +
        '_via1.show_id as _link0 from site_7.shop_hangings _via1 where true and _via1.is_deleted is not true) ' +
        '_via1, site_7.shop_shows _row1 where _row1.id = _via1._link0 and true group by _via1._key0) _of1 ' +
        'on _of1._key0 = _row.id',
    )
  })
})

describe('the SQL of _distinct', () => {
  it.each([
    ['', 'min', '_row.id'],
    ['city_id', 'min', '_row.city_id, _row.id'],
    ['-city_id,-id', 'max', '_row.city_id desc nulls last, _row.id desc'],
  ])(
    'computes the first key of each group if the order in it is that of the key: %s',
    (ordering, least, terms) => {
      const text = textOf(listOf('artists', { _distinct: 'city_id', ordering, fields: 'id' }))
      expect(text).toContain(
        `from (select _row.id from site_7.shop_artists _row where _row.id in (select ${least}(_row.id) ` +
          'from site_7.shop_artists _row where _row.is_deleted is not true group by _row.city_id) ' +
          `order by ${terms} limit $8) _record`,
      )
    },
  )

  it('selects the first record of each group in the order, and counts the groups', () => {
    const list = listOf('artists', { _distinct: 'city_id', ordering: '-name', fields: 'id' })
    expect(countOf(list)).toBe(
      'select from (select distinct _row.city_id from site_7.shop_artists _row ' +
        'where _row.is_deleted is not true) _row where true',
    )
    expect(textOf(list)).toContain(
      'from (select _row.id from (select distinct on (_row.city_id) _row.* from site_7.shop_artists _row ' +
        'where _row.is_deleted is not true order by _row.city_id, _row.name desc nulls last, _row.id) _row ' +
        'where true order by _row.name desc nulls last, _row.id limit $8) _record',
    )
  })
})
