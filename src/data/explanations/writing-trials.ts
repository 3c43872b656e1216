/**
 * Tests the rules for writes on a record, in Postgres: `where` on the current record, `check` on the record
 * after the write, values that rules set, and references. Writes nothing and uses no number of a sequence.
 */
import { join, type Sql, sql } from '../../kernel/db/sql.ts'
import { grantsOf, isShown } from '../guests/grants.ts'
import type { PlannedRule } from '../guests/planned-rules.ts'
import type { GuestReference, WriteTarget } from '../guests/write-functions/target.ts'
import { newRow } from '../guests/write-functions/trial.ts'
import type { AccessRule } from '../model/access.ts'
import { computed } from '../model/arithmetic.ts'
import { type Field, nullOf } from '../model/field.ts'
import type { Table } from '../model/table.ts'
import type { WriteAction } from '../model/written-fields.ts'
import { defaultOf, inputColumn, inputCte } from '../providers/writes/input.ts'
import { allEqual, movesKey } from '../providers/writes/rows.ts'
import { visible } from '../query/predicate.ts'
import { renderPredicate } from '../query/render/render.ts'
import { row } from '../query/row.ts'
import { callerColumn } from './caller.ts'
import { type Condition, flattened, renderTrials, type Trial } from './conditions.ts'

/** A rule that allows writing, with its conditions. */
export interface WritingRule {
  rule: AccessRule
  planned: PlannedRule
  where: Condition
  /** The condition of `check`, or else of `where`. */
  check: Condition
}

/** The input of the tests. */
export interface Attempt {
  target: WriteTarget
  action: WriteAction
  rules: readonly WritingRule[]
  /** The condition of the record to change or delete. Undefined for a creation. */
  which: Sql | undefined
  /** The values of the new or changed record. Undefined if there is no record to test. */
  values: AttemptedValues | undefined
}

/** Fields with their values, which Postgres can read as the types of the fields. */
export interface AttemptedValues {
  data: Readonly<Record<string, unknown>>
  /** The fields that have an operation instead of a value. */
  computed: ReadonlySet<string>
}

/** The results of the tests. */
export interface WritingRow {
  caller: string
  /** Null: the record does not exist, or was not tested. */
  record: {
    is_there: boolean
    /** Whether the caller may read the record. */
    is_readable: boolean
    /** Whether the write would change the primary key. */
    is_moved: boolean
    /** The fields with operations whose values in the record the caller may not read. */
    unread: string[]
    /** Results of all conditions of `where` of all rules. */
    where: Trial[]
    /** By rule. */
    rules: TriedValues[]
  } | null
}

/** The results of a rule for the values of a record. */
interface TriedValues {
  /** Results of all conditions of `check`. */
  check: Trial[]
  /** The values that the rule sets, in its order, and whether the data has the same value or none. */
  set: { value: unknown; passes: boolean }[]
  /** The positions of references to records that the caller may not read. */
  unseen: number[]
}

/** Selects the caller, and the record with all trials. */
export function selectWritingTrials(attempt: Attempt): Sql<WritingRow> {
  const { target, action, rules, which, values } = attempt
  const { table } = target
  const isNew = action === 'create'
  if (isNew ? !values : !which) return sql<WritingRow>`select ${callerColumn}, null::json as record`
  const input = values && inputOf(values)
  const [, rows] = input ? inputCte(table, input) : ['_input', sql`select`]
  const tried = sql`json_build_object(
    'is_there', ${isNew ? sql`true` : renderPredicate(visible(table), row)},
    'is_readable', ${isNew ? sql`true` : sql`(${target.isReadable}) is true`},
    'is_moved', ${isNew || !input ? sql`false` : sql`coalesce(${movesKey(table, input)}, false)`},
    'unread', array_remove(array[${join(values && !isNew ? unread(attempt, values) : [])}]::text[], null),
    'where', ${renderTrials(isNew ? [] : flattened(rules.map(({ where }) => where)))},
    'rules', array[${join(values ? rules.map((one) => triedValues(attempt, values, one)) : [])}]::json[])`
  const found = isNew ? sql`from _input` : sql`from ${table.rows} ${row.alias}, _input where ${which as Sql}`
  return sql<WritingRow>`
    with _input as materialized (${rows})
    select ${callerColumn}, (select ${tried} ${found}) as record`
}

/** Returns the name of each field with an operation, or null if the caller may read its value. */
const unread = ({ target: { table, rules } }: Attempt, { computed: counted }: AttemptedValues): Sql[] =>
  [...counted].flatMap((name) => {
    const field = table.fields.get(name)
    return field ? [sql`case when ${isShown(field, grantsOf(rules), [row])} then null else ${name} end`] : []
  })

const inputOf = ({ data, computed: counted }: AttemptedValues) => ({
  text: JSON.stringify([data]),
  count: 1,
  counts: new Map(Object.keys(data).map((name) => [name, 1])),
  highestIdentity: undefined,
  computed: counted,
})

function triedValues(attempt: Attempt, values: AttemptedValues, one: WritingRule): Sql {
  const { target, action } = attempt
  const valueBy = (field: Field) => newValue(attempt, values, one.planned, field)
  const isSent = ({ name }: Field) => Object.hasOwn(values.data, name)
  const set = filledFields(target.table, action, one.planned).map(([field, value]) => {
    const isSame = isSent(field) ? sql`${sentValue(target, field)} is not distinct from ${value}` : sql`true`
    const shown = field.type.output?.(value) ?? value
    return sql`json_build_object('value', to_json(${shown}), 'passes', ${isSame})`
  })
  const unseen = target.references.map((reference, position) =>
    reference.fields.some(isSent)
      ? sql`case when ${isUnseen(attempt, reference, valueBy)} then ${position}::integer end`
      : sql`null::integer`,
  )
  return sql`json_build_object(
    'check', (select ${renderTrials(flattened([one.check]))} from ${newRow(target.table, valueBy)}),
    'set', array[${join(set)}]::json[],
    'unseen', array_remove(array[${join(unseen)}]::integer[], null))`
}

/** Returns the fields that a rule sets, with their values. A change does not set the times of a record. */
export const filledFields = (
  { createdAt, updatedAt }: Table,
  action: WriteAction,
  { set }: PlannedRule,
): [Field, Sql][] =>
  [...set].filter(([field]) => action === 'create' || (field !== createdAt && field !== updatedAt))

const sentValue = ({ table }: WriteTarget, field: Field): Sql => sql`_input.${inputColumn(table, field)}`

/** Returns the value of a field in the new or changed record by a rule. */
function newValue(
  { target, action }: Attempt,
  values: AttemptedValues,
  rule: PlannedRule,
  field: Field,
): Sql {
  const { table } = target
  const filled = filledFields(table, action, rule).find(([one]) => one === field)
  if (filled) return filled[1]
  const present = action === 'create' ? initialValue(table, field) : sql`${row.alias}.${field.column}`
  if (!Object.hasOwn(values.data, field.name) || !rule.written(action).has(field)) return present
  const value = sentValue(target, field)
  if (!values.computed.has(field.name)) return value
  return computed(field, sql`(_input._sent -> ${field.name})`, present, value)
}

/**
 * Returns the value that a new record has in an omitted field. For its number, it is the next one, which
 * stays unused.
 */
function initialValue(table: Table, field: Field): Sql {
  if (field !== table.identity) return defaultOf(table, field) ?? nullOf(field)
  return sql`coalesce(pg_sequence_last_value((${table.storage.sequence(field)})::regclass) + 1, 1)`
}

/**
 * Returns the condition that the record would get a new reference to a record that the caller may not read.
 */
function isUnseen(
  { action, target }: Attempt,
  { fields, seen }: GuestReference,
  valueBy: (field: Field) => Sql,
): Sql {
  const values = fields.map(valueBy)
  const grants = grantsOf(target.rules)
  const changes = fields.map(
    (field, position) =>
      sql`${values[position] as Sql} is distinct from ${row.alias}.${field.column}
          or ${isShown(field, grants, [row])} is not true`,
  )
  return join(
    [
      ...values.map((value) => sql`${value} is not null`),
      ...(action === 'update' ? [sql`(${join(changes, sql` or `)})`] : []),
      ...(seen
        ? [sql`not exists (select from ${seen.view} _seen where ${allEqual(seen.columns, values)})`]
        : []),
    ],
    sql` and `,
  )
}
