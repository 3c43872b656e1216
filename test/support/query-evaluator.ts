/**
 * Evaluates a query in plain TypeScript over rows in memory. It shares no code with the service, so that
 * agreement is evidence for both.
 */
import {
  type Annotated,
  type Leaf,
  type Node,
  type Query,
  type Row,
  type Rows,
  type Shown,
  type Sort,
  types,
} from './query-model.ts'

/** Returns the records of the page, as keys and as shown, and their total number. */
export function evaluate(rows: Rows, query: Query): { keys: string[]; data: Row[]; total: number } {
  const conjunction: Node[] = [
    ...query.filters.map((leaf) => ({ leaf })),
    ...(query.tree ? [query.tree] : []),
  ]
  const computed = (rows[query.table] as readonly Row[]).map((row) => ({
    ...row,
    ...Object.fromEntries(query.annotations.map((one) => [one.name, annotated(rows, query.table, row, one)])),
  }))
  const matching = computed.filter(
    (row) => isShown(row, query.deleted) && holds(rows, query.table, row, { and: conjunction }),
  )
  const inOrder = matching.toSorted((a, b) => compareRows(rows, query, a, b))
  const sorted = query.distinct.length === 0 ? inOrder : firstOfGroups(rows, query, inOrder)
  const page = sorted.slice(query.offset, query.offset + query.limit)
  return {
    keys: page.map((row) => keyOf(query.table, row)),
    data: page.map((row) => ({
      ...shownOf(rows, query.table, row, query.fields, query.annotations),
      ...populatedOf(rows, query, row),
    })),
    total: sorted.length,
  }
}

function firstOfGroups(rows: Rows, { table, distinct }: Query, sorted: readonly Row[]): Row[] {
  const groups = new Map<string, Row>()
  for (const row of sorted) {
    const key = distinct.map((one) => sortValue(rows, table, row, { ...one, descending: false }).value)
    const text = JSON.stringify(key)
    if (!groups.has(text)) groups.set(text, row)
  }
  return [...groups.values()]
}

/** Returns the computed value of a record: from the record alone, or from its related records. */
function annotated(rows: Rows, table: string, row: Row, one: Annotated): unknown {
  const { scope, path, field, of, fieldType, distinct, filter } = one
  if (scope.length === 0) {
    const { value } = sortValue(rows, table, row, { path, field: field as string, descending: false })
    if (of === 'or zero') return value ?? 0
    if (value === null || of === 'itself') return value
    return of === 'double' ? Number(value) * 2 : String(value).toLowerCase()
  }
  const start = { table, rows: [row] }
  const there = scope.reduce((near, name) => {
    const all = near.rows.map((record) => related(rows, near.table, record, name))
    return {
      table: all[0]?.table ?? '',
      rows: all.flatMap((one) =>
        one.rows.toSorted((a, b) => compareRows(rows, { table: one.table, sort: [] }, a, b)),
      ),
    }
  }, start)
  if (field === undefined) return there.rows.length
  const sorted = there.rows.toSorted((a, b) => compareRows(rows, { table: there.table, sort: [] }, a, b))
  const all = sorted
    .map((record) => sortValue(rows, there.table, record, { path, field, descending: false }).value)
    .filter((value) => filter === undefined || (value === null) === (filter === 'is null'))
  const orders = (a: unknown, b: unknown) => {
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return compare(a, b, fieldType)
  }
  const wanted = distinct
    ? all.toSorted(orders).filter((value, index, list) => index === 0 || orders(value, list[index - 1]) !== 0)
    : all
  return aggregated(of, wanted, orders)
}

function aggregated(
  of: string,
  all: readonly unknown[],
  orders: (a: unknown, b: unknown) => number,
): unknown {
  const values = all.filter((value) => value !== null)
  if (of === 'count') return values.length
  if (of === 'array_agg') return all.length === 0 ? null : all
  if (values.length === 0) return null
  if (of === 'string_agg') return values.join('|')
  const sum = values.reduce((total: number, value) => total + Number(value), 0)
  if (of === 'sum') return sum
  if (of === 'avg') return (Math.sign(sum) * Math.round(Math.abs(sum / values.length) * 1000)) / 1000
  const sorted = values.toSorted(orders)
  return of === 'min' ? sorted[0] : sorted.at(-1)
}

/** Returns the requested related records. */
function populatedOf(rows: Rows, { table, populate }: Query, row: Row): Row {
  const record: Record<string, unknown> = {}
  const counts: Record<string, number> = {}
  for (const { name, tree, sort, limit, offset, count } of populate) {
    const there = related(rows, table, row, name)
    const found = there.rows
      .filter((other) => !tree || holds(rows, there.table, other, tree))
      .toSorted((a, b) => compareRows(rows, { table: there.table, sort }, a, b))
    const shown = found
      .slice(offset, offset + (limit ?? 100))
      .map((other) => shownOf(rows, there.table, other, []))
    record[name] = there.to === 'many' ? shown : (shown[0] ?? null)
    if (count) counts[name] = found.length
  }
  return Object.keys(counts).length > 0 ? { ...record, _count: counts } : record
}

/** Returns a record with only the requested fields. */
function shownOf(
  rows: Rows,
  table: string,
  row: Row,
  fields: readonly Shown[],
  annotations: readonly Annotated[] = [],
): Row {
  const own = fields.filter(({ path }) => path.length === 0)
  const all = [...Object.keys(types[table] as Record<string, string>), ...annotations.map(({ name }) => name)]
  const names = all.filter((name) =>
    own.some(({ excluded }) => excluded)
      ? !own.some(({ field }) => field === name)
      : fields.length === 0 || own.some(({ field }) => field === name || field === '*'),
  )
  const record: Record<string, unknown> = Object.fromEntries(names.map((name) => [name, row[name] ?? null]))
  const relationships = new Set(fields.flatMap(({ path: [first] }) => first?.replace(/_id$/, '') ?? []))
  for (const name of relationships) {
    const there = related(rows, table, row, name)
    const below = fields.flatMap((one) => {
      const [first, ...path] = one.path
      return first?.replace(/_id$/, '') === name ? [{ ...one, path }] : []
    })
    const sorted = there.rows.toSorted((a, b) => compareRows(rows, { table: there.table, sort: [] }, a, b))
    const shown = sorted.map((other) => shownOf(rows, there.table, other, below))
    record[name] = there.to === 'many' ? shown : (shown[0] ?? null)
  }
  return record
}

const keyOf = (table: string, row: Row): string =>
  table === 'hangings' ? `${row.show_id},${row.work_id}` : String(row.id)

const isShown = (row: Row, deleted: Query['deleted']) =>
  deleted === 'included' || (row.is_deleted === true) === (deleted === 'only')

const alive = (rows: readonly Row[] | undefined) => (rows ?? []).filter((row) => row.is_deleted !== true)

/** Returns the related records of a record by a name. */
function related(
  rows: Rows,
  table: string,
  row: Row,
  name: string,
): { table: string; to: 'one' | 'many'; rows: Row[] } {
  const one = (target: string, id: unknown) => ({
    table: target,
    to: 'one' as const,
    rows: alive(rows[target]).filter((other) => id !== null && other.id === id),
  })
  const many = (target: string, of: (other: Row) => boolean) => ({
    table: target,
    to: 'many' as const,
    rows: alive(rows[target]).filter(of),
  })
  const hung = (own: 'show_id' | 'work_id', other: 'show_id' | 'work_id') =>
    new Set(alive(rows.hangings).flatMap((hanging) => (hanging[own] === row.id ? [hanging[other]] : [])))
  switch (`${table}.${name.replace(/_id$/, '')}`) {
    case 'cities.artists':
    case 'cities.shows':
      return many(name, (other) => other.city_id === row.id)
    case 'artists.city':
    case 'shows.city':
      return one('cities', row.city_id)
    case 'artists.mentor':
      return one('artists', row.mentor)
    case 'artists.artists':
      return many('artists', (other) => other.mentor === row.id)
    case 'artists.works_by_artist':
      return many('works', (other) => other.artist_id === row.id)
    case 'artists.works_by_restorer':
      return many('works', (other) => other.restorer_id === row.id)
    case 'works.artist':
      return one('artists', row.artist_id)
    case 'works.restorer':
      return one('artists', row.restorer_id)
    case 'works.hangings':
      return many('hangings', (other) => other.work_id === row.id)
    case 'works.shows':
      return many('shows', (other) => hung('work_id', 'show_id').has(other.id))
    case 'shows.hangings':
      return many('hangings', (other) => other.show_id === row.id)
    case 'shows.works':
      return many('works', (other) => hung('show_id', 'work_id').has(other.id))
    case 'hangings.show':
      return one('shows', row.show_id)
    case 'hangings.work':
      return one('works', row.work_id)
    default:
      throw new Error(`${table}.${name}`)
  }
}

/** A missing record, which has no values and no related records. */
const nobody: Row = {}

export function holds(rows: Rows, table: string, row: Row, node: Node): boolean {
  if ('or' in node) return node.or.some((member) => holds(rows, table, row, member))
  if ('not' in node) return !holds(rows, table, row, node.not)
  if ('node' in node) {
    const there = reached(rows, table, row, node.path)
    return there.rows.some((other) => holds(rows, there.table, other, node.node)) !== node.isNone
  }
  const conjunction = flat(node)
  /** All filters on one relationship apply to the same related record. */
  const byRelationship = new Map<string, Node[]>()
  for (const member of conjunction) {
    if (!('leaf' in member) || member.leaf.path.length === 0) {
      if (
        'leaf' in member
          ? !(member.leaf.terms
              ? row !== nobody && isFound(String(row.title ?? ''), member.leaf.terms)
              : passesIn(table, row, member.leaf))
          : !holds(rows, table, row, member)
      )
        return false
      continue
    }
    const apart = holdsApart(rows, table, row, member.leaf)
    if (apart === false) return false
    if (apart) continue
    const [first, ...path] = member.leaf.path
    const name = (first as string).replace(/_id$/, '')
    byRelationship.set(name, [...(byRelationship.get(name) ?? []), { leaf: { ...member.leaf, path } }])
  }
  return [...byRelationship].every(([name, and]) => {
    const there =
      row === nobody
        ? { ...related(rows, table, { id: null }, name), rows: [] }
        : related(rows, table, row, name)
    const candidates = there.to === 'one' && there.rows.length === 0 ? [nobody] : there.rows
    return candidates.some((candidate) => holds(rows, there.table, candidate, { and }))
  })
}

/** Tells if a record passes a filter on a field, or on the days of a show, of which the last does not count. */
function passesIn(table: string, row: Row, leaf: Leaf): boolean {
  if (leaf.field !== 'period') return passes(row[leaf.field] ?? null, typeOf(table, leaf), leaf)
  const [first, after] = String(leaf.values[0]).split(',')
  const ends = (from: unknown, to: unknown) => [from || '0000', to || '9999-99'] as [string, string]
  const [own, other] = [ends(row.opens, row.closes), ends(first, after)]
  return row !== nobody && own[0] < own[1] && other[0] < other[1] && own[0] < other[1] && other[0] < own[1]
}

/** Returns the related records that a path leads to. */
function reached(rows: Rows, table: string, row: Row, path: readonly string[]) {
  return path.reduce<{ table: string; rows: Row[]; isMany: boolean }>(
    (near, name) => {
      const { table: target, to } = related(rows, near.table, { id: null }, name)
      return {
        table: target,
        rows: near.rows.flatMap((one) => related(rows, near.table, one, name).rows),
        isMany: near.isMany || to === 'many',
      }
    },
    { table, rows: row === nobody ? [] : [row], isMany: false },
  )
}

/**
 * Tells if a condition on related records holds that does not need the same record as others: one on their
 * existence, or a negation over a path to many, which no record may contradict. Undefined: it is neither.
 */
function holdsApart(rows: Rows, table: string, row: Row, leaf: Leaf): boolean | undefined {
  const there = reached(rows, table, row, leaf.path)
  const { operator, field, property } = leaf
  const isKey = field === '' || (property.length === 0 && keysOf(there.table).includes(field))
  if (operator === 'null' || operator === 'nnull') {
    if (!isKey) return undefined
    return there.rows.length > 0 === ((operator === 'nnull') === (String(leaf.values[0]) === 'true'))
  }
  if (!there.isMany || !(operator === 'ne' || operator.startsWith('n'))) return undefined
  return there.rows.every((other) => holds(rows, there.table, other, { leaf: { ...leaf, path: [] } }))
}

const keysOf = (table: string): string[] => (table === 'hangings' ? ['show_id', 'work_id'] : ['id'])

const flat = (node: Node): Node[] => ('and' in node ? node.and.flatMap(flat) : [node])

const typeOf = (table: string, { field }: Leaf): string => fieldType(table, field)

/** The name of an annotation ends with its type. */
const fieldType = (table: string, field: string): string =>
  (types[table] as Record<string, string>)[field] ?? field.slice(field.indexOf('_') + 1)

/** Tells if a text has all terms of an alternative. */
function isFound(text: string, alternatives: NonNullable<Leaf['terms']>): boolean {
  const own = text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return alternatives.some((terms) =>
    terms.every(({ words, isPrefix, isExcluded }) => {
      const wanted = words.map((one) => one.toLowerCase())
      const has = own.some((_, at) =>
        wanted.every((one, index) => (isPrefix ? own[at + index]?.startsWith(one) : own[at + index] === one)),
      )
      return has !== isExcluded
    }),
  )
}

/** Tells if a value passes a filter. A negation is the opposite of its filter. */
function passes(value: unknown, type: string, leaf: Leaf): boolean {
  const { operator } = leaf
  if (operator === 'null' || operator === 'nnull') {
    const property = propertyOf(value, leaf.property)
    return (
      (property === null || property === undefined) ===
      ((operator === 'null') === (String(leaf.values[0]) === 'true'))
    )
  }
  const negated = operator === 'ne' || (/^n/.test(operator) && operator !== 'nnull')
  const unnegated = negated ? operator.slice(1) : operator
  const positive = operator === 'ne' ? 'exact' : unnegated
  const result = (given: unknown) =>
    leaf.property.length > 0
      ? propertyPasses(propertyOf(value, leaf.property), positive, given, leaf.json)
      : value !== null && fieldPasses(value, type, positive, given, leaf.json)
  if (operator === 'exact') return leaf.values.some(result)
  return asked(positive, leaf).every((given) => result(given) !== negated)
}

/**
 * Returns the values of a filter. Repeated values are one list for an operator that takes lists; a pair may
 * be sent as two values.
 */
function asked(operator: string, { values, json }: Leaf): readonly unknown[] {
  // A parameter without a value is not sent.
  if (json || values.length === 0) return values
  if (/^in[as]?$|keys$|^overlaps$/.test(operator)) return [values.join(',')]
  return operator === 'between' && !String(values[0]).includes(',') ? [values.join(',')] : values
}

const isJsonType = (type: string) => type === 'object' || type === 'array'

/** Converts a given value to a type. */
function typed(given: unknown, type: string): unknown {
  if (typeof given !== 'string') return given
  if (type === 'number' || type === 'integer') return Number(given)
  if (type === 'boolean') return given === 'true'
  return isJsonType(type) ? JSON.parse(given) : given
}

const listed = (given: unknown): unknown[] => (Array.isArray(given) ? given : String(given).split(','))

function fieldPasses(value: unknown, type: string, operator: string, given: unknown, json: boolean): boolean {
  if (isJsonType(type))
    return operator === 'exact' ? equal(value, typed(given, type)) : jsonPasses(value, operator, given, json)
  if (/^in|^between/.test(operator)) {
    return scalarPasses(
      value,
      operator,
      listed(given).map((member) => typed(member, type)),
      type,
    )
  }
  return scalarPasses(value, operator, [typed(given, type)], type)
}

function scalarPasses(value: unknown, operator: string, given: readonly unknown[], type: string): boolean {
  const order = (other: unknown) => compare(value, other, type)
  const [first, second] = given
  const text = String(value)
  const lower = (one: unknown) => String(one).toLowerCase()
  switch (operator) {
    case 'exact':
      return order(first) === 0
    case 'gt':
      return order(first) > 0
    case 'gte':
      return order(first) >= 0
    case 'lt':
      return order(first) < 0
    case 'lte':
      return order(first) <= 0
    case 'between':
      return order(first) >= 0 && order(second) <= 0
    case 'in':
    case 'ins':
      return given.some((one) => order(one) === 0)
    case 'ina':
      return given.some((one) => lower(one) === lower(text))
    case 'matches':
      return new RegExp(String(first), 'u').test(text)
    case 'imatches':
      return new RegExp(String(first), 'iu').test(text)
    case 'within':
      return isWithin(text, type, String(first))
    case 'contains':
    case 'containss':
      return text.includes(String(first))
    case 'icontains':
      return lower(text).includes(lower(first))
    case 'startswith':
    case 'startswiths':
      return text.startsWith(String(first))
    case 'istartswith':
      return lower(text).startsWith(lower(first))
    case 'endswith':
    case 'endswiths':
      return text.endsWith(String(first))
    case 'iendswith':
      return lower(text).endsWith(lower(first))
    default:
      throw new Error(operator)
  }
}

/** Tells if the day of a date, or of an instant in a time zone, is in a range. */
function isWithin(value: string, type: string, range: string): boolean {
  const [name = '', timeZone = 'UTC'] = range.split('@')
  const day =
    type === 'date' ? value : new Date(value).toLocaleDateString('sv-SE', { timeZone, dateStyle: 'short' })
  const [, month = ''] = day.split('-')
  if (name.includes('-Q')) return name === `${day.slice(0, 4)}-Q${Math.ceil(Number(month) / 3)}`
  if (name.includes('-W')) return name === weekOf(day)
  return day.startsWith(name)
}

/** Returns the week of a day, which is that of its Thursday. */
function weekOf(day: string): string {
  const thursday = new Date(`${day}T00:00:00Z`)
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7))
  const year = thursday.getUTCFullYear()
  const week = 1 + Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * 86_400_000))
  return `${year}-W${String(week).padStart(2, '0')}`
}

function jsonPasses(value: unknown, operator: string, given: unknown, json: boolean): boolean {
  const keys = (wanted: unknown[], every: boolean) => {
    const has = (key: unknown) =>
      Array.isArray(value)
        ? value.includes(key)
        : typeof value === 'object' && value !== null && Object.hasOwn(value, key as string)
    return every ? wanted.every(has) : wanted.some(has)
  }
  switch (operator) {
    case 'contains':
      return contains(value, json ? given : jsonOr(given as string), true)
    case 'contained_by':
      return contains(json ? given : jsonOr(given as string), value, true)
    case 'overlaps':
      return Array.isArray(value) && elements(given, json).some((one) => value.includes(one))
    case 'has_key':
      return value === given || keys([given], true)
    case 'has_any_keys':
      return keys(listed(given), false)
    case 'has_all_keys':
      return keys(listed(given), true)
    default:
      throw new Error(operator)
  }
}

/** Splits a text at its commas. Only a text of a query string may be JSON. */
function elements(given: unknown, json: boolean): unknown[] {
  if (typeof given !== 'string') return Array.isArray(given) ? given : [given]
  return given.split(',').map((one) => (json ? one : jsonOr(one)))
}

/** Parses JSON. A text that is not JSON is a string. */
function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function propertyOf(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inside, name) => {
    if (Array.isArray(inside)) return /^-?\d+$/.test(name) ? inside.at(Number(name)) : undefined
    return typeof inside === 'object' && inside !== null && Object.hasOwn(inside, name)
      ? (inside as Row)[name]
      : undefined
  }, value)
}

/** Returns a property as a value of a type, or null if it has another type. */
function read(property: unknown, type: string): unknown {
  if (type === 'integer') return Number.isInteger(property) ? property : null
  if (type === 'number' || type === 'boolean') return typeof property === type ? property : null
  if (typeof property !== 'string') return null
  switch (type) {
    case 'string':
      return property
    case 'date':
      return isDay(property) ? property : null
    case 'time':
      return /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?$/.test(property)
        ? `${property}${property.length === 5 ? ':00' : ''}`
        : null
    case 'datetime': {
      const isMoment = /^.{10}[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/.test(property)
      const zoned = /(Z|[+-]\d\d:\d\d)$/.test(property) ? property : `${property}Z`
      return isMoment && isDay(property.slice(0, 10)) ? zoned.replace(' ', 'T') : null
    }
    default:
      return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(property) ? property.toLowerCase() : null
  }
}

/** Tells if a day exists in the calendar. */
const isDay = (text: string): boolean => {
  const day = new Date(`${text}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(+day) && day.toISOString().startsWith(text)
}

/**
 * Tells if a property passes a filter. A property has no type: a JSON value defines its own, and a text can
 * be several.
 */
function propertyPasses(property: unknown, operator: string, given: unknown, json: boolean): boolean {
  if (property === undefined) return false
  const isNumber = (one: unknown) =>
    typeof one === 'number' || (!json && /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(String(one)))
  switch (operator) {
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
    case 'between': {
      const all = operator === 'between' ? listed(given) : [given]
      const type = all.every(isNumber) ? 'number' : 'string'
      return (
        typeof property === type &&
        scalarPasses(
          property,
          operator,
          all.map((one) => typed(one, type)),
          type,
        )
      )
    }
    case 'has_key':
    case 'overlaps':
      return jsonPasses(property, operator, given, json)
    case 'matches':
    case 'contains':
    case 'icontains':
    case 'startswith':
      if (typeof property === 'string' && scalarPasses(property, operator, [given], 'string')) return true
      return operator === 'contains' && jsonPasses(property, operator, given, json)
    default: {
      const all = operator === 'in' ? listed(given) : [given]
      return all.some(
        (one) =>
          equal(property, one) ||
          (!json && typeof property !== 'object' && isNumber(one) && property === Number(one)) ||
          (!json && property === booleans.get(one)),
      )
    }
  }
}

const booleans = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
])

function equal(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [mine, theirs] = [Object.keys(a), Object.keys(b)]
  return (
    mine.length === theirs.length &&
    mine.every((key) => Object.hasOwn(b, key) && equal((a as Row)[key], (b as Row)[key]))
  )
}

/**
 * Tells if `a @> b`, as Postgres defines it for jsonb: an array contains a scalar at the top, and elements in
 * any order.
 */
function contains(a: unknown, b: unknown, top: boolean): boolean {
  const isObject = (one: unknown): one is Row =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
  if (Array.isArray(a) && Array.isArray(b)) {
    return b.every((wanted) =>
      a.some((member) =>
        typeof wanted === 'object' && wanted !== null ? contains(member, wanted, false) : member === wanted,
      ),
    )
  }
  if (isObject(a) && isObject(b))
    return Object.keys(b).every((key) => Object.hasOwn(a, key) && contains(a[key], b[key], false))
  if (top && Array.isArray(a) && !isObject(b)) return a.includes(b)
  return equal(a, b)
}

/** Compares values; texts by code point, as the database sorts them. */
function compare(a: unknown, b: unknown, type: string): number {
  const sign = (x: number | bigint | string, y: number | bigint | string) => (x < y ? -1 : Number(x > y))
  if (type === 'datetime') return sign(Date.parse(a as string), Date.parse(b as string))
  if (type !== 'string') return sign(a as number, b as number)
  const [mine, theirs] = [[...(a as string)], [...(b as string)]]
  for (const [index, character] of mine.entries()) {
    const other = theirs[index]
    if (other === undefined) return 1
    const order = sign(character.codePointAt(0) as number, other.codePointAt(0) as number)
    if (order !== 0) return order
  }
  return mine.length - theirs.length
}

function sortValue(
  rows: Rows,
  table: string,
  row: Row,
  { path, field, property }: Sort,
): { value: unknown; type: string } {
  const [name, ...rest] = path
  if (name === undefined && property) {
    const { type } = property
    return { value: read(propertyOf(row[field], property.path), type), type }
  }
  if (name === undefined) return { value: row[field] ?? null, type: fieldType(table, field) }
  const there =
    row === nobody
      ? { ...related(rows, table, { id: null }, name), rows: [] }
      : related(rows, table, row, name)
  return sortValue(rows, there.table, there.rows[0] ?? nobody, {
    path: rest,
    field,
    property,
    descending: false,
  })
}

function compareRows(rows: Rows, { table, sort }: Pick<Query, 'table' | 'sort'>, a: Row, b: Row): number {
  for (const term of [
    ...sort,
    ...keysOf(table).map((field): Sort => ({ path: [], field, descending: false })),
  ]) {
    const [mine, theirs] = [sortValue(rows, table, a, term), sortValue(rows, table, b, term)]
    if (mine.value === null && theirs.value === null) continue
    const isNullFirst = term.nulls === 'first'
    if (mine.value === null) return isNullFirst ? -1 : 1
    if (theirs.value === null) return isNullFirst ? 1 : -1
    const order = compare(mine.value, theirs.value, mine.type)
    if (order !== 0) return term.descending ? -order : order
  }
  return 0
}
