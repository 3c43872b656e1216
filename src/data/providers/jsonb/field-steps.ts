/** The steps of a change that concern fields: what a real table does to a column is done to the documents. */
import { identifier, literal, renderText, type Sql, sql } from '../../../db/sql.ts'
import { constraintNames } from '../../datatables/names.ts'
import { documentColumn, documentOf } from '../../datatables/storage.ts'
import type { Field, Table } from '../../datatables/table.ts'
import { type Conversion, conversionOf } from '../conversions.ts'
import { alteration } from '../ddl/alteration.ts'
import type { KeptField } from '../ddl/compare.ts'
import { inOrder } from '../ddl/renames.ts'
import type { DdlStep, TableChange } from '../provider.ts'

/**
 * Not by an update: an index that is made after one, in its transaction, is also made of the documents as they were, and
 * an expression for the new type of a field fails on a value of the old one.
 */
const rewritten = ({ relation }: Table, document: Sql, where?: Sql): Sql =>
  sql`alter table ${relation} alter column ${documentColumn} type jsonb using ${where ? sql`case when ${where} then ${document} else ${documentColumn} end` : document}`
const having = (name: string): Sql => sql`${documentColumn} ? ${literal(name)}`

const without = (table: Table, { name }: Field): Sql => rewritten(table, sql`${documentColumn} - ${literal(name)}`, having(name))

/** Documents need not say of a field that they have no value in it. */
function filled(table: Table, field: Field): Sql[] {
  const numbering = field === table.identity
  const value = numbering ? sql`nextval(${table.storage.sequence(field)})` : field.default
  return value ? [...(numbering ? newSequence(table) : []), rewritten(table, sql`${documentColumn} || ${documentOf([[field, value]])}`)] : []
}

const emptied = (table: Table, field: Field): Sql[] => [without(table, field), ...(field === table.identity ? [dropSequence(table)] : [])]

export const addField = (table: Table, field: Field): DdlStep =>
  alteration(table, `Add field ${field.name}`, filled(table, field), emptied(table, field))

export const dropField = (table: Table, field: Field): DdlStep => ({
  ...alteration(table, `Drop field ${field.name}`, emptied(table, field), filled(table, field)),
  destructive: true,
})

export function renameFields(table: Table, kept: readonly KeptField[]): DdlStep[] {
  const renames = kept.flatMap(({ before, after }) => (before.name === after.name ? [] : [{ from: before.name, to: after.name }]))
  const rename = (from: string, to: string) =>
    rewritten(
      table,
      sql`(${documentColumn} - ${literal(from)}) || jsonb_build_object(${literal(to)}, ${documentColumn} -> ${literal(from)})`,
      having(from),
    )
  return inOrder(renames).map(({ from, to }) => alteration(table, `Rename field ${from} to ${to}`, [rename(from, to)], [rename(to, from)]))
}

/** Another type, where a field gets one. A check that is only tried says of which field a value does not survive. */
export function convert(table: Table, { before, after, conversion }: KeptField): DdlStep[] {
  if (!conversion) return []
  const back = conversionOf(after, before) as Conversion
  const past = { ...before, name: after.name }
  return [
    {
      ...alteration(
        table,
        `Convert field ${after.name} from ${before.schema.type} to ${after.schema.type}`,
        converted(table, past, conversion),
        converted(table, after, back),
      ),
      ...(conversion.lossy ? { destructive: true } : {}),
    },
  ]
}

function converted(table: Table, field: Field, { survives, cast }: Conversion): Sql[] {
  const check = identifier(constraintNames(table.physicalName).conversion(field.name))
  const value = table.storage.field(field)
  const trial = survives
    ? [
        sql`alter table ${table.relation} add constraint ${check} check (${value} is null or ${survives(value)})`,
        sql`alter table ${table.relation} drop constraint ${check}`,
      ]
    : []
  return [...trial, rewritten(table, sql`${documentColumn} || ${documentOf([[field, cast(value)]])}`, sql`${value} is not null`)]
}

const sequenceName = (table: Table): Sql => sql`${table.namespace}.${identifier(constraintNames(table.physicalName).identitySequence)}`
const newSequence = (table: Table): Sql[] => [sql`create sequence ${sequenceName(table)} owned by ${table.relation}.${documentColumn}`]
const dropSequence = (table: Table): Sql => sql`drop sequence ${sequenceName(table)}`

/** A key that is to number records goes on after the highest number there is. */
export function startNumbering(table: Table): Sql[] {
  const value = table.storage.field(table.identity as Field)
  return [
    ...newSequence(table),
    // Numbers that no JSON number holds are a client's own affair.
    sql`select setval(${literal(renderText(sequenceName(table)))}, coalesce(max(${value}), 1), max(${value}) is not null)
          from ${table.relation} where ${value} between 1 and 9007199254740990`,
  ]
}

/** What a field has to let go of before it changes: its numbering. */
export function release({ before: table, after: changed }: TableChange, { before, after, conversion }: KeptField): DdlStep[] {
  if (table.identity !== before || (changed.identity === after && !conversion)) return []
  return [alteration(table, `No longer number records by ${before.name}`, [dropSequence(table)], startNumbering(table))]
}

export function number({ before, after }: TableChange, { before: origin, after: field, conversion }: KeptField): DdlStep[] {
  if (after.identity !== field || (before.identity === origin && !conversion)) return []
  return [alteration(after, `Number records by ${field.name}`, startNumbering(after), [dropSequence(after)])]
}
