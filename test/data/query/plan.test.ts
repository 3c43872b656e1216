import { describe, expect, it } from 'vitest'
import { parseRecordQuery } from '../../../src/data/query/parse.ts'
import { planRead } from '../../../src/data/query/plan.ts'
import { Problems } from '../../../src/data/query/problems.ts'
import { renderList, renderPredicate } from '../../../src/data/query/render.ts'
import { render } from '../../../src/db/sql.ts'
import type { AppError } from '../../../src/errors.ts'
import { tableOf } from '../../support/tables.ts'

const products = tableOf('products', {
  fields: [
    { name: 'id', type: 'integer' },
    { name: 'name', type: 'string', constraints: { required: true } },
    { name: 'price', type: 'number' },
    { name: 'price_in', type: 'string' },
    { name: 'sold_at', type: 'datetime' },
    { name: 'tags', type: 'array' },
    { name: 'is_deleted', type: 'boolean' },
  ],
  primaryKey: 'id',
})

function plan(query: string) {
  const problems = new Problems()
  const said = parseRecordQuery(new URLSearchParams(query), problems)
  const planned = planRead(products, said, problems)
  problems.throwIfAny()
  return planned
}

const where = (query: string) => render(renderPredicate(plan(query).where))

function refusal(query: string): unknown {
  try {
    plan(query)
  } catch (error) {
    return (error as AppError).body
  }
  return undefined
}

const fields = 'Fields: id, name, price, price_in, sold_at, tags, is_deleted.'

describe('a record query that cannot be meant', () => {
  it.each<[string, Record<string, string[]>]>([
    ['nope=1', { nope: [`There is no field or parameter "nope". ${fields}`] }],
    ['constructor__gt=2', { constructor__gt: [`There is no field or parameter "constructor__gt". ${fields}`] }],
    ['__proto__=1', JSON.parse(`{"__proto__": ["There is no field or parameter \\"__proto__\\". ${fields}"]}`)],
    ['price__near=1', { price__near: ['There is no operator "near". Operators: exact, ne, gt, gte, lt, lte, in, nin.'] }],
    ['price=cheap', { price: ['"cheap" is not a value of "price", which is of type number.'] }],
    ['price__in=1,x', { price__in: ['"x" is not a value of "price", which is of type number.'] }],
    ['tags__gt=[]', { tags__gt: ['"gt" does not work on "tags", which is of type array.'] }],
    ['ordering=-nope,tags', { ordering: [`There is no field "nope". ${fields}`, '"tags" is of type array, which has no order.'] }],
    ['_sort=name&_order=up', { _order: ['"up" is neither asc nor desc.'] }],
    ['_order=asc', { _order: ['Orders the fields of _sort, which is missing.'] }],
    ['page=1&page=2', { page: ['May be given once.'] }],
    [Array(101).fill('id=1').join('&'), { id: ['There may be 100 conditions at most.'] }],
    ['page=0&page_size=x', { page: ['A whole number from 1 is required.'], page_size: ['A whole number from 1 is required.'] }],
  ])('%s names each parameter at fault', (query, details) => {
    expect(refusal(query)).toEqual({ error: 'Validation failed', details })
  })
})

describe('a filter becomes SQL with its value bound and typed', () => {
  it.each<[string, string, unknown[]]>([
    ['name=hammer', '"name" = $1::text', ['hammer']],
    ["name=';drop table x;--", '"name" = $1::text', ["';drop table x;--"]],
    ['price__gt=5', '"price" > $1::numeric', ['5']],
    ['price__gte=5.50', '"price" >= $1::numeric', ['5.50']],
    ['price_lt=5', '"price" < $1::numeric', ['5']],
    ['price_in=5', '"price_in" = $1::text', ['5']],
    ['price__lte=5&price__lte=4', '"price" <= $1::numeric and "price" <= $2::numeric', ['5', '4']],
    ['name__ne=a', '"name" is distinct from $1::text', ['a']],
    ['id__in=1,2&id__in=3', '"id" = any ($1::bigint[])', [['1', '2', '3']]],
    ['id__nin=1,2', '("id" = any ($1::bigint[])) is not true', [['1', '2']]],
    ['sold_at__gt=2026-01-01T00:00:00Z', '"sold_at" > $1::timestamptz', ['2026-01-01T00:00:00Z']],
  ])('%s', (query, text, values) => {
    expect(where(query)).toEqual({ text: `(${text} and "is_deleted" is not true)`, values })
  })

  it('leaves out what is soft-deleted', () => {
    expect(where('')).toEqual({ text: '"is_deleted" is not true', values: [] })
  })
})

describe('the order of a page', () => {
  it('ends with the primary key, so that no two records are equal', () => {
    expect(plan('ordering=-price,name').order.map(({ field, descending }) => [field.name, descending])).toEqual([
      ['price', true],
      ['name', false],
      ['id', false],
    ])
    expect(plan('_sort=name,-id&_order=desc,asc').order.map(({ field, descending }) => [field.name, descending])).toEqual([
      ['name', true],
      ['id', true],
    ])
  })

  it('puts nulls last both ways, and says so only of columns that have some', () => {
    expect(render(renderList(plan('ordering=-price,-name'))).text).toContain(
      'order by _row."price" desc nulls last, _row."name" desc, _row."id" limit',
    )
  })
})

describe('pages', () => {
  it('has 20 records unless asked otherwise, and 1000 at most', () => {
    expect(plan('')).toMatchObject({ limit: 20, offset: 0 })
    expect(plan('page=3&page_size=50')).toMatchObject({ limit: 50, offset: 100 })
    expect(plan('page_size=5000')).toMatchObject({ limit: 1000 })
  })
})

describe('a list of records', () => {
  it('is one statement: the page as JSON text, and the total', () => {
    const { text, values } = render(renderList(plan('price__gt=5&ordering=name&page_size=2')))
    const condition = (n: number) => `("price" > $${n}::numeric and "is_deleted" is not true)`
    expect(text.replaceAll(/\s+/g, ' ').trim()).toBe(
      `select (select count(*) from "site_7"."shop_products" where ${condition(1)}) as total, ` +
        `coalesce((select json_agg(_record) from ( select "id", "name", "price", "price_in", replace(to_json("sold_at") #>> '{}', '+00:00', 'Z') as "sold_at", "tags", "is_deleted" ` +
        `from "site_7"."shop_products" _row where ${condition(2)} order by _row."name", _row."id" limit $3 offset $4) _record), '[]')::text as data`,
    )
    expect(values).toEqual(['5', '5', 2, 0])
  })
})
