/** Random schemas, changes of them, and matching records, for properties of all schemas. */
import type fc from 'fast-check'
import { indexFilterProblems } from '../../src/data/datatables/draft.ts'
import { valueProblems } from '../../src/data/model/constraints.ts'
import type { ExclusionSchema } from '../../src/data/model/exclusion-form.ts'
import { comparedBy } from '../../src/data/model/exclusions.ts'
import type { Field } from '../../src/data/model/field.ts'
import { formats } from '../../src/data/model/formats.ts'
import { propertyTypes } from '../../src/data/model/property.ts'
import { isRangeEnd, rangesOutOfOrder } from '../../src/data/model/ranges.ts'
import type {
  FieldSchema,
  ForeignKeySchema,
  IndexSchema,
  TableSchema,
} from '../../src/data/model/schema-form.ts'
import { compileTable, type Table } from '../../src/data/model/table.ts'
import { parseTableSchema } from '../../src/data/model/table-schema.ts'
import { typeNames, typeOf } from '../../src/data/model/types.ts'
import { rowExpressionProblems } from '../../src/data/query/plan/expression/row-expression.ts'
import { keptFields } from '../../src/data/schema-changes/renames.ts'
import { carryExpressions, withExpressions } from './expressions.ts'

/** Makes random choices. */
export interface Dice {
  one<Item>(items: readonly Item[]): Item
  some<Item>(items: readonly Item[], most: number): Item[]
  number(from: number, to: number): number
  chance(percent: number): boolean
}

/** Returns random choices that fast-check can shrink. */
export function diceOf(gen: fc.GeneratorValue, check: typeof fc): Dice {
  const number = (from: number, to: number): number => gen(check.integer, { min: from, max: to })
  const one = <Item>(items: readonly Item[]): Item => items[number(0, items.length - 1)] as Item
  return {
    number,
    one,
    some(items, most) {
      const left = [...items]
      return Array.from(
        { length: Math.min(number(0, most), items.length) },
        () => left.splice(number(0, left.length - 1), 1)[0] as (typeof items)[number],
      )
    },
    chance: (percent) => number(1, 100) <= percent,
  }
}

const someUuid = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1'

/** Values of each type. Many are also values of another type. */
const values: Record<string, readonly unknown[]> = {
  string: [
    '', 'a', 'it\'s "x" \\ y', 'Zürich 😀', '0', '1', '12', '-7', '007', '1.5', '1e3', 'true', 'false', 'today', '2026-01-31', '2026-02-31', '08:30', '24:00',
    '2026-01-31T12:00:00Z', '2026-01-31 12:00:00+02:00', 'x@y.org', 'http://x.org/', `${someUuid}1`, '{"a": 1}', '[1, "b"]', 'null', '99999999999999999999',
  ],
  integer: [0, 1, 2, 12, -7, 9007199254740991, '9223372036854775807', '-9223372036854775808'],
  number: [0, 1, 1.5, 1.25, -7, 12, 1e3, 123456789.123456, 1e20, -0.000001],
  boolean: [true, false],
  date: ['2026-01-31', '0001-01-01', '9999-12-31', '2024-02-29'],
  time: ['00:00', '08:30', '23:59:59.999999', '12:00:01'],
  datetime: ['2026-01-31T12:00:00Z', '2026-01-31T23:30:00-05:00', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999999Z'],
  uuid: Array.from({ length: 6 }, (_, digit) => `${someUuid}${digit}`),
  object: [
    {}, { a: 1 }, { a: "o'c", b: [1, null] }, { a: 12.5, "it's": ['2026-02-31'] }, { a: '2026-02-29', 'b c': 1e300 },
    { a: '2026-01-31T12:00:00+02:00', 'b c': '24:00' }, { a: true, 'b c': '08:30' }, { a: { a: null } },
  ],
  array: [[], [1, 'b'], [{ a: null }]],
  year: [0, 2026, -44, '9999'],
  yearmonth: ['2026-01', '0001-12'],
  duration: ['P1D', 'P1Y2M3W4DT5H6M7.25S', '-P30D', 'PT0S'],
  geopoint: ['13.4, 52.5', '-180,90', '0, 0'],
  geojson: [{ type: 'Point', coordinates: [1, 2] }, { type: 'Feature' }],
  list: [[], ['a', 1], [true]],
  any: [1, 'x', true, [1], { a: null }, '{"a": 1}'],
  search_vector: ['', 'red bridge', "it's"],
} // biome-ignore format: tables

/** The schema of the table that others reference: a key of each kind. */
export const target = {
  fields: [
    { name: 'id', type: 'integer' },
    { name: 'code', type: 'string', constraints: { required: true, unique: true } },
    { name: 'ref', type: 'uuid', constraints: { unique: true } },
    { name: 'day', type: 'date' },
    { name: 'hour', type: 'time' },
  ],
  primaryKey: 'id',
  indexes: [{ name: 'slot', fields: ['day', 'hour'], unique: true }],
}
export const targetRecords = [
  { id: 1, code: 'a', ref: `${someUuid}1`, day: '2026-01-31', hour: '08:30' },
  { id: 2, code: '1', ref: `${someUuid}2`, day: '2024-02-29', hour: '12:00:01' },
  { id: 12, code: '12', ref: `${someUuid}3`, day: '9999-12-31', hour: '00:00' },
]
const keysOfTarget = [['id'], ['code'], ['ref'], ['day', 'hour']]

const names = ['a', 'b', 'c', 'd', 'E', 'created_at', 'is_deleted', 'search_vector', 'x'.repeat(61)]
const types = typeNames

function field(dice: Dice, name: string, type: string = dice.one(types)): FieldSchema {
  const allowed = typeOf({ type }).constraints
  const own = values[type] as unknown[]
  const two = () => dice.some(own, 2)
  const constraints: Record<string, unknown> = {}
  if (dice.chance(30)) constraints.required = true
  if (allowed.has('unique') && dice.chance(20)) constraints.unique = true
  if (allowed.has('minLength') && dice.chance(15)) constraints.minLength = dice.number(0, 2)
  if (allowed.has('maxLength') && dice.chance(15)) constraints.maxLength = dice.number(2, 60)
  if (allowed.has('minimum') && dice.chance(20)) constraints.minimum = dice.one(own)
  if (allowed.has('maximum') && dice.chance(20)) constraints.maximum = dice.one(own)
  if (allowed.has('pattern') && dice.chance(15))
    constraints.pattern = dice.one(["^[^']*$", '[0-9]', "^(it's|[a-z0-9])", '\\d\\b'])
  if (allowed.has('enum') && dice.chance(15)) constraints.enum = [dice.one(own), ...two()]
  return {
    name,
    type,
    ...(Object.keys(constraints).length > 0 ? { constraints } : {}),
    ...(type === 'string' && dice.chance(10) ? { format: dice.one([...formats.keys()]) } : {}),
    ...(dice.chance(25) ? { default: dice.one(own) } : {}),
    ...(type === 'geopoint' && dice.chance(30) ? { format: 'default' } : {}),
    ...(type === 'list' && dice.chance(20) ? { itemType: 'string', 'x-note': 1 } : {}),
    ...(dice.chance(10) ? { title: dice.one(['One', 'Another', "It's"]) } : {}),
  } as FieldSchema
}

const isText = (candidate: FieldSchema) => candidate.type === 'string' && typeOf(candidate).comparable

/** The fields that an index method supports. The default is fields that can be compared for equality. */
const candidatesOf: Record<string, (fields: readonly FieldSchema[]) => FieldSchema[]> = {
  gin: (fields) => fields.filter((candidate) => !typeOf(candidate).comparable),
  brin: (fields) =>
    fields.filter((candidate) => typeOf(candidate).comparable && candidate.type !== 'boolean'),
  trigram: (fields) => fields.filter(isText),
}

/** Returns an index on properties of one or two JSON fields. */
function ofProperties(dice: Dice, name: string, method: string, json: readonly FieldSchema[]): IndexSchema {
  const typesOf: Record<string, string[]> = {
    gin: [''],
    trigram: ['::string', '::text'],
    hash: ['::number'],
    brin: ['::date', '::number'],
  }
  const written = [...new Set([dice.one(json), dice.one(json)])].map((candidate) => {
    const inside = candidate.type === 'array' ? dice.one(['0', '-1.a']) : dice.one(['a', "it's.0", 'b c'])
    const type = dice.one(typesOf[method] ?? propertyTypes.map((one) => `::${one}`))
    return `${candidate.name}.${inside}${type}`
  })
  return { name, fields: method === 'hash' ? written.slice(0, 1) : written, method } as IndexSchema
}

/** Returns a schema of `fields` with random keys, indexes and search. */
function around(dice: Dice, fields: FieldSchema[]): unknown {
  const comparable = fields.filter((candidate) => typeOf(candidate).comparable)
  const keyable = comparable.filter(({ type }) => type !== 'boolean')
  const single = keyable.filter(({ type }) => ['integer', 'string', 'uuid'].includes(type))
  const primaryKey = (
    single.length > 0 && dice.chance(70)
      ? [dice.one(single)]
      : [...new Set([dice.one(keyable), ...dice.some(keyable, 1)])]
  ).map(({ name }) => name)
  const foreignKeys: ForeignKeySchema[] = []
  const refer = (own: readonly FieldSchema[], resource: string, reference: readonly string[]) => {
    if (foreignKeys.some((key) => key.fields.join() === own.map(({ name }) => name).join())) return
    const canBeNull = own.every(
      (candidate) => !candidate.constraints?.required && !primaryKey.includes(candidate.name),
    )
    const rules = [
      'CASCADE',
      'RESTRICT',
      'NO ACTION',
      ...(canBeNull ? ['SET NULL'] : []),
      ...(own.every(({ default: value }) => value !== undefined) ? ['SET DEFAULT'] : []),
    ]
    foreignKeys.push({
      fields: own.map(({ name }) => name),
      reference: { resource, fields: [...reference] },
      'x-actions': { onDelete: dice.one(rules) },
    } as ForeignKeySchema)
  }
  const ofType = (type: string | undefined) => fields.filter((candidate) => candidate.type === type)
  for (const key of keysOfTarget) {
    const candidates = key.map((name) =>
      ofType(target.fields.find((candidate) => candidate.name === name)?.type),
    )
    if (dice.chance(20) && candidates.every((list) => list.length > 0))
      refer(
        candidates.map((list) => dice.one(list)),
        'targets',
        key,
      )
  }
  const [own] = primaryKey.length === 1 ? ofType(fields.find(({ name }) => name === primaryKey[0])?.type) : []
  if (own && dice.chance(25)) refer([own], '', primaryKey)
  const indexes = Array.from({ length: dice.number(0, 3) }, (_, position) => {
    const method = dice.one(['btree', 'btree', 'btree', 'hash', 'brin', 'gin', 'trigram'])
    const json = fields.filter((candidate) => !typeOf(candidate).comparable)
    if (json.length > 0 && dice.chance(20)) return ofProperties(dice, `p${position}`, method, json)
    const candidates = candidatesOf[method]?.(fields) ?? comparable
    if (candidates.length === 0) return undefined
    const of = [
      ...new Set([dice.one(candidates), ...(method === 'hash' ? [] : dice.some(candidates, 2))]),
    ].map(({ name }) => name)
    const filtered = dice.chance(25) ? dice.one(fields) : undefined
    return {
      name: `i${dice.chance(50) ? position : position + 1}`,
      fields: of,
      method,
      ...(method === 'btree' && dice.chance(25) ? { unique: true } : {}),
      ...(filtered ? { where: { [filtered.name]: [dice.one(values[filtered.type] as unknown[])] } } : {}),
    }
  })
  const strings = ofType('string')
  return {
    fields,
    primaryKey,
    ...(foreignKeys.length > 0 ? { foreignKeys } : {}),
    ...(comparable.length > 1 && dice.chance(20)
      ? { uniqueKeys: [dice.some(comparable, 2).map(({ name }) => name)].filter((key) => key.length > 0) }
      : {}),
    ...exclusionsAround(dice, fields),
    ...(dice.chance(10) ? { description: dice.one(['What it is.', 'What it was.']) } : {}),
    indexes: indexes
      .filter((index) => index !== undefined)
      .filter((index, position, all) => all.findIndex(({ name }) => name === index.name) === position),
    ...(strings.length > 0 && !fields.some(({ name }) => name === 'search_vector') && dice.chance(25)
      ? {
          search_fields: [{ field: dice.one(strings).name, weight: dice.one(['A', 'D']) }],
          search_language: dice.one(['english', 'simple']),
        }
      : {}),
  }
}

/** Returns a random exclusion, if two fields can be the ends of a range. */
function exclusionsAround(dice: Dice, fields: readonly FieldSchema[]): Pick<TableSchema, 'exclusions'> {
  const ends = fields.filter(isRangeEnd)
  const from = ends.length > 0 && dice.chance(40) ? dice.one(ends) : undefined
  const others = ends.filter((one) => one !== from && from && typeOf(one) === typeOf(from))
  if (!from || others.length === 0) return {}
  const comparable = fields.filter((one) => typeOf(one).comparable)
  const boolean = fields.find(({ type }) => type === 'boolean')
  return {
    exclusions: [
      {
        name: dice.one(['apart', 'once']),
        elements: [
          ...dice.some(comparable, 2).map(({ name }) => ({ field: name, op: '=' as const })),
          { range: [from.name, dice.one(others).name], op: 'overlaps' as const },
        ],
        bounds: dice.one(['[)', '[]'] as const),
        ...(boolean && dice.chance(40) ? { where: { [boolean.name]: true } } : {}),
      },
    ],
  }
}

/** Returns the schema if it is valid, else undefined. */
function valid(schema: unknown): TableSchema | undefined {
  const parsed = parseTableSchema(schema)
  if ('problems' in parsed) return undefined
  const row = {
    id: 1,
    name: 'any',
    schema_hash: '',
    physical_table_name: 'any',
    source: null,
    is_materialized: true,
    datasource: { slug: 'main', providerType: 'flat_table' },
  }
  const table = compileTable(1, { ...row, json_schema: parsed.schema })
  const problems = [...indexFilterProblems(table), ...rowExpressionProblems(table)]
  return problems.length === 0 ? parsed.schema : undefined
}

export function randomSchema(dice: Dice): TableSchema {
  for (;;) {
    const fields = [...new Set([dice.one(names), ...dice.some(names, 4)])].map((name) =>
      repaired(dice, field(dice, name)),
    )
    if (!fields.some((candidate) => typeOf(candidate).comparable && candidate.type !== 'boolean'))
      fields.push({ name: 'id', type: dice.one(['integer', 'uuid', 'string']) })
    const schema = valid(withExpressions(dice, around(dice, fields) as TableSchema, false))
    if (schema) return schema
  }
}

/** Returns a field without contradictory constraints and defaults. */
function repaired(dice: Dice, candidate: FieldSchema): FieldSchema {
  const isFine = (schema: FieldSchema) =>
    valid({ fields: [schema, { name: 'key_', type: 'integer' }], primaryKey: 'key_' }) !== undefined
  if (isFine(candidate)) return candidate
  const { default: _, ...withoutDefault } = candidate
  if (isFine(withoutDefault)) return withoutDefault
  return field(dice, candidate.name, candidate.type)
}

export interface RandomChange {
  schema: TableSchema
  /** `x-rename-from`, by the new names of the fields. */
  origins: Map<string, string>
}

/** Returns the field with another type, with other constraints, or unchanged. */
function changedField(dice: Dice, kind: string, same: FieldSchema): FieldSchema {
  if (kind === 'type') return field(dice, same.name)
  return kind === 'rules' ? field(dice, same.name, same.type) : same
}

/** Exchanges the names of two fields without new names. */
function exchangeNames([one, other]: readonly FieldSchema[], origins: Map<string, string>): void {
  if (!one || !other || origins.has(one.name) || origins.has(other.name)) return
  const [first, second] = [one.name, other.name]
  Object.assign(one, { name: second })
  Object.assign(other, { name: first })
  origins.set(second, first).set(first, second)
}

/**
 * Returns another schema for a table: with renamed fields, other types or constraints, or a completely new
 * one.
 */
export function randomChange(dice: Dice, before: TableSchema): RandomChange {
  if (dice.chance(15)) return { schema: randomSchema(dice), origins: new Map() }
  for (;;) {
    const origins = new Map<string, string>()
    const free = [...names, 'z', 'id'].filter(
      (name) => !before.fields.some((candidate) => candidate.name === name),
    )
    const fields: FieldSchema[] = []
    for (const old of before.fields) {
      if (dice.chance(12)) continue
      const name =
        dice.chance(20) && free.length > 0
          ? (free.splice(dice.number(0, free.length - 1), 1)[0] as string)
          : old.name
      if (name !== old.name) origins.set(name, old.name)
      const kind = dice.one(['same', 'same', 'rules', 'type'])
      const changed = changedField(dice, kind, { ...old, name })
      fields.push(changed.generated === undefined ? repaired(dice, changed) : changed)
    }
    // Two fields exchange names, or one gets the name of a removed field.
    if (fields.length > 1 && dice.chance(20)) exchangeNames(dice.some(fields, 2), origins)
    for (const name of dice.some(free, 2)) fields.push(repaired(dice, field(dice, name)))
    if (fields.length > 1 && dice.chance(20)) fields.reverse()
    if (!fields.some((candidate) => typeOf(candidate).comparable && candidate.type !== 'boolean')) continue
    const changed = dice.chance(60) ? carried(dice, before, fields, origins) : around(dice, fields)
    const schema = valid(carryExpressions(dice, before, changed as TableSchema, origins))
    if (schema && !('problems' in keptFields(before, schema, origins))) return { schema, origins }
  }
}

const typeNamed = (fields: readonly { name: string; type: string }[]) => (wanted: string) =>
  fields.find(({ name }) => name === wanted)?.type

/**
 * Returns the keys, indexes and search of a schema with the new names of its fields, if they are still valid,
 * and some new ones.
 */
function carried(
  dice: Dice,
  before: TableSchema,
  fields: FieldSchema[],
  origins: ReadonlyMap<string, string>,
): unknown {
  const now = new Map(fields.map(({ name }) => [origins.get(name) ?? name, name]))
  const all = (list: readonly string[]) =>
    list.every((name) => now.has(name)) ? list.map((name) => now.get(name) as string) : undefined
  const fresh = around(dice, fields) as Record<string, unknown> & { primaryKey: string[] }
  const primaryKey = dice.chance(85) ? (all(before.primaryKey) ?? fresh.primaryKey) : fresh.primaryKey
  const searched = before.search_fields?.flatMap(({ field: name, weight }) =>
    now.has(name) ? [{ field: now.get(name) as string, weight }] : [],
  )
  const candidate = {
    fields,
    primaryKey,
    foreignKeys: (before.foreignKeys ?? []).flatMap((key) => {
      const own = all(key.fields)
      const to =
        key.reference.resource === ''
          ? primaryKey.map(typeNamed(fields))
          : key.reference.fields.map(typeNamed(target.fields))
      return own && String(own.map(typeNamed(fields))) === String(to)
        ? [
            {
              ...key,
              fields: own,
              reference: key.reference.resource === '' ? { resource: '', fields: primaryKey } : key.reference,
            },
          ]
        : []
    }),
    indexes: (before.indexes ?? []).flatMap((index) => {
      const own = all(index.fields.map((name) => name.split('.')[0] as string))?.map((name, position) =>
        [name, ...(index.fields[position] as string).split('.').slice(1)].join('.'),
      )
      const { where, ...rest } = index
      const filtered =
        where &&
        Object.entries(where).flatMap(([name, value]) => (now.has(name) ? [[now.get(name), value]] : []))
      return own && !dice.chance(10)
        ? [{ ...rest, fields: own, ...(filtered?.length ? { where: Object.fromEntries(filtered) } : {}) }]
        : []
    }),
    exclusions: (before.exclusions ?? []).flatMap(({ where, ...exclusion }) => {
      const { equal, ranges } = comparedBy(before, exclusion as ExclusionSchema)
      const [fieldsNow, pairsNow] = [all(equal), ranges.map(all)]
      const filtered = all(Object.keys(where ?? {}))
      if (!fieldsNow || !filtered || pairsNow.includes(undefined) || dice.chance(10)) return []
      return [
        {
          ...exclusion,
          elements: [...fieldsNow.map((name) => ({ field: name })), ...pairsNow.map((range) => ({ range }))],
          ...(where ? { where: Object.fromEntries(filtered.map((name) => [name, true])) } : {}),
        },
      ]
    }),
    ...(searched?.length
      ? { search_fields: searched, search_language: before.search_language ?? 'english' }
      : {}),
  }
  return valid(candidate) ? candidate : fresh
}

/** Returns random records that a table accepts, some of them unusual. */
export function randomRecords(dice: Dice, table: Table): Record<string, unknown>[] {
  const keys = [
    table.schema.primaryKey,
    ...[...table.fields.values()]
      .filter(({ schema }) => schema.constraints?.unique)
      .map(({ name }) => [name]),
    ...(table.schema.uniqueKeys ?? []),
    ...(table.schema.indexes ?? []).filter(({ unique }) => unique).map(({ fields }) => fields),
  ]
  const seen = keys.map(() => new Set<string>())
  const records: Record<string, unknown>[] = []
  for (let count = dice.number(0, 5); count > 0; count--) {
    const record = randomRecord(dice, table)
    if (!record || rangesOutOfOrder(table, record).length > 0) continue
    // The second record might exclude the first one.
    if (table.schema.exclusions?.length && records.length > 0) break
    const tuples = keys.map((key) =>
      key
        .map((name) =>
          record[name] === null
            ? `null ${count}`
            : String(table.fields.get(name)?.type.key(record[name] as never)),
        )
        .join('\u0001'),
    )
    if (tuples.some((tuple, position) => seen[position]?.has(tuple))) continue
    for (const [position, tuple] of tuples.entries()) seen[position]?.add(tuple)
    records.push(record)
  }
  return records
}

function randomRecord(dice: Dice, table: Table): Record<string, unknown> | undefined {
  const record: Record<string, unknown> = {}
  for (const candidate of table.fields.values()) {
    if (candidate.formula !== undefined) continue
    const own = (values[candidate.schema.type] as unknown[]).filter(
      (value) => valueProblems(candidate.type, candidate.rules, value).length === 0,
    )
    if (own.length === 0 || (!candidate.required && dice.chance(25))) {
      if (candidate.required) return undefined
      record[candidate.name] = null
    } else record[candidate.name] = dice.one(own)
  }
  for (const key of table.schema.foreignKeys ?? []) {
    const there =
      key.reference.resource === '' ? record : (dice.one(targetRecords) as Record<string, unknown>)
    const fitting = key.fields.every((name, position) =>
      takes(table.fields.get(name) as Field, there[key.reference.fields[position] as string]),
    )
    const nullable = key.fields.find((name) => !table.fields.get(name)?.required)
    if (nullable && (!fitting || dice.chance(30))) record[nullable] = null
    else if (!fitting) return undefined
    else
      for (const [position, name] of key.fields.entries())
        record[name] = there[key.reference.fields[position] as string]
  }
  // The second key may have changed a field that it shares with the first one.
  const holds = (key: ForeignKeySchema) => {
    const own = key.fields.map((name) => record[name])
    const rows: Record<string, unknown>[] = key.reference.resource === '' ? [record] : targetRecords
    return (
      own.includes(null) ||
      rows.some((row) => key.reference.fields.every((name, position) => row[name] === own[position]))
    )
  }
  return (table.schema.foreignKeys ?? []).every(holds) ? record : undefined
}

const takes = ({ type, rules }: Field, value: unknown) =>
  value !== null && valueProblems(type, rules, value).length === 0
