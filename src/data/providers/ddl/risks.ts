/** The ways in which records can violate a new schema, each with a query for the records that do. */
import { emptySql, identifier, join, literal, type Sql, sql } from '../../../kernel/db/sql.ts'
import { hasCheck } from '../../model/constraints.ts'
import type { RangePair } from '../../model/exclusion-form.ts'
import { type Field, nullOf } from '../../model/field.ts'
import { isInOrder, outOfOrder } from '../../model/ranges.ts'
import type { ForeignKeySchema } from '../../model/schema-form.ts'
import { type Table, withColumns } from '../../model/table.ts'
import { withValues } from '../../query/plan/expression/row-expression.ts'
import { isInMongodb } from '../mongodb/capabilities.ts'
import type { BreakingRow, Risk, TableChange } from '../provider.ts'
import { checkCondition } from './checks.ts'
import type { Comparison, KeptField } from './compare.ts'
import { excludingRecords } from './exclusion-objects.ts'
import { columnOf } from './fields.ts'
import { conditionOf } from './filter.ts'
import { foreignKeyOf, type TableObject } from './objects.ts'

/** The risks of the steps of a change. */
export interface Risks {
  /** The risk that a value cannot be converted to the field's new type. */
  conversion(field: KeptField): Risk[]
  /** The risk that a record has no value in a field that becomes required. */
  required(field: Field): Risk[]
  /** The risk of adding a required field without a default. */
  added(field: Field): Risk[]
  /** The risk of adding a key, a check or a foreign key. */
  object(object: TableObject): Risk[]
}

/** The most records that are named. */
const sampleMax = 10

/** Returns the risks of a change. Their queries read the table before the change. */
export function risksOf(
  { before, after }: Pick<TableChange, 'before' | 'after'>,
  { kept }: Pick<Comparison, 'kept'>,
): Risks {
  const origins = new Map(kept.map((field) => [field.after.name, field]))

  /** Returns the value that a field of the new schema will have in a record `_row` of the old one. */
  function futureOf(field: Field): Sql {
    const origin = origins.get(field.name)
    if (!origin) return field === after.identity ? sql`_row._number` : (field.default ?? nullOf(field))
    const value = sql`_row.${origin.before.column}`
    const { conversion } = origin
    return conversion
      ? sql`case when ${conversion.survives?.(value) ?? sql`true`} then ${conversion.cast(value)} end`
      : value
  }
  const values = withValues(after, futureOf)

  /** The current records. If a new key will number them, this selection numbers them already. */
  const numbered = after.identity && !origins.has(after.identity.name)
  const records = numbered
    ? sql`(select *, row_number() over () as _number from ${before.rows}) _row`
    : sql`${before.rows} _row`

  const key = recordKey(before)
  const limit = literal(sampleMax)
  const sample = (condition: Sql): Sql<BreakingRow> =>
    sql<BreakingRow>`select ${key} as key from ${records} where ${condition} limit ${limit}`

  function sharing({ fields, where }: TableObject): Sql<BreakingRow> {
    const own = fields.map((name) => columnOf(values, name))
    const condition = where ? sql` and ${conditionOf(values, where)}` : emptySql
    return sql<BreakingRow>`
      select key from (
        select ${key} as key, count(*) over (partition by ${join(own)}) as times
          from ${records} where ${allThere(own)}${condition}) _counted
       where times > 1 limit ${limit}`
  }

  function dangling(
    fields: readonly string[],
    references: NonNullable<TableObject['references']>,
  ): Sql<BreakingRow> {
    const own = fields.map((name) => columnOf(values, name))
    const toItself = references.table === after
    const target = toItself ? values : withColumns(references.table, ({ column }) => sql`_row.${column}`)
    const alias = (position: number) => identifier(`_${position}`)
    const columns = references.fields.map(
      (name, position) => sql`${columnOf(target, name)} as ${alias(position)}`,
    )
    const equal = own.map((value, position) => sql`_target.${alias(position)} = ${value}`)
    const source = toItself ? records : sql`${references.table.rows} _row`
    return sample(sql`${allThere(own)} and not exists (
      select from (select ${join(columns)} from ${source}) _target where ${join(equal, sql` and `)})`)
  }

  function required({ name }: Field): Risk[] {
    const message = `These records have no value for "${name}", which is required.`
    return [
      { fields: [name], rule: 'required', message, records: sample(sql`${columnOf(values, name)} is null`) },
    ]
  }

  return {
    conversion({ before: origin, after: field, conversion }) {
      if (!conversion?.survives) return []
      const value = sql`_row.${origin.column}`
      const message = `In these records "${origin.name}" cannot be converted to type ${field.schema.type}.`
      return [
        {
          fields: [field.name],
          rule: 'type',
          message,
          records: sample(sql`${value} is not null and not ${conversion.survives(value)}`),
        },
      ]
    },
    required,
    added: (field) => (field.required && !field.default ? required(field) : []),
    object(object) {
      const { fields, references } = object
      if (object.unique) {
        const message = `These records have the same ${fields.join(', ')}, which must be unique.`
        return [
          {
            fields,
            rule: object.kind === 'primary key' ? 'primaryKey' : 'unique',
            message,
            records: sharing(object),
          },
        ]
      }
      if (references) {
        // The key references its own fields, so every record references itself.
        if (references.table === after && String(references.fields) === String(fields)) return []
        const target = references.table.name
        const message = `"${target}" has no record that these records reference by ${fields.join(', ')}.`
        return [{ fields, rule: 'foreignKey', message, records: dangling(fields, references) }]
      }
      if (object.exclusion) {
        const { name } = object.exclusion
        const message = `These records exclude each other by "${name}".`
        const found = excludingRecords(values, object.exclusion, { records, key, limit })
        return [{ fields, rule: name, message, records: sql<BreakingRow>`${found}` }]
      }
      const check = after.schema.checks?.find(({ name }) => name === object.check)
      if (check) {
        const message = `These records break the check ${check.name}.`
        const breaks = sql`(${checkCondition(values, check)}) is false`
        return [{ fields, rule: `checks.${check.name}`, message, records: sample(breaks) }]
      }
      if (object.rule === 'range') {
        const pair = fields as RangePair
        const [from, to] = pair.map((name) => columnOf(values, name)) as [Sql, Sql]
        const message = `In these records, ${outOfOrder(pair)}`
        return [{ fields, rule: 'range', message, records: sample(sql`not (${isInOrder(from, to)})`) }]
      }
      const field = after.fields.get(fields[0] as string)
      if (field && object.rule === 'required') return required(field)
      const rule = field?.rules.filter(hasCheck).find(({ name }) => name === object.rule)
      if (!field || !rule) return []
      const message = `In these records "${field.name}" violates the rule ${rule.name}.`
      return [
        {
          fields,
          rule: rule.name,
          message,
          records: sample(sql`(${rule.check(columnOf(values, field.name))}) is false`),
        },
      ]
    },
  }
}

/** Returns the risks of adding a foreign key to a table whose schema stays the same. */
export function foreignKeyRisks(table: Table, key: ForeignKeySchema, referenced: Table): Risk[] {
  if (isInMongodb(table)) return []
  const kept = [...table.fields.values()].map((field) => ({
    before: field,
    after: field,
    conversion: undefined,
  }))
  return risksOf({ before: table, after: table }, { kept }).object(foreignKeyOf(table, key, referenced))
}

const allThere = (values: readonly Sql[]): Sql =>
  join(
    values.map((value) => sql`${value} is not null`),
    sql` and `,
  )

/** Returns the primary key of a record as a JSON object. Integers beyond ±(2^53−1) are strings. R6. */
function recordKey(table: Table): Sql {
  const members = table.primaryKey.map(({ name, type, column, schema }) => {
    const base = type.base ?? schema.type
    const value = sql`_row.${column}`
    const exact = base === 'integer' || base === 'number'
    const isSafe = sql`${value} between -9007199254740991 and 9007199254740991`
    const number = sql`case when ${isSafe} then to_json(${value}) else to_json(${value}::text) end`
    return sql`${literal(name)}, ${exact ? number : (type.output?.(value) ?? value)}`
  })
  return sql`json_build_object(${join(members)})`
}
