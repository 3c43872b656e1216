/**
 * The types of the Table Schema standard without a Postgres column type of their own: one row each, some by
 * format. Each is stored as the nearest type that has one, with a CHECK constraint. D14.
 */
import { join, literal, type Sql, sql } from '../../kernel/db/sql.ts'
import { canonicalJson } from '../../kernel/lib/canonical-json.ts'
import { numberText, readJson } from '../../kernel/lib/exact-json.ts'
import { parseJson } from '../../kernel/lib/parse-json.ts'
import { storageProblem } from '../../kernel/lib/storable.ts'
import { type FieldType, fieldTypes, onEqual, onOrdered } from './field-types.ts'

const own = (name: string) => fieldTypes.get(name) as FieldType
const [string, integer, number, object, array] = ['string', 'integer', 'number', 'object', 'array'].map(
  own,
) as [FieldType, FieldType, FieldType, FieldType, FieldType]

/**
 * Creates a type whose JSON is a string that matches a pattern with the same meaning in JavaScript and
 * Postgres. `wanted` is the message for other values.
 */
function ofForm(
  pattern: string,
  wanted: string,
  more: Partial<FieldType> & { test?(text: string): boolean },
): FieldType {
  const { test = () => true, ...others } = more
  const expression = new RegExp(pattern)
  const isOne = (text: string) => expression.test(text) && test(text)
  return {
    ...string,
    base: 'string',
    problem: (value) => (typeof value === 'string' && isOne(value) ? undefined : wanted),
    parse: (text) => (isOne(text) ? text : undefined),
    holds: (value) => sql`${value} ~ ${literal(pattern)}`,
    constraints: onEqual,
    ...others,
  }
}

/** Creates a type whose JSON is stored as jsonb, with a further check. */
const ofJson = (
  base: FieldType,
  name: string,
  problem: (value: unknown) => string | undefined,
  holds?: (value: Sql) => Sql,
): FieldType => ({
  ...base,
  base: name,
  problem: (value) => base.problem(value) ?? problem(value),
  parse(text) {
    const parsed = base.parse(text)
    return parsed !== undefined && problem(readJson(parsed)) === undefined ? parsed : undefined
  },
  ...(holds ? { holds } : {}),
})

const yearMax = 9999
const year: FieldType = {
  ...integer,
  base: 'integer',
  problem(value) {
    const isYear =
      integer.problem(value) === undefined && Math.abs(Number(integer.key(value as never))) <= yearMax
    return isYear ? undefined : 'A year is required, for example 2026.'
  },
  parse: (text) => (year.problem(text) === undefined ? text : undefined),
  holds: (value) => sql`${value} >= ${literal(-yearMax)} and ${value} <= ${literal(yearMax)}`,
}

/** An ISO 8601 duration with no more digits than an interval of Postgres can have. */
const durationPattern =
  '^-?P(?=[0-9T])([0-9]{1,6}Y)?([0-9]{1,7}M)?([0-9]{1,7}W)?([0-9]{1,9}D)?' +
  '(T(?=[0-9])([0-9]{1,8}H)?([0-9]{1,9}M)?([0-9]{1,9}([.][0-9]{1,6})?S)?)?$'
const durationParts = new RegExp(
  '^(-?)P(?:(\\d+)Y)?(?:(\\d+)M)?(?:(\\d+)W)?(?:(\\d+)D)?' +
    '(?:T(?:(\\d+)H)?(?:(\\d+)M)?(?:(\\d+)(?:[.](\\d+))?S)?)?$',
)

/** Returns microseconds, as Postgres compares intervals: a month has 30 days, a day 24 hours. */
function durationKey(text: string): bigint {
  const [, sign, ...parts] = durationParts.exec(text) ?? []
  const [years, months, weeks, days, hours, minutes, seconds] = parts
    .slice(0, 7)
    .map((part) => BigInt(part ?? 0)) as bigint[] as [bigint, bigint, bigint, bigint, bigint, bigint, bigint]
  const whole =
    (((years * 12n + months) * 30n + weeks * 7n + days) * 24n + hours) * 3600n + minutes * 60n + seconds
  const micros = whole * 1_000_000n + BigInt((parts[7] ?? '').padEnd(6, '0'))
  return sign ? -micros : micros
}

const coordinate = '-?[0-9]{1,3}([.][0-9]{1,20})?'
const isPlace = (longitude: number, latitude: number) =>
  Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90
const isNumber = (value: unknown) => number.problem(value) === undefined
const isPlaceOfJson = (longitude: unknown, latitude: unknown) =>
  isNumber(longitude) &&
  isNumber(latitude) &&
  isPlace(Number(numberText(longitude)), Number(numberText(latitude)))

/** Returns a condition that evaluates `second` only if `first` holds. */
const onlyIf = (first: Sql, second: Sql): Sql => sql`case when ${first} then ${second} else false end`
const isNumberJson = (value: Sql): Sql => sql`jsonb_typeof(${value}) = 'number'`
/**
 * Written without `between` and nesting, so that Postgres prints the check unchanged, however often it is
 * dumped.
 */
const isPlaceSql = (longitude: Sql, latitude: Sql): Sql =>
  join(
    [
      sql`(${longitude})::numeric >= -180 and (${longitude})::numeric <= 180`,
      sql`(${latitude})::numeric >= -90 and (${latitude})::numeric <= 90`,
    ],
    sql` and `,
  )

const geopointWanted = 'A point is required: longitude and latitude, for example "13.4, 52.5".'
const geopointText = `^${coordinate}, ?${coordinate}$`

const geojsonTypes = [
  'Point', 'MultiPoint', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon', 'GeometryCollection',
  'Feature', 'FeatureCollection',
] as const // biome-ignore format: a list of names

const jsonOfType = (types: readonly string[], wanted: string): FieldType =>
  ofJson(
    object,
    'object',
    (value) => (types.includes((value as { type?: unknown }).type as string) ? undefined : wanted),
    (value) => sql`coalesce(${value} ->> 'type', '') in (${join(types.map(literal))})`,
  )

const lonOf = (value: Sql): Sql => sql`${value} -> 'lon'`
const latOf = (value: Sql): Sql => sql`${value} -> 'lat'`

const durationOrdinal = (value: Sql): Sql => {
  const positive = sql`substr(${value}, 2)::interval`
  const otherwise = sql`when starts_with(${value}, '-') then -(${positive}) else ${value}::interval`
  return sql`(case when ${value} !~ ${literal(durationPattern)} then null ${otherwise} end)`
}

const any: FieldType = {
  ...object,
  key: canonicalJson,
  problem: storageProblem,
  parse(text) {
    const parsed = parseJson(text)
    if ('value' in parsed) return storageProblem(parsed.value) ? undefined : text
    return parsed.isJson || storageProblem(text) ? undefined : JSON.stringify(text)
  },
  constraints: onEqual,
}

/** The types by name, or by `type format` if the format makes another type. */
export const standardTypes: ReadonlyMap<string, FieldType> = new Map<string, FieldType>([
  ['year', year],
  [
    'yearmonth',
    ofForm('^[0-9]{4}-(0[1-9]|1[0-2])$', 'A year and month is required, for example 2026-01.', {
      constraints: onOrdered,
    }),
  ],
  [
    'duration',
    ofForm(durationPattern, 'A duration is required, for example P1DT12H.', {
      key: durationKey,
      // Another text has no value here: the check of the type rejects it.
      ordinal: durationOrdinal,
      constraints: onOrdered,
    }),
  ],
  [
    'geopoint',
    ofForm(geopointText, geopointWanted, {
      test(text) {
        const [longitude, latitude] = text.split(',').map(Number) as [number, number]
        return isPlace(longitude, latitude)
      },
      holds: (value) =>
        onlyIf(
          sql`${value} ~ ${literal(geopointText)}`,
          isPlaceSql(sql`split_part(${value}, ',', 1)`, sql`split_part(${value}, ',', 2)`),
        ),
    }),
  ],
  [
    'geopoint array',
    ofJson(
      array,
      'array',
      (value) =>
        (value as unknown[]).length === 2 && isPlaceOfJson(...(value as [unknown, unknown]))
          ? undefined
          : geopointWanted.replace(/".*"/, '[13.4, 52.5]'),
      (value) =>
        onlyIf(
          join(
            [
              sql`jsonb_array_length(${value}) = 2`,
              isNumberJson(sql`${value} -> 0`),
              isNumberJson(sql`${value} -> 1`),
            ],
            sql` and `,
          ),
          isPlaceSql(sql`${value} -> 0`, sql`${value} -> 1`),
        ),
    ),
  ],
  [
    'geopoint object',
    ofJson(
      object,
      'object',
      (value) => {
        const { lon, lat, ...others } = value as Record<string, unknown>
        return Object.keys(others).length === 0 && isPlaceOfJson(lon, lat)
          ? undefined
          : geopointWanted.replace(/".*"/, '{"lon": 13.4, "lat": 52.5}')
      },
      (value) =>
        onlyIf(
          sql`coalesce(${isNumberJson(lonOf(value))} and ${isNumberJson(latOf(value))}, false)`,
          isPlaceSql(lonOf(value), latOf(value)),
        ),
    ),
  ],
  [
    'geojson',
    jsonOfType(
      geojsonTypes,
      'A GeoJSON object is required, for example {"type": "Point", "coordinates": [13.4, 52.5]}.',
    ),
  ],
  [
    'geojson topojson',
    jsonOfType(['Topology'], 'A TopoJSON object is required, for example {"type": "Topology", …}.'),
  ],
  ['list', ofJson(array, 'array', () => undefined)],
  ['any', any],
  [
    'search_vector',
    { ...string, base: 'string', constraints: new Set(['required', 'minLength', 'maxLength']) },
  ],
])

/** The types that the items of a list can be declared as. */
export const itemTypes = ['string', 'integer', 'boolean', 'number', 'datetime', 'date', 'time'] as const

/**
 * The JSON types that an item of each type can have. An integer beyond ±(2^53−1) is a string of digits. R6.
 */
const jsonKinds: Record<(typeof itemTypes)[number], readonly string[]> = {
  string: ['string'],
  integer: ['number', 'string'],
  boolean: ['boolean'],
  number: ['number'],
  datetime: ['string'],
  date: ['string'],
  time: ['string'],
}

/** The types of lists whose items are all of one type, by the type of the items. */
export const listTypes: ReadonlyMap<string, FieldType> = new Map(
  itemTypes.map((name): [string, FieldType] => {
    const item = own(name)
    const isOtherKind = jsonKinds[name].map((kind) => `@.type() != "${kind}"`).join(' && ')
    return [
      name,
      ofJson(
        array,
        'array',
        (value) => {
          const items = value as unknown[]
          const at = items.findIndex((one) => one === null || item.problem(one) !== undefined)
          if (at === -1) return undefined
          return `Item ${at}: ${item.problem(items[at]) ?? 'It may not be null.'}`
        },
        (value) => sql`not ${value} @? ${literal(`$[*] ? (${isOtherKind})`)}::jsonpath`,
      ),
    ]
  }),
)
