/**
 * Foreign keys from documents, or to them, which Postgres has no key for: triggers of both tables hold them, and what a
 * deletion does, as the edges of documents are held. See migrations/tenant/functions/hold_reference.sql. D6, D11.
 */
import { identifier, join, literal, renderText, type Sql, sql } from '../../../db/sql.ts'
import { constraintNames } from '../../datatables/names.ts'
import type { ForeignKeySchema } from '../../datatables/schema-form.ts'
import type { Field, Table } from '../../datatables/table.ts'

/** Whether a key between the two is none that Postgres has. */
export const isHeld = (table: Table, referenced: Table): boolean => !(table.storage.hasColumns && referenced.storage.hasColumns)

const fieldsOf = (table: Table, names: readonly string[]): Field[] => names.flatMap((name) => table.fields.get(name) ?? [])
const listOf = (table: Table, names: readonly string[], alias: Sql): string =>
  renderText(join(fieldsOf(table, names).map((field) => table.storage.field(field, alias))))

interface Trigger {
  name: string
  on: Sql
  event: Sql
  rows: Sql
  function: Sql
  args: readonly string[]
}

/** What checks the rows that there are takes the same as what holds new ones. */
function argumentsOf(table: Table, key: ForeignKeySchema, referenced: Table) {
  const own = listOf(table, key.fields, sql`n`)
  const given = renderText(
    join(
      fieldsOf(table, key.fields).map((field) => sql`${table.storage.field(field, sql`n`)} is not null`),
      sql` and `,
    ),
  )
  return [
    constraintNames(table.physicalName).foreignKey(key.fields),
    key.fields.join(', '),
    own,
    given,
    renderText(referenced.relation),
    listOf(referenced, key.reference.fields, sql`t`),
    referenced.physicalName,
  ] as const
}

function triggersOf(table: Table, key: ForeignKeySchema, referenced: Table): Trigger[] {
  const names = constraintNames(table.physicalName)
  const { fields } = key.reference
  // An update of a document locks it no more than one that changes no key: only a primary key never changes.
  const isFixed = String(fields) === String(referenced.schema.primaryKey)
  const holding = argumentsOf(table, key, referenced)
  const [name] = holding
  const hold = {
    on: table.relation,
    rows: sql`new table as _new`,
    function: sql`tessera.hold_reference`,
    args: [...holding, isFixed ? 'key share' : 'share'],
  }
  const answer = {
    on: referenced.relation,
    rows: sql`old table as _old`,
    function: sql`tessera.hold_referenced`,
    args: [
      name,
      fields.join(', '),
      listOf(referenced, fields, sql`o`),
      renderText(referenced.relation),
      listOf(referenced, fields, sql`t`),
      renderText(table.relation),
      listOf(table, key.fields, sql`_row`),
      table.physicalName,
      onDelete(table, key),
    ],
  }
  return [
    { name: names.held(key.fields, 'inserted'), event: sql`after insert`, ...hold },
    { name: names.held(key.fields, 'updated'), event: sql`after update`, ...hold },
    { name: names.held(key.fields, 'deleted'), event: sql`after delete`, ...answer },
    ...(isFixed ? [] : [{ name: names.held(key.fields, 'changed'), event: sql`after update`, ...answer }]),
  ]
}

function onDelete(table: Table, key: ForeignKeySchema): string {
  const fields = fieldsOf(table, key.fields)
  const set = (value: (field: Field) => Sql) => renderText(table.storage.assignment(fields.map((field) => [field, value(field)])))
  const absent = (field: Field) => sql`null::${field.type.column}`
  switch (key['x-actions'].onDelete) {
    case 'CASCADE':
      return 'delete'
    case 'SET NULL':
      return set(absent)
    case 'SET DEFAULT':
      return set((field) => field.default ?? absent(field))
    default:
      return 'refuse'
  }
}

const created = ({ name, on, event, rows, function: called, args }: Trigger): Sql =>
  sql`create trigger ${identifier(name)} ${event} on ${on} referencing ${rows} for each statement execute function ${called}(${join(args.map(literal))})`

/** The triggers come first: from then on nobody writes to either table until the transaction ends. */
export function holding(table: Table, key: ForeignKeySchema, referenced: Table): Sql[] {
  const [name, ...others] = argumentsOf(table, key, referenced)
  return [
    ...triggersOf(table, key, referenced).map(created),
    sql`select tessera.check_reference(${join([name, renderText(table.relation), ...others].map(literal))})`,
  ]
}

/** Of a table that may be gone by now, the triggers of others are dropped, too. */
export function releasing(table: Table, { fields }: Pick<ForeignKeySchema, 'fields'>): Sql {
  return sql`select tessera.release_reference(${literal(constraintNames(table.physicalName).foreignKey(fields))})`
}
