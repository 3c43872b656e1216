/** Random queries of the collection. */
import fc from 'fast-check'
import {
  type Annotated,
  type Asked,
  type Leaf,
  type Node,
  type Query,
  type Shown,
  type Sort,
  type Term,
  types,
} from './query-model.ts'
import { nameOf } from './query-writer.ts'
import { about, members, numbers, pools, scalar, tags, word } from './row-generator.ts'

/** Relationships by table and by every spelling, with the relationship that each means. */
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

/** Returns random values for an operator, as JSON. */
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

/** Tells if a query string can represent a value. */
function isWritable(type: string, operator: string, value: unknown): boolean {
  if (operator === 'overlaps')
    return (value as unknown[]).every((one) => typeof one !== 'string' || !/^(\d|true|null|")/.test(one))
  if (Array.isArray(value) && !isJsonType(type)) return value.every((member) => !String(member).includes(','))
  if (/contain/.test(operator) && isJsonType(type))
    return typeof value !== 'string' || !/^(\d|true|null|")/.test(value)
  return true
}

/** Returns random leaves. `often` allows several values. */
const leafOf = (start: string, depth: number, often = false): fc.Arbitrary<Leaf> =>
  pathFrom(start, depth, true).chain(({ path, end }) => leafAt(path, end, often))

/** Returns two leaves of one related record, if the table has relationships. */
const leavesOf = (start: string, steps = 2): fc.Arbitrary<Leaf[]> =>
  pathFrom(start, steps, true, 0).chain(({ path, end }) => fc.tuple(leafAt(path, end), leafAt(path, end)))

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

/** Returns random searches of works by title. */
const searchAt = (path: readonly string[]): fc.Arbitrary<Leaf> =>
  fc
    .array(fc.array(searchTerm, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 })
    .map((terms): Leaf => {
      const text = terms.map((all) => all.map((term) => term.text).join(' ')).join(' or ')
      return { path, field: 'search', property: [], operator: 'search', values: [text], json: false, terms }
    })

/** Returns random questions whether a path leads to a record. The name of a column would mean the column. */
const existenceAt = (path: readonly string[]): fc.Arbitrary<Leaf> =>
  fc.tuple(fc.constantFrom(...presence), fc.boolean()).map(
    ([operator, value]): Leaf => ({
      path,
      field: '',
      property: [],
      operator,
      values: [String(value)],
      json: false,
    }),
  )
const isColumn = (name: string | undefined) => name === undefined || /^mentor$|_id$/.test(name)

/** Returns random overlaps of the days of a show with other days. An end may be open. */
const overlapAt = (path: readonly string[]): fc.Arbitrary<Leaf> =>
  fc
    .tuple(
      pools.date as fc.Arbitrary<string>,
      pools.date as fc.Arbitrary<string>,
      fc.constantFrom(0, 1, 2, 3),
    )
    .map(([one, other, open]): Leaf => {
      const [from, to] = one < other ? [one, other] : [other, one]
      const ends = [open === 0 ? '' : from, open === 1 ? '' : to].join()
      return { path, field: 'period', property: [], operator: 'overlaps', values: [ends], json: false }
    })

function leafAt(path: readonly string[], table: string, often = false): fc.Arbitrary<Leaf> {
  const ofFields = isColumn(path.at(-1))
    ? leafOfFields(path, table, often)
    : fc.oneof(
        { weight: 12, arbitrary: leafOfFields(path, table, often) },
        { weight: 1, arbitrary: existenceAt(path) },
      )
  if (table === 'shows')
    return fc.oneof({ weight: 4, arbitrary: ofFields }, { weight: 1, arbitrary: overlapAt(path) })
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
    const further = fc.array(fc.constantFrom('a', 'b', 'red', '0', 'a.b'), { maxLength: 1 })
    const first =
      type === 'array' ? fc.constantFrom('0', '1', '-1') : fc.constantFrom(...members.slice(0, 4), ...members)
    const names = fc.tuple(first, further).map(([one, more]) => [one, ...more])
    const property = isJsonType(type)
      ? fc.oneof({ weight: 1, arbitrary: fc.constant([]) }, { weight: 3, arbitrary: names })
      : fc.constant([])
    return property.chain((inside) =>
      inside.length > 0 ? ofProperty(path, name, inside, often) : ofField(path, name, type, often),
    )
  })
}

/** Returns further values for the same leaf. */
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
        // A leaf without any value would not be a filter.
        const json = written.length === 0 || (more.length === 0 && (wantsJson || written.length < all.length))
        const isList = (one: unknown) =>
          Array.isArray(one) &&
          (/^n?in[as]?$/.test(operator) || pairs.includes(operator) || /keys$|^overlaps$/.test(operator))
        const text = (one: unknown) =>
          isList(one) ? (one as unknown[]).map(String).join(',') : jsonText(one)
        const values = json ? [value] : written.map(text)
        // A pair, as two values.
        if (often && apart && !json && pairs.includes(operator))
          values.splice(0, 1, ...(value as unknown[]).map(String))
        return { path, field, property: [], operator, values, json }
      })
  })

/** Returns random values for an operator at a property. */
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

/** Returns random filters of a property, which has no type: any operator with any value. */
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

/** Returns random paths. `here` is the weight of an end, where each further step has the weight one. */
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

/** Returns random trees. `left` is the number of steps that their paths may still take. */
const nodeOf = (start: string, depth: number, left = 3): fc.Arbitrary<Node> => {
  const steps = Math.min(left, 2)
  const leaf = leafOf(start, steps).map((one): Node => ({ leaf: asJson(one) }))
  if (depth === 0) return leaf
  const members = fc.array(nodeOf(start, depth - 1, left), { maxLength: 3 })
  return fc.oneof(
    { weight: 3, arbitrary: leaf },
    { weight: 1, arbitrary: members.map((and): Node => ({ and })) },
    {
      weight: 1,
      arbitrary: leavesOf(start, steps).map(
        (leaves): Node => ({ and: leaves.map((one) => ({ leaf: asJson(one) })) }),
      ),
    },
    {
      weight: 1,
      arbitrary: leavesOf(start, steps).map(
        (leaves): Node => ({ and: leaves.map((one) => ({ or: [{ leaf: asJson(one) }] })) }),
      ),
    },
    { weight: 2, arbitrary: members.map((or): Node => ({ or })) },
    { weight: 1, arbitrary: nodeOf(start, depth - 1, left).map((not): Node => ({ not })) },
    { weight: left > 0 ? 2 : 0, arbitrary: togetherOf(start, depth - 1, left) },
  )
}

/** Returns random conditions that one related record meets together, or none. */
const togetherOf = (start: string, depth: number, left: number): fc.Arbitrary<Node> =>
  pathFrom(start, Math.min(left, 1), true, 0).chain(({ path, end }) =>
    path.length === 0
      ? leafOf(start, 0).map((one): Node => ({ leaf: asJson(one) }))
      : fc
          .tuple(nodeOf(end, depth, left - 1), fc.boolean())
          .map(([node, isNone]): Node => ({ path, node, isNone })),
  )

/**
 * Converts a leaf for a JSON tree, where texts of the query string are strings, which the type of the field
 * parses. A property uses them as strings.
 */
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

/** Returns paths whose last step is to many, after as many steps to one as possible. */
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

/** Adds annotations to filters, the order and the chosen fields. */
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

const distinctOf = (start: string): fc.Arbitrary<Query['distinct'][number][]> => {
  const key = pathFrom(start, 1, false).chain(({ path, end }) =>
    fc.constantFrom(...Object.entries(types[end] as Record<string, string>)).chain(([field, type]) =>
      (isJsonType(type) ? sortedProperty(type) : fc.constant(undefined)).map((property) => ({
        path,
        field,
        property,
      })),
    ),
  )
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant<Query['distinct'][number][]>([]) },
    { weight: 1, arbitrary: fc.array(key, { minLength: 1, maxLength: 2 }) },
  )
}

/** Returns a random property of a JSON field, with a type. */
const sortedProperty = (type: string): fc.Arbitrary<NonNullable<Sort['property']>> =>
  fc
    .tuple(
      type === 'array' ? fc.constantFrom('0', '-1') : fc.constantFrom(...members.slice(0, 3), ...members),
      fc.constantFrom([], [], [], ['a'], ['0'], ['a.b']),
      fc.constantFrom('string', 'number', 'integer', 'boolean', 'date', 'time', 'datetime', 'uuid'),
    )
    .map(([first, more, read]) => ({ path: [first, ...more], type: read }))

/** Returns fields of a record and of the records that it references, or its own fields to exclude. */
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

/**
 * Adds an order to a query that would be sorted by the rank of a search, which the evaluator does not
 * compute.
 */
const unranked = <Asked extends { sort: readonly Sort[] }>(query: Asked): Asked =>
  query.sort.length === 0 && JSON.stringify(query).includes('"search"')
    ? { ...query, sort: [{ path: [], field: 'id', descending: false }] }
    : query

/** Returns queries of related records, at most one for each relationship. */
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

/** Tells if a populated relationship is also in the fields, which would limit its records to those fields. */
const asksTwice = ({ fields, populate }: Query): boolean =>
  fields.some(({ path: [first] }) => populate.some(({ name }) => name === first?.replace(/_id$/, '')))

/** Counts the different paths of a query. Spellings of the same path count as one. */
function pathsIn(query: Query): number {
  const all = new Set<string>()
  let within = ''
  const add = (path: readonly string[]) =>
    path.length > 0 && all.add([within, ...path.map((name) => name.replace(/_id$/, ''))].join('.'))
  const walk = (node: Node): void => {
    if ('leaf' in node) add(node.leaf.path)
    else if ('node' in node) {
      const before = within
      add(node.path)
      within = [within, ...node.path.map((name) => name.replace(/_id$/, ''))].filter(Boolean).join('.')
      walk(node.node)
      within = before
    } else if ('not' in node) walk(node.not)
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
