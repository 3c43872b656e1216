/** Random rows of the collection, and the possible values of its fields. */
import fc from 'fast-check'
import type { Row, Rows } from './query-model.ts'

const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: null, freq: 4 })
const words = [
  'red',
  'Red',
  'RED',
  'blue',
  'red blue',
  'Blue red boat',
  'reddish, boat',
  'äB',
  'Äb',
  '50%',
  '5_0',
  'a\\b',
  "o'x",
  '',
  ' ',
  '5',
  '2.5',
  'true',
  'null',
  '😀',
  'z"z',
  '10',
]
export const word = fc.constantFrom(...words)
export const numbers = [0, 1, -1, 2.5, 10, 5, 1e10]
const integers = [0, 1, 5, -7, 10, 2024]
const moments = [
  '2024-01-01T00:00:00Z',
  '2024-01-01T00:00:00.5Z',
  '1999-12-31T23:59:59Z',
  '2024-06-01T12:30:00Z',
]
const times = ['00:00:00', '07:30:00', '23:59:59']
const dates = ['1900-01-01', '1950-06-15', '2000-02-29']
const uuids = [
  '00000000-0000-4000-8000-000000000001',
  'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
  'ffffffff-ffff-4fff-bfff-ffffffffffff',
]
const oddTexts = [
  '2024-02-29',
  '2024-02-30',
  '2023-12-31',
  '2024-01-01T00:00:00+02:00',
  '2023-12-31 22:00:00.5',
  '2024-13-01T00:00:00Z',
  '07:30',
  '07:30:00.25',
  '24:00',
  'A0EEBC99-9c0b-4ef8-bb6d-6bb9bd380a11',
]
export const scalar = fc.oneof(
  word,
  fc.constantFrom(...oddTexts),
  fc.constantFrom(...numbers),
  fc.boolean(),
  fc.constant(null),
)
export const tags = fc.array(
  fc.oneof({ weight: 4, arbitrary: scalar }, { weight: 1, arbitrary: fc.array(scalar, { maxLength: 2 }) }),
  { maxLength: 3 },
)
/** Names of members. A careless grammar of paths takes the later ones for something else. */
export const members = [
  'a',
  'b',
  'red',
  '0',
  'a.b',
  'a__b',
  'a b',
  'x"y',
  '',
  'gt',
  '-1',
  'b::number',
] as const
export const about = fc.dictionary(
  fc.constantFrom(...members.slice(0, 4), ...members),
  fc.oneof(scalar, tags, fc.dictionary(fc.constantFrom('a', 'b', 'a.b'), scalar, { maxKeys: 2 })),
  { maxKeys: 5 },
)

/** The possible values of each type of field. */
export const pools: Record<string, fc.Arbitrary<unknown>> = {
  string: word,
  number: fc.constantFrom(...numbers),
  integer: fc.constantFrom(...integers),
  boolean: fc.boolean(),
  date: fc.constantFrom(...dates),
  datetime: fc.constantFrom(...moments),
  time: fc.constantFrom(...times),
  uuid: fc.constantFrom(...uuids),
  object: about,
  array: tags,
}

const sizes = { cities: 6, artists: 12, works: 40, shows: 7 }
const reference = (table: keyof typeof sizes) => maybe(fc.constantFrom(...ids(sizes[table])))
const deleted = fc.constantFrom(null, false, false, false, true)

/** Returns random rows of a table, one for each id. */
const table = (name: keyof typeof sizes, fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc.tuple(...ids(sizes[name]).map((id) => fc.record({ ...fields, id: fc.constant(id) })))

/** Returns two days in their order, of which each may be missing. */
const someDays = fc
  .tuple(maybe(pools.date as fc.Arbitrary<string>), maybe(pools.date as fc.Arbitrary<string>))
  .map(([one, other]) => (one !== null && other !== null && one > other ? [other, one] : [one, other]))

const withDays = ({ days, ...show }: Row): Row => {
  const [opens, closes] = days as string[]
  return { ...show, opens, closes }
}

export const someRows: fc.Arbitrary<Rows> = fc.record({
  cities: table('cities', { name: word, population: maybe(pools.integer as fc.Arbitrary<unknown>) }),
  artists: table('artists', {
    name: maybe(word),
    born: maybe(pools.date as fc.Arbitrary<unknown>),
    city_id: reference('cities'),
    mentor: reference('artists'),
    is_deleted: deleted,
  }),
  works: table('works', {
    title: maybe(word),
    price: maybe(pools.number as fc.Arbitrary<unknown>),
    year: maybe(pools.integer as fc.Arbitrary<unknown>),
    sold: maybe(fc.boolean()),
    made_at: maybe(pools.datetime as fc.Arbitrary<unknown>),
    hour: maybe(pools.time as fc.Arbitrary<unknown>),
    code: maybe(pools.uuid as fc.Arbitrary<unknown>),
    about: maybe(about),
    tags: maybe(tags),
    artist_id: reference('artists'),
    restorer_id: reference('artists'),
    is_deleted: deleted,
  }),
  shows: table('shows', { name: maybe(word), city_id: reference('cities'), days: someDays }).map((shows) =>
    shows.map(withDays),
  ),
  hangings: fc.uniqueArray(
    fc.record({
      show_id: fc.constantFrom(...ids(sizes.shows)),
      work_id: fc.constantFrom(...ids(sizes.works)),
      wall: maybe(word),
      is_deleted: deleted,
    }),
    { minLength: 40, maxLength: 60, selector: ({ show_id, work_id }) => `${show_id},${work_id}` },
  ),
})
