/**
 * Random aggregations of the works of the collection, each written twice: as a client writes it, with the
 * minimum of parentheses, and as an SQL statement that computes the same in another way.
 */
import fc from 'fast-check'
import { isOfRecords, type Make, sortingCalls } from './sorting-calls.ts'

/** An expression. `level` is its precedence. */
export interface Term {
  said: string
  sql: string
  level: number
  type: 'number' | 'integer' | 'text' | 'moment' | 'clock' | 'truth' | 'date'
}

export interface AggregateQuery {
  /** The parameters of the query string. */
  parameters: Record<string, string>
  /** An SQL expression for the rows as a JSON array. */
  rows: string
  /** An SQL expression for the number of groups. Undefined without groups. */
  total: string | undefined
}

const tight = 20
const term = (type: Term['type'], said: string, sql: string, level = tight): Term => ({
  said,
  sql,
  level,
  type,
})
const held = ({ said, level }: Term, least: number) => (level < least ? `(${said})` : said)
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

const one = <Value>(...values: Value[]) => fc.constantFrom(...values)

/** Returns SQL that reads a number from JSON with jsonpath. */
const numberIn = (json: string) =>
  `(jsonb_path_query_first(${json}, 'strict $ ? (@.type() == "number")') #>> '{}')::numeric`

const textIn = (json: string) =>
  `(jsonb_path_query_first(${json}, 'strict $ ? (@.type() == "string")') #>> '{}')`

/** Fields: the path that a client writes, and the column. */
const numbers = one(
  term('number', 'price', 'w.price'),
  term('integer', 'year', 'w.year'),
  term('integer', '"id"', 'w.id'),
  term('integer', 'artist_id.city.population', 'c.population'),
  term('integer', 'restorer.id', 'r.id'),
  term('number', 'about.a::number', numberIn("w.about -> 'a'"), 11),
  term('number', 'about."b".a::numeric', numberIn("w.about -> 'b' -> 'a'"), 11),
  term('number', 'about__"a.b"::number', numberIn("w.about -> 'a.b'"), 11),
  term('number', "about->'x\"y'::number", numberIn(`w.about -> 'x"y'`), 11),
  term('number', 'about__b.a__a::number', numberIn("w.about -> 'b.a' -> 'a'"), 11),
  term('number', 'tags.-1::number', numberIn('w.tags -> -1'), 11),
  term('number', 'cast(tags.0 as number)', numberIn('w.tags -> 0')),
)
const texts = one(
  term('text', 'title', 'w.title'),
  term('text', 'artist.name', 'a.name'),
  term('text', 'artist.city_id.name', 'c.name'),
  term('text', 'about.red::text', textIn("w.about -> 'red'"), 11),
)
const moment = term('moment', 'made_at', 'w.made_at')
const born = term('date', 'artist.born', 'a.born')
const truth = term('truth', 'sold', 'w.sold')
const words = ['red', "o'x", 'Äb', '', '50%', ', ']
const literals = one(
  ...['0', '2', '7', '2.5', '0.125', '1e2'].map((text) =>
    term(/^\d+$/.test(text) ? 'integer' : 'number', text, text),
  ),
  term('integer', '-3', '(-3)', 10),
)
const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'UTC']
/** Units of days, each with SQL for the first day of it in which a date lies. */
const days: [unit: string, first: (date: string) => string][] = [
  ['hour', (date) => date],
  ['day', (date) => date],
  ['week', (date) => `${date} - (extract(isodow from ${date})::int - 1)`],
  ['month', (date) => `make_date(extract(year from ${date})::int, extract(month from ${date})::int, 1)`],
  [
    'quarter',
    (date) => `make_date(extract(year from ${date})::int, 3 * extract(quarter from ${date})::int - 2, 1)`,
  ],
  ['year', (date) => `make_date(extract(year from ${date})::int, 1, 1)`],
]
const units = ['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']

const numeric = (a: Term, b: Term): 'integer' | 'number' =>
  a.type === 'integer' && b.type === 'integer' ? 'integer' : 'number'

/** Returns a keyword in any case. */
const cased = (text: string): fc.Arbitrary<string> =>
  one(text, text.toUpperCase(), text.charAt(0).toUpperCase() + text.slice(1))

function number(depth: number): fc.Arbitrary<Term> {
  const leaf = fc.oneof({ weight: 3, arbitrary: numbers }, { weight: 1, arbitrary: literals })
  if (depth === 0) return leaf
  const inner = number(depth - 1)
  const binary = fc
    .tuple(inner, one(['+', 8], ['-', 8], ['*', 9]) as fc.Arbitrary<[string, number]>, inner)
    .map(([a, [sign, level], b]) => {
      return term(
        numeric(a, b),
        `${held(a, level)} ${sign} ${held(b, level + 1)}`,
        `((${a.sql}) ${sign} (${b.sql}))`,
        level,
      )
    })
  const divided = fc
    .tuple(inner, one('/', '%'), one('3', '4', '2.5'))
    .map(([a, sign, by]) =>
      term(
        a.type === 'integer' && by !== '2.5' ? 'integer' : 'number',
        `${held(a, 9)} ${sign} ${by}`,
        `((${a.sql}) ${sign} ${by})`,
        9,
      ),
    )
  const other = fc.oneof(
    inner.map((a) => term(a.type, `abs(${a.said})`, `abs(${a.sql})`)),
    inner.map((a) => term(a.type, `- ${held(a, 10)}`, `(-(${a.sql}))`, 10)),
    fc
      .tuple(inner, one(0, 1, 2, -1))
      .map(([a, digits]) =>
        term('number', `round(${a.said}, ${digits})`, `round((${a.sql})::numeric, ${digits})`),
      ),
    fc
      .tuple(inner, literals)
      .map(([a, b]) => term(numeric(a, b), `coalesce(${a.said}, ${b.said})`, `coalesce(${a.sql}, ${b.sql})`)),
    fc
      .tuple(inner, literals)
      .map(([a, b]) => term(a.type, `nullif(${a.said}, ${b.said})`, `nullif(${a.sql}, ${b.sql})`)),
    inner.map((a) => term('number', `${held(a, 11)}::numeric`, `cast(${a.sql} as numeric)`, 11)),
    inner.map((a) => term('integer', `cast(${a.said} as bigint)`, `(${a.sql})::bigint`)),
    one('year', 'month', 'dow', 'epoch').map((unit) =>
      term('number', `extract(${unit} from made_at)`, `extract(${unit} from w.made_at)`),
    ),
    one('year', 'doy').map((unit) =>
      term('number', `extract(${unit} from ${born.said})`, `extract(${unit} from ${born.sql})`),
    ),
    fc.constant(term('integer', 'sold::int', 'case when w.sold then 1 when not w.sold then 0 end', 11)),
    fc.tuple(bool(depth - 1), inner, fc.option(inner)).map(([when, then, otherwise]) => {
      const said = `case when ${when.said} then ${then.said}${otherwise ? ` else ${otherwise.said}` : ''} end`
      const sql = `(case when ${when.sql} then ${then.sql} else ${otherwise?.sql ?? 'null'} end)`
      return term(otherwise ? numeric(then, otherwise) : then.type, said, sql)
    }),
  )
  return fc.oneof(
    { weight: 2, arbitrary: leaf },
    { weight: 3, arbitrary: binary },
    { weight: 1, arbitrary: divided },
    { weight: 3, arbitrary: other },
  )
}

function text(depth: number): fc.Arbitrary<Term> {
  if (depth === 0) return texts
  const inner = text(depth - 1)
  return fc.oneof(
    { weight: 3, arbitrary: texts },
    { weight: 1, arbitrary: inner.map((a) => term('text', `lower(${a.said})`, `lower(${a.sql})`)) },
    { weight: 1, arbitrary: inner.map((a) => term('text', `UPPER( ${a.said} )`, `upper(${a.sql})`)) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(inner, one(...words))
        .map(([a, b]) =>
          term('text', `coalesce(${a.said},${quoted(b)})`, `coalesce(${a.sql}, ${quoted(b)})`),
        ),
    },
    {
      weight: 1,
      arbitrary: numbers
        .filter(({ type }) => type === 'integer')
        .map((a) => term('text', `${a.said}::text`, `(${a.sql})::text`, 11)),
    },
    {
      weight: 1,
      arbitrary: inner.map((a) =>
        term(
          'text',
          `case ${a.said} when 'red' then 'r' when ${quoted("o'x")} then null end`,
          `(case when ${a.sql} = 'red' then 'r' end)`,
        ),
      ),
    },
  )
}

function bool(depth: number): fc.Arbitrary<Term> {
  const compared = fc
    .tuple(number(0), one('=', '<>', '!=', '<', '<=', '>', '>='), number(0))
    .map(([a, sign, b]) =>
      term('truth', `${a.said}${sign}${b.said}`, `((${a.sql}) ${sign === '!=' ? '<>' : sign} (${b.sql}))`, 5),
    )
  const leaf = fc.oneof(
    fc.constant(truth),
    compared,
    texts.chain((a) =>
      one(...words).map((word) =>
        term('truth', `${a.said} = ${quoted(word)}`, `(${a.sql} = ${quoted(word)})`, 5),
      ),
    ),
    numbers.map((a) => term('truth', `${a.said} is null`, `(${a.sql} is null)`, 4)),
    texts.map((a) => term('truth', `${a.said} IS NOT NULL`, `(${a.sql} is not null)`, 4)),
    fc.constant(term('truth', 'sold is not true', '(w.sold is distinct from true)', 4)),
    fc.constant(term('truth', "made_at >= '2024-01-01'", "(w.made_at >= '2024-01-01T00:00:00Z')", 5)),
    fc.constant(term('truth', "made_at::date < '2024-01-01'", "(w.made_at < '2024-01-01T00:00:00Z')", 5)),
    numbers.map((a) =>
      term('truth', `${a.said} not in (1, 5, 10)`, `not (${a.sql} = 1 or ${a.sql} = 5 or ${a.sql} = 10)`, 6),
    ),
    numbers.map((a) =>
      term('truth', `${a.said} between 0 and 1 + 4`, `(${a.sql} >= 0 and ${a.sql} <= 5)`, 6),
    ),
  )
  if (depth === 0) return leaf
  const inner = bool(depth - 1)
  return fc.oneof(
    { weight: 2, arbitrary: leaf },
    {
      weight: 1,
      arbitrary: fc
        .tuple(inner, inner)
        .map(([a, b]) => term('truth', `${held(a, 2)} and ${held(b, 3)}`, `((${a.sql}) and (${b.sql}))`, 2)),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(inner, inner)
        .map(([a, b]) => term('truth', `${held(a, 1)} or ${held(b, 2)}`, `((${a.sql}) or (${b.sql}))`, 1)),
    },
    { weight: 1, arbitrary: inner.map((a) => term('truth', `not ${held(a, 3)}`, `(not (${a.sql}))`, 3)) },
  )
}

/** A column of a group: its name, and whether it can be sorted and compared. */
interface Column {
  said: string
  sql: string
  name: string
  type: Term['type'] | 'list'
}

const named = (name: string, { said, sql, type }: Term): Column => ({
  name,
  said: `${said} as ${name}`,
  sql,
  type,
})

const key: fc.Arbitrary<Column> = fc.oneof(
  {
    weight: 3,
    arbitrary: one<[string, string, Column['type']]>(
      ['year', 'w.year', 'integer'],
      ['sold', 'w.sold', 'truth'],
      ['title', 'w.title', 'text'],
      ['artist_id', 'w.artist_id', 'integer'],
      ['artist.name', 'a.name', 'text'],
      ['artist_id.city_id.name', 'c.name', 'text'],
      ['made_at', 'w.made_at', 'moment'],
      ['price', 'w.price', 'number'],
      ['about.a', "nullif(w.about -> 'a', 'null')", 'list'],
    ).map(([said, sql, type]) => ({ said, sql, name: said, type })),
  },
  {
    weight: 1,
    arbitrary: one(...units).map((unit) => ({
      said: `date_trunc('${unit}', made_at)`,
      sql: `date_trunc('${unit}', w.made_at)`,
      name: 'date_trunc',
      type: 'moment' as const,
    })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(one(...units), one(...zones), cased('at time zone')).map(([unit, zone, words]) => ({
      said: `date_trunc('${unit}', made_at ${words} '${zone}')`,
      sql: `date_trunc('${unit}', timezone('${zone}', w.made_at))`,
      name: 'date_trunc',
      type: 'clock' as const,
    })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(one(...units), one(...zones)).map(([unit, zone]) => ({
      said: `Date_Trunc('${unit}', made_at, '${zone}')`,
      sql: `timezone('${zone}', date_trunc('${unit}', timezone('${zone}', w.made_at)))`,
      name: 'date_trunc',
      type: 'moment' as const,
    })),
  },
  {
    weight: 1,
    arbitrary: one(...days).map(([unit, first]) => ({
      said: `date_trunc('${unit}', artist.born)`,
      sql: `(${first('a.born')})`,
      name: 'date_trunc',
      type: 'date' as const,
    })),
  },
  {
    weight: 1,
    arbitrary: one(...days).map(([unit, first]) => ({
      said: `date_trunc('${unit}', made_at::date)`,
      sql: `(${first("(w.made_at at time zone 'UTC')::date")})`,
      name: 'date_trunc',
      type: 'date' as const,
    })),
  },
  {
    weight: 1,
    arbitrary: number(1)
      .filter(isOfRecords)
      .map((one) => named('k_number', one)),
  },
  { weight: 1, arbitrary: text(1).map((one) => named('k_text', one)) },
  { weight: 1, arbitrary: bool(1).map((one) => named('k_truth', one)) },
)

const filtered = (said: string, sql: string, filter: Term | null) => ({
  said: filter ? `${said} filter (where ${filter.said})` : said,
  sql: filter ? `${sql} filter (where ${filter.sql})` : sql,
})

/** Returns an aggregate with a unique alias. Those of plain fields sometimes have no alias. */
const aggregate = (position: number): fc.Arbitrary<Column> => {
  const filter = fc.option(bool(1), { freq: 3 })
  const alias = `r${position}`
  const make: Make<Column> = (said, sql, type, where) => {
    const written = filtered(said, sql, where)
    return { name: alias, said: `${written.said} as ${alias}`, sql: written.sql, type }
  }
  const numeric = number(1)
  const sortable = fc.oneof(numeric, text(1), one(moment, born, truth))
  return fc.oneof(
    { weight: 6, arbitrary: sortingCalls({ numeric, sortable, text: text(1), filter }, make) },
    { weight: 1, arbitrary: filter.map((where) => make('count(*)', 'count(*)', 'integer', where)) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.oneof(number(1), text(1), bool(0)), filter)
        .map(([of, where]) => make(`count(${of.said})`, `count(${of.sql})`, 'integer', where)),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.oneof(number(1), text(1)), filter)
        .map(([of, where]) =>
          make(`count(distinct ${of.said})`, `count(distinct ${of.sql})`, 'integer', where),
        ),
    },
    {
      weight: 4,
      arbitrary: fc
        .tuple(one('sum', 'avg', 'stddev', 'variance'), number(2), filter)
        .map(([name, of, where]) =>
          make(`${name}(${of.said})`, `${name}((${of.sql})::numeric)`, 'number', where),
        ),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(one('min', 'max'), fc.oneof(number(1), text(1), one(moment, born)), filter)
        .map(([name, of, where]) => make(`${name}(${of.said})`, `${name}(${of.sql})`, of.type, where)),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(one('array_agg', 'json_agg'), fc.oneof(number(1), text(1), one(moment, born, truth)), filter)
        .map(([name, of, where]) =>
          make(`${name}(${of.said})`, `json_agg(${of.sql} order by w.id)`, 'list', where),
        ),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(text(1), one(...words))
        .map(([of, by]) =>
          make(
            `string_agg(${of.said}, ${quoted(by)})`,
            `string_agg(${of.sql}, ${quoted(by)} order by w.id)`,
            'text',
            null,
          ),
        ),
    },
    {
      weight: 1,
      arbitrary: texts.map((of) =>
        make(
          `array_agg(distinct ${of.said})`,
          `array_agg(distinct ${of.sql} order by ${of.sql})`,
          'list',
          null,
        ),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(number(1), filter).map(([of, where]) => {
        const sum = filtered(`sum(${of.said})`, `sum((${of.sql})::numeric)`, where)
        return {
          name: alias,
          said: `round(${sum.said} / nullif(count(*), 0), 2) as ${alias}`,
          sql: `round(${sum.sql} / nullif(count(*), 0), 2)`,
          type: 'number' as const,
        }
      }),
    },
  )
}

/** Filters of the list, each with its SQL condition. */
const where = one<[string, string, string]>(
  ['year__gt', '1', 'w.year > 1'],
  ['price__lte', '10', 'w.price <= 10'],
  ['sold', 'true', 'w.sold'],
  ['title__icontains', 'r', "w.title ilike '%r%'"],
  ['artist.name__null', 'false', 'a.name is not null'],
  ['artist_id.id__in', '1,2,3,4,5,6', 'a.id in (1, 2, 3, 4, 5, 6)'],
  ['search', 'red', "w.search_vector @@ websearch_to_tsquery('english', 'red')"],
  ['filters', '{"or": [{"year": 5}, {"sold": false}]}', '(w.year = 5 or not w.sold)'],
  ['include_deleted', 'true', 'true'],
)

const comparisons: Record<string, string> = { gt: '>', gte: '>=', lt: '<', lte: '<=', eq: '=', ne: '<>' }

export const someAggregateQuery = (schema: string): fc.Arbitrary<AggregateQuery> =>
  fc
    .record({
      keys: fc.uniqueArray(key, { maxLength: 3, selector: ({ name }) => name }),
      aggregates: fc
        .integer({ min: 1, max: 4 })
        .chain((count) => fc.tuple(...Array.from({ length: count }, (_, position) => aggregate(position)))),
      where: fc.uniqueArray(where, { maxLength: 2, selector: ([name]) => name }),
      having: fc.option(fc.tuple(fc.nat(), one(...Object.keys(comparisons)), one('0', '1', '3.5', '-2'))),
      sort: fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 2 }),
      offset: one(0, 0, 0, 2),
      limit: one(3, 20, 1000),
      comma: one(',', ', ', ' ,\n'),
    })
    .map(({ keys, aggregates, where: conditions, having, sort, offset, limit, comma }) => {
      const columns = [...keys, ...aggregates]
      const isDeletedShown = conditions.some(([name]) => name === 'include_deleted')
      const from = `from ${schema}.shop_works w
        left join ${schema}.shop_artists a on a.id = w.artist_id and a.is_deleted is not true
        left join ${schema}.shop_artists r on r.id = w.restorer_id and r.is_deleted is not true
        left join ${schema}.shop_cities c on c.id = a.city_id
        where ${[isDeletedShown ? 'true' : 'w.is_deleted is not true', ...conditions.map(([, , sql]) => sql)].join(' and ')}`
      const parameters: Record<string, string> = {
        ...Object.fromEntries(conditions.map(([name, value]) => [name, value])),
        _aggregate: aggregates.map(({ said }) => said).join(comma),
      }
      const list = columns.map(({ sql, name }) => `${sql} as "${name}"`).join(', ')
      if (keys.length === 0)
        return {
          parameters,
          rows: `select json_agg(_r) as rows from (select ${list} ${from}) _r`,
          total: undefined,
        }

      parameters._group_by = keys.map(({ said }) => said).join(comma)
      const sortable = columns.filter(({ type }) => type !== 'list')
      const terms = [
        ...new Map(
          (sortable.length > 0 ? sort : []).map(([index, descending]) => [
            sortable[index % sortable.length] as Column,
            descending,
          ]),
        ),
      ]
      if (terms.length > 0)
        parameters.ordering = terms
          .map(([{ name }, descending]) => `${descending ? '-' : ''}${name}`)
          .join(',')
      const comparable = columns.filter(({ type }) => type === 'number' || type === 'integer')
      let condition = ''
      if (having && comparable.length > 0) {
        const [index, operator, value] = having
        const { name, sql } = comparable[index % comparable.length] as Column
        parameters._having = `${name}__${operator}=${value}`
        const is = `((${sql}) ${comparisons[operator]} ${value})`
        condition = `having ${operator === 'ne' ? `(${is} or (${sql}) is null)` : is}`
      }
      parameters.limit = String(limit)
      parameters.offset = String(offset)
      const grouping = `group by ${keys.map(({ sql }) => sql).join(', ')} ${condition}`
      const order = [
        ...terms.map(([{ sql }, descending]) => `${sql} ${descending ? 'desc' : 'asc'} nulls last`),
        ...keys.map(({ sql }) => `${sql} asc nulls last`),
      ].join(', ')
      return {
        parameters,
        rows: `select coalesce(json_agg(_r), '[]') as rows from (select ${list} ${from} ${grouping} order by ${order} limit ${limit} offset ${offset}) _r`,
        total: `select count(*)::int as total from (select 1 ${from} ${grouping}) _g`,
      }
    })
