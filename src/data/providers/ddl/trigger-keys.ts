/**
 * Foreign keys from documents or to documents. Postgres has no constraint for them, so triggers on both
 * tables enforce them and their delete rules. See migrations/functions/tessera/hold_reference.sql. D6, D11.
 */
import { identifier, join, literal, renderText, type Sql, sql } from '../../../kernel/db/sql.ts'
import { type Field, nullOf } from '../../model/field.ts'
import type { ResolvedKey } from '../../model/keys.ts'
import { constraintNames } from '../../model/names.ts'
import type { ForeignKeySchema } from '../../model/schema-form.ts'
import type { Table } from '../../model/table.ts'

/** Tells whether a foreign key between two tables needs triggers. */
export const isTriggerKey = (table: Table, referenced: Table): boolean =>
  !(table.storage.hasColumns && referenced.storage.hasColumns)

const fieldsOf = (table: Table, names: readonly string[]): Field[] =>
  names.flatMap((name) => table.fields.get(name) ?? [])
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

/** Returns the members of tessera.reference, in their order. */
function argumentsOf(table: Table, key: ForeignKeySchema, referenced: Table) {
  const own = listOf(table, key.fields, sql`n`)
  const isComplete = renderText(
    join(
      fieldsOf(table, key.fields).map((field) => sql`${table.storage.field(field, sql`n`)} is not null`),
      sql` and `,
    ),
  )
  return [
    constraintNames(table.physicalName).foreignKey(key.fields),
    key.fields.join(', '),
    own,
    isComplete,
    renderText(referenced.relation),
    listOf(referenced, key.reference.fields, sql`t`),
    referenced.physicalName,
  ] as const
}

function triggersOf(table: Table, key: ForeignKeySchema, referenced: Table): Trigger[] {
  const names = constraintNames(table.physicalName)
  const { fields } = key.reference
  // Postgres cannot see whether an update of a document changes a key. So a weak lock suffices only if the
  // referenced key is the primary key, which never changes.
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
    { name: names.trigger(key.fields, 'inserted'), event: sql`after insert`, ...hold },
    { name: names.trigger(key.fields, 'updated'), event: sql`after update`, ...hold },
    { name: names.trigger(key.fields, 'deleted'), event: sql`after delete`, ...answer },
    ...(isFixed ? [] : [{ name: names.trigger(key.fields, 'changed'), event: sql`after update`, ...answer }]),
  ]
}

function onDelete(table: Table, key: ForeignKeySchema): string {
  const fields = fieldsOf(table, key.fields)
  const set = (value: (field: Field) => Sql) =>
    renderText(table.storage.assignment(fields.map((field) => [field, value(field)])))
  switch (key['x-actions'].onDelete) {
    case 'CASCADE':
      return 'delete'
    case 'SET NULL':
      return set(nullOf)
    case 'SET DEFAULT':
      return set((field) => field.default ?? nullOf(field))
    default:
      return 'refuse'
  }
}

function createTrigger({ name, on, event, rows, function: called, args }: Trigger): Sql {
  const action = sql`for each statement execute function ${called}(${join(args.map(literal))})`
  return sql`create or replace trigger ${identifier(name)} ${event} on ${on} referencing ${rows} ${action}`
}

/** Returns the statements that create the triggers of a key, or replace them. */
export const keyTriggers = ({ table, key, referenced }: ResolvedKey): Sql[] =>
  isTriggerKey(table, referenced) ? triggersOf(table, key, referenced).map(createTrigger) : []

/**
 * Returns the statements that create the triggers, then check the existing rows. Creating a trigger locks
 * both tables against writes until the transaction ends.
 */
export function createKeyTriggers(table: Table, key: ForeignKeySchema, referenced: Table): Sql[] {
  const reference = join(argumentsOf(table, key, referenced).map(literal))
  return [
    ...triggersOf(table, key, referenced).map(createTrigger),
    sql`select tessera.check_reference(${literal(renderText(table.relation))},
      row(${reference})::tessera.reference)`,
  ]
}

/**
 * Returns the statement that drops the triggers of a key on both tables. It also works if a table no longer
 * exists.
 */
export function dropKeyTriggers(table: Table, { fields }: Pick<ForeignKeySchema, 'fields'>): Sql {
  const name = constraintNames(table.physicalName).foreignKey(fields)
  return sql`select tessera.release_reference(${literal(name)})`
}
