/**
 * What a query means, in plain TypeScript over rows in memory. It shares nothing with the service: the two agree
 * because they mean the same.
 */
import { type Leaf, type Node, type Query, type Row, type Rows, type Sort, types } from './query-model.ts'

/** The records of the page, by key, and how many there are. */
export function evaluate(rows: Rows, query: Query): { keys: string[]; total: number } {
  const conjunction: Node[] = [...query.filters.map((leaf) => ({ leaf })), ...(query.tree ? [query.tree] : [])]
  const found = (rows[query.table] as readonly Row[]).filter(
    (row) => isShown(row, query.deleted) && holds(rows, query.table, row, { and: conjunction }),
  )
  const sorted = found.toSorted((a, b) => compareRows(rows, query, a, b))
  return { keys: sorted.slice(query.offset, query.offset + query.limit).map((row) => keyOf(query.table, row)), total: found.length }
}

export const keyOf = (table: string, row: Row): string => (table === 'hangings' ? `${row.show_id},${row.work_id}` : String(row.id))

const isShown = (row: Row, deleted: Query['deleted']) => deleted === 'included' || (row.is_deleted === true) === (deleted === 'only')

const alive = (rows: readonly Row[] | undefined) => (rows ?? []).filter((row) => row.is_deleted !== true)

/** The records that a record is related to by a name. */
function related(rows: Rows, table: string, row: Row, name: string): { table: string; to: 'one' | 'many'; rows: Row[] } {
  const one = (target: string, id: unknown) => ({
    table: target,
    to: 'one' as const,
    rows: alive(rows[target]).filter((other) => id !== null && other.id === id),
  })
  const many = (target: string, of: (other: Row) => boolean) => ({ table: target, to: 'many' as const, rows: alive(rows[target]).filter(of) })
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

/** Nobody has no values, and nobody is related to it. */
const nobody: Row = {}

function holds(rows: Rows, table: string, row: Row, node: Node): boolean {
  if ('or' in node) return node.or.some((member) => holds(rows, table, row, member))
  if ('not' in node) return !holds(rows, table, row, node.not)
  const conjunction = flat(node)
  /** What is asked of one relationship is asked of one related record. */
  const byRelationship = new Map<string, Node[]>()
  for (const member of conjunction) {
    if (!('leaf' in member) || member.leaf.path.length === 0) {
      if ('leaf' in member ? !passes(row[member.leaf.field] ?? null, typeOf(table, member.leaf), member.leaf) : !holds(rows, table, row, member))
        return false
      continue
    }
    const [first, ...path] = member.leaf.path
    const name = (first as string).replace(/_id$/, '')
    byRelationship.set(name, [...(byRelationship.get(name) ?? []), { leaf: { ...member.leaf, path } }])
  }
  return [...byRelationship].every(([name, and]) => {
    const there = row === nobody ? { ...related(rows, table, { id: null }, name), rows: [] } : related(rows, table, row, name)
    const candidates = there.to === 'one' && there.rows.length === 0 ? [nobody] : there.rows
    return candidates.some((candidate) => holds(rows, there.table, candidate, { and }))
  })
}

const flat = (node: Node): Node[] => ('and' in node ? node.and.flatMap(flat) : [node])

const typeOf = (table: string, { field }: Leaf): string => (types[table] as Record<string, string>)[field] as string

/** A negation holds where what it negates does not. */
function passes(value: unknown, type: string, leaf: Leaf): boolean {
  const { operator } = leaf
  if (operator === 'null' || operator === 'nnull') {
    const property = propertyOf(value, leaf.property)
    return (property === null || property === undefined) === ((operator === 'null') === (String(leaf.values[0]) === 'true'))
  }
  const negated = operator === 'ne' || (/^n/.test(operator) && operator !== 'nnull')
  const positive = operator === 'ne' ? 'exact' : negated ? operator.slice(1) : operator
  const result = (given: unknown) =>
    leaf.property.length > 0
      ? propertyPasses(propertyOf(value, leaf.property), positive, given, leaf.json)
      : value !== null && fieldPasses(value, type, positive, given, leaf.json)
  if (operator === 'exact') return leaf.values.some(result)
  return asked(positive, leaf).every((given) => result(given) !== negated)
}

/** What is sent several times is one list, of an operator that takes one; a pair may be sent one value at a time. */
function asked(operator: string, { values, json }: Leaf): readonly unknown[] {
  if (json) return values
  if (/^in[as]?$|keys$/.test(operator)) return [values.join(',')]
  return operator === 'between' && !String(values[0]).includes(',') ? [values.join(',')] : values
}

const isJsonType = (type: string) => type === 'object' || type === 'array'

/** A given value as one of the type. */
function typed(given: unknown, type: string): unknown {
  if (typeof given !== 'string') return given
  if (type === 'number' || type === 'integer') return Number(given)
  if (type === 'boolean') return given === 'true'
  return isJsonType(type) ? JSON.parse(given) : given
}

const listed = (given: unknown): unknown[] => (Array.isArray(given) ? given : String(given).split(','))

function fieldPasses(value: unknown, type: string, operator: string, given: unknown, json: boolean): boolean {
  if (isJsonType(type)) return operator === 'exact' ? equal(value, typed(given, type)) : jsonPasses(value, operator, given, json)
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

function jsonPasses(value: unknown, operator: string, given: unknown, json: boolean): boolean {
  const keys = (wanted: unknown[], every: boolean) => {
    const has = (key: unknown) =>
      Array.isArray(value) ? value.includes(key) : typeof value === 'object' && value !== null && Object.hasOwn(value, key as string)
    return every ? wanted.every(has) : wanted.some(has)
  }
  switch (operator) {
    case 'contains':
      return contains(value, json ? given : jsonOr(given as string), true)
    case 'contained_by':
      return contains(json ? given : jsonOr(given as string), value, true)
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

/** A text that is no JSON is a string. */
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
    return typeof inside === 'object' && inside !== null && Object.hasOwn(inside, name) ? (inside as Row)[name] : undefined
  }, value)
}

/** A property has no type. The given value says of JSON what it is; a text may be several things. */
function propertyPasses(property: unknown, operator: string, given: unknown, json: boolean): boolean {
  if (property === undefined) return false
  const isNumber = (one: unknown) => typeof one === 'number' || (!json && /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(String(one)))
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
      return jsonPasses(property, operator, given, json)
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
          (!json && property === (one === 'true' ? true : one === 'false' ? false : undefined)),
      )
    }
  }
}

function equal(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [mine, theirs] = [Object.keys(a), Object.keys(b)]
  return mine.length === theirs.length && mine.every((key) => Object.hasOwn(b, key) && equal((a as Row)[key], (b as Row)[key]))
}

/** As Postgres defines `@>` of jsonb: an array contains a scalar at the top, and elements in any order. */
function contains(a: unknown, b: unknown, top: boolean): boolean {
  const isObject = (one: unknown): one is Row => typeof one === 'object' && one !== null && !Array.isArray(one)
  if (Array.isArray(a) && Array.isArray(b)) {
    return b.every((wanted) =>
      a.some((member) => (typeof wanted === 'object' && wanted !== null ? contains(member, wanted, false) : member === wanted)),
    )
  }
  if (isObject(a) && isObject(b)) return Object.keys(b).every((key) => Object.hasOwn(a, key) && contains(a[key], b[key], false))
  if (top && Array.isArray(a) && !isObject(b)) return a.includes(b)
  return equal(a, b)
}

/** Texts by code point, as the database sorts them. */
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

function sortValue(rows: Rows, table: string, row: Row, { path, field }: Sort): { value: unknown; type: string } {
  const [name, ...rest] = path
  if (name === undefined) return { value: row[field] ?? null, type: (types[table] as Record<string, string>)[field] as string }
  const there = row === nobody ? { ...related(rows, table, { id: null }, name), rows: [] } : related(rows, table, row, name)
  return sortValue(rows, there.table, there.rows[0] ?? nobody, { path: rest, field, descending: false })
}

function compareRows(rows: Rows, { table, sort }: Query, a: Row, b: Row): number {
  const keys = table === 'hangings' ? ['show_id', 'work_id'] : ['id']
  for (const term of [...sort, ...keys.map((field): Sort => ({ path: [], field, descending: false }))]) {
    const [mine, theirs] = [sortValue(rows, table, a, term), sortValue(rows, table, b, term)]
    if (mine.value === null && theirs.value === null) continue
    if (mine.value === null) return 1
    if (theirs.value === null) return -1
    const order = compare(mine.value, theirs.value, mine.type)
    if (order !== 0) return term.descending ? -order : order
  }
  return 0
}
