/** The steps of a schema change that add, drop, rename and convert the members of documents. */
import { identifier, literal, renderText, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Field } from '../../model/field.ts'
import { constraintNames } from '../../model/names.ts'
import { documentColumn, documentOf } from '../../model/storage.ts'
import type { Table } from '../../model/table.ts'
import { isComputed } from '../../query/plan/expression/row-expression.ts'
import { type Conversion, conversionOf } from '../conversions.ts'
import { alteration } from '../ddl/alteration.ts'
import type { KeptField } from '../ddl/compare.ts'
import { inOrder } from '../ddl/renames.ts'
import type { DdlStep, TableChange } from '../provider.ts'
import { formulaOf } from './computation.ts'

/**
 * Rewrites the table instead of updating it. After an update, an index that is created later in the same
 * transaction would also index the old row versions, and an expression for the new type of a field fails on
 * these.
 */
export function rewriteDocuments({ relation }: Table, document: Sql, where?: Sql): Sql {
  const value = where ? sql`case when ${where} then ${document} else ${documentColumn} end` : document
  return sql`alter table ${relation} alter column ${documentColumn} type jsonb using ${value}`
}
/** Returns the condition that a document has a member. */
export const hasMember = (name: string): Sql => sql`${documentColumn} ? ${literal(name)}`

/** Returns the statement that removes a member from all documents. */
export const removeMember = (table: Table, { name }: Field): Sql =>
  rewriteDocuments(table, sql`${documentColumn} - ${literal(name)}`, hasMember(name))

/**
 * Returns the statements that fill a new field. Without a default nothing is needed: an absent member has no
 * value.
 */
function fillField(table: Table, field: Field): Sql[] {
  const numbering = field === table.identity
  const given = isComputed(field) ? formulaOf(table, field) : field.default
  const value = numbering ? sql`nextval(${table.storage.sequence(field)})` : given
  return value
    ? [
        ...(numbering ? newSequence(table) : []),
        rewriteDocuments(table, sql`${documentColumn} || ${documentOf([[field, value]])}`),
      ]
    : []
}

const emptyField = (table: Table, field: Field): Sql[] => [
  removeMember(table, field),
  ...(field === table.identity ? [dropSequence(table)] : []),
]

/** Creates the step that adds a field. */
export const addField = (table: Table, field: Field): DdlStep => ({
  ...alteration(table, `Add field ${field.name}`, fillField(table, field), emptyField(table, field)),
  ...(isComputed(field) ? { expressions: [field.name] } : {}),
})

export const dropField = (table: Table, field: Field): DdlStep => ({
  ...alteration(table, `Drop field ${field.name}`, emptyField(table, field), fillField(table, field)),
  // The rollback computes the values again.
  destructive: !isComputed(field),
})

export function renameFields(table: Table, kept: readonly KeptField[]): DdlStep[] {
  const renames = kept.flatMap(({ before, after }) =>
    before.name === after.name ? [] : [{ from: before.name, to: after.name }],
  )
  const rename = (from: string, to: string) => {
    const renamed = sql`jsonb_build_object(${literal(to)}, ${documentColumn} -> ${literal(from)})`
    return rewriteDocuments(table, sql`(${documentColumn} - ${literal(from)}) || ${renamed}`, hasMember(from))
  }
  return inOrder(renames).map(({ from, to }) =>
    alteration(table, `Rename field ${from} to ${to}`, [rename(from, to)], [rename(to, from)]),
  )
}

/**
 * Creates the step that converts a field to another type. Before that, a temporary check names the field if a
 * value does not survive.
 */
export function convertField(table: Table, { before, after, conversion }: KeptField): DdlStep[] {
  if (!conversion) return []
  const back = conversionOf(after, before) as Conversion
  const past = { ...before, name: after.name }
  return [
    {
      ...alteration(
        table,
        `Convert field ${after.name} from ${before.schema.type} to ${after.schema.type}`,
        convertStatements(table, past, conversion),
        convertStatements(table, after, back),
      ),
    },
  ]
}

function convertStatements(table: Table, field: Field, { survives, cast }: Conversion): Sql[] {
  const check = identifier(constraintNames(table.physicalName).conversion(field.name))
  const value = table.storage.field(field)
  const { relation } = table
  const trial = survives
    ? [
        sql`alter table ${relation} add constraint ${check} check (${value} is null or ${survives(value)})`,
        sql`alter table ${relation} drop constraint ${check}`,
      ]
    : []
  return [
    ...trial,
    rewriteDocuments(
      table,
      sql`${documentColumn} || ${documentOf([[field, cast(value)]])}`,
      sql`${value} is not null`,
    ),
  ]
}

const sequenceName = (table: Table): Sql =>
  sql`${table.namespace}.${identifier(constraintNames(table.physicalName).identitySequence)}`
const newSequence = (table: Table): Sql[] => [
  sql`create sequence ${sequenceName(table)} owned by ${table.relation}.${documentColumn}`,
]
const dropSequence = (table: Table): Sql => sql`drop sequence ${sequenceName(table)}`

/** Returns the statements that create the sequence of a key. It begins after the highest existing number. */
export function startNumbering(table: Table): Sql[] {
  const value = table.storage.field(table.identity as Field)
  const name = literal(renderText(sequenceName(table)))
  return [
    ...newSequence(table),
    // Numbers beyond 2^53 are ignored: they would soon exhaust the sequence.
    sql`select setval(${name}, coalesce(max(${value}), 1), max(${value}) is not null)
          from ${table.relation} where ${value} between 1 and 9007199254740990`,
  ]
}

/**
 * Creates the step before a field is converted: it drops the sequence of a key that stops numbering records.
 */
export function releaseField(
  { before: table, after: changed }: TableChange,
  { before, after, conversion }: KeptField,
): DdlStep[] {
  if (table.identity !== before || (changed.identity === after && !conversion)) return []
  return [
    alteration(
      table,
      `No longer number records by ${before.name}`,
      [dropSequence(table)],
      startNumbering(table),
    ),
  ]
}

/** Creates the step after which a key numbers records. */
export function numberRecords(
  { before, after }: TableChange,
  { before: origin, after: field, conversion }: KeptField,
): DdlStep[] {
  if (after.identity !== field || (before.identity === origin && !conversion)) return []
  return [alteration(after, `Number records by ${field.name}`, startNumbering(after), [dropSequence(after)])]
}
