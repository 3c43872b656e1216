/**
 * A filter of a write that no record can fail is no condition: 400, whatever it is made of. Random trees of
 * conditions are compared with an evaluator that asks all records that there could be. R20.
 */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type BothProviders, createInBothProviders, providers } from '../../support/both-providers.ts'
import { runs } from '../../support/runs.ts'
import { seed } from '../../support/seed.ts'

const field = (name: string, type: string, constraints: object = {}) => ({ name, type, constraints })
const to = (fields: string, resource: string) => ({ fields, reference: { resource, fields: 'id' } })
const resources = [
  { name: 'groups', schema: { primaryKey: 'id', fields: [field('id', 'integer'), field('rank', 'number')] } },
  {
    name: 'goods',
    schema: {
      primaryKey: 'id',
      fields: [
        field('id', 'integer'),
        field('title', 'string'),
        field('done', 'boolean', { required: true }),
        field('kind', 'string', { required: true, enum: ['a', 'b'] }),
        field('day', 'date'),
        field('about', 'object'),
        field('group_id', 'integer', { required: true }),
        field('other_id', 'integer'),
        field('is_deleted', 'boolean'),
      ],
      foreignKeys: [to('group_id', 'groups'), to('other_id', 'groups')],
    },
  },
  {
    name: 'parts',
    schema: {
      primaryKey: 'id',
      fields: [field('id', 'integer'), field('good_id', 'integer'), field('size', 'integer')],
      foreignKeys: [to('good_id', 'goods')],
    },
  },
]

let both: BothProviders

beforeAll(async () => {
  both = await createInBothProviders('excluding', resources, [])
})

/** Asks what a deletion by a filter would delete. Returns its status and its messages. */
async function deletion(provider: (typeof providers)[number], filter: object, options = {}) {
  const query = new URLSearchParams({ dry_run: 'true', filter: JSON.stringify(filter), ...options })
  const { status, body } = await both.app.request('DELETE', `${both.data[provider]('goods')}?${query}`, {
    token: both.shop.owner.token,
  })
  return [status, body.details?.filter]
}

const everything = [400, ['A part of the filter has no condition, so it would match every record.']]

/** Filters that exclude nothing, although each of their conditions alone could. */
const together: object[] = [
  { or: [{ title__ne: 'a' }, { title__ne: 'b' }] },
  { or: [{ title__nin: ['a', 'b'] }, { title__nin: ['c', 'd'] }] },
  { not: { title: 'a', title__in: ['b', 'c'] } },
  { or: [{ title__nnull: true }, { title__ne: 'a' }] },
  { not: { title__lt: '' } },
  { id__nbetween: [10, 1] },
  { not: { id__between: [10, 1] } },
  { day__nbetween: ['2026-02-01', '2026-01-01'] },
  { 'about.size::number__nbetween': [2, 1] },
  { 'parts.size__nbetween': [2, 1] },
  { 'group.rank__nbetween': [2, 1] },
  { 'other.rank__nbetween': [2, 1] },
  { or: [{ id__lt: 5 }, { id__gte: 5 }] },
  { or: [{ id__lte: 7 }, { id__gt: 5 }] },
  { or: [{ day__null: true }, { day__lt: '2026-01-01' }, { day__gte: '2025-01-01' }] },
  { not: { id__gt: 5, id__lt: 5 } },
  { done__in: [true, false] },
  { or: [{ done: true }, { done: false }] },
  { kind__in: ['a', 'b', 'c'] },
  { kind__ne: 'c' },
  { is_deleted__ne: true },
  { not: { is_deleted: true } },
  { or: [{ title: 'a' }, { id: 1 }, { title__ne: 'a', id__ne: 1 }] },
  { or: [{ title: 'a', id: 1 }, { title__ne: 'a' }, { id__ne: 1 }] },
  { or: [{ 'group.rank__gt': 1 }, { 'group.rank__null': true }, { 'group.rank__lte': 1 }] },
  { or: [{ 'other.rank__gt': 1 }, { 'other.rank__null': true }, { 'other.rank__lte': 1 }] },
  { parts__none: { size__gt: 2, size__lt: 1 } },
]
/** Filters that are close to these. */
const apart: object[] = [
  { or: [{ title: 'a' }, { title: 'b' }] },
  { or: [{ title__nin: ['a', 'b'] }, { title__nin: ['b', 'c'] }] },
  { title__gte: 'a', title__ne: 'b' },
  { id__nbetween: [1, 10] },
  { id__nbetween: [1, 1] },
  { day__nbetween: ['2026-01-01', '2026-01-01'] },
  { or: [{ id__lt: 5 }, { id__gt: 5 }] },
  { or: [{ day__lt: '2026-01-01' }, { day__gte: '2026-01-01' }] },
  { or: [{ 'other.rank__gt': 1 }, { 'other.rank__lte': 1 }] },
  { or: [{ title: 'a' }, { id: 1 }, { title__ne: 'a', id__ne: 2 }] },
  { or: [{ 'parts.size__gt': 1 }, { 'parts.size__lte': 1 }] },
  { is_deleted: false },
  { kind: 'a' },
  { done: true },
]

/** What a record may hold, as far as the generated conditions can tell. */
const held = {
  id: [1, 2, 3, 4, 5],
  title: [null, 'a', 'b', 'c'],
  done: [true, false],
  day: [null, '2026-01-01', '2026-01-02', '2026-01-03'],
  'group.rank': [null, 1, 2, 3],
} as const
type Name = keyof typeof held

/** What conditions compare with. It leaves values before, between and after. */
const constants: Record<Name, readonly Value[]> = {
  id: [2, 4],
  title: ['a', 'b'],
  done: [true, false],
  day: ['2026-01-02'],
  'group.rank': [2],
}
type Value = string | number | boolean | null
type Row = Readonly<Record<Name, Value>>

const rows = Object.entries(held).reduce<readonly Partial<Row>[]>(
  (all, [name, values]) => all.flatMap((row) => values.map((value) => ({ ...row, [name]: value }))),
  [{}],
) as readonly Row[]

/** A filter, and whether a record passes it. */
interface Tree {
  filter: object
  passes(row: Row): boolean
}

const comparisons: Record<string, (value: never, all: never) => boolean> = {
  exact: (value: Value, one: Value) => value === one,
  gt: (value: number, one: number) => value > one,
  gte: (value: number, one: number) => value >= one,
  lt: (value: number, one: number) => value < one,
  lte: (value: number, one: number) => value <= one,
  in: (value: Value, all: Value[]) => all.includes(value),
  between: (value: number, [from = 0, last = 0]: number[]) => value >= from && value <= last,
} as never

const negations: Record<string, string> = { exact: 'ne', in: 'nin', between: 'nbetween' }

/** Returns random conditions on a field. */
const leafOf = (name: Name): fc.Arbitrary<Tree> => {
  const one = fc.constantFrom(...(constants[name] as readonly Value[]))
  const isOrdered = name !== 'title' && name !== 'done'
  const operators = ['exact', 'in', ...(isOrdered ? ['gt', 'gte', 'lt', 'lte', 'between'] : [])]
  const comparing = fc.constantFrom(...operators).chain((operator) => {
    const length = { between: 2, in: 0 }[operator]
    const value =
      length === undefined ? one : fc.array(one, { minLength: length || 1, maxLength: length || 3 })
    return fc.tuple(value, fc.boolean()).map(([given, isNegated]): Tree => {
      const negation = isNegated ? negations[operator] : undefined
      const holds = comparisons[operator] as (value: Value, given: unknown) => boolean
      return {
        filter: { [`${name}__${negation ?? operator}`]: given },
        passes: (row) => (row[name] !== null && holds(row[name], given)) === (negation === undefined),
      }
    })
  })
  const present = fc.boolean().map(
    (isNull): Tree => ({
      filter: { [`${name}__null`]: isNull },
      passes: (row) => (row[name] === null) === isNull,
    }),
  )
  return fc.oneof({ weight: 5, arbitrary: comparing }, { weight: 1, arbitrary: present })
}

const leaf = fc.oneof(...(Object.keys(held) as Name[]).map(leafOf))
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    { weight: 2, arbitrary: leaf },
    {
      weight: 5,
      arbitrary: fc
        .tuple(fc.constantFrom('and', 'or', 'or'), fc.array(tie('tree'), { minLength: 1, maxLength: 4 }))
        .map(
          ([joined, of]): Tree => ({
            filter: { [joined]: of.map(({ filter }) => filter) },
            passes: (row) =>
              joined === 'and' ? of.every(({ passes }) => passes(row)) : of.some(({ passes }) => passes(row)),
          }),
        ),
    },
    {
      weight: 1,
      arbitrary: tie('tree').map(
        ({ filter, passes }): Tree => ({
          filter: { not: filter },
          passes: (row) => !passes(row),
        }),
      ),
    },
  ),
}))

describe.each(providers)('the filter of a write in a %s datasource', (provider) => {
  it.each(together)('excludes nothing, and is 400: %j', async (filter) => {
    expect(await deletion(provider, filter)).toEqual(everything)
  })

  it.each(apart)('excludes something: %j', async (filter) => {
    expect(await deletion(provider, filter)).toEqual([200, undefined])
  })

  it('excludes soft-deleted records only where these would be hit', async () => {
    const filter = { is_deleted__ne: true }
    expect(await deletion(provider, filter, { hard_delete: 'true' })).toEqual([200, undefined])
    expect(await deletion(provider, { is_deleted__null: true })).toEqual([200, undefined])
  })

  it('is refused exactly if all records that there could be pass it', async () => {
    let refused = 0
    await fc.assert(
      fc.asyncProperty(tree, async ({ filter, passes }) => {
        const isEverything = rows.every(passes)
        refused += Number(isEverything)
        expect([filter, ...(await deletion(provider, filter))]).toEqual([
          filter,
          ...(isEverything ? everything : [200, undefined]),
        ])
      }),
      { numRuns: runs(60, 1_000), seed },
    )
    // The test proves nothing if none is refused.
    expect(refused).toBeGreaterThan(runs(3, 50))
  })
})
