/** The steps of a change that concern fields. */
import { identifier, literal, renderText, type Sql, sql } from '../../../db/sql.ts'
import { constraintNames } from '../../datatables/names.ts'
import type { Field, Table } from '../../datatables/table.ts'
import { type Conversion, conversionOf } from '../conversions.ts'
import { alteration } from '../ddl/alteration.ts'
import { fieldComment } from '../ddl/comments.ts'
import type { KeptField } from '../ddl/compare.ts'
import { type AheadOfChange, ahead } from '../ddl/online.ts'
import { inOrder } from '../ddl/renames.ts'
import type { DdlStep, TableChange } from '../provider.ts'
import { declared, numbering } from './columns.ts'

const column = ({ relation }: Table, name: Sql, action: Sql): Sql => sql`alter table ${relation} alter column ${name} ${action}`
const setDefault = (value: Sql): Sql => sql`set default ${value}`
const dropDefault = sql`drop default`
const setNotNull = sql`set not null`
const dropNotNull = sql`drop not null`

/** Ahead, its column has a pending name. */
export function addField(table: Table, field: Field, online?: AheadOfChange): DdlStep {
  const step = alteration(table, `Add field ${field.name}`, added(table, field), gone(table, field))
  const pending = online?.column(field)
  if (!pending) return step
  return {
    ...step,
    ahead: [ahead('column', sql`alter table ${table.relation} add column ${declared(table, field, pending)}`)],
    statements: [sql`alter table ${table.relation} rename column ${pending} to ${field.column}`, ...fieldComment(table, field)],
  }
}

export const dropField = (table: Table, field: Field): DdlStep => ({
  ...alteration(table, `Drop field ${field.name}`, gone(table, field), added(table, field)),
  destructive: true,
})

const added = (table: Table, field: Field): Sql[] => [
  sql`alter table ${table.relation} add column ${declared(table, field)}`,
  ...fieldComment(table, field),
]
const gone = (table: Table, field: Field): Sql[] => [sql`alter table ${table.relation} drop column ${field.column}`]

export function renameFields(table: Table, kept: readonly KeptField[]): DdlStep[] {
  const renames = kept.flatMap(({ before, after }) => (before.name === after.name ? [] : [{ from: before.name, to: after.name }]))
  const rename = (from: string, to: string) => sql`alter table ${table.relation} rename column ${identifier(from)} to ${identifier(to)}`
  return inOrder(renames).map(({ from, to }) => alteration(table, `Rename field ${from} to ${to}`, [rename(from, to)], [rename(to, from)]))
}

/** What a column has to let go of before it changes: its numbering, its default, that it is required. */
export function release({ before: table, after: changed }: TableChange, { before, after, conversion }: KeptField): DdlStep[] {
  const steps: DdlStep[] = []
  const { name, column: own } = before
  const change = (description: string, action: Sql, ...rollback: Sql[]) =>
    steps.push(alteration(table, description, [column(table, own, action)], rollback))
  if (table.identity === before && (changed.identity !== after || conversion))
    change(`No longer number records by ${name}`, sql`drop identity`, ...startNumbering(table, before))
  if (before.default && conversion) change(`Drop the default of ${name}`, dropDefault, column(table, own, setDefault(before.default)))
  if (before.required && !after.required) change(`No longer require ${name}`, dropNotNull, column(table, own, setNotNull))
  return steps
}

/** Another type, where a field gets one. A check that is only tried says of which field a value does not survive. */
export function convert(table: Table, { before, after, conversion }: KeptField): DdlStep[] {
  if (!conversion) return []
  const back = conversionOf(after, before) as Conversion
  return [
    {
      ...alteration(
        table,
        `Convert field ${after.name} from ${before.schema.type} to ${after.schema.type}`,
        converted(table, after, conversion),
        converted(table, { ...before, name: after.name, column: after.column }, back),
      ),
      ...(conversion.lossy ? { destructive: true } : {}),
    },
  ]
}

function converted(table: Table, { name, column: own, type }: Field, { survives, cast }: Conversion): Sql[] {
  const check = identifier(constraintNames(table.physicalName).conversion(name))
  const trial = survives
    ? [
        sql`alter table ${table.relation} add constraint ${check} check (${own} is null or ${survives(own)})`,
        sql`alter table ${table.relation} drop constraint ${check}`,
      ]
    : []
  return [...trial, column(table, own, sql`type ${type.column} using ${cast(own)}`)]
}

/** The default that a column now has. */
export function settle(table: Table, { before, after, conversion }: KeptField): DdlStep[] {
  const past = conversion ? undefined : before.default
  if (textOf(past) === textOf(after.default)) return []
  const set = (value: Sql | undefined) => column(table, after.column, value ? setDefault(value) : dropDefault)
  return [alteration(table, `${after.default ? 'Set' : 'Drop'} the default of ${after.name}`, [set(after.default)], [set(past)])]
}

const textOf = (value: Sql | undefined): string | undefined => value && renderText(value)

export function require(table: Table, { before, after, conversion }: KeptField, online?: AheadOfChange): DdlStep {
  const [set, drop] = [column(table, after.column, setNotNull), column(table, after.column, dropNotNull)]
  const step = alteration(table, `Require ${after.name}`, [set], [drop])
  if (!online || conversion) return step
  // Postgres sees by the check that no record has to be looked at.
  const { name, ahead: checked } = online.check(sql`${before.column} is not null`)
  return { ...step, ahead: checked, statements: [set, sql`alter table ${table.relation} drop constraint ${name}`] }
}

/** A key that is to number records goes on after the highest number there is. */
export function number({ before, after }: TableChange, { before: origin, after: field, conversion }: KeptField): DdlStep[] {
  if (after.identity !== field || (before.identity === origin && !conversion)) return []
  return [alteration(after, `Number records by ${field.name}`, startNumbering(after, field), [column(after, field.column, sql`drop identity`)])]
}

function startNumbering(table: Table, field: Field): Sql[] {
  const sequence = renderText(sql`${table.namespace}.${identifier(constraintNames(table.physicalName).identitySequence)}`)
  return [
    column(table, field.column, sql`add generated ${numbering(table)}`),
    // Numbers that no JSON number holds are a client's own affair.
    sql`select setval(${literal(sequence)}, coalesce(max(${field.column}), 1), max(${field.column}) is not null)
          from ${table.relation} where ${field.column} between 1 and 9007199254740990`,
  ]
}
