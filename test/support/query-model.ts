/** Random rows of the collection and random queries of them, as a model: what is meant, and how it is written. */
import fc from 'fast-check'

type Cell = unknown
export type Row = Readonly<Record<string, Cell>>
export type Rows = Readonly<Record<string, readonly Row[]>>

/** A term of a search, as it is written, and what it means: a word, a beginning, or words in their order. */
interface Term {
  text: string
  words: readonly string[]
  isPrefix: boolean
  isExcluded: boolean
}

export interface Leaf {
  /** The alternatives of a search, each of which has terms. */
  terms?: readonly (readonly Term[])[]
  /** Relationships, as they are written. */
  path: readonly string[]
  field: string
  property: readonly string[]
  operator: string
  /** Texts of the query string, one for each time that it is sent, or one value of JSON. */
  values: readonly unknown[]
  json: boolean
}
export type Node = { leaf: Leaf } | { and: readonly Node[] } | { or: readonly Node[] } | { not: Node }

export interface Sort {
  path: readonly string[]
  field: string
  /** Names inside the field's JSON, and the type that the property is read as. */
  property?: { path: readonly string[]; type: string } | undefined
  descending: boolean
  /** Where records without a value are; as it is written. */
  nulls?: 'first' | 'last' | undefined
}

/** A field that is to be shown, or to be left out. */
export interface Shown {
  path: readonly string[]
  field: string
  excluded: boolean
}

/** What is asked of the records of one relationship. */
interface Asked {
  name: string
  tree: Node | undefined
  sort: readonly Sort[]
  limit: number | undefined
  offset: number
  count: boolean
}

/** What is computed for each record. */
export interface Annotated {
  /** Ends with the type of the values: `c0_integer`. */
  name: string
  /** Relationships to aggregated records, the last one to many. Empty: the record itself. */
  scope: readonly string[]
  /** Relationships, each to one, from there. */
  path: readonly string[]
  /** Undefined: the records are counted. */
  field: string | undefined
  fieldType: string
  /** An aggregate function, or one of a single value. */
  of: string
  distinct: boolean
  /** Only where the field has this. */
  filter: 'is null' | 'is not null' | undefined
}

export interface Query {
  table: string
  annotations: readonly Annotated[]
  /** Fields of which each combination of values is there once. */
  distinct: readonly { path: readonly string[]; field: string }[]
  populate: readonly Asked[]
  fields: readonly Shown[]
  filters: readonly Leaf[]
  tree: Node | undefined
  sort: readonly Sort[]
  offset: number
  limit: number
  way: 'page' | 'limit' | '_start'
  /** What is said of the total. */
  total: 'exact' | 'estimated' | 'none' | undefined
  deleted: 'excluded' | 'included' | 'only'
  /** The language of searches. Both know the same words here. */
  language: 'simple' | 'english' | undefined
}

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
const word = fc.constantFrom(...words)
const numbers = [0, 1, -1, 2.5, 10, 5, 1e10]
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
const scalar = fc.oneof(
  word,
  fc.constantFrom(...oddTexts),
  fc.constantFrom(...numbers),
  fc.boolean(),
  fc.constant(null),
)
const tags = fc.array(
  fc.oneof({ weight: 4, arbitrary: scalar }, { weight: 1, arbitrary: fc.array(scalar, { maxLength: 2 }) }),
  { maxLength: 3 },
)
const about = fc.dictionary(
  fc.constantFrom('a', 'b', 'red', '0'),
  fc.oneof(scalar, tags, fc.dictionary(fc.constantFrom('a', 'b'), scalar, { maxKeys: 2 })),
  { maxKeys: 3 },
)

/** What a field of each type may have. */
const pools: Record<string, fc.Arbitrary<unknown>> = {
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

/** As many rows of a table as it has ids, each with its id. */
const table = (name: keyof typeof sizes, fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc.tuple(...ids(sizes[name]).map((id) => fc.record({ ...fields, id: fc.constant(id) })))

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
  shows: table('shows', { name: maybe(word), city_id: reference('cities') }),
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

/** Fields by table, with their types. */
export const types: Record<string, Record<string, string>> = {
  cities: { id: 'integer', name: 'string', population: 'integer' },
  artists: {
    id: 'integer',
    name: 'string',
    born: 'date',
    city_id: 'integer',
    mentor: 'integer',
    is_deleted: 'boolean',
  },
  works: {
    id: 'integer',
    title: 'string',
    price: 'number',
    year: 'integer',
    sold: 'boolean',
    made_at: 'datetime',
    hour: 'time',
    code: 'uuid',
    about: 'object',
    tags: 'array',
    artist_id: 'integer',
    restorer_id: 'integer',
    is_deleted: 'boolean',
  },
  shows: { id: 'integer', name: 'string', city_id: 'integer' },
  hangings: { show_id: 'integer', work_id: 'integer', wall: 'string', is_deleted: 'boolean' },
}

/** Relationships by table and by every way to write them; what they mean stands in the evaluator. */
const paths: Record<string, { one: Record<string, string>; many: Record<string, string> }> = {
  cities: { one: {}, many: { artists: 'artists', shows: 'shows' } },
  artists: {
    one: { city: 'cities', city_id: 'cities', mentor: 'artists' },
    many: { artists: 'artists', works_by_artist: 'works', works_by_restorer: 'works' },
  },
  works: {
    one: { artist: 'artists', artist_id: 'artists', restorer: 'artists' },
    many: { hangings: 'hangings', shows: 'shows' },
  },
  shows: { one: { city: 'cities' }, many: { hangings: 'hangings', works: 'works' } },
  hangings: { one: { show: 'shows', work_id: 'works' }, many: {} },
}

const isJsonType = (type: string) => type === 'object' || type === 'array'

const ordered = ['gt', 'gte', 'lt', 'lte']
const lists = ['in', 'nin', 'ins', 'nins']
const pairs = ['between', 'nbetween']
const presence = ['null', 'nnull']
const ofText = ['contains', 'startswith', 'endswith'].flatMap((name) => [
  name,
  `n${name}`,
  `${name}s`,
  `n${name}s`,
  `i${name}`,
  `ni${name}`,
])
const ofJson = [
  'contains',
  'ncontains',
  'contained_by',
  'overlaps',
  'has_key',
  'has_any_keys',
  'has_all_keys',
]
const patterns = [
  '^r',
  'e',
  '[A-Z]$',
  '^(red|Äb)$',
  '\\d',
  '^.?$',
  'ä',
  '\\br',
  '(?:5|0)%?',
  '[^a-z ]{2}',
  '\\.5$',
]
const ranges: Record<string, string[]> = {
  datetime: [
    ...[
      '2024',
      '2024-Q1',
      '2024-Q2',
      '2024-01',
      '2024-01-01',
      '1999-12-31',
      '1999-W52',
      '2024-W01',
      '2024-W22',
    ],
    ...[
      '2024-01-01@America/New_York',
      '2023@America/New_York',
      '2000@Asia/Tokyo',
      '2023-W52@America/New_York',
    ],
    ...['2024-06-01@Europe/Berlin', '2024-06-02@Pacific/Auckland', 'today', 'last_7_days@Asia/Kolkata'],
  ],
  date: ['1900', '1950-06', '1950-Q2', '2000-02-29', '2000-W09', '1950-06-15@Asia/Tokyo', 'this_week'],
}

const operatorsOf = (type: string): string[] => {
  if (isJsonType(type)) return ['exact', 'ne', ...presence, ...ofJson]
  return [
    'exact',
    'ne',
    ...ordered,
    ...lists,
    ...pairs,
    ...presence,
    ...(type === 'string' ? [...ofText, 'ina', 'nina', 'matches', 'imatches'] : []),
    ...(type in ranges ? ['within', 'within'] : []),
  ]
}

const jsonText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** Values for an operator, as JSON. */
function valuesFor(type: string, operator: string): fc.Arbitrary<unknown> {
  const one = pools[type] as fc.Arbitrary<unknown>
  if (presence.includes(operator)) return fc.boolean()
  if (operator.endsWith('matches')) return fc.constantFrom(...patterns)
  if (operator === 'within') return fc.constantFrom(...(ranges[type] as string[]))
  if (operator === 'overlaps') return fc.array(scalar, { minLength: 1, maxLength: 3 })
  if (operator === 'has_key') return fc.constantFrom('a', 'b', 'red', 'zz')
  if (operator.startsWith('has_'))
    return fc.array(fc.constantFrom('a', 'b', 'red'), { minLength: 1, maxLength: 2 })
  if (isJsonType(type) && /contain/.test(operator)) return fc.oneof(scalar, tags, about)
  if (/^n?in[as]?$/.test(operator)) return fc.array(one, { minLength: 1, maxLength: 3 })
  if (pairs.includes(operator)) return fc.tuple(one, one)
  return one
}

/** Whether a value can be written in a query string so that it is read as it is. */
function isWritable(type: string, operator: string, value: unknown): boolean {
  if (operator === 'overlaps')
    return (value as unknown[]).every((one) => typeof one !== 'string' || !/^(\d|true|null|")/.test(one))
  if (Array.isArray(value) && !isJsonType(type)) return value.every((member) => !String(member).includes(','))
  if (/contain/.test(operator) && isJsonType(type))
    return typeof value !== 'string' || !/^(\d|true|null|")/.test(value)
  return true
}

/** `often`: whether one may be sent several times. */
const leafOf = (start: string, depth: number, often = false): fc.Arbitrary<Leaf> =>
  pathFrom(start, depth, true).chain(({ path, end }) => leafAt(path, end, often))

/** Two leaves of one related record, where there is any. */
const leavesOf = (start: string): fc.Arbitrary<Leaf[]> =>
  pathFrom(start, 2, true, 0).chain(({ path, end }) => fc.tuple(leafAt(path, end), leafAt(path, end)))

const searchTerm: fc.Arbitrary<Term> = fc
  .tuple(
    fc.oneof(
      fc.constantFrom('red', 'Blue', 'boat').map((text) => ({ text, words: [text], isPrefix: false })),
      fc
        .constantFrom('r', 're', 'bl', 'BOA')
        .map((text) => ({ text: `${text}*`, words: [text], isPrefix: true })),
      fc
        .constantFrom(['red', 'blue'], ['blue', 'red'], ['boat'])
        .map((words) => ({ text: `"${words.join(' ')}"`, words, isPrefix: false })),
    ),
    fc.constantFrom(false, false, true),
  )
  .map(([term, isExcluded]) => ({ ...term, text: `${isExcluded ? '-' : ''}${term.text}`, isExcluded }))

/** A search of works by their titles. */
const searchAt = (path: readonly string[]): fc.Arbitrary<Leaf> =>
  fc
    .array(fc.array(searchTerm, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 })
    .map((terms): Leaf => {
      const text = terms.map((all) => all.map((term) => term.text).join(' ')).join(' or ')
      return { path, field: 'search', property: [], operator: 'search', values: [text], json: false, terms }
    })

function leafAt(path: readonly string[], table: string, often = false): fc.Arbitrary<Leaf> {
  const ofFields = leafOfFields(path, table, often)
  if (table !== 'works') return ofFields
  return fc.oneof({ weight: 8, arbitrary: ofFields }, { weight: 1, arbitrary: searchAt(path) })
}

function leafOfFields(path: readonly string[], table: string, often: boolean): fc.Arbitrary<Leaf> {
  const fields = Object.entries(types[table] as Record<string, string>)
  const json = fields.filter(([, type]) => isJsonType(type))
  const field =
    json.length > 0
      ? fc.oneof(
          { weight: 2, arbitrary: fc.constantFrom(...fields) },
          { weight: 1, arbitrary: fc.constantFrom(...json) },
        )
      : fc.constantFrom(...fields)
  return field.chain(([name, type]) => {
    const further = fc.array(fc.constantFrom('a', 'b', 'red', '0'), { maxLength: 1 })
    const first = type === 'array' ? fc.constantFrom('0', '1', '-1') : fc.constantFrom('a', 'b', 'red', '0')
    const names = fc.tuple(first, further).map(([one, more]) => [one, ...more])
    const property = isJsonType(type)
      ? fc.oneof({ weight: 1, arbitrary: fc.constant([]) }, { weight: 3, arbitrary: names })
      : fc.constant([])
    return property.chain((inside) =>
      inside.length > 0 ? ofProperty(path, name, inside, often) : ofField(path, name, type, often),
    )
  })
}

/** What else is sent under the name of a leaf. */
const moreOf = (value: fc.Arbitrary<unknown>, often: boolean): fc.Arbitrary<unknown[]> =>
  often
    ? fc.oneof(fc.constant<unknown[]>([]), fc.array(value, { minLength: 1, maxLength: 2 }))
    : fc.constant<unknown[]>([])

const ofField = (path: readonly string[], field: string, type: string, often: boolean): fc.Arbitrary<Leaf> =>
  fc.constantFrom(...operatorsOf(type)).chain((operator) => {
    const some = valuesFor(type, operator)
    return fc
      .tuple(
        some,
        moreOf(some, often && !presence.includes(operator) && !pairs.includes(operator)),
        fc.boolean(),
        fc.boolean(),
      )
      .map(([value, more, wantsJson, apart]): Leaf => {
        const all = [value, ...more]
        const written = all.filter((one) => isWritable(type, operator, one))
        // A leaf without any value would be no filter at all.
        const json = written.length === 0 || (more.length === 0 && (wantsJson || written.length < all.length))
        const isList = (one: unknown) =>
          Array.isArray(one) &&
          (/^n?in[as]?$/.test(operator) || pairs.includes(operator) || /keys$|^overlaps$/.test(operator))
        const text = (one: unknown) =>
          isList(one) ? (one as unknown[]).map(String).join(',') : jsonText(one)
        const values = json ? [value] : written.map(text)
        // A pair, one value at a time.
        if (often && apart && !json && pairs.includes(operator))
          values.splice(0, 1, ...(value as unknown[]).map(String))
        return { path, field, property: [], operator, values, json }
      })
  })

/** Values that are asked for by an operator at a property. */
function valueOfProperty(operator: string, word: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  if (presence.includes(operator)) return fc.boolean()
  if (operator === 'matches') return fc.constantFrom(...patterns)
  const number = fc.constantFrom(...numbers)
  const any = fc.oneof(word, number, fc.boolean())
  if (['in', 'nin', 'overlaps'].includes(operator)) return fc.array(any, { minLength: 1, maxLength: 3 })
  if (operator === 'between') return fc.oneof(fc.tuple(word, word), fc.tuple(number, number))
  if (ordered.includes(operator)) return fc.oneof(word, number)
  return /contains|with|key/.test(operator) ? word : any
}

/** A property has no type: any operator, with anything. */
const ofProperty = (
  path: readonly string[],
  field: string,
  property: readonly string[],
  often: boolean,
): fc.Arbitrary<Leaf> =>
  fc
    .constantFrom(
      'exact',
      'ne',
      ...ordered,
      'in',
      'nin',
      'between',
      ...presence,
      'contains',
      'icontains',
      'startswith',
      'has_key',
      'overlaps',
      'matches',
    )
    .chain((operator) => {
      const value = valueOfProperty(operator, word)
      return fc
        .tuple(value, moreOf(value, often && operator === 'exact'), fc.boolean())
        .map(([given, more, wantsJson]): Leaf => {
          const isList = Array.isArray(given)
          const json =
            more.length === 0 &&
            (wantsJson || (isList && given.some((member) => String(member).includes(','))))
          return {
            path,
            field,
            property,
            operator,
            values: json
              ? [given]
              : [isList ? given.map(String).join(',') : String(given), ...more.map(String)],
            json,
          }
        })
    })

/** `here`: how often it ends at once, for each time that it goes on. */
function pathFrom(
  start: string,
  depth: number,
  many: boolean,
  here = 2,
): fc.Arbitrary<{ path: string[]; end: string }> {
  const end = fc.constant({ path: [] as string[], end: start })
  const known = paths[start] as (typeof paths)[string]
  const steps = Object.entries(many ? { ...known.one, ...known.many } : known.one)
  if (depth === 0 || steps.length === 0) return end
  const further = fc
    .constantFrom(...steps)
    .chain(([name, target]) =>
      pathFrom(target, depth - 1, many).map(({ path, end }) => ({ path: [name, ...path], end })),
    )
  return fc.oneof({ weight: here, arbitrary: end }, { weight: 1, arbitrary: further })
}

const nodeOf = (start: string, depth: number): fc.Arbitrary<Node> => {
  const leaf = leafOf(start, 2).map((one): Node => ({ leaf: asJson(one) }))
  if (depth === 0) return leaf
  const members = fc.array(nodeOf(start, depth - 1), { maxLength: 3 })
  return fc.oneof(
    { weight: 3, arbitrary: leaf },
    { weight: 1, arbitrary: members.map((and): Node => ({ and })) },
    {
      weight: 1,
      arbitrary: leavesOf(start).map(
        (leaves): Node => ({ and: leaves.map((one) => ({ leaf: asJson(one) })) }),
      ),
    },
    {
      weight: 1,
      arbitrary: leavesOf(start).map(
        (leaves): Node => ({ and: leaves.map((one) => ({ or: [{ leaf: asJson(one) }] })) }),
      ),
    },
    { weight: 2, arbitrary: members.map((or): Node => ({ or })) },
    { weight: 1, arbitrary: nodeOf(start, depth - 1).map((not): Node => ({ not })) },
  )
}

/** In a tree, texts of the query string stand as strings, which are read by the type of the field. A property reads them as strings. */
const asJson = (leaf: Leaf): Leaf =>
  leaf.json || leaf.property.length > 0 || isJsonField(leaf.field) ? { ...leaf, json: true } : leaf
const isJsonField = (field: string) => field === 'about' || field === 'tags'

const sortOf = (start: string): fc.Arbitrary<Sort> =>
  pathFrom(start, 2, false).chain(({ path, end }) =>
    fc
      .constantFrom(...Object.entries(types[end] as Record<string, string>))
      .chain(([field, type]) =>
        fc
          .tuple(
            isJsonType(type) ? sortedProperty(type) : fc.constant(undefined),
            fc.boolean(),
            fc.constantFrom(undefined, undefined, 'first' as const, 'last' as const),
          )
          .map(([property, descending, nulls]): Sort => ({ path, field, property, descending, nulls })),
      ),
  )

const aggregatesOf = (type: string): string[] => {
  if (type === 'number' || type === 'integer') return ['count', 'sum', 'avg', 'min', 'max', 'array_agg']
  if (type === 'string') return ['count', 'min', 'max', 'string_agg', 'array_agg']
  return /^date/.test(type) ? ['count', 'min', 'max'] : ['count']
}
const scalarsOf = (type: string): string[] => {
  if (type === 'number' || type === 'integer') return ['itself', 'double', 'or zero']
  return type === 'string' ? ['itself', 'lower'] : ['itself']
}
const resultOf = (of: string, type: string): string => {
  if (of === 'count') return 'integer'
  if (of === 'sum' || of === 'avg') return 'number'
  return of === 'array_agg' ? 'array' : type
}

/** Paths whose last step is to many, with as many to one before it as there may be. */
const scopeFrom = (start: string): fc.Arbitrary<{ scope: string[]; end: string }> =>
  pathFrom(start, 2, true, 0)
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => {
      const tables = path.reduce<{ at: string; many: number; ends: string[] }>(
        ({ at, many, ends }, name, index) => {
          const isMany = Object.hasOwn((paths[at] as (typeof paths)[string]).many, name)
          const known = paths[at] as (typeof paths)[string]
          const next = ({ ...known.one, ...known.many } as Record<string, string>)[name] as string
          return { at: next, many: isMany ? index + 1 : many, ends: [...ends, next] }
        },
        { at: start, many: 0, ends: [] },
      )
      return { scope: path.slice(0, tables.many), end: tables.ends[tables.many - 1] ?? start }
    })

const annotatedOf = (start: string): fc.Arbitrary<Annotated> => {
  const none = fc.constant({ scope: [] as string[], end: start })
  return fc
    .oneof({ weight: 3, arbitrary: scopeFrom(start) }, { weight: 1, arbitrary: none })
    .chain(({ scope, end }) =>
      pathFrom(end, scope.length > 1 ? 0 : 1, false).chain(({ path, end: at }) =>
        fc
          .constantFrom(
            ...Object.entries(types[at] as Record<string, string>).filter(([, one]) => one !== 'array'),
          )
          .chain(([field, fieldType]) =>
            fc
              .record({
                of: fc.constantFrom(...(scope.length > 0 ? aggregatesOf(fieldType) : scalarsOf(fieldType))),
                distinct: scope.length > 0 && fieldType !== 'object' ? fc.boolean() : fc.constant(false),
                filter:
                  scope.length > 0
                    ? fc.constantFrom(undefined, 'is null' as const, 'is not null' as const)
                    : fc.constant(undefined),
                isOfRecords: fc.boolean(),
              })
              .map(({ isOfRecords, ...rest }): Annotated => {
                const isWhole = isOfRecords && rest.of === 'count' && path.length === 0
                return {
                  ...{ scope, path, fieldType, name: `_${resultOf(rest.of, fieldType)}` },
                  ...rest,
                  field: isWhole ? undefined : field,
                  ...(isWhole ? { distinct: false, filter: undefined } : {}),
                }
              }),
          ),
      ),
    )
}

const annotationsOf = (start: string): fc.Arbitrary<Annotated[]> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant<Annotated[]>([]) },
    {
      weight: 1,
      arbitrary: fc
        .array(annotatedOf(start), { minLength: 1, maxLength: 3 })
        .map((all) => all.map((one, index) => ({ ...one, name: `c${index}${one.name}` }))),
    },
  )

/** Makes filters, the order and the chosen fields ask for annotations, too. */
const withAnnotations = (query: Query): fc.Arbitrary<Query> => {
  if (query.annotations.length === 0) return fc.constant(query)
  const annotation = fc.constantFrom(...query.annotations)
  const typeOf = ({ name }: Annotated) => name.slice(name.indexOf('_') + 1)
  const leaf = annotation.chain((one) => ofField([], one.name, typeOf(one), false))
  const plain = leaf.filter(({ json }) => !json)
  const ordered = query.annotations.filter((one) => !isJsonType(typeOf(one)))
  return fc
    .record({
      leaf: fc.option(plain, { nil: undefined }),
      node: fc.option(leaf, { nil: undefined }),
      sort:
        ordered.length > 0
          ? fc.option(fc.constantFrom(...ordered), { nil: undefined })
          : fc.constant(undefined),
      descending: fc.boolean(),
      nulls: fc.constantFrom(undefined, 'first' as const, 'last' as const),
      shown: fc.option(annotation, { nil: undefined }),
    })
    .map(({ leaf: one, node, sort, descending, nulls, shown }): Query => {
      const excluded = query.fields.some((field) => field.excluded)
      const tree = node && {
        leaf: { ...asJson(node), json: true, values: [node.json ? node.values[0] : node.values[0]] },
      }
      return {
        ...query,
        filters: one ? [...query.filters, one] : query.filters,
        tree: tree && query.tree ? { or: [tree, query.tree] } : query.tree,
        sort: sort
          ? [{ path: [], field: sort.name, descending, nulls }, ...query.sort].slice(0, 3)
          : query.sort,
        fields:
          shown && query.fields.length > 0
            ? [...query.fields, { path: [], field: shown.name, excluded }]
            : query.fields,
      }
    })
}

const distinctOf = (start: string): fc.Arbitrary<{ path: string[]; field: string }[]> => {
  const key = pathFrom(start, 1, false).chain(({ path, end }) =>
    fc
      .constantFrom(
        ...Object.entries(types[end] as Record<string, string>).filter(([, type]) => !isJsonType(type)),
      )
      .map(([field]) => ({ path, field })),
  )
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant<{ path: string[]; field: string }[]>([]) },
    { weight: 1, arbitrary: fc.array(key, { minLength: 1, maxLength: 2 }) },
  )
}

/** A property of a field of JSON, with a type. */
const sortedProperty = (type: string): fc.Arbitrary<NonNullable<Sort['property']>> =>
  fc
    .tuple(
      type === 'array' ? fc.constantFrom('0', '-1') : fc.constantFrom('a', 'b', 'red'),
      fc.constantFrom([], [], [], ['a'], ['0']),
      fc.constantFrom('string', 'number', 'integer', 'boolean', 'date', 'time', 'datetime', 'uuid'),
    )
    .map(([first, more, read]) => ({ path: [first, ...more], type: read }))

/** Fields of a record and of those that it references; or fields of its own to leave out. */
const fieldsOf = (start: string): fc.Arbitrary<Shown[]> => {
  const named = pathFrom(start, 2, true).chain(({ path, end }) =>
    fc
      .constantFrom('*', ...Object.keys(types[end] as Record<string, string>))
      .map((field): Shown => ({ path, field, excluded: false })),
  )
  const left = fc
    .constantFrom(...Object.keys(types[start] as Record<string, string>))
    .map((field): Shown => ({ path: [], field, excluded: true }))
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant<Shown[]>([]) },
    { weight: 2, arbitrary: fc.array(named, { minLength: 1, maxLength: 4 }) },
    { weight: 1, arbitrary: fc.array(left, { minLength: 1, maxLength: 2 }) },
  )
}

/** Sorts what would be sorted by the rank of a search, which the evaluator does not know. */
const unranked = <Asked extends { sort: readonly Sort[] }>(query: Asked): Asked =>
  query.sort.length === 0 && JSON.stringify(query).includes('"search"')
    ? { ...query, sort: [{ path: [], field: 'id', descending: false }] }
    : query

/** Questions about the records of a relationship, each relationship once. */
const populateOf = (start: string): fc.Arbitrary<Asked[]> => {
  const { one, many } = paths[start] as (typeof paths)[string]
  const named = Object.entries({ ...one, ...many }).filter(([name]) => !name.endsWith('_id'))
  if (named.length === 0) return fc.constant([])
  const asked = fc.constantFrom(...named).chain(([name, target]): fc.Arbitrary<Asked> => {
    const isMany = Object.hasOwn(many, name)
    const questions = fc.record({
      name: fc.constant(name),
      tree: fc.option(nodeOf(target, 2), { nil: undefined }),
      sort: isMany ? fc.array(sortOf(target), { maxLength: 2 }) : fc.constant([]),
      limit: isMany ? fc.constantFrom(undefined, 0, 1, 3) : fc.constant(undefined),
      offset: isMany ? fc.constantFrom(0, 0, 1, 2) : fc.constant(0),
      count: isMany ? fc.boolean() : fc.constant(false),
    })
    return isMany && target === 'works' ? questions.map(unranked) : questions
  })
  const some = fc.uniqueArray(asked, { minLength: 1, maxLength: 2, selector: ({ name }) => name })
  return fc.oneof({ weight: 2, arbitrary: fc.constant<Asked[]>([]) }, { weight: 1, arbitrary: some })
}

export const someQuery: fc.Arbitrary<Query> = fc
  .constantFrom('works', 'works', 'works', 'artists', 'shows', 'cities', 'hangings')
  .chain((start) =>
    fc
      .record({
        filters: fc
          .oneof(
            fc.constant([]),
            leafOf(start, 3, true).map((leaf) => [leaf]),
            leavesOf(start),
          )
          .filter(
            (leaves) =>
              leaves.every((leaf) => !leaf.json) &&
              new Set(leaves.map((leaf) => nameOf(leaf, false))).size === leaves.length,
          ),
        tree: fc.option(nodeOf(start, 3), { nil: undefined }),
        annotations: annotationsOf(start),
        distinct: distinctOf(start),
        fields: fieldsOf(start),
        populate: populateOf(start),
        sort: fc.array(sortOf(start), { maxLength: 3 }),
        page: fc.nat(2),
        limit: fc.constantFrom(1, 3, 10, 20, 1000),
        empty: fc.nat(4).map((number) => number === 0),
        total: fc.constantFrom<Query['total']>(undefined, undefined, 'exact', 'estimated', 'none'),
        skip: fc.nat(12),
        way: fc.constantFrom<Query['way']>('page', 'limit', '_start'),
        language: fc.constantFrom<Query['language']>(undefined, undefined, 'simple', 'english'),
        deleted: fc.constantFrom<Query['deleted']>(
          'excluded',
          'excluded',
          'excluded',
          'included',
          'included',
          'only',
        ),
      })
      .map(({ page, skip, empty, ...rest }) => ({
        table: start,
        offset: rest.way === 'page' ? page * rest.limit : skip,
        ...rest,
        ...(empty && rest.way === 'limit' ? { limit: 0 } : {}),
      }))
      .map((query) => (start === 'works' ? unranked(query) : query))
      .chain(withAnnotations)
      .filter((query) => pathsIn(query) <= 5 && !asksTwice(query)),
  )

/** Whether a relationship is asked of that fields name, too: its records would have those fields alone. */
const asksTwice = ({ fields, populate }: Query): boolean =>
  fields.some(({ path: [first] }) => populate.some(({ name }) => name === first?.replace(/_id$/, '')))

/** How many different paths a query has, the spellings of one counted as one. */
function pathsIn(query: Query): number {
  const all = new Set<string>()
  let within = ''
  const add = (path: readonly string[]) =>
    path.length > 0 && all.add([within, ...path.map((name) => name.replace(/_id$/, ''))].join('.'))
  const walk = (node: Node): void => {
    if ('leaf' in node) add(node.leaf.path)
    else if ('not' in node) walk(node.not)
    else for (const member of 'and' in node ? node.and : node.or) walk(member)
  }
  for (const { path } of [...query.filters, ...query.sort, ...query.distinct]) add(path)
  for (const { scope, path } of query.annotations) add([...scope, ...path])
  if (query.tree) walk(query.tree)
  for (const { name, sort, tree } of query.populate) {
    within = name
    for (const { path } of sort) add(path)
    if (tree) walk(tree)
  }
  return all.size
}

/** The name of a leaf as it is written. A single underscore before the operator does where nothing else is meant. */
const nameOf = ({ path, field, property, operator }: Leaf, short: boolean): string => {
  const withOperator =
    short && property.length === 0 ? `${field}_${operator}` : [field, ...property, operator].join('__')
  const isPlain = operator === 'search' || (operator === 'exact' && property.length === 0)
  return [...path, isPlain ? field : withOperator].join('.')
}

export function asFilter(node: Node): unknown {
  if ('and' in node) return { and: node.and.map(asFilter) }
  if ('or' in node) return { or: node.or.map(asFilter) }
  if ('not' in node) return { not: asFilter(node.not) }
  return { [nameOf(node.leaf, false)]: node.leaf.values[0] }
}

const nameOfTerm = ({ path, field, property, descending, nulls }: Sort): string => {
  const name = [...path, field, ...(property?.path ?? [])].join('.')
  return `${descending ? '-' : ''}${name}${property ? `::${property.type}` : ''}${nulls ? `.nulls${nulls}` : ''}`
}

function expressionOf({ scope, path, field, of, distinct, filter, fieldType }: Annotated): string {
  const name = [...scope, ...path, ...(field === undefined ? [] : [field])].join('.')
  if (scope.length === 0)
    return {
      itself: name,
      double: `${name} * 2`,
      'or zero': `coalesce(${name}, 0)`,
      lower: `lower(${name})`,
    }[of] as string
  const more = of === 'string_agg' && fieldType === 'string' ? ", '|'" : ''
  const call = `${of}(${distinct ? 'distinct ' : ''}${name}${more})${filter ? ` filter (where ${name} ${filter})` : ''}`
  return of === 'avg' ? `round(${call}, 3)` : call
}

/** `seek` is the cursor, in place of the page. */
export function asQueryString(query: Query, seek?: { after: string } | { before: string }): string {
  const parameters = new URLSearchParams()
  for (const [index, leaf] of query.filters.entries()) {
    for (const value of leaf.values) parameters.append(nameOf(leaf, index % 2 === 1), String(value))
  }
  if (query.annotations.length > 0)
    parameters.set('_annotate', query.annotations.map((one) => `${expressionOf(one)} as ${one.name}`).join())
  if (query.distinct.length > 0)
    parameters.set('_distinct', query.distinct.map(({ path, field }) => [...path, field].join('.')).join())
  if (query.tree) parameters.set('filters', JSON.stringify(asFilter(query.tree)))
  if (query.sort.length > 0) {
    const isApart = query.limit % 3 === 1
    const names = query.sort.map((term) => nameOfTerm(isApart ? { ...term, descending: false } : term))
    parameters.set(query.offset % 2 && !isApart ? 'ordering' : '_sort', names.join(','))
    if (isApart)
      parameters.set('_order', query.sort.map(({ descending }) => (descending ? 'DESC' : 'Asc')).join(','))
  }
  if (query.populate.length > 0) {
    const questions = query.populate.map(({ name, tree, sort, limit, offset, count }) => [
      name,
      {
        ...(tree ? { filters: asFilter(tree) } : {}),
        ...(sort.length > 0 ? { ordering: sort.map(nameOfTerm).join() } : {}),
        ...(limit === undefined ? {} : { limit }),
        ...(offset === 0 ? {} : { offset }),
        ...(count ? { count } : {}),
      },
    ])
    parameters.set('populate', JSON.stringify(Object.fromEntries(questions)))
  }
  if (query.fields.length > 0) {
    const names = query.fields.map(
      ({ path, field, excluded }) => `${excluded ? '-' : ''}${[...path, field].join('.')}`,
    )
    parameters.set('fields', names.join(','))
  }
  const { offset, limit } = query
  const range = {
    page: { page: offset / limit + 1, page_size: limit },
    limit: { limit, offset },
    _start: { _start: offset, _end: offset + limit },
  }
  const page = seek === undefined ? range[query.way] : { ...seek, page_size: limit }
  for (const [name, value] of Object.entries(page)) parameters.set(name, String(value))
  if (query.total) parameters.set('_total', query.total)
  if (query.language) parameters.set('_language', query.language)
  if (query.deleted !== 'excluded')
    parameters.set(`${query.deleted === 'only' ? 'only' : 'include'}_deleted`, 'true')
  return parameters.toString()
}
