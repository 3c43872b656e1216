/** Random rows of the collection and random queries of them, as a model: what is meant, and how it is written. */
import fc from 'fast-check'

type Cell = unknown
export type Row = Readonly<Record<string, Cell>>
export type Rows = Readonly<Record<string, readonly Row[]>>

export interface Leaf {
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
  descending: boolean
}

export interface Query {
  table: string
  filters: readonly Leaf[]
  tree: Node | undefined
  sort: readonly Sort[]
  offset: number
  limit: number
  way: 'page' | 'limit' | '_start'
  /** What is said of the total. */
  total: 'exact' | 'estimated' | 'none' | undefined
  deleted: 'excluded' | 'included' | 'only'
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: null, freq: 4 })
const words = ['red', 'Red', 'RED', 'blue', 'äB', 'Äb', '50%', '5_0', 'a\\b', "o'x", '', ' ', '5', '2.5', 'true', 'null', '😀', 'z"z', '10']
const word = fc.constantFrom(...words)
const numbers = [0, 1, -1, 2.5, 10, 5, 1e10]
const integers = [0, 1, 5, -7, 10, 2024]
const moments = ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00.5Z', '1999-12-31T23:59:59Z', '2024-06-01T12:30:00Z']
const times = ['00:00:00', '07:30:00', '23:59:59']
const dates = ['1900-01-01', '1950-06-15', '2000-02-29']
const uuids = ['00000000-0000-4000-8000-000000000001', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'ffffffff-ffff-4fff-bfff-ffffffffffff']
const scalar = fc.oneof(word, fc.constantFrom(...numbers), fc.boolean(), fc.constant(null))
const tags = fc.array(fc.oneof({ weight: 4, arbitrary: scalar }, { weight: 1, arbitrary: fc.array(scalar, { maxLength: 2 }) }), { maxLength: 3 })
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
  artists: { id: 'integer', name: 'string', born: 'date', city_id: 'integer', mentor: 'integer', is_deleted: 'boolean' },
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
const ofText = ['contains', 'startswith', 'endswith'].flatMap((name) => [name, `n${name}`, `${name}s`, `n${name}s`, `i${name}`, `ni${name}`])
const ofJson = ['contains', 'ncontains', 'contained_by', 'has_key', 'has_any_keys', 'has_all_keys']

const operatorsOf = (type: string): string[] => {
  if (isJsonType(type)) return ['exact', 'ne', ...presence, ...ofJson]
  return ['exact', 'ne', ...ordered, ...lists, ...pairs, ...presence, ...(type === 'string' ? [...ofText, 'ina', 'nina'] : [])]
}

const jsonText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** Values for an operator, as JSON. */
function valuesFor(type: string, operator: string): fc.Arbitrary<unknown> {
  const one = pools[type] as fc.Arbitrary<unknown>
  if (presence.includes(operator)) return fc.boolean()
  if (operator === 'has_key') return fc.constantFrom('a', 'b', 'red', 'zz')
  if (operator.startsWith('has_')) return fc.array(fc.constantFrom('a', 'b', 'red'), { minLength: 1, maxLength: 2 })
  if (isJsonType(type) && /contain/.test(operator)) return fc.oneof(scalar, tags, about)
  if (/^n?in[as]?$/.test(operator)) return fc.array(one, { minLength: 1, maxLength: 3 })
  if (pairs.includes(operator)) return fc.tuple(one, one)
  return one
}

/** Whether a value can be written in a query string so that it is read as it is. */
function isWritable(type: string, operator: string, value: unknown): boolean {
  if (Array.isArray(value) && !isJsonType(type)) return value.every((member) => !String(member).includes(','))
  if (/contain/.test(operator) && isJsonType(type)) return typeof value !== 'string' || !/^(\d|true|null|")/.test(value)
  return true
}

/** `often`: whether one may be sent several times. */
const leafOf = (start: string, depth: number, often = false): fc.Arbitrary<Leaf> =>
  pathFrom(start, depth, true).chain(({ path, end }) => leafAt(path, end, often))

/** Two leaves of one related record, where there is any. */
const leavesOf = (start: string): fc.Arbitrary<Leaf[]> =>
  pathFrom(start, 2, true, 0).chain(({ path, end }) => fc.tuple(leafAt(path, end), leafAt(path, end)))

function leafAt(path: readonly string[], table: string, often = false): fc.Arbitrary<Leaf> {
  const fields = Object.entries(types[table] as Record<string, string>)
  const json = fields.filter(([, type]) => isJsonType(type))
  const field =
    json.length > 0
      ? fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...fields) }, { weight: 1, arbitrary: fc.constantFrom(...json) })
      : fc.constantFrom(...fields)
  return field.chain(([name, type]) => {
    const further = fc.array(fc.constantFrom('a', 'b', 'red', '0'), { maxLength: 1 })
    const first = type === 'array' ? fc.constantFrom('0', '1', '-1') : fc.constantFrom('a', 'b', 'red', '0')
    const names = fc.tuple(first, further).map(([one, more]) => [one, ...more])
    const property = isJsonType(type) ? fc.oneof({ weight: 1, arbitrary: fc.constant([]) }, { weight: 3, arbitrary: names }) : fc.constant([])
    return property.chain((inside) => (inside.length > 0 ? ofProperty(path, name, inside, often) : ofField(path, name, type, often)))
  })
}

/** What else is sent under the name of a leaf. */
const moreOf = (value: fc.Arbitrary<unknown>, often: boolean): fc.Arbitrary<unknown[]> =>
  often ? fc.oneof(fc.constant<unknown[]>([]), fc.array(value, { minLength: 1, maxLength: 2 })) : fc.constant<unknown[]>([])

const ofField = (path: readonly string[], field: string, type: string, often: boolean): fc.Arbitrary<Leaf> =>
  fc.constantFrom(...operatorsOf(type)).chain((operator) => {
    const some = valuesFor(type, operator)
    return fc
      .tuple(some, moreOf(some, often && !presence.includes(operator) && !pairs.includes(operator)), fc.boolean(), fc.boolean())
      .map(([value, more, wantsJson, apart]): Leaf => {
        const all = [value, ...more]
        const json = more.length === 0 && (wantsJson || !isWritable(type, operator, value))
        const isList = (one: unknown) => Array.isArray(one) && (/^n?in[as]?$/.test(operator) || pairs.includes(operator) || /keys$/.test(operator))
        const text = (one: unknown) => (isList(one) ? (one as unknown[]).map(String).join(',') : jsonText(one))
        const values = json ? [value] : all.filter((one) => isWritable(type, operator, one)).map(text)
        // A pair, one value at a time.
        if (often && apart && !json && pairs.includes(operator)) values.splice(0, 1, ...(value as unknown[]).map(String))
        return { path, field, property: [], operator, values, json }
      })
  })

/** A property has no type: any operator, with anything. */
const ofProperty = (path: readonly string[], field: string, property: readonly string[], often: boolean): fc.Arbitrary<Leaf> =>
  fc
    .constantFrom('exact', 'ne', ...ordered, 'in', 'nin', 'between', ...presence, 'contains', 'icontains', 'startswith', 'has_key')
    .chain((operator) => {
      const value = presence.includes(operator)
        ? fc.boolean()
        : operator === 'in' || operator === 'nin'
          ? fc.array(fc.oneof(word, fc.constantFrom(...numbers), fc.boolean()), { minLength: 1, maxLength: 3 })
          : operator === 'between'
            ? fc.oneof(fc.tuple(word, word), fc.tuple(fc.constantFrom(...numbers), fc.constantFrom(...numbers)))
            : ordered.includes(operator)
              ? fc.oneof(word, fc.constantFrom(...numbers))
              : /contains|with|key/.test(operator)
                ? word
                : fc.oneof(word, fc.constantFrom(...numbers), fc.boolean())
      return fc.tuple(value, moreOf(value, often && operator === 'exact'), fc.boolean()).map(([given, more, wantsJson]): Leaf => {
        const isList = Array.isArray(given)
        const json = more.length === 0 && (wantsJson || (isList && given.some((member) => String(member).includes(','))))
        return {
          path,
          field,
          property,
          operator,
          values: json ? [given] : [isList ? given.map(String).join(',') : String(given), ...more.map(String)],
          json,
        }
      })
    })

/** `here`: how often it ends at once, for each time that it goes on. */
function pathFrom(start: string, depth: number, many: boolean, here = 2): fc.Arbitrary<{ path: string[]; end: string }> {
  const end = fc.constant({ path: [] as string[], end: start })
  const known = paths[start] as (typeof paths)[string]
  const steps = Object.entries(many ? { ...known.one, ...known.many } : known.one)
  if (depth === 0 || steps.length === 0) return end
  const further = fc
    .constantFrom(...steps)
    .chain(([name, target]) => pathFrom(target, depth - 1, many).map(({ path, end }) => ({ path: [name, ...path], end })))
  return fc.oneof({ weight: here, arbitrary: end }, { weight: 1, arbitrary: further })
}

const nodeOf = (start: string, depth: number): fc.Arbitrary<Node> => {
  const leaf = leafOf(start, 2).map((one): Node => ({ leaf: asJson(one) }))
  if (depth === 0) return leaf
  const members = fc.array(nodeOf(start, depth - 1), { maxLength: 3 })
  return fc.oneof(
    { weight: 3, arbitrary: leaf },
    { weight: 1, arbitrary: members.map((and): Node => ({ and })) },
    { weight: 1, arbitrary: leavesOf(start).map((leaves): Node => ({ and: leaves.map((one) => ({ leaf: asJson(one) })) })) },
    { weight: 1, arbitrary: leavesOf(start).map((leaves): Node => ({ and: leaves.map((one) => ({ or: [{ leaf: asJson(one) }] })) })) },
    { weight: 2, arbitrary: members.map((or): Node => ({ or })) },
    { weight: 1, arbitrary: nodeOf(start, depth - 1).map((not): Node => ({ not })) },
  )
}

/** In a tree, texts of the query string stand as strings, which are read by the type of the field. A property reads them as strings. */
const asJson = (leaf: Leaf): Leaf => (leaf.json || leaf.property.length > 0 || isJsonField(leaf.field) ? { ...leaf, json: true } : leaf)
const isJsonField = (field: string) => field === 'about' || field === 'tags'

const sortOf = (start: string): fc.Arbitrary<Sort> =>
  pathFrom(start, 2, false).chain(({ path, end }) =>
    fc
      .constantFrom(...Object.entries(types[end] as Record<string, string>).filter(([, type]) => !isJsonType(type)))
      .chain(([field]) => fc.boolean().map((descending): Sort => ({ path, field, descending }))),
  )

export const someQuery: fc.Arbitrary<Query> = fc.constantFrom('works', 'works', 'works', 'artists', 'shows', 'cities', 'hangings').chain((start) =>
  fc
    .record({
      filters: fc
        .oneof(
          fc.constant([]),
          leafOf(start, 3, true).map((leaf) => [leaf]),
          leavesOf(start),
        )
        .filter((leaves) => leaves.every((leaf) => !leaf.json) && new Set(leaves.map((leaf) => nameOf(leaf, false))).size === leaves.length),
      tree: fc.option(nodeOf(start, 3), { nil: undefined }),
      sort: fc.array(sortOf(start), { maxLength: 3 }),
      page: fc.nat(2),
      limit: fc.constantFrom(1, 3, 10, 20, 1000),
      empty: fc.nat(4).map((number) => number === 0),
      total: fc.constantFrom<Query['total']>(undefined, undefined, 'exact', 'estimated', 'none'),
      skip: fc.nat(12),
      way: fc.constantFrom<Query['way']>('page', 'limit', '_start'),
      deleted: fc.constantFrom<Query['deleted']>('excluded', 'excluded', 'excluded', 'included', 'included', 'only'),
    })
    .map(({ page, skip, empty, ...rest }) => ({
      table: start,
      offset: rest.way === 'page' ? page * rest.limit : skip,
      ...rest,
      ...(empty && rest.way === 'limit' ? { limit: 0 } : {}),
    }))
    .filter((query) => pathsIn(query) <= 5),
)

/** How many different paths a query has, the spellings of one counted as one. */
function pathsIn(query: Query): number {
  const all = new Set<string>()
  const add = (path: readonly string[]) => path.length > 0 && all.add(path.map((name) => name.replace(/_id$/, '')).join('.'))
  const walk = (node: Node): void => {
    if ('leaf' in node) add(node.leaf.path)
    else if ('not' in node) walk(node.not)
    else for (const member of 'and' in node ? node.and : node.or) walk(member)
  }
  for (const { path } of [...query.filters, ...query.sort]) add(path)
  if (query.tree) walk(query.tree)
  return all.size
}

/** The name of a leaf as it is written. A single underscore before the operator does where nothing else is meant. */
const nameOf = ({ path, field, property, operator }: Leaf, short: boolean): string => {
  const end =
    operator === 'exact' && !(property.length > 0)
      ? field
      : short && property.length === 0
        ? `${field}_${operator}`
        : [field, ...property, operator].join('__')
  return [...path, end].join('.')
}

function asFilter(node: Node): unknown {
  if ('and' in node) return { and: node.and.map(asFilter) }
  if ('or' in node) return { or: node.or.map(asFilter) }
  if ('not' in node) return { not: asFilter(node.not) }
  return { [nameOf(node.leaf, false)]: node.leaf.values[0] }
}

export function asQueryString(query: Query): string {
  const parameters = new URLSearchParams()
  for (const [index, leaf] of query.filters.entries()) {
    for (const value of leaf.values) parameters.append(nameOf(leaf, index % 2 === 1), String(value))
  }
  if (query.tree) parameters.set('filters', JSON.stringify(asFilter(query.tree)))
  if (query.sort.length > 0) {
    const isApart = query.limit % 3 === 1
    const names = query.sort.map(({ path, field, descending }) => `${descending && !isApart ? '-' : ''}${[...path, field].join('.')}`)
    parameters.set(query.offset % 2 && !isApart ? 'ordering' : '_sort', names.join(','))
    if (isApart) parameters.set('_order', query.sort.map(({ descending }) => (descending ? 'DESC' : 'Asc')).join(','))
  }
  const { offset, limit } = query
  const range = { page: { page: offset / limit + 1, page_size: limit }, limit: { limit, offset }, _start: { _start: offset, _end: offset + limit } }
  for (const [name, value] of Object.entries(range[query.way])) parameters.set(name, String(value))
  if (query.total) parameters.set('_total', query.total)
  if (query.deleted !== 'excluded') parameters.set(`${query.deleted === 'only' ? 'only' : 'include'}_deleted`, 'true')
  return parameters.toString()
}
