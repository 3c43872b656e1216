/**
 * What checks and computed fields a schema may have. D19. Postgres is the judge of what is immutable: of each
 * function and cast of the grammar, a generated column is made.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { createSite, type Site, startApp, type TestApp } from '../../support/app.ts'

let app: TestApp
let site: Site

const kinds = ['flat_table', 'jsonb'] as const
const fields = [
  { name: 'id', type: 'integer' },
  { name: 'a', type: 'integer' },
  { name: 'n', type: 'number' },
  { name: 's', type: 'string' },
  { name: 'b', type: 'boolean' },
  { name: 'd', type: 'date' },
  { name: 'e', type: 'date' },
  { name: 't', type: 'time' },
  { name: 'z', type: 'datetime' },
  { name: 'u', type: 'uuid' },
  { name: 'j', type: 'object' },
  { name: 'l', type: 'array' },
  { name: 'y', type: 'year' },
]

let count = 0
const make = (schema: object, kind = 'flat_table') =>
  app.request(
    'POST',
    `${site.api}/apps/shop/datasources/${kind.replace('_', '-')}/datatables/?materialize=true`,
    {
      token: site.owner.token,
      body: { name: `t${++count}`, json_schema: { primaryKey: 'id', fields, ...schema } },
    },
  )
const checked = (expression: unknown, kind?: string) => make({ checks: [{ name: 'one', expression }] }, kind)
const computed = (type: string, generated: unknown, kind?: string) =>
  make({ fields: [...fields, { name: 'x', type, generated }] }, kind)

beforeAll(async () => {
  app = await startApp()
  site = await createSite(app, 'checked-schemas')
  const post = (path: string, body: unknown) =>
    app.request('POST', `${site.api}/apps/${path}`, { token: site.owner.token, body })
  await post('', { name: 'shop' })
  for (const kind of kinds)
    await post('shop/datasources/', { name: kind, slug: kind.replace('_', '-'), provider_type: kind })
})

/** Expressions by their type that a schema may have. */
const possible: [type: string, expression: string][] = [
  ['integer', 'a + 1'],
  ['number', 'round(a * n, 2)'],
  ['number', 'a'],
  ['number', 'trunc(n, 1) + ceil(n) + floor(n) + abs(n) + mod(a, 7)'],
  ['number', 'sqrt(abs(n)) + power(n, 2)'],
  ['number', 'greatest(a, n) - least(a, n)'],
  ['string', "lower(s) || ''".replace(" || ''", '')],
  ['string', 'upper(left(s, 3))'],
  ['string', "concat(s, '-', a, '-', n, b, u, t)"],
  ['string', "replace(right(s, 4), 'a', 'b')"],
  ['integer', 'length(s)'],
  ['string', "coalesce(nullif(s, ''), 'none')"],
  ['string', "case when a > 1 then 'many' when a = 1 then 'one' end"],
  ['boolean', "d between e and '2026-01-01'"],
  ['boolean', "z > '2026-01-01T00:00:00Z' and t < '12:00'"],
  ['boolean', "s in ('a', 'b') or b is not true"],
  ['number', 'extract(year from d) + extract(dow from d)'],
  ['number', "extract(epoch from z at time zone 'UTC')"],
  ['date', "date_trunc('month', d)"],
  ['date', "(z at time zone 'Europe/Berlin')::date"],
  ['datetime', "(z at time zone 'UTC') at time zone 'Europe/Berlin'"],
  ['time', "(z at time zone 'UTC')::time"],
  ['integer', 's::integer'],
  ['number', 's::number'],
  ['boolean', 's::boolean'],
  ['uuid', 's::uuid'],
  ['string', 'u::text'],
  ['string', 'n::text'],
  ['integer', 'n::integer'],
  ['integer', 'b::integer'],
  ['string', 'j.name::string'],
  ['number', 'j__size::number + l.0::number'],
  ['date', 'j->>birth::date'.replace('->>birth', '.birth')],
  ['datetime', 'j.at::datetime'],
  ['year', 'y + 1'],
]

describe.each(kinds)('a computed field in %s', (kind) => {
  it.each(possible)('may be of type %s: %s', async (type, expression) => {
    const { status, body } = await computed(type, expression, kind)
    expect([status, body]).toEqual([201, body])
  })
})

it('a check may have each condition that a field may', async () => {
  for (const kind of kinds)
    for (const [type, expression] of possible) {
      const { status, body } = await checked(
        type === 'boolean' ? expression : `(${expression}) is not null`,
        kind,
      )
      expect([status, body]).toEqual([201, body])
    }
})

const problemOf = ({ status, body }: Awaited<ReturnType<typeof make>>) => [status, body.json_schema ?? body]

/** Expressions that a schema may not have, each with the problem. */
const impossible: [expression: string, problem: string][] = [
  ['now() > z', 'now() is not possible here: its result changes by itself.'],
  ["to_char(d, 'YYYY') = s", 'to_char is not possible here'],
  ['extract(hour from z) > 8', 'The hour of an instant depends on the time zone. Write the zone'],
  ["date_trunc('day', z) = z", 'The day of an instant depends on the time zone'],
  ["date_trunc('day', z, 'UTC') = z", 'The day of an instant depends on the time zone'],
  ['z::date = d', 'This cast depends on the time zone'],
  ['d::datetime = z', 'A cast from date to datetime is not possible here'],
  ["concat(d, '') = s", 'A cast from date to string is not possible here'],
  ['s::date = d', 'A cast from string to date is not possible here'],
  ['s::datetime = z', 'A cast from string to datetime is not possible here'],
  ['a', 'A value of type boolean is expected; this is of type integer.'],
  ['a = s', 'A value of type integer is expected'],
  ['1 = 1', 'The expression must name a field of the record.'],
  ['missing > 1', '"missing" is no field of the record.'],
  ['owner.name = s', '"owner.name" is no field of the record.'],
  ['count(*) > 1', 'Aggregate functions are not possible here'],
  ['sum(a) > 1', 'Aggregate functions are not possible here'],
  ['a > 1 as big', 'The expression has no alias here.'],
  ['a > 1, n > 1', 'Unexpected ","'],
  ['a > 1; drop table users', '";" is not allowed in an expression.'],
  ["s = 'a' -- b", 'Comments are not allowed'],
  ["s = 'a' /* b", 'Comments are not allowed'],
  ["s = 'a''", 'The quote that begins here is not closed.'],
  ['"s = 1', 'The quote that begins here is not closed.'],
  ["s = E'\\\\x'", 'Unexpected'],
  ['s = $$a$$', '"$" is not allowed in an expression.'],
  ['pg_sleep(10) is null', 'Unknown function "pg_sleep".'],
  ["current_setting('x') = s", 'Unknown function "current_setting".'],
  ['(select 1) = a', 'Sub-selects are not supported.'],
  ['exists (select 1)', 'Sub-selects are not supported.'],
  ["s like 'a%'", 'LIKE is not supported.'],
  ["s ~ 'a'", 'Unknown operator "~".'],
  ['a::regclass = s', 'Unknown type "regclass".'],
  ['xmin = 1', '"xmin" is no field of the record.'],
  ['"a"";drop" > 1', 'is no field of the record.'],
  [`${'('.repeat(60)}a > 1${')'.repeat(60)}`, 'nested at most 40 levels deep'],
  [`a in (${'1,'.repeat(300)}1)`, 'parts at most'],
  [`${'a + '.repeat(600)}a > 1`, 'Ensure this field has no more than 2000 characters.'],
]

describe('a check is refused with what is wrong: 400', () => {
  it.each(impossible)('%s', async (expression, problem) => {
    const [status, problems] = problemOf(await checked(expression))
    expect([status, problems]).toEqual([400, [expect.stringContaining(problem)]])
    expect(problems[0]).toMatch(/^checks\[0\]/)
  })
})

const other = (field: object, more: object = {}) => ({ ...more, fields: [...fields, field] })
const wrong: [what: string, schema: object, problems: string[]][] = [
  [
    'two checks of a name, and one with the name of a field',
    {
      checks: [
        { name: 'one', expression: 'a > 1' },
        { name: 'one', expression: 'a > 2' },
        { name: 'n', expression: 'n > 2' },
      ],
    },
    ['checks[1]: there are two checks named "one"', 'checks[2]: a field has the name "n", too'],
  ],
  [
    'members that checks do not have',
    { checks: [{ name: 'A b', expression: 7, when: 'insert' }] },
    [
      'checks[0].name: a check name begins with a lower-case letter and has up to 48 lower-case letters, ' +
        'digits and underscores',
      expect.stringContaining('checks[0].expression: '),
      'checks[0]: unknown key "when"',
    ],
  ],
  [
    'an empty expression',
    { checks: [{ name: 'one', expression: ' ' }] },
    ['checks[0] ("one").expression: Position 2: An expression is missing.'],
  ],
  [
    'a computed field with a default',
    other({ name: 'x', type: 'integer', generated: 'a', default: 1 }),
    ['fields[13] ("x").generated: a computed field has no default'],
  ],
  [
    'a computed key',
    {
      fields: [
        { name: 'a', type: 'integer' },
        { name: 'id', type: 'integer', generated: 'a' },
      ],
    },
    ['fields[1] ("id").generated: the primary key cannot be computed'],
  ],
  [
    'a computed foreign key',
    other(
      { name: 'x', type: 'integer', generated: 'a' },
      { foreignKeys: [{ fields: 'x', reference: { resource: '', fields: 'id' } }] },
    ),
    ['fields[13] ("x").generated: the field of a foreign key cannot be computed'],
  ],
  [
    'a computed field that is searched',
    other({ name: 'x', type: 'string', generated: 'lower(s)' }, { search_fields: ['x'] }),
    [
      'fields[13] ("x").generated: a field of search_fields cannot be computed: search the fields that it is ' +
        'computed from',
    ],
  ],
  [
    'computed objects, and fields that the service writes',
    {
      fields: [
        ...fields,
        { name: 'x', type: 'object', generated: 'j' },
        { name: 'is_deleted', type: 'boolean', generated: 'b' },
      ],
    },
    [
      'fields[13] ("x").generated: a field of this type cannot be computed: its values cannot be compared',
      'fields[14] ("is_deleted").generated: a field of this name is written by the service',
    ],
  ],
  [
    'a field that is computed from a computed one',
    {
      fields: [
        ...fields,
        { name: 'x', type: 'integer', generated: 'a' },
        { name: 'w', type: 'integer', generated: 'x + 1' },
      ],
    },
    ['fields.w.generated: Position 1: "x" is computed, too. Write its expression in the place of its name.'],
  ],
  [
    'a check that names a long computed field many times',
    {
      ...other({ name: 'x', type: 'integer', generated: Array(100).fill('a').join(' + ') }),
      checks: [{ name: 'one', expression: 'x + x + "x" > 1' }],
    },
    [
      'checks[0] ("one").expression: Position 1: The expression may have 500 parts at most. CASE x WHEN, ' +
        'BETWEEN and IN count x again for each comparison, and a computed field counts as its expression.',
    ],
  ],
  [
    'a value of another type',
    other({ name: 'x', type: 'integer', generated: 'a / 2.5' }),
    ['fields.x.generated: Position 3: A value of type integer is expected; this is of type number.'],
  ],
  [
    'a rule that sets a computed field',
    other(
      { name: 'x', type: 'integer', generated: 'a' },
      { access: { rules: [{ name: 'r', who: 'anyone', can: ['create'], set: { x: 1 } }] } },
    ),
    [expect.stringContaining('set: "x" cannot be filled in')],
  ],
]

describe('a schema is refused with every problem: 400', () => {
  it.each(wrong)('%s', async (_, schema, problems) => {
    expect(problemOf(await make(schema))).toEqual([400, problems])
  })
})

it('a datasource in MongoDB has neither: the schema says so', async () => {
  const { collectionProblems } = await import('../../../src/data/datatables/collections.ts')
  const { tableOf } = await import('../../support/tables.ts')
  const schema = other(
    { name: 'x', type: 'integer', generated: 'a' },
    { checks: [{ name: 'c', expression: 'a > 1' }] },
  )
  const table = tableOf('one', { primaryKey: 'id', ...schema }, 7, { providerType: 'mongodb' })
  expect(collectionProblems(table)).toEqual([
    'checks and "generated": Postgres computes them. Use a flat_table or jsonb datasource.',
  ])
})
