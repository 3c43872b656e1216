/** The grammar of expressions: errors with their positions, and the SQL of valid expressions. R11, R15. */
import { describe, expect, it } from 'vitest'
import { relationshipGraph } from '../../../../src/data/model/relationships.ts'
import type { Table } from '../../../../src/data/model/table.ts'
import { answerBytesMax } from '../../../../src/kernel/db/answer-bytes.ts'
import { collection } from '../../../support/collection.ts'
import { cpuMs } from '../../../support/cpu-time.ts'
import { hostileExpressions } from '../../../support/hostile-expressions.ts'
import { aggregationOf, aggregationSql, oneLine, refused } from '../../../support/queries.ts'
import { scaled } from '../../../support/scaled.ts'
import { tablesOf } from '../../../support/tables.ts'

const tables = tablesOf(collection.resources)
const graph = relationshipGraph(tables)
const works = tables.get('works') as Table

const query = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString()
const details = (parameters: Record<string, string>) =>
  (
    refused(() => aggregationOf(works, graph, query(parameters))) as
      | { details?: Record<string, string[]> }
      | undefined
  )?.details

describe('an invalid expression is rejected, and the message names the problem and its position', () => {
  it.each<[string, string]>([
    // SQL that the grammar does not support.
    ['sum(price) over (partition by year)', 'Position 12: Window functions are not supported.'],
    ['row_number() over ()', 'Position 14: Window functions are not supported.'],
    ['(select 1)', 'Position 2: Sub-selects are not supported.'],
    ['select count(*)', 'Position 1: Sub-selects are not supported.'],
    ['sum((select max(price) from works))', 'Position 6: Sub-selects are not supported.'],
    ['count(*) filter (where exists (select 1))', 'Position 24: Sub-selects are not supported.'],
    ['count(*) filter (where id in (select 1))', 'Position 31: Sub-selects are not supported.'],
    ['count(*) filter (where id = any (1, 2))', 'Position 29: Sub-selects are not supported.'],
    ['sum(avg(price))', 'Position 5: An aggregate function inside another one is not supported.'],
    [
      'sum(price) filter (where count(*) > 1)',
      'Position 26: An aggregate function inside another one is not supported.',
    ],
    // The clauses of aggregate functions.
    ['array_agg(title order year)', 'Position 17: Unexpected "order": ) is expected.'],
    ['array_agg(title order by)', 'Position 25: Unexpected ")".'],
    ['array_agg(title order by year nulls)', 'Position 36: Unexpected ")": LAST is expected.'],
    ['array_agg(title order by year up)', 'Position 31: Unexpected "up": ) is expected.'],
    ['array_agg(title order by about)', 'Position 26: Values of type JSON have no order.'],
    [
      "array_agg(title order by about->>'a')",
      'Position 26: Values of type JSON have no order. Write the type of a property after it: ::number.',
    ],
    ['array_agg(title order by sum(year))', 'Position 26: An aggregate function inside another one'],
    ['array_agg(title order by nope)', 'Position 26: Unknown field or parameter "nope".'],
    [
      `array_agg(title order by ${Array(11).fill('year').join()})`,
      'Position 26: You can sort by at most 10 values.',
    ],
    ...['year', 'lower(title)', 'title, year'].map((order): [string, string] => [
      `string_agg(distinct title order by ${order})`,
      'With DISTINCT, a list can only be sorted by its own values: ORDER BY repeats the expression.',
    ]),
    ...['sum(price order by year)', 'count(title order by year)', 'any_value(title order by year)'].map(
      (call): [string, string] => [
        call,
        'Position 1: ORDER BY is only for array_agg, json_agg, jsonb_agg, string_agg, not for ',
      ],
    ),
    ['lower(title order by year)', 'Position 22: ORDER BY is only for aggregate functions, not for lower.'],
    ...['sum(price)', 'array_agg(title)', 'count(*)'].map((call): [string, string] => [
      `${call} within group (order by price)`,
      'Position 1: WITHIN GROUP is only for percentile_cont, percentile_disc, mode, not for ',
    ]),
    ['mode() within group ()', 'Position 22: Unexpected ")": ORDER BY is expected.'],
    ['mode() within (order by price)', 'Position 8: Unexpected "within".'],
    ...[
      'percentile_cont(price, 0.5)',
      'percentile_cont(0.5)',
      'percentile_cont(0.5 order by price)',
      'percentile_cont(0.5) within group (order by price, year)',
      'percentile_cont() within group (order by price)',
      'percentile_cont(distinct 0.5) within group (order by price)',
    ].map((call): [string, string] => [
      call,
      'Position 1: Usage: percentile_cont(0.5) within group (order by field).',
    ]),
    ['mode(price)', 'Position 1: Usage: mode() within group (order by field).'],
    ...['1.5', '-0.1', 'price', 'null', "'0.5'", 'true', '1 - 0.5'].map((fraction): [string, string] => [
      `percentile_disc(${fraction}) within group (order by year)`,
      'The fraction must be a number from 0 to 1.',
    ]),
    [
      'percentile_cont(0.5) within group (order by title)',
      'Position 45: "percentile_cont" does not take values of type string. Types: integer, number.',
    ],
    [
      'percentile_disc(0.5) within group (order by about)',
      'Position 45: "percentile_disc" does not take values of type JSON.',
    ],
    ['corr(price)', 'Position 1: Usage: corr(a, b).'],
    ['corr(price, year, id)', 'Position 1: Usage: corr(a, b).'],
    [
      'corr(price, title)',
      'Position 13: "corr" does not take values of type string. Types: integer, number.',
    ],
    [
      `count(distinct ${Array(11).fill('year').join()})`,
      'Position 1: Usage: count(*), count(field), count(distinct a, b).',
    ],
    ["count(*) filter (where title like 'a%')", 'Position 30: LIKE is not supported.'],
    ["sum(interval '1 day')", 'Position 5: INTERVAL is not supported.'],
    [
      'sum(price::numeric(10, 2))',
      'Position 19: Types cannot have a length or precision here. To round a number, use round(x, 2).',
    ],
    // Names.
    ['pg_sleep(10)', 'Position 1: Unknown function "pg_sleep".'],
    ['pg_catalog.count(id)', 'Position 1: Unknown function "pg_catalog.count".'],
    ['"sum"(price)', undefined as unknown as string],
    ['sum(nope)', 'Position 5: Unknown field or parameter "nope".'],
    ['sum(constructor)', 'Position 5: Unknown field or parameter "constructor".'],
    ['__proto__(price)', 'Position 1: Unknown function "__proto__".'],
    ['sum(artist.nope)', 'Position 5: Unknown field "nope" of "artists".'],
    ['sum(shows.id)', 'Position 5: A record can have many "shows": their fields cannot be aggregated here.'],
    ['sum(price::regclass)', 'Position 10: Unknown type "regclass".'],
    ['sum(price::"numeric")', 'Position 12: The name of a type is expected.'],
    // Words and symbols.
    ['sum(price) -- x', 'Position 12: Comments are not allowed in an expression.'],
    ['sum(price/**/)', 'Position 10: Comments are not allowed in an expression.'],
    ['sum(price); drop table works', 'Position 11: ";" is not allowed in an expression.'],
    ['sum($1)', 'Position 5: "$" is not allowed in an expression.'],
    ['sum($$x$$)', 'Position 5: "$" is not allowed in an expression.'],
    ['sum(é)', 'Position 5: Unknown field or parameter "é".'],
    ['sum(€)', 'Position 5: "€" is not allowed in an expression.'],
    ['sum(😀)', 'Position 5: "😀" is not allowed in an expression.'],
    ['sum(title || code)', 'Position 11: Unknown operator "||".'],
    ["sum(about->'a)", 'Position 12: The quote that begins here is not closed.'],
    ['sum(about->)', 'Position 12: The name of a field is expected here.'],
    ['sum(about."a)', 'Position 11: The quote that begins here is not closed.'],
    ["sum(about#>'{a}')", 'Position 10: Unknown operator "#>".'],
    ['sum(price ^ 2)', 'Position 11: Unknown operator "^".'],
    ['sum(price := 2)', 'Position 11: Unknown operator ":=".'],
    ["count('it)", 'Position 7: The quote that begins here is not closed.'],
    ['count("id)', 'Position 7: The quote that begins here is not closed.'],
    ["count(E'x')", `Position 8: Unexpected "x": ) is expected.`],
    ["count('a' 'b')", 'Position 11: Unexpected "b": ) is expected. In a URL, write + as %2B.'],
    ['sum(price year)', 'Position 11: Unexpected "year": ) is expected. In a URL, write + as %2B.'],
    ['sum(price', 'Position 10: The expression ends too early: ) is expected.'],
    ['sum(price))', 'Position 11: Unexpected ")".'],
    ['sum(price) total', 'Position 12: Unexpected "total". In a URL, write + as %2B.'],
    ['sum(1abc)', 'Position 5: "1abc" is not a number.'],
    ['sum(0x1F)', 'Position 5: "0x1F" is not a number.'],
    ['sum(1e9999)', 'Position 5: "1e9999" is not a number.'],
    ["count('\0')", 'Position 7: "\\u0000" has a character that cannot be stored.'],
    [
      'sum(1 < 2 < 3)',
      'Position 11: Comparisons cannot be chained. Use parentheses or AND, for example a < b AND b < c.',
    ],
    ['sum(case price end)', 'Position 16: Unexpected "end": WHEN is expected.'],
    [
      'count(*) filter (where sold is unknown)',
      'Position 32: Unexpected "unknown": NULL, TRUE or FALSE is expected.',
    ],
    [',count(*)', 'Position 1: An expression is missing.'],
    ['count(*),', 'Position 10: An expression is missing.'],
    [
      `sum(${'('.repeat(41)}1${')'.repeat(41)})`,
      'Position 44: Expressions may be nested at most 40 levels deep.',
    ],
    [`sum(${'- '.repeat(60)}1)`, 'Position 83: Expressions may be nested at most 40 levels deep.'],
    [`sum(${'1+'.repeat(600)}1)`, 'Position 1003: A parameter may have 1000 words at most.'],
    // A short text that Postgres, or the planning, would copy into one of any size.
    ...[
      'case x when 1 then 1 when 2 then 1 end',
      '(case when x between 0 and 1 then 1 end)',
      '(case when x in (1, year) then 1 end)',
    ].map((form): [string, string] => [
      `sum(${Array.from({ length: 18 }).reduce((x: string) => form.replace('x', x), 'year')})`,
      'Position 1: The expressions of a query may have 2000 parts at most. CASE x WHEN, BETWEEN and IN count x again for each comparison.',
    ]),
    [
      Array.from({ length: 6 }, (_, n) => `array_agg(year) as y${n}`).join(),
      'Position 111: A query can use at most 5 functions that return lists (array_agg, json_agg, jsonb_agg, string_agg).',
    ],
    // Types.
    ['sum(title)', 'Position 5: "sum" does not take values of type string. Types: integer, number.'],
    ['sum(about)', 'Position 5: "sum" does not take values of type JSON. Types: integer, number.'],
    ['min(sold)', 'Position 5: "min" does not take values of type boolean.'],
    ['sum(price + title)', 'Position 13: A value of type number is expected; this is of type string.'],
    ["sum(price + 'x')", 'Position 13: "x" is not a value of type number.'],
    [
      'sum(price) filter (where price)',
      'Position 26: A value of type boolean is expected; this is of type number.',
    ],
    ["count(*) filter (where made_at > 'soon')", 'Position 34: "soon" is not a value of type datetime.'],
    [
      'count(*) filter (where about > about)',
      'Position 30: Values of type JSON cannot be compared in this way.',
    ],
    ['max(lower(price))', 'Position 11: A value of type string is expected; this is of type number.'],
    ["sum(case when sold then 1 else 'x' end)", 'Position 32: "x" is not a value of type integer.'],
    ['sum(code::integer)', 'Position 9: A value of type uuid cannot be cast to integer.'],
    [
      'string_agg(title, artist.name)',
      "Position 19: The separator must be a text in quotes, for example ', '.",
    ],
    [
      "max(date_trunc('eon', made_at))",
      'Position 16: "eon" is not a unit here. Units: minute, hour, day, week, month, quarter, year.',
    ],
    [
      "max(date_trunc('day', price))",
      'Position 23: A value of type date or datetime or local datetime is expected; this is of type number.',
    ],
    [
      'sum(extract(hour from artist.born))',
      'Position 13: "hour" is not a unit here. Units: day, week, month, quarter, year, dow, isodow, doy, isoyear, epoch.',
    ],
    [
      "max(made_at at time zone '+02:00')",
      `Position 26: "+02:00" is not a time zone. Write the name of a zone, for example 'Europe/Berlin'.`,
    ],
    [
      "max(made_at at time zone 'Mars/Olympus')",
      `Position 26: "Mars/Olympus" is not a time zone. Write the name of a zone, for example 'Europe/Berlin'.`,
    ],
    [
      "max(made_at at time zone 'CET')",
      `Position 26: "CET" is not a time zone. Write the name of a zone, for example 'Europe/Berlin'.`,
    ],
    [
      "max(date_trunc('day', made_at, 'ist'))",
      `Position 32: "ist" is not a time zone. Write the name of a zone, for example 'Europe/Berlin'.`,
    ],
    [
      'max(made_at at time zone title)',
      `Position 26: "" is not a time zone. Write the name of a zone, for example 'Europe/Berlin'.`,
    ],
    [
      "max(hour at time zone 'UTC')",
      'Position 10: AT TIME ZONE needs a date with a time; this is of type time.',
    ],
    ['sum(round(price, year))', 'Position 18: The number of digits must be a whole number from -100 to 100.'],
    // Shapes.
    ['price', 'Position 1: "price" must be inside an aggregate function, for example sum(price).'],
    [
      'sum(price) / price',
      'Position 14: "price" must be inside an aggregate function, for example sum(price).',
    ],
    ['1 + 1 as two', 'Position 3: An aggregate function is required. Functions:'],
    ['sum(*)', 'Position 1: Usage: sum(field).'],
    ['sum()', 'Position 1: Usage: sum(field).'],
    ['count(id, year)', 'Position 1: Usage: count(*), count(field), count(distinct a, b).'],
    ['count(distinct *)', 'Position 16: * is only allowed in count(*).'],
    ['round(sum(price), 1, 2)', 'Position 1: Usage: round(number), round(number, digits).'],
    [
      'sum(abs(price) filter (where sold))',
      'Position 30: FILTER is only for aggregate functions, not for abs.',
    ],
    // Names of results.
    [
      'sum(price) / count(*)',
      'Position 12: This expression has no name of its own. Write " as <alias>" after it.',
    ],
    [
      'sum(price) as "a b"',
      'Position 15: An alias begins with a letter or an underscore and has up to 63 letters, digits and underscores.',
    ],
    ['sum(price) as é', 'Position 15: An alias begins with a letter or an underscore'],
    [
      `sum(price) as ${'a'.repeat(64)}`,
      'Position 15: An alias begins with a letter or an underscore and has up to 63 letters, digits and underscores.',
    ],
    [
      'sum(price), sum(price)',
      'There are two results named "sum_price". Rename one: write " as <alias>" after it.',
    ],
    [
      Array.from({ length: 51 }, (_, index) => `count(*) as c${index}`).join(),
      'At most 50 expressions are allowed.',
    ],
  ])('%s', (_aggregate, message) => {
    expect(details({ _aggregate })).toEqual(
      message === undefined ? undefined : { _aggregate: [expect.stringContaining(message)] },
    )
  })

  it('in a list is checked separately from the others', () => {
    expect(
      details({
        _aggregate: 'sum(nope), count(*), min(sold, 1)',
        _group_by: 'year,,sum(price),price + 1,title as t,title as t',
      }),
    ).toEqual({
      _aggregate: [expect.stringContaining('Position 5: Unknown field'), 'Position 22: Usage: min(field).'],
      _group_by: [
        'Position 6: An expression is missing.',
        'Position 7: Aggregate functions are not allowed in _group_by.',
        'Position 24: This expression has no name of its own. Write " as <alias>" after it.',
        'There are two results named "t". Rename one: write " as <alias>" after it.',
      ],
    })
  })
})

describe('a query of groups', () => {
  const aggregate = { _aggregate: 'count(*),array_agg(title)', _group_by: 'year,about' }
  const results = 'Results: year, about, count, array_agg_title.'
  it.each<[Record<string, string>, Record<string, string[]>]>([
    [
      { _having: 'count' },
      { _having: ['"count" is not a condition. Write it as name__operator=value: count__gt=5.'] },
    ],
    [
      { _having: 'count__gt=1,,' },
      { _having: ['"," is not a condition. Write it as name__operator=value: count__gt=5.'] },
    ],
    [
      { _having: 'count__near=1' },
      { _having: ['Unknown operator "near". Operators: gt, gte, lt, lte, ne, eq.'] },
    ],
    [
      { _having: 'count__exact=1' },
      { _having: ['Unknown operator "exact". Operators: gt, gte, lt, lte, ne, eq.'] },
    ],
    [{ _having: 'price__gt=1' }, { _having: [`Unknown result "price". ${results}`] }],
    [{ _having: 'constructor__gt=1' }, { _having: [`Unknown result "constructor". ${results}`] }],
    [
      { _having: 'count__gt=many' },
      { _having: ['"many" is not a value of "count", which is of type integer.'] },
    ],
    [{ _having: "count__gt='1" }, { _having: [`"'1" is not a value of "count", which is of type integer.`] }],
    [{ _having: 'about__eq={}' }, { _having: ['"about" is of type JSON, which cannot be compared.'] }],
    [{ _having: Array(21).fill('count__gt=1').join() }, { _having: ['At most 20 conditions are allowed.'] }],
    [{ ordering: '-price' }, { ordering: [`Unknown result "price". ${results}`] }],
    [
      { _sort: 'array_agg_title,about' },
      {
        _sort: [
          '"array_agg_title" is of type list, which has no order.',
          '"about" is of type JSON, which has no order.',
        ],
      },
    ],
    [{ _sort: Array(11).fill('count').join() }, { _sort: ['You can sort by at most 10 results.'] }],
    [{ populate: 'artist' }, { populate: ['"artist" needs artist_id in _group_by.'] }],
    [
      { _group_by: 'artist_id,title as artist', populate: 'artist' },
      { populate: [expect.stringContaining('A result is named "artist", too')] },
    ],
    [
      { _group_by: Array.from({ length: 11 }, (_, index) => `id as k${index}`).join() },
      { _group_by: ['At most 10 expressions are allowed.'] },
    ],
    [
      {
        _group_by:
          'artist.city.name,restorer.city.name,artist.mentor.id,restorer.mentor.id,artist.mentor.city.id',
        artist: '1',
      },
      { artist: [expect.stringContaining('Unknown field')] },
    ],
  ])('is rejected for %o', (parameters, wanted) => {
    expect(details({ ...aggregate, ...parameters })).toEqual(wanted)
  })

  it('needs _group_by for _having, ordering, populate, _count and _total', () => {
    const missing = ['Only applies to groups: add _group_by, for example _group_by=status.']
    expect(
      details({
        _aggregate: 'count(*)',
        _having: 'count__gt=1',
        ordering: 'count',
        populate: 'artist',
        _count: 'true',
      }),
    ).toEqual({
      _having: missing,
      ordering: missing,
      populate: missing,
      _count: missing,
    })
  })
})

describe('an expression becomes newly written SQL with every value bound', () => {
  const price = '"_row"."price"'
  const year = '"_row"."year"'
  it.each<[string, string, unknown[]]>([
    ['count(*)', 'count(*) as "count"', []],
    ['COUNT( year )', `count(${year}) as "count_year"`, []],
    ['count(distinct year)', `count(distinct ${year}) as "count_distinct_year"`, []],
    ['sum("price")', `sum(${price}) as "sum_price"`, []],
    ['sum(price) as "Total"', `sum(${price}) as "Total"`, []],
    ['sum(price * 2 + year)', `tessera.bounded(sum(((${price} * $2::bigint) + ${year}))) as "sum"`, ['2']],
    ['sum(price * (2 + year))', `tessera.bounded(sum((${price} * ($2::bigint + ${year})))) as "sum"`, ['2']],
    [
      'sum(price - 2 - -3.50)',
      `tessera.bounded(sum(((${price} - $2::bigint) - $3::numeric))) as "sum"`,
      ['2', '-3.50'],
    ],
    [
      'sum(-price::integer % 3)',
      `tessera.bounded(sum(((- (${price}::bigint)) % $2::bigint))) as "sum"`,
      ['3'],
    ],
    ['sum(price) / count(*) as mean', `tessera.bounded((sum(${price}) / count(*))) as "mean"`, []],
    ['sum(9223372036854775808)', 'sum($2::numeric) as "sum"', ['9223372036854775808']],
    ['sum(sold::int)', 'tessera.bounded(sum(("_row"."sold"::int::bigint))) as "sum"', []],
    ['sum(cast(price as double precision))', `tessera.bounded(sum((${price}::numeric))) as "sum"`, []],
    [
      'round(avg(price), 2)',
      `tessera.bounded(round(avg(${price})::numeric, $2::bigint::int)) as "round"`,
      ['2'],
    ],
    [
      "count(*) filter (where title = 'it''s; --') as c",
      'count(*) filter (where ("_row"."title" = $2::text)) as "c"',
      ["it's; --"],
    ],
    ["count(nullif(lower(title), ''))", 'count(nullif(lower("_row"."title"), $2::text)) as "count"', ['']],
    [
      'count(*) filter (where not sold or price is null and year <> 1)',
      `count(*) filter (where ((not "_row"."sold") or ((${price} is null) and (${year} <> $2::bigint)))) as "count"`,
      ['1'],
    ],
    [
      'count(*) filter (where year not in (1, 2) and price between 0 and 1 + 1)',
      `count(*) filter (where ((${year} not in ($2::bigint, $3::bigint)) and (${price} between $4::bigint and ($5::bigint + $6::bigint)))) as "count"`,
      ['1', '2', '0', '1', '1'],
    ],
    [
      "sum(case title when 'a' then 1 else 2.5 end)",
      'tessera.bounded(sum((case when ("_row"."title" = $2::text) then $3::bigint else $4::numeric end))) as "sum"',
      ['a', '1', '2.5'],
    ],
    [
      "max(coalesce(made_at, '2024-01-01'))",
      'max(coalesce("_row"."made_at", $2::timestamptz)) as "max"',
      ['2024-01-01'],
    ],
    ['sum(coalesce(price, null))', `tessera.bounded(sum(coalesce(${price}, $2::numeric))) as "sum"`, [null]],
    [
      'sum(extract(YEAR from made_at))',
      `tessera.bounded(sum(extract('year' from "_row"."made_at"))) as "sum"`,
      [],
    ],
    [
      "max(date_trunc('Week', made_at at time zone 'Europe/Berlin'))",
      `max(date_trunc('week', ("_row"."made_at" at time zone $2::text))) as "max"`,
      ['Europe/Berlin'],
    ],
    [
      "max(date_trunc('day', made_at, 'Asia/Tokyo'))",
      `max(date_trunc('day', "_row"."made_at", $2::text)) as "max"`,
      ['Asia/Tokyo'],
    ],
    [
      "max(date_trunc('year', made_at::date))",
      `max(date_trunc('year', ("_row"."made_at"::date)::timestamp)::date) as "max"`,
      [],
    ],
    [
      'string_agg(title)',
      'string_agg("_row"."title", $2::text order by "_row"."id") as "string_agg_title"',
      [', '],
    ],
    [
      "string_agg(distinct title, ' | ')",
      'string_agg(distinct "_row"."title", $2::text) as "string_agg_distinct_title"',
      [' | '],
    ],
    [
      'json_agg(made_at)',
      `json_agg(replace(to_json("_row"."made_at") #>> '{}', '+00:00', 'Z') order by "_row"."id") as "json_agg_made_at"`,
      [],
    ],
    ['max(artist_id.city.name)', 'max("_by2"."name") as "max_artist_id.city.name"', []],
    [
      'array_agg(title order by year desc, price nulls first)',
      'array_agg("_row"."title" order by "_row"."year" desc, "_row"."price" nulls first, "_row"."id") as "array_agg_title"',
      [],
    ],
    [
      'count(distinct year, title) filter (where sold)',
      'count(distinct ("_row"."year", "_row"."title")) filter (where ("_row"."year", "_row"."title") is not null and "_row"."sold") as "count_distinct_year_title"',
      [],
    ],
    [
      'corr(price, year)',
      'tessera.bounded((corr("_row"."price", "_row"."year"))::numeric) as "corr_price_year"',
      [],
    ],
    [
      'mode() within group (order by title desc)',
      'mode() within group (order by "_row"."title" desc) as "mode_title"',
      [],
    ],
    [
      'percentile_disc(0.9) within group (order by title) filter (where sold)',
      'percentile_disc($2::float8) within group (order by "_row"."title") filter (where "_row"."sold") as "percentile_disc_title"',
      [0.9],
    ],
  ])('%s', (_aggregate, text, values) => {
    const { text: statement, values: bound } = oneLine(
      aggregationSql(works, graph, query({ _aggregate, include_deleted: 'true' })),
    )
    expect(/.*from \(select (.*) from "site_7"/.exec(statement)?.[1]).toBe(text)
    expect(bound.slice(1)).toEqual(values)
  })

  it('also for groups, which are computed once for the page and the total, with values in keys bound once', () => {
    const { text, values } = oneLine(
      aggregationSql(
        works,
        graph,
        query({
          _aggregate: 'count(*), sum(price)',
          _group_by: "date_trunc('day', made_at at time zone 'UTC'), artist_id.name",
          _having: 'count__gt=5,sum_price__ne=1.5',
          ordering: '-count',
          sold: 'true',
          page_size: '7',
        }),
      ),
    )
    expect(text).toBe(
      'with _groups as (select * from (select date_trunc(\'day\', ("_row"."made_at" at time zone $1::text)) as "date_trunc", "_by1"."name" as "artist_id.name",' +
        ' count(*) as "count", sum("_row"."price") as "sum_price" from "site_7"."shop_works" "_row"' +
        ' left join "site_7"."shop_artists" "_by1" on "_by1"."id" = "_row"."artist_id" and "_by1"."is_deleted" is not true' +
        ' where ("_row"."sold" = $2::boolean and "_row"."is_deleted" is not true) group by 1, 2) "_group"' +
        ' where "_group"."count" > $3::numeric and ("_group"."sum_price" = $4::numeric) is not true)' +
        " select null::bigint as found, (select jsonb_build_object('total', count(*), 'is', 'exact') from _groups) as counted, case when octet_length(_page.data) <= $5 then _page.data end as data" +
        " from (select coalesce(json_agg(_record), '[]')::text as data" +
        ' from (select "_group"."date_trunc", "_group"."artist_id.name",' +
        ' case when "_group"."count" between -9007199254740991 and 9007199254740991 then to_json("_group"."count") else to_json("_group"."count"::text) end as "count",' +
        ' "_group"."sum_price"' +
        ' from (select * from _groups "_group" order by "_group"."count" desc nulls last, "_group"."date_trunc", "_group"."artist_id.name"' +
        ' limit $6 offset $7) "_group" offset 0) _record) _page',
    )
    expect(values).toEqual(['UTC', 'true', '5', '1.5', answerBytesMax, 7, 0])
  })
})

describe('hostile expressions', () => {
  it(`return 400 in _aggregate and in _group_by, and quickly: ${hostileExpressions.length} of them`, async () => {
    expect(hostileExpressions.length).toBeGreaterThan(1000)
    const took = await cpuMs(() => {
      for (const expression of hostileExpressions) {
        expect([expression, Object.keys(details({ _aggregate: expression }) ?? {})]).toEqual([
          expression,
          ['_aggregate'],
        ])
        expect([
          expression,
          Object.keys(details({ _aggregate: 'count(*)', _group_by: expression }) ?? {}),
        ]).toEqual([expression, ['_group_by']])
      }
    })
    expect(took).toBeLessThan(scaled(10_000))
  })
})
