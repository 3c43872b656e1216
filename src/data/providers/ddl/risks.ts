/** What of the records of a table can break its new schema: for each way a selection of those that do, from the table as it was. */
import { identifier, join, literal, nothing, type Sql, sql } from '../../../db/sql.ts'
import { isHeld } from '../../datatables/constraints.ts'
import type { ForeignKeySchema } from '../../datatables/schema-form.ts'
import { type Field, type Table, withColumns } from '../../datatables/table.ts'
import type { Risk, TableChange } from '../provider.ts'
import type { Comparison, KeptField } from './compare.ts'
import { columnOf } from './fields.ts'
import { conditionOf, foreignKeyOf, type TableObject } from './objects.ts'

export interface Risks {
  /** That values are none of the type that their field gets. */
  conversion(field: KeptField): Risk[]
  required(field: Field): Risk[]
  /** That a field is added which is required and has no value to begin with. */
  added(field: Field): Risk[]
  /** Of a key, a check or a foreign key that is added. */
  object(object: TableObject): Risk[]
}

/** How many records are named. */
const sampleMax = 10

export function risksOf({ before, after }: Pick<TableChange, 'before' | 'after'>, { kept }: Pick<Comparison, 'kept'>): Risks {
  const origins = new Map(kept.map((field) => [field.after.name, field]))

  /** What a field of the new schema will have in a record of the old one, `_row`. */
  function futureOf(field: Field): Sql {
    const origin = origins.get(field.name)
    if (!origin) return field === after.identity ? sql`_row._number` : (field.default ?? sql`null::${field.type.column}`)
    const value = sql`_row.${origin.before.column}`
    const { conversion } = origin
    return conversion ? sql`case when ${conversion.survives?.(value) ?? sql`true`} then ${conversion.cast(value)} end` : value
  }
  const values = withColumns(after, futureOf)

  /** The records as they are; a key that will number them does so here. */
  const numbered = after.identity && !origins.has(after.identity.name)
  const records = numbered ? sql`(select *, row_number() over () as _number from ${before.rows}) _row` : sql`${before.rows} _row`

  const sample = (condition: Sql): Sql => sql`select ${recordKey(before)} as key from ${records} where ${condition} limit ${literal(sampleMax)}`

  function sharing({ fields, where }: TableObject): Sql {
    const own = fields.map((name) => columnOf(values, name))
    const condition = where ? sql` and ${conditionOf(values, where)}` : nothing
    return sql`
      select key from (
        select ${recordKey(before)} as key, count(*) over (partition by ${join(own)}) as times
          from ${records} where ${allThere(own)}${condition}) _counted where times > 1 limit ${literal(sampleMax)}`
  }

  function dangling(fields: readonly string[], references: NonNullable<TableObject['references']>): Sql {
    const own = fields.map((name) => columnOf(values, name))
    const toItself = references.table === after
    const target = toItself ? values : withColumns(references.table, ({ column }) => sql`_row.${column}`)
    const alias = (position: number) => identifier(`_${position}`)
    const there = references.fields.map((name, position) => sql`${columnOf(target, name)} as ${alias(position)}`)
    const equal = own.map((value, position) => sql`_target.${alias(position)} = ${value}`)
    return sample(sql`${allThere(own)} and not exists (
      select from (select ${join(there)} from ${toItself ? records : sql`${references.table.rows} _row`}) _target where ${join(equal, sql` and `)})`)
  }

  function required({ name }: Field): Risk[] {
    const message = `These records have no value for "${name}", which is required.`
    return [{ fields: [name], rule: 'required', message, records: sample(sql`${columnOf(values, name)} is null`) }]
  }

  return {
    conversion({ before: origin, after: field, conversion }) {
      if (!conversion?.survives) return []
      const value = sql`_row.${origin.column}`
      const message = `These records have a value of "${origin.name}" that is none of type ${field.schema.type}.`
      return [{ fields: [field.name], rule: 'type', message, records: sample(sql`${value} is not null and not ${conversion.survives(value)}`) }]
    },
    required,
    added: (field) => (field.required && !field.default ? required(field) : []),
    object(object) {
      const { fields, references } = object
      if (object.unique) {
        const message = `These records share their ${fields.join(', ')}, which has to be unique.`
        return [{ fields, rule: object.kind === 'primary key' ? 'primaryKey' : 'unique', message, records: sharing(object) }]
      }
      if (references) {
        // A record that references itself by its own key is there.
        if (references.table === after && String(references.fields) === String(fields)) return []
        const message = `These records reference by ${fields.join(', ')} what "${references.table.name}" does not have.`
        return [{ fields, rule: 'foreignKey', message, records: dangling(fields, references) }]
      }
      const field = after.fields.get(fields[0] as string)
      if (field && object.rule === 'required') return required(field)
      const rule = field?.rules.filter(isHeld).find(({ name }) => name === object.rule)
      if (!field || !rule) return []
      const message = `These records have a value of "${field.name}" that breaks its rule ${rule.name}.`
      return [{ fields, rule: rule.name, message, records: sample(sql`(${rule.check(columnOf(values, field.name))}) is false`) }]
    },
  }
}

/** What of the records of a table can break a foreign key that is added to it as it stands. */
export function foreignKeyRisks(table: Table, key: ForeignKeySchema, referenced: Table): Risk[] {
  const kept = [...table.fields.values()].map((field) => ({ before: field, after: field, conversion: undefined }))
  return risksOf({ before: table, after: table }, { kept }).object(foreignKeyOf(table, key, referenced))
}

const allThere = (values: readonly Sql[]): Sql =>
  join(
    values.map((value) => sql`${value} is not null`),
    sql` and `,
  )

/** The primary key of a record, as an object's text. An integer beyond what JSON numbers hold exactly is a string of digits. R6. */
function recordKey(table: Table): Sql {
  const members = table.primaryKey.map(({ name, type, column, schema }) => {
    const base = type.base ?? schema.type
    const value = sql`_row.${column}`
    const exact = base === 'integer' || base === 'number'
    const output = type.output?.(value) ?? value
    return sql`${literal(name)}, ${exact ? sql`case when ${value} between -9007199254740991 and 9007199254740991 then to_json(${value}) else to_json(${value}::text) end` : output}`
  })
  return sql`json_build_object(${join(members)})`
}
