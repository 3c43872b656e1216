/** Queries of records: their errors, and the SQL of valid queries. R1–R5, R13. */
import { describe, expect, it } from 'vitest'
import { relationshipGraph } from '../../../../src/data/model/relationships.ts'
import type { Table } from '../../../../src/data/model/table.ts'
import { isOutOfReach } from '../../../../src/data/query/plan/plan.ts'
import { renderPredicate } from '../../../../src/data/query/render/render.ts'
import { renderList } from '../../../../src/data/query/render/render-list.ts'
import { row } from '../../../../src/data/query/row.ts'
import { collection } from '../../../support/collection.ts'
import { countedBy, oneLine, planOf, refusalOf } from '../../../support/queries.ts'
import { tableOf, tablesOf } from '../../../support/tables.ts'

const products = tableOf('products', {
  fields: [
    { name: 'id', type: 'integer' },
    { name: 'name', type: 'string', constraints: { required: true } },
    { name: 'price', type: 'number' },
    { name: 'price_in', type: 'string' },
    { name: 'sold_at', type: 'datetime' },
    { name: 'about', type: 'object' },
    { name: 'tags', type: 'array' },
    { name: 'limit', type: 'integer' },
    { name: 'is_deleted', type: 'boolean' },
  ],
  primaryKey: 'id',
})
const tables = tablesOf(collection.resources)
const graph = relationshipGraph(tables)
const works = tables.get('works') as Table

const plan = (query: string, table = products) => planOf(table, graph, query)
const refusal = (query: string, table = products) => refusalOf(table, graph, query)
const where = (query: string, table = products) => oneLine(renderPredicate(plan(query, table).where, row))

const fields = 'Fields: id, name, price, price_in, sold_at, about, tags, limit, is_deleted.'
const ofNumbers =
  'Operators: exact, ne, gt, gte, lt, lte, between, nbetween, in, nin, ins, nins, null, nnull.'
const ofJson =
  'Operators: exact, ne, contains, ncontains, null, nnull, contained_by, overlaps, has_key, has_any_keys, has_all_keys.'
const ofTags = `${ofJson.replace('Operators', 'Operators of "tags"').slice(0, -1)}. To filter by an item, use its index: tags__0.`
const twoValues = 'Two values are required, for example 1,10.'
const ways =
  'Use only one way to choose a page: page and page_size, limit and offset, _start and _end, or _page and _per_page.'

describe('an invalid query of records', () => {
  it.each<[string, Record<string, string[]>]>([
    ['nope=1', { nope: [`Unknown field or parameter "nope". ${fields}`] }],
    ['constructor__gt=2', { constructor__gt: [`Unknown field or parameter "constructor__gt". ${fields}`] }],
    [
      '__proto__=1',
      JSON.parse(
        `{"__proto__": ["Unknown field or parameter \\"__proto__\\". ${JSON.stringify(fields).slice(1, -1)}"]}`,
      ),
    ],
    [
      'price__near=1',
      {
        price__near: [`Unknown operator "near". ${ofNumbers.replace('Operators', 'Operators of "price"')}`],
      },
    ],
    [
      'price__a__gt=1',
      {
        price__a__gt: [`Unknown operator "a". ${ofNumbers.replace('Operators', 'Operators of "price"')}`],
      },
    ],
    [
      'sold_at__gt=2026-12-10T00:00:00+01:00',
      {
        sold_at__gt: [
          '"2026-12-10T00:00:00 01:00" is not a value of "sold_at", which is of type datetime. ' +
            'In a URL, write + as %2B.',
        ],
      },
    ],
    ['price=cheap', { price: ['"cheap" is not a value of "price", which is of type number.'] }],
    ['price__in=1,x', { price__in: ['"x" is not a value of "price", which is of type number.'] }],
    ['price__between=1', { price__between: [twoValues] }],
    ['price__between=1&price__between=2,3', { price__between: [twoValues] }],
    ['price__between=1&price__between=2&price__between=3', { price__between: [twoValues] }],
    ['price__null=yes', { price__null: ['Must be true or false; "yes" is not.'] }],
    [
      'price__icontains=1',
      { price__icontains: [`"icontains" does not work on "price", which is of type number. ${ofNumbers}`] },
    ],
    ['tags__gt=[]', { tags__gt: [`"gt" does not work on "tags", which is of type array. ${ofJson}`] }],
    [
      'tags__contians=x&tags__a__gt=1',
      {
        tags__contians: [`Unknown operator "contians". Did you mean "contains"? ${ofTags}`],
        tags__a__gt: [`Unknown operator "a". ${ofTags}`],
      },
    ],
    [
      'price__gtt=1',
      {
        price__gtt: [
          `Unknown operator "gtt". Did you mean "gt"? ${ofNumbers.replace('Operators', 'Operators of "price"')}`,
        ],
      },
    ],
    ['id=1&id=x', { id: ['"x" is not a value of "id", which is of type integer.'] }],
    ['_total=some', { _total: ['Must be one of: exact, estimated, none; "some" is not.'] }],
    [
      '_total=none&_count=true',
      { _total: ['Cannot be none with _count=true, which returns only the total.'] },
    ],
    ['about____a=1', { about____a: ['A property name between two "__" is empty.'] }],
    ['about__%00=1', { 'about__\0': ['A property name has a character that cannot be stored.'] }],
    [
      `about${'__a'.repeat(11)}=1`,
      { [`about${'__a'.repeat(11)}`]: ['A property may be at most 10 levels deep.'] },
    ],
    ['name=a%00b', { name: ['"a\\u0000b" is not a value of "name", which is of type string.'] }],
    ['maker.name=x', { 'maker.name': ['Unknown relationship "maker" of "products". Relationships: none.'] }],
    [
      'ordering=-nope,tags',
      {
        ordering: [
          `Unknown field or parameter "nope". ${fields}`,
          '"tags" is of type array, which has no order.',
        ],
      },
    ],
    ['_sort=name&_order=Up', { _order: ['Must be asc or desc; "Up" is not.'] }],
    ['_sort=id,name&_order=asc,desc,asc', { _order: ['Has 3 entries, but _sort has 2.'] }],
    ['_order=asc', { _order: ['Needs _sort, for example _sort=name&_order=desc.'] }],
    ['_sort=id,id,id,id,id,id,id,id,id,id,id', { _sort: ['You can sort by at most 10 fields.'] }],
    ['page=1&page=2', { page: ['This parameter may be given only once.'] }],
    [
      'page=0&page_size=x',
      {
        page: ['Must be a whole number, 1 or greater.'],
        page_size: ['Must be a whole number, 1 or greater.'],
      },
    ],
    [
      'limit=-1&offset=-1',
      { limit: ['Must be a whole number, 0 or greater.'], offset: ['Must be a whole number, 0 or greater.'] },
    ],
    [
      '_start=5&_end=5',
      { _end: ['Must be greater than _start: the record at _end is the first after the page.'] },
    ],
    ['page=1&offset=20', { page: [ways], offset: [ways] }],
    ['page=1&_page=1', { page: [ways], _page: [ways] }],
    [
      '_page=0&_per_page=x',
      {
        _page: ['Must be a whole number, 1 or greater.'],
        _per_page: ['Must be a whole number, 1 or greater.'],
      },
    ],
    [
      '_page=1&_per_page=5&_limit=5',
      { _limit: ['Cannot be combined with _per_page: both set the page size.'] },
    ],
    ['_start=1&_end=5&_limit=5', { _limit: ['Cannot be combined with _end: both set the page size.'] }],
    ['include_deleted=2', { include_deleted: ['Must be true or false; "2" is not.'] }],
    ['format=xml', { format: ['Unknown format "xml". Formats: flat, tree, graph.'] }],
    ['search=x', { search: ['"products" cannot be searched: its schema has no search_fields.'] }],
    ['search=%00', { search: ['"products" cannot be searched: its schema has no search_fields.'] }],
    ['populate=maker', { populate: ['Unknown relationship "maker" of "products". Relationships: none.'] }],
    [Array(101).fill('id__gt=1').join('&'), { id__gt: ['At most 100 conditions are allowed.'] }],
    [Array(101).fill('about__a=1').join('&'), { about__a: ['At most 100 conditions are allowed.'] }],
    [
      Array.from({ length: 650 }, (_, n) => `name__matches=(${n}{40}){40}`).join('&'),
      { name__matches: ['At most 100 conditions are allowed.'] },
    ],
    [Array(1001).fill('id=1').join('&'), { id: ['A list may have 1000 values at most.'] }],
    [`id__in=${Array(1001).fill(1).join()}`, { id__in: ['A list may have 1000 values at most.'] }],
    [
      'price=a&name__gtx=1&page=0',
      {
        page: ['Must be a whole number, 1 or greater.'],
        price: ['"a" is not a value of "price", which is of type number.'],
        name__gtx: [expect.stringContaining('Unknown operator "gtx".')],
      },
    ],
  ])('names each invalid parameter: %s', (query, details) => {
    expect(refusal(query)).toEqual({ error: 'Validation failed', details, code: 'validation_failed' })
  })

  it.each<[string, string]>([
    ['{"a": ', 'This is not valid JSON.'],
    ['[1]', 'A filter must be an object, for example {"status": "open", "price__gt": 10}.'],
    ['{"or": {"price": 1}}', '"or" must be an array of filters.'],
    ['{"not": [1]}', 'A filter must be an object, for example {"status": "open", "price__gt": 10}.'],
    ['{"price": 1, "price": 2}', 'The name "price" is repeated in one object.'],
    ['{"id": 9223372036854775808}', '9223372036854775808 is not a value of "id", which is of type integer.'],
    ['{"price": 1e131072}', '1e131072 is not a value of "price", which is of type number.'],
    [
      '{"price": null}',
      'Comparing with null is not supported. To find records without a value, use "price__null": true.',
    ],
    ['{"price": [1, 2]}', '[1,2] is not a value of "price", which is of type number.'],
    ['{"price__in": [1, "x"]}', '"x" is not a value of "price", which is of type number.'],
    ['{"name": "\\ud800"}', '"\\ud800" is not a value of "name", which is of type string.'],
    ['{"about__a__gt": {"b": 1}}', 'This operator cannot compare a JSON property with {"b":1}.'],
    [`${'{"not":'.repeat(11)}{}${'}'.repeat(11)}`, 'Filters may be nested at most 10 levels deep.'],
  ])('names the problem of filters=%s', (filters, message) => {
    expect(refusal(new URLSearchParams({ filters }).toString())).toEqual({
      error: 'Validation failed',
      details: { filters: [message] },
      code: 'validation_failed',
    })
  })

  it.each<[string, Record<string, string[]>]>([
    [
      'artist.nope=1',
      {
        'artist.nope': [
          'Unknown field "nope" of "artists". Fields: id, name, born, city_id, mentor, is_deleted.',
        ],
      },
    ],
    [
      'artist.x.name=1',
      {
        'artist.x.name': [
          expect.stringContaining(
            'Unknown relationship "x" of "artists". Relationships: city, mentor, artists,',
          ),
        ],
      },
    ],
    [
      'artist.city.shows.works.title=1',
      { 'artist.city.shows.works.title': ['A path may follow 3 relationships at most.'] },
    ],
    [
      'artist.id=1&restorer.id=1&shows.id=1&hangings.wall=a&artist.city.id=1&artist.mentor.id=1',
      { 'artist.mentor.id': ['A query may have 5 different paths to related records at most.'] },
    ],
    [`search=${'x'.repeat(1001)}`, { search: ['A search may have 1000 characters at most.'] }],
    ['search=a%00', { search: ['Text may not contain the NUL character.'] }],
    [
      '_sort=shows.name',
      { _sort: ['A record can have many "shows": sorting by their fields is not possible.'] },
    ],
    ['populate=artist.city.shows.works', { populate: ['A path may follow 3 relationships at most.'] }],
    [
      'populate=artist.*.name,',
      {
        populate: [
          expect.stringContaining('Unknown relationship "*"'),
          expect.stringContaining('Unknown relationship ""'),
        ],
      },
    ],
  ])('with a path that is invalid or too long is rejected: %s', (query, details) => {
    expect(refusal(query, works)).toEqual({ error: 'Validation failed', details, code: 'validation_failed' })
  })

  it('returns at most a hundred problems, and looks no further', () => {
    const { details } = refusal(Array.from({ length: 130 }, (_, index) => `nope${index}=1`).join('&')) as {
      details: Record<string, string[]>
    }
    expect(Object.keys(details)).toHaveLength(101)
    expect(details.non_field_errors).toEqual(['… and 1 more problem.'])
  })
})

describe('a filter becomes SQL with bound and typed values', () => {
  const price = '"_row"."price"'
  const name = '"_row"."name"'
  it.each<[string, string, unknown[]]>([
    ['name=hammer', `${name} = $1::text`, ['hammer']],
    ["name=';drop table x;--", `${name} = $1::text`, ["';drop table x;--"]],
    ['price__gt=5', `${price} > $1::numeric`, ['5']],
    ['price__gte=5.50', `${price} >= $1::numeric`, ['5.50']],
    ['price_lt=5', `${price} < $1::numeric`, ['5']],
    ['price_in=5', '"_row"."price_in" = $1::text', ['5']],
    ['limit__exact=5', '"_row"."limit" = $1::bigint', ['5']],
    ['price__lte=5&price__lte=4', `${price} <= $1::numeric and ${price} <= $2::numeric`, ['5', '4']],
    [
      'price__between=1,2&price__nbetween=3,4',
      `${price} between $1::numeric and $2::numeric and (${price} between $3::numeric and $4::numeric) is not true`,
      ['1', '2', '3', '4'],
    ],
    ['name__ne=a', `(${name} = $1::text) is not true`, ['a']],
    ['id__in=1,2&id__in=3', '"_row"."id" = any ($1::bigint[])', [['1', '2', '3']]],
    ['price__between=1&price__between=2', `${price} between $1::numeric and $2::numeric`, ['1', '2']],
    [
      'price__nbetween=1&price__nbetween=2',
      `(${price} between $1::numeric and $2::numeric) is not true`,
      ['1', '2'],
    ],
    ['id=1&id=2', '"_row"."id" = any ($1::bigint[])', [['1', '2']]],
    ['name=a,b&name=c', `${name} = any ($1::text[])`, [['a,b', 'c']]],
    [
      'name__ne=a&name__ne=b',
      `(${name} = $1::text) is not true and (${name} = $2::text) is not true`,
      ['a', 'b'],
    ],
    ['tags=["a"]&tags=[]', '("_row"."tags" = $1::jsonb or "_row"."tags" = $2::jsonb)', ['["a"]', '[]']],
    ['id__nin=1,2', '("_row"."id" = any ($1::bigint[])) is not true', [['1', '2']]],
    [
      'name__ina=a,B',
      `lower(${name}) = any (array(select lower(_value) from unnest($1::text[]) _value))`,
      [['a', 'B']],
    ],
    ['name__contains=50%_\\', `${name} like $1::text`, ['%50\\%\\_\\\\%']],
    ['name__istartswith=a&name_endswith=b', `${name} ilike $1::text and ${name} like $2::text`, ['a%', '%b']],
    ['price__null=true', `${price} is null`, []],
    ['price__null=false&name__nnull=false', `${price} is not null and ${name} is null`, []],
    ['sold_at__gt=2026-01-01T00:00:00Z', '"_row"."sold_at" > $1::timestamptz', ['2026-01-01T00:00:00Z']],
    ['tags=["a"]', '"_row"."tags" = $1::jsonb', ['["a"]']],
    ['tags__contains=red', '"_row"."tags" @> $1::jsonb', ['"red"']],
    ['tags__contains=5', '"_row"."tags" @> $1::jsonb', ['5']],
    ['about__contained_by={"a":1}', '"_row"."about" <@ $1::jsonb', ['{"a":1}']],
    [
      'about__has_key=a&about__has_any_keys=a,b&about_has_all_keys=c',
      '"_row"."about" ? $1::text and "_row"."about" ?| $2::text[] and "_row"."about" ?& $3::text[]',
      ['a', ['a', 'b'], ['c']],
    ],
  ])('%s', (query, text, values) => {
    expect(where(query)).toEqual({ text: `(${text} and "_row"."is_deleted" is not true)`, values })
  })

  it('and excludes soft-deleted records unless they are requested', () => {
    expect(where('')).toEqual({ text: '"_row"."is_deleted" is not true', values: [] })
    expect(where('only_deleted=true&include_deleted=true')).toEqual({
      text: '"_row"."is_deleted" is true',
      values: [],
    })
    expect(where('include_deleted=true')).toEqual({ text: 'true', values: [] })
    expect(where('only_deleted=true', tables.get('cities'))).toEqual({ text: 'false', values: [] })
  })
})

describe('a filter by a property inside an object or array becomes SQL', () => {
  const as = (type: string, sql: string, first: number) =>
    `(case jsonb_typeof("_row"."about" #> $${first}::text[]) when '${type}' then ("_row"."about" #>> $${first + 1}::text[])::${sql} end)`
  const a = ['a']
  it.each<[string, string, unknown[]]>([
    ['about__a=x', `${as('string', 'text', 1)} = $3::text`, [a, a, 'x']],
    [
      'about__a=x&about__a=y',
      `(${as('string', 'text', 1)} = $3::text or ${as('string', 'text', 4)} = $6::text)`,
      [a, a, 'x', a, a, 'y'],
    ],
    [
      'tags__-1=x',
      `(case jsonb_typeof("_row"."tags" #> $1::text[]) when 'string' then ("_row"."tags" #>> $2::text[])::text end) = $3::text`,
      [['-1'], ['-1'], 'x'],
    ],
    [
      'about__a=5',
      `(${as('number', 'numeric', 1)} = $3::numeric or ${as('string', 'text', 4)} = $6::text)`,
      [a, a, '5', a, a, '5'],
    ],
    [
      'about__a__ne=5',
      `((${as('number', 'numeric', 1)} = $3::numeric or ${as('string', 'text', 4)} = $6::text)) is not true`,
      [a, a, '5', a, a, '5'],
    ],
    ['about__a__b__gte=5', `${as('number', 'numeric', 1)} >= $3::numeric`, [['a', 'b'], ['a', 'b'], '5']],
    ['about__a__gt=x', `${as('string', 'text', 1)} > $3::text`, [a, a, 'x']],
    ['about__a__between=5,x', `${as('string', 'text', 1)} between $3::text and $4::text`, [a, a, '5', 'x']],
    [
      'about__a__in=true,x',
      `(${as('string', 'text', 1)} = any ($3::text[]) or ${as('boolean', 'boolean', 4)} = any ($6::boolean[]))`,
      [a, a, ['true', 'x'], a, a, ['true']],
    ],
    [
      'about__a__contains=x',
      `(${as('string', 'text', 1)} like $3::text or ("_row"."about" #> $4::text[]) @> $5::jsonb)`,
      [a, a, '%x%', a, '"x"'],
    ],
    ['about__a__has_key=b', '("_row"."about" #> $1::text[]) ? $2::text', [a, 'b']],
    ['about__a__null=true', '("_row"."about" #>> $1::text[]) is null', [a]],
    ['about__gt__exact=x', `${as('string', 'text', 1)} = $3::text`, [['gt'], ['gt'], 'x']],
    ['filters={"about__a":5}', `${as('number', 'numeric', 1)} = $3::numeric`, [a, a, '5']],
    ['filters={"about__a":"5"}', `${as('string', 'text', 1)} = $3::text`, [a, a, '5']],
    ['filters={"about__a":[1]}', '("_row"."about" #> $1::text[]) = $2::jsonb', [a, '[1]']],
  ])('%s', (query, text, values) => {
    expect(where(`${query}&include_deleted=true`)).toEqual({ text, values })
  })
})

describe('a tree of filters becomes SQL', () => {
  it.each<[string, string, unknown[]]>([
    [
      '{"or": [{"price": 1}, {"price__gt": 2, "name": "a"}]}',
      '("_row"."price" = $1::numeric or ("_row"."price" > $2::numeric and "_row"."name" = $3::text))',
      ['1', '2', 'a'],
    ],
    ['{"not": {"price__in": [1, 2]}}', '("_row"."price" = any ($1::numeric[])) is not true', [['1', '2']]],
    ['{"not": {"not": {"name__in": ["a,b"]}}}', '"_row"."name" = any ($1::text[])', [['a,b']]],
    ['{"price__between": ["0.1", 2]}', '"_row"."price" between $1::numeric and $2::numeric', ['0.1', '2']],
    [
      '{"tags": ["a"], "price__null": false}',
      '("_row"."tags" = $1::jsonb and "_row"."price" is not null)',
      ['["a"]'],
    ],
    ['{}', 'true', []],
    ['{"or": []}', 'false', []],
    ['{"or": [{}, {"price": 1}]}', 'true', []],
    ['{"not": {"and": []}}', 'false', []],
  ])('%s', (filters, text, values) => {
    expect(where(new URLSearchParams({ filters, include_deleted: 'true' }).toString())).toEqual({
      text,
      values,
    })
  })

  it('and is combined with the other filters', () => {
    expect(where('name=a&filters={"price":1}&include_deleted=true').text).toBe(
      '("_row"."name" = $1::text and "_row"."price" = $2::numeric)',
    )
  })
})

describe('a filter by related records becomes SQL', () => {
  const artist = (condition: string) =>
    `exists (select from "site_7"."shop_artists" "_row1" where "_row1"."id" = "_row"."artist_id" and "_row1"."is_deleted" is not true and ${condition})`
  const related = (query: string) => where(`${query}&include_deleted=true`, works)

  it.each<[string, string, unknown[]]>([
    ['artist_id.name=x', artist('"_row1"."name" = $1::text'), ['x']],
    ['artist.name__icontains=x', artist('"_row1"."name" ilike $1::text'), ['%x%']],
    [
      'artist.name=x&artist_id.born__gt=1900-01-01',
      artist('("_row1"."name" = $1::text and "_row1"."born" > $2::date)'),
      ['x', '1900-01-01'],
    ],
    [
      'artist.city.name=x&artist.name=y',
      artist(
        '(exists (select from "site_7"."shop_cities" "_row2" where "_row2"."id" = "_row1"."city_id" and "_row2"."name" = $1::text) and "_row1"."name" = $2::text)',
      ),
      ['x', 'y'],
    ],
    // A record without an artist has no artist of that name, so it passes.
    ['artist.name__ne=x', `not ${artist('"_row1"."name" = $1::text')}`, ['x']],
    ['artist.name__null=true', `not ${artist('"_row1"."name" is not null')}`, []],
    [
      'artist.name__ne=x&artist.id=1',
      artist('(("_row1"."name" = $1::text) is not true and "_row1"."id" = $2::bigint)'),
      ['x', '1'],
    ],
    [
      'hangings.wall=x',
      'exists (select from "site_7"."shop_hangings" "_row1" where "_row1"."work_id" = "_row"."id" and "_row1"."is_deleted" is not true and "_row1"."wall" = $1::text)',
      ['x'],
    ],
    // No related record has that name.
    [
      'shows.name__ne=x',
      'not exists (select from "site_7"."shop_shows" "_row1", "site_7"."shop_hangings" "_via1" where "_row1"."id" = "_via1"."show_id"' +
        ' and "_via1"."work_id" = "_row"."id" and "_via1"."is_deleted" is not true and "_row1"."name" = $1::text)',
      ['x'],
    ],
  ])('%s', (query, text, values) => {
    expect(related(query)).toEqual({ text, values })
  })
})

describe('the order of a page', () => {
  const order = (query: string, table = products) =>
    /order by (.*?) limit/.exec(oneLine(renderList(plan(query, table))).text)?.[1]

  it('ends with the primary key, so that no two records are equal', () => {
    expect(order('')).toBe('"_row"."id"')
    expect(order('ordering=price,-name')).toBe('"_row"."price", "_row"."name" desc, "_row"."id"')
    expect(order('_sort=name,-id&_order=DESC,Asc')).toBe('"_row"."name" desc, "_row"."id" desc')
    expect(order('', tables.get('hangings'))).toBe('"_row"."show_id", "_row"."work_id"')
  })

  it('puts nulls last in both directions, but only if the field can be null', () => {
    expect(order('ordering=-price,-name')).toBe(
      '"_row"."price" desc nulls last, "_row"."name" desc, "_row"."id"',
    )
    expect(order('ordering=-price&price__gt=5')).toBe('"_row"."price" desc, "_row"."id"')
    expect(order('ordering=-price&price__ne=5')).toBe('"_row"."price" desc nulls last, "_row"."id"')
  })

  it('can use fields of referenced records', () => {
    const { text } = oneLine(renderList(plan('_sort=artist_id.city.name,-artist.name', works)))
    expect(text).toContain(
      'from "site_7"."shop_works" "_row" left join "site_7"."shop_artists" "_by1" on "_by1"."id" = "_row"."artist_id" and "_by1"."is_deleted" is not true' +
        ' left join "site_7"."shop_cities" "_by2" on "_by2"."id" = "_by1"."city_id" where',
    )
    expect(order('_sort=artist_id.city.name,-artist.name', works)).toBe(
      '"_by2"."name", "_by1"."name" desc nulls last, "_row"."id"',
    )
  })

  it('is the rank of the newest matches if a search has no other order', () => {
    expect(oneLine(renderList(plan('search=x', works))).text).toMatch(
      /order by "_row"\."id" desc limit \$\d+\) "_row" where true order by ts_rank\("_row"\."search_vector", phraseto_tsquery\(\$\d+::regconfig, \$\d+\)\) desc, "_row"\."id" limit/,
    )
    expect(order('search=x&ordering=title', works)).toBe('"_row"."title", "_row"."id"')
  })
})

describe('pages', () => {
  it.each<[string, { limit: number; offset: number }]>([
    ['', { limit: 20, offset: 0 }],
    ['page=3&page_size=50', { limit: 50, offset: 100 }],
    ['page_size=5000&page=2', { limit: 1000, offset: 1000 }],
    ['limit=10', { limit: 10, offset: 0 }],
    ['limit=0&offset=3', { limit: 0, offset: 3 }],
    ['offset=7', { limit: 20, offset: 7 }],
    ['limit=5000&offset=3', { limit: 1000, offset: 3 }],
    ['_start=10&_end=15', { limit: 5, offset: 10 }],
    ['_start=10', { limit: 20, offset: 10 }],
    ['_end=5000', { limit: 1000, offset: 0 }],
    ['_page=3&_per_page=50', { limit: 50, offset: 100 }],
    ['_page=2&_limit=5000', { limit: 1000, offset: 1000 }],
    ['_page=2', { limit: 20, offset: 20 }],
    ['_limit=5', { limit: 5, offset: 0 }],
    ['_start=10&_limit=5', { limit: 5, offset: 10 }],
  ])('are read from the parameters "%s"', (query, range) => {
    expect(plan(query)).toMatchObject(range)
  })
})

describe('a page that begins beyond the first million records', () => {
  it('is only counted, and returns 400 if there are so many records', () => {
    expect(plan('page=50001')).toMatchObject({ offset: 1_000_000, countOnly: false })
    expect(plan('page=50002')).toMatchObject({ offset: 1_000_020, countOnly: true })
    const range = { parameter: 'page', offset: 1_000_020, limit: 20 }
    expect([1_000_000, 1_000_020, 1_000_021].map((total) => isOutOfReach(range, total))).toEqual([
      false,
      false,
      true,
    ])
  })
})

/** Returns the SQL of an integer in the JSON of a record. */
const int = (name: string) =>
  `case when "${name}" between -9007199254740991 and 9007199254740991 then to_json("${name}") else to_json("${name}"::text) end as "${name}"`

describe('the SQL of a list of records', () => {
  it('is one statement for the page as JSON text and the total, which is counted only if the page does not show it', () => {
    const list = renderList(plan('price__gt=5&ordering=name&page_size=2'), { exactMax: 500 })
    const { text, values } = oneLine(list)
    const condition = (value: string) =>
      `("_row"."price" > ${value}::numeric and "_row"."is_deleted" is not true)`
    expect(text).toBe(
      `with _page as materialized (select "_row".* from "site_7"."shop_products" "_row" where ${condition('$1')} order by "_row"."name", "_row"."id" limit $2)` +
        ' select _found.n as found, case when _found.n > $3::bigint then tessera.count_rows($4, $5::text[], $6::bigint, $7, $8) end as counted,' +
        ' case when octet_length(_records.data) <= $9 then _records.data end as data' +
        ` from (select count(*) as n from _page) _found, (select coalesce(json_agg(_record), '[]')::text as data` +
        ` from (select ${int('id')}, "name", "price", "price_in", replace(to_json("sold_at") #>> '{}', '+00:00', 'Z') as "sold_at", "about", "tags", ${int('limit')}, "is_deleted"` +
        ' from (select * from _page limit $10) "_row" offset 0) _record) _records',
    )
    const counted = ` select from "site_7"."shop_products" "_row" where ${condition('%1$L')}`
    expect(values).toEqual(['5', 3, 2, counted, ['5'], 500, 150, 'estimated', 12 * 2 ** 20, 2])
  })

  it('selects plain columns if all fields are scalars', () => {
    const { text, values } = oneLine(
      renderList(plan('fields=id,sold_at&price__gt=5&page_size=2&_total=none')),
    )
    expect(text).toBe(
      'select _page.n as found, null::jsonb as counted, case when octet_length(_page.data) <= $1 then _page.data end as data' +
        ` from (select count(*) as n, coalesce(json_agg(_record), '[]')::text as data` +
        ' from (select "_row"."id", "_row"."sold_at" from "site_7"."shop_products" "_row"' +
        ' where ("_row"."price" > $2::numeric and "_row"."is_deleted" is not true) order by "_row"."id" limit $3) _record) _page',
    )
    expect(values).toEqual([12 * 2 ** 20, '5', 3])
  })

  it('selects only the total with _count', () => {
    const list = renderList(plan('_count=true&price=1'))
    expect(oneLine(list).text).toBe(
      "select null::bigint as found, tessera.count_rows($1, $2::text[], $3::bigint, $4, $5) as counted, '[]' as data",
    )
    expect(countedBy(list)).toEqual({
      text: 'select from "site_7"."shop_products" "_row" where ("_row"."price" = %1$L::numeric and "_row"."is_deleted" is not true)',
      values: ['1'],
    })
  })

  it.each([
    ['', [100, 150, 'estimated']],
    ['_total=estimated', [10_000, 150, 'estimated']],
    ['_total=exact', [null, 2_000, 'timeout']],
  ])('counts up to a limit, and for a limited time: %s', (query, wanted) => {
    const { values } = renderList(plan(`_count=true&${query}`), { exactMax: 100 })
    expect(values.slice(2)).toEqual(wanted)
  })

  it('reads records with a value and those without by the index, where the order has them elsewhere', () => {
    const dated = tableOf('dated', {
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'at', type: 'datetime' },
      ],
      primaryKey: 'id',
      indexes: [{ name: 'by_time', fields: ['at'] }],
    })
    const page = (query: string) =>
      /from \((?:select "_row"\.\*|select \*) from (.*)\) _record\) _page$/.exec(
        oneLine(renderList(plan(`${query}&fields=id&_total=none`, dated))).text,
      )?.[1]
    expect(page('ordering=-at&limit=2&offset=5')).toBe(
      '((select "_row"."id" from "site_7"."shop_dated" "_row" where true and "_row"."at" is not null order by "_row"."at" desc, "_row"."id" limit $2)' +
        ' union all (select "_row"."id" from "site_7"."shop_dated" "_row" where true and "_row"."at" is null order by "_row"."at" desc, "_row"."id" limit $3)) _zones limit $4 offset $5',
    )
    expect(page('ordering=at')).toBeUndefined()
    expect(page('ordering=-at.nullsfirst')).toBeUndefined()
  })

  it('has a subquery for each relationship, which returns JSON', () => {
    const columns = (query: string, table?: Table) => {
      const { text, values } = oneLine(renderList(plan(query, table)))
      return {
        text: /as data from .*?\(select (case when "id.*) offset 0\) _whole\) as _json from \(select \* from _page/.exec(
          text,
        )?.[1],
        values: values.slice(8, -1),
      }
    }
    const city =
      `(select row_to_json(_record) from (select ${int('id')}, "name", ${int('population')} from "site_7"."shop_cities" "_row2"` +
      ' where "_row2"."id" = "_row1"."city_id" offset 0) _record) as "city"'
    expect(columns('populate=mentor.city', tables.get('artists'))).toEqual({
      text:
        `${int('id')}, "name", "born", ${int('city_id')}, (select _record._json from (select (select row_to_json(_whole) from (select ${int('id')}, "name", "born", ${int('city_id')}, ${int('mentor')}, "is_deleted", ` +
        `${city} offset 0) _whole) as _json from "site_7"."shop_artists" "_row1" where "_row1"."id" = "_row"."mentor" and "_row1"."is_deleted" is not true offset 0) _record) as "mentor", "is_deleted"`,
      values: [],
    })
    const all = oneLine(renderList(plan('populate=hangings,shows.city_id', works))).text
    expect(all).toContain(
      `"is_deleted", (select coalesce(json_agg(_record), '[]') from (select ${int('show_id')}, ${int('work_id')}, "wall", "is_deleted" from "site_7"."shop_hangings" "_row1"` +
        ' where "_row1"."work_id" = "_row"."id" and "_row1"."is_deleted" is not true order by "_row1"."show_id", "_row1"."work_id" limit $9) _record) as "hangings",' +
        ` (select coalesce(json_agg(_record._json), '[]') from (select (select row_to_json(_whole) from (select ${int('id')}, "name", ${int('city_id')}, "opens", "closes", ${city} offset 0) _whole) as _json from "site_7"."shop_shows" "_row1"` +
        ' where ("_row1"."id") in (select "_via1"."show_id" from "site_7"."shop_hangings" "_via1" where "_via1"."work_id" = "_row"."id" and "_via1"."is_deleted" is not true)' +
        ' order by "_row1"."id" limit $10) _record) as "shows"',
    )
  })

  it('counts related records only if their array was cut', () => {
    const { text, values } = oneLine(renderList(plan('populate=hangings', works)))
    expect(text).toContain(
      "coalesce(json_agg(_record._json), '[]')::text as data from (select (select case _more.counts when '{}' then row_to_json(_whole)" +
        ` else (left(row_to_json(_whole)::text, -1) || ',"_more":' || _more.counts || '}')::json end from (select ${int('id')}, "title"`,
    )
    expect(text).toContain(
      `offset 0) _whole, lateral (select json_strip_nulls(json_build_object('hangings', case when json_array_length(_whole."hangings") = $10 then` +
        ' (select nullif(count(*), $11) from "site_7"."shop_hangings" "_row1" where "_row1"."work_id" = "_row"."id" and "_row1"."is_deleted" is not true) end))::text as counts' +
        ' offset 0) _more) as _json from (select * from _page',
    )
    expect(values.slice(8, -1)).toEqual([100, 100, 100])
  })
})
