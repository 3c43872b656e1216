/** Random apps in the form that a pull writes. They test that push and pull are the identity. */
import fc from 'fast-check'
import type { FunctionPart, Parts } from '../../cli/src/schema/parts.ts'
import type { AppPart, Members, TablePart } from '../../src/operation/transfers/source/source.ts'
import { subscribedFunction } from '../../src/operation/transfers/source/subscribed-function.ts'

/** Each table has keys of one kind only, so that any app can be changed into any other. */
const keys: Readonly<Record<string, Members[]>> = {
  t_number: [{ name: 'id', type: 'integer' }],
  t_uuid: [{ name: 'id', type: 'uuid' }],
  t_text: [{ name: 'code', type: 'string', constraints: { maxLength: 40 } }],
  t_pair: [
    { name: 'one', type: 'integer' },
    { name: 'two', type: 'date' },
  ],
}
const names = Object.keys(keys)

/** Fields whose names imply their types, so that a field is never converted. */
const fieldOf: Readonly<Record<string, fc.Arbitrary<Members>>> = {
  label: text({ type: 'string' }, { maxLength: fc.integer({ min: 1, max: 200 }), unique: fc.constant(true) }),
  note: text({ type: 'string' }, { enum: fc.constant(['a', "b'c", 'd"e']) }),
  count: text(
    { type: 'integer' },
    { minimum: fc.integer({ min: -5, max: 0 }), maximum: fc.integer({ min: 1, max: 9 }) },
  ),
  price: text({ type: 'number' }, { exclusiveMinimum: fc.constantFrom(0, 0.5, -1.25) }),
  day: text({ type: 'date' }, {}),
  at: text({ type: 'datetime' }, { required: fc.boolean() }),
  flag: text({ type: 'boolean' }, {}),
  data: text({ type: 'object' }, { jsonSchema: fc.constant({ type: 'object', required: ['x'] }) }),
}

function text(
  base: Members,
  constraints: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<Members> {
  return fc
    .record(
      {
        title: fc.constantFrom('A title', 'Größe \u2192', '<b>&amp;'),
        description: fc.string({ maxLength: 20 }).filter((value) => !/\p{C}/u.test(value)),
        constraints: fc.record(constraints, { requiredKeys: [] }),
        'x-own': fc.jsonValue({ maxDepth: 1 }).filter((value) => !/\\u|e[+-]|-0/.test(JSON.stringify(value))),
      },
      { requiredKeys: [] },
    )
    .map((others) => ({ ...base, ...others }))
}

const indexes = [
  { name: 'by_label', fields: ['label'], unique: false, method: 'btree' },
  { name: 'by_price', fields: ['price', 'count'], unique: false, method: 'btree', where: { count__gt: 2 } },
  { name: 'by_data', fields: ['data.x::number'], unique: false, method: 'btree' },
]
const rules = [
  { name: 'all', who: 'anyone', can: ['read'] },
  { name: 'flagged', who: 'signed-in', can: ['read'], where: { flag: true } },
  { name: 'team', who: 'group:Team A', can: ['read'], where: { label: { $: 'user.email' } } },
]

/** Tells if all of these fields exist. Parts that name a missing field are left out. */
const needs = (fields: ReadonlySet<string>, ...wanted: string[]) => wanted.every((name) => fields.has(name))

function table(name: string, others: readonly string[]): fc.Arbitrary<TablePart> {
  const optional = Object.fromEntries(Object.entries(fieldOf))
  return fc
    .record({
      own: fc.record(optional, { requiredKeys: [] }),
      targets: fc.subarray(others.filter((other) => other !== 't_pair')),
      onDelete: fc.constantFrom('RESTRICT', 'CASCADE', 'SET NULL', 'NO ACTION'),
      indexes: fc.subarray(indexes),
      rules: fc.subarray(rules),
      searched: fc.boolean(),
      history: fc.boolean(),
      description: fc.constantFrom('', 'A table.', 'With "quotes"\nand lines'),
    })
    .map(({ own, targets, onDelete, description, ...rest }) => {
      const references = targets.map((target) => {
        const [key] = keys[target] ?? []
        return { name: `${target}_ref`, type: key?.type, target, key: key?.name }
      })
      const fields = [
        ...(keys[name] ?? []),
        ...Object.entries(own).map(([field, members]) => ({ name: field, ...members })),
        ...references.map(({ name: field, type }) => ({ name: field, type })),
      ]
      const known = new Set(fields.map((field) => String((field as Members).name)))
      const kept = rest.indexes.filter((index) =>
        needs(known, ...index.fields.map((field) => field.split('.')[0] ?? '')),
      )
      const allowed = rest.rules.filter(({ where }) => needs(known, ...Object.keys(where ?? {})))
      const schema = {
        fields,
        primaryKey: (keys[name] ?? []).map((field) => field.name),
        ...(references.length > 0
          ? {
              foreignKeys: references.map(({ name: field, target, key }) => ({
                fields: [field],
                reference: { resource: target, fields: [key] },
                'x-actions': { onDelete },
              })),
            }
          : {}),
        ...(kept.length > 0 ? { indexes: kept } : {}),
        ...(allowed.length > 0 ? { access: { rules: allowed } } : {}),
        ...(rest.searched && known.has('note') ? { search_fields: [{ field: 'note', weight: 'B' }] } : {}),
        ...(rest.history ? { history: { days: 30 } } : {}),
      }
      return { description, datasource: 'main', materialized: true, schema }
    })
}

const functionPart: fc.Arbitrary<FunctionPart> = fc
  .record({
    name: fc.constantFrom('Total', 'Größe'),
    description: fc.constantFrom('', 'Adds.'),
    timeout_seconds: fc.integer({ min: 1, max: 600 }),
    is_active: fc.boolean(),
    filter_conditions: fc.constantFrom('', 'event.data.count > 1'),
    allowed_hosts: fc.subarray(['api.example.com', 'www.example.com']),
    as: fc.constantFrom('service', 'caller'),
    schedule: fc.constantFrom('', '0 3 * * mon'),
    schedule_zone: fc.constantFrom('UTC', 'Europe/Berlin'),
    ordering: fc.constantFrom('none', 'record'),
    secrets: fc.subarray(['A_KEY', 'B_KEY']),
    variables: fc.dictionary(fc.constantFrom('A', 'b_2', '_'), fc.constantFrom('', 'EUR', '"ü\n'), {
      noNullPrototype: true,
    }),
    code: fc.constantFrom(
      'export default () => 1\n',
      'export default (params) => {\n\treturn params // ü\n}',
    ),
  })
  .map(({ code, schedule, ...settings }) => ({
    code,
    // Only functions that run as the service can have a schedule.
    settings: {
      ...settings,
      schedule: settings.as === 'service' ? schedule : '',
      execution_mode: 'app',
    },
  }))

const secretType: fc.Arbitrary<Members> = fc.record({
  description: fc.constantFrom('', 'Where labels are printed.'),
  sensitivity_level: fc.constant('private'),
  schema: fc.constantFrom(null, { type: 'object', required: ['host'] }),
})

/** A random selection of these names, each with its content. */
const someOf = <Value>(
  all: readonly string[],
  make: (name: string, chosen: string[]) => fc.Arbitrary<Value>,
) =>
  fc
    .subarray([...all])
    .chain((chosen) =>
      fc.tuple(...chosen.map((name) => make(name, chosen).map((value) => [name, value] as const))),
    )
    .map((entries) => new Map<string, Value>(entries))

const datasources = {
  main: { name: 'Main', provider_type: 'flat_table', provider_config: {}, description: '' },
}

/** A random app. */
export const randomApp: fc.Arbitrary<Parts> = fc
  .record({
    app: fc.record({
      name: fc.constantFrom('Random', 'Zufällig'),
      description: fc.constantFrom('', 'An app.'),
    }),
    tables: someOf(names, table),
    functions: someOf(['add', 'total-2'], () => functionPart),
    secretTypes: someOf(['random-a', 'random-b'], (name) => secretType.map((type) => ({ name, ...type }))),
    events: fc.subarray(['RECORD_CREATE', 'RECORD_DELETE']),
    isLimited: fc.boolean(),
  })
  .map(({ app, events, isLimited, ...parts }) => {
    const slugs = [...parts.functions.keys()].toSorted()
    const tables = [...parts.tables.keys()]
    const subscribed = slugs.map((slug) =>
      subscribedFunction(slug, isLimited && tables.length > 0 ? tables : null),
    )
    const subscriptions =
      slugs.length > 0 ? Object.fromEntries(events.map((event) => [event, subscribed])) : {}
    return { ...parts, app: { ...app, datasources } satisfies AppPart, subscriptions, roles: new Map() }
  })
