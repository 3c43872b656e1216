/** The steps of a schema change that add, drop, rename and convert columns. */
import { identifier, literal, renderText, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Field } from '../../model/field.ts'
import { constraintNames } from '../../model/names.ts'
import type { Table } from '../../model/table.ts'
import { isComputed } from '../../query/plan/expression/row-expression.ts'
import { type Conversion, conversionOf } from '../conversions.ts'
import { alteration } from '../ddl/alteration.ts'
import { fieldComment } from '../ddl/comments.ts'
import type { KeptField } from '../ddl/compare.ts'
import type { OnlineChange } from '../ddl/online.ts'
import { inOrder } from '../ddl/renames.ts'
import { onlineStatement } from '../online-statement.ts'
import type { DdlStep, TableChange } from '../provider.ts'
import { columnDefinition, identityClause } from './columns.ts'

const column = ({ relation }: Table, name: Sql, action: Sql): Sql =>
  sql`alter table ${relation} alter column ${name} ${action}`
const setDefault = (value: Sql): Sql => sql`set default ${value}`
const dropDefault = sql`drop default`
const setNotNull = sql`set not null`
const dropNotNull = sql`drop not null`

/** Creates the step that adds a field. If it is added online, its column first has a pending name. */
export function addField(table: Table, field: Field, online?: OnlineChange): DdlStep {
  const step = {
    ...alteration(table, `Add field ${field.name}`, addColumn(table, field), dropColumn(table, field)),
    ...(isComputed(field) ? { expressions: [field.name] } : {}),
  }
  const pending = online?.column(field)
  if (!pending) return step
  return {
    ...step,
    onlinePhase: [
      onlineStatement(
        'column',
        sql`alter table ${table.relation} add column ${columnDefinition(table, field, pending)}`,
      ),
    ],
    statements: [
      sql`alter table ${table.relation} rename column ${pending} to ${field.column}`,
      ...fieldComment(table, field),
    ],
  }
}

export const dropField = (table: Table, field: Field): DdlStep => ({
  ...alteration(table, `Drop field ${field.name}`, dropColumn(table, field), addColumn(table, field)),
  // The rollback computes the values again.
  destructive: !isComputed(field),
})

const addColumn = (table: Table, field: Field): Sql[] => [
  sql`alter table ${table.relation} add column ${columnDefinition(table, field)}`,
  ...fieldComment(table, field),
]
const dropColumn = (table: Table, field: Field): Sql[] => [
  sql`alter table ${table.relation} drop column ${field.column}`,
]

export function renameFields(table: Table, kept: readonly KeptField[]): DdlStep[] {
  const renames = kept.flatMap(({ before, after }) =>
    before.name === after.name ? [] : [{ from: before.name, to: after.name }],
  )
  const rename = (from: string, to: string) =>
    sql`alter table ${table.relation} rename column ${identifier(from)} to ${identifier(to)}`
  return inOrder(renames).map(({ from, to }) =>
    alteration(table, `Rename field ${from} to ${to}`, [rename(from, to)], [rename(to, from)]),
  )
}

/**
 * Creates the steps before a column is converted: they drop its identity, its default and its NOT NULL as
 * needed.
 */
export function releaseField(
  { before: table, after: changed }: TableChange,
  { before, after, conversion, computed }: KeptField,
): DdlStep[] {
  const steps: DdlStep[] = []
  const { name, column: own } = before
  const change = (description: string, action: Sql, ...rollback: Sql[]) =>
    steps.push(alteration(table, description, [column(table, own, action)], rollback))
  if (computed)
    steps.push(
      alteration(
        table,
        `No longer compute ${name}`,
        [column(table, own, sql`drop expression`)],
        [...dropColumn(table, before), ...addColumn(table, before)],
      ),
    )
  if (table.identity === before && (changed.identity !== after || conversion))
    change(`No longer number records by ${name}`, sql`drop identity`, ...startNumbering(table, before))
  if (before.default && conversion)
    change(`Drop the default of ${name}`, dropDefault, column(table, own, setDefault(before.default)))
  if (before.required && !after.required)
    change(`No longer require ${name}`, dropNotNull, column(table, own, setNotNull))
  return steps
}

/**
 * Creates the step that converts a field to another type. Before that, a temporary check names the field if a
 * value does not survive.
 */
export function convertField(table: Table, { before, after, conversion }: KeptField): DdlStep[] {
  if (!conversion) return []
  const back = conversionOf(after, before) as Conversion
  return [
    {
      ...alteration(
        table,
        `Convert field ${after.name} from ${before.schema.type} to ${after.schema.type}`,
        convertStatements(table, after, conversion),
        convertStatements(table, { ...before, name: after.name, column: after.column }, back),
      ),
    },
  ]
}

function convertStatements(
  table: Table,
  { name, column: own, type }: Field,
  { survives, cast }: Conversion,
): Sql[] {
  const check = identifier(constraintNames(table.physicalName).conversion(name))
  const trial = survives
    ? [
        sql`alter table ${table.relation} add constraint ${check} check (${own} is null or ${survives(own)})`,
        sql`alter table ${table.relation} drop constraint ${check}`,
      ]
    : []
  return [...trial, column(table, own, sql`type ${type.column} using ${cast(own)}`)]
}

/** Creates the step that changes the default of a field, if it changes. */
export function changeDefault(table: Table, { before, after, conversion }: KeptField): DdlStep[] {
  const past = conversion ? undefined : before.default
  if (textOf(past) === textOf(after.default)) return []
  const set = (value: Sql | undefined) => column(table, after.column, value ? setDefault(value) : dropDefault)
  return [
    alteration(
      table,
      `${after.default ? 'Set' : 'Drop'} the default of ${after.name}`,
      [set(after.default)],
      [set(past)],
    ),
  ]
}

const textOf = (value: Sql | undefined): string | undefined => value && renderText(value)

export function requireField(
  table: Table,
  { before, after, conversion }: KeptField,
  online?: OnlineChange,
): DdlStep {
  const [set, drop] = [column(table, after.column, setNotNull), column(table, after.column, dropNotNull)]
  const step = alteration(table, `Require ${after.name}`, [set], [drop])
  if (!online || conversion) return step
  // With the validated check, Postgres knows that no record has a null, and scans none.
  const { name, onlinePhase: checked } = online.check(sql`${before.column} is not null`)
  return {
    ...step,
    onlinePhase: checked,
    statements: [set, sql`alter table ${table.relation} drop constraint ${name}`],
  }
}

/** Creates the step after which a key numbers records. Numbering begins after the highest existing number. */
export function numberRecords(
  { before, after }: TableChange,
  { before: origin, after: field, conversion }: KeptField,
): DdlStep[] {
  if (after.identity !== field || (before.identity === origin && !conversion)) return []
  return [
    alteration(after, `Number records by ${field.name}`, startNumbering(after, field), [
      column(after, field.column, sql`drop identity`),
    ]),
  ]
}

function startNumbering(table: Table, field: Field): Sql[] {
  const sequence = renderText(
    sql`${table.namespace}.${identifier(constraintNames(table.physicalName).identitySequence)}`,
  )
  const { column: key } = field
  return [
    column(table, key, sql`add generated ${identityClause(table)}`),
    // Numbers beyond 2^53 are ignored: they would soon exhaust the sequence.
    sql`select setval(${literal(sequence)}, coalesce(max(${key}), 1), max(${key}) is not null)
          from ${table.relation} where ${key} between 1 and 9007199254740990`,
  ]
}
