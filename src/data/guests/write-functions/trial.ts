/** Finds the access rule by which a record may be written, and the values that it then gets. */
import { identifier, join, literal, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Field } from '../../model/field.ts'
import { searchColumn, searchVector } from '../../model/search-vector.ts'
import type { Table } from '../../model/table.ts'
import type { WriteAction } from '../../model/written-fields.ts'
import type { ConflictQueries } from '../../providers/writes/ctes.ts'
import { inputColumn } from '../../providers/writes/input.ts'
import { allEqual } from '../../providers/writes/rows.ts'
import { withValues } from '../../query/plan/expression/row-expression.ts'
import { renderPredicate } from '../../query/render/render.ts'
import { row } from '../../query/row.ts'
import type { PlannedRule } from '../planned-rules.ts'
import type { GuestReference, WriteTarget } from './target.ts'

/** How the records of a body become rows of a table. */
export interface Trial {
  target: WriteTarget
  action: WriteAction
  /** The rules that allow writing, in their order. */
  rules: readonly PlannedRule[]
}

/** Returns the value that a field of the record `_input` gets by a rule. */
export type ValueBy = (rule: PlannedRule, field: Field) => Sql

/** The record as it was sent. */
export const sent = sql`_input._sent`

/** Returns the condition that the record was sent with a field. */
export const isSent = ({ name }: Field): Sql => sql`${sent} ? ${literal(name)}`

/** Returns the value that the record was sent with. */
export const sentValue = ({ table }: WriteTarget, field: Field): Sql =>
  sql`_input.${inputColumn(table, field)}`

/**
 * Returns two columns: `_rule` is the position of the first rule that allows the record. `_filled` is the
 * name of a field whose value differs from the value that every applicable rule sets. A rule allows a record
 * if it applies to the caller, allows all sent fields and sets no different value, and if the new record
 * matches its check and `also`.
 */
export function trialColumns(trial: Trial, value: ValueBy, also?: (rule: PlannedRule) => Sql): Sql[] {
  const { target, rules } = trial
  const cases = rules.map((rule, position) => {
    const conditions = [
      rule.isFor,
      ...(also ? [also(rule)] : []),
      givesNothingElse(trial, rule),
      ...[...rule.set.keys()].map((field) => isTolerated(trial, rule, field)),
      sql`exists (select from ${newRow(target.table, (field) => value(rule, field))}
                   where ${renderPredicate(rule.check, row)})`,
    ]
    return sql`when ${join(conditions, sql` and `)} then ${literal(position)}`
  })
  return [sql`case ${join(cases, sql` `)} end as _rule`, sql`${filled(trial)} as _filled`]
}

/** Returns the condition that the record has only members that the rule allows. */
function givesNothingElse({ target, action }: Trial, rule: PlannedRule): Sql {
  const key = action === 'update' ? target.table.primaryKey : []
  const fields = new Set([...rule.written(action), ...rule.set.keys(), ...key])
  const names = [...fields].map(({ name }) => literal(name))
  return sql`${sent} - array[${join(names)}]::text[] = '{}'::jsonb`
}

/** Returns the condition that a rule accepts the record's value for a field. */
function isTolerated({ target, action }: Trial, rule: PlannedRule, field: Field): Sql {
  const value = rule.set.get(field)
  if (!value) return rule.written(action).has(field) ? sql`true` : sql`false`
  return sql`(not ${isSent(field)} or ${sentValue(target, field)} is not distinct from ${value})`
}

function filled(trial: Trial): Sql {
  const fields = new Set(trial.rules.flatMap(({ set }) => [...set.keys()]))
  const cases = [...fields].map((field) => {
    const filling = trial.rules.flatMap(({ isFor, set }) => (set.has(field) ? [isFor] : []))
    const tolerating = trial.rules.map((rule) => sql`${rule.isFor} and ${isTolerated(trial, rule, field)}`)
    const conditions = [
      isSent(field),
      sql`(${join(filling, sql` or `)})`,
      sql`not (${join(tolerating, sql` or `)})`,
    ]
    return sql`when ${join(conditions, sql` and `)} then ${literal(field.name)}`
  })
  return cases.length === 0 ? sql`null::text` : sql`case ${join(cases, sql` `)} end`
}

/** Returns a row `_row` of these values, which conditions of rules read. */
export function newRow(table: Table, value: (field: Field) => Sql): Sql {
  const { schema, fields } = table
  const vector = searchVector(schema, (name) => sql`${value(fields.get(name) as Field)}::text`)
  const columns = [
    ...[...withValues(table, value).fields].map(
      ([name, { column }]) => sql`${column} as ${(fields.get(name) as Field).column}`,
    ),
    ...(vector ? [sql`${vector} as ${searchColumn(schema)}`] : []),
  ]
  return sql`(select ${join(columns)} offset 0) ${row.alias}`
}

/** Returns the fields that any of the rules allows or sets. */
export const givenFields = ({ rules, action }: Trial): Field[] => [
  ...new Set(rules.flatMap((rule) => [...rule.written(action), ...rule.set.keys()])),
]

/** Returns the columns of the new values of fields, by the rule at the position `_rule`. */
export const chosenColumns = (
  { target, rules }: Trial,
  fields: readonly Field[],
  value: ValueBy,
  otherwise: (field: Field) => Sql,
): Sql[] =>
  fields.map((field) => {
    const cases = rules.map((rule, position) => sql`when ${literal(position)} then ${value(rule, field)}`)
    const column = newColumn(target.table, field)
    return sql`case _input._rule ${join(cases, sql` `)} else ${otherwise(field)} end as ${column}`
  })

/** Returns the column of the new value of a field. */
export const newColumn = (table: Table, field: Field): Sql => numbered('_v', table, field)
/** Returns the column of the value of a field before a change. */
export const oldColumn = (table: Table, field: Field): Sql => numbered('_o', table, field)
/** Returns the column that says whether the caller reads the value of a field before a change. */
export const shownColumn = (table: Table, field: Field): Sql => numbered('_s', table, field)

/** The longest names of fields leave no room for a prefix, so columns are numbered. */
const numbered = (prefix: string, table: Table, field: Field): Sql =>
  identifier(`${prefix}${[...table.fields.keys()].indexOf(field.name)}`)

/** Returns the references that the write can change: the client may send at least one of their fields. */
export function givenReferences(trial: Trial): GuestReference[] {
  const given = new Set(givenFields(trial))
  return trial.target.references.filter(({ fields }) => fields.some((field) => given.has(field)))
}

/**
 * Returns the conflict queries of access rules on the CTE `_chosen`, which has the records with `_rule`,
 * `_filled` and their new values. `isNew` is the condition that the write changes a reference.
 */
export function ruleConflicts(trial: Trial, isNew: (fields: readonly Field[]) => Sql): ConflictQueries {
  const unseen = givenReferences(trial).map((reference) => unseenQuery(trial.target.table, reference, isNew))
  const all = sql`
    select json_agg(json_build_array(_n, _fields) order by _n)
      from (${join(unseen, sql` union all `)}) _references`
  return {
    filled: sql`
      select json_agg(json_build_array(_n, _filled) order by _n) from _chosen where _filled is not null`,
    ...(unseen.length > 0 ? { unseen: all } : {}),
    refused: sql`select json_agg(_n order by _n) from _chosen where _rule is null`,
  }
}

/** Returns a query for the records in which the client references a record that the caller may not read. */
function unseenQuery(
  table: Table,
  { fields, seen }: GuestReference,
  isNew: (fields: readonly Field[]) => Sql,
): Sql {
  const values = fields.map((field) => newColumn(table, field))
  const given = fields.map(({ name }) => sql`_sent ? ${literal(name)}`)
  const conditions = [
    isNew(fields),
    sql`(${join(given, sql` or `)})`,
    ...values.map((value) => sql`${value} is not null`),
    ...(seen
      ? [sql`not exists (select from ${seen.view} _seen where ${allEqual(seen.columns, values)})`]
      : []),
  ]
  const names = literal(JSON.stringify(fields.map(({ name }) => name)))
  return sql`select _n, ${names}::jsonb as _fields from _chosen where ${join(conditions, sql` and `)}`
}
