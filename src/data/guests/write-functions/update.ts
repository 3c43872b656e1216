/**
 * The function by which guests change records: all records of an array by their own keys or by given ones, or
 * one change of all given keys.
 */
import { emptySql, join, literal, type Sql, sql } from '../../../kernel/db/sql.ts'
import { computed } from '../../model/arithmetic.ts'
import { type Field, nullOf } from '../../model/field.ts'
import type { Table } from '../../model/table.ts'
import {
  type Cte,
  conflictsCte,
  ifNoConflicts,
  places,
  recordsStatement,
  repeated,
} from '../../providers/writes/ctes.ts'
import { defaultOf, inputColumn, inputCte } from '../../providers/writes/input.ts'
import {
  beforeCtes,
  matchesBefore,
  movesKey,
  rowAlias,
  touch,
  writtenState,
} from '../../providers/writes/rows.ts'
import { renderPredicate } from '../../query/render/render.ts'
import { row } from '../../query/row.ts'
import { grantsOf, isPlain, isShown } from '../grants.ts'
import type { PlannedRule } from '../planned-rules.ts'
import { createFunction, repeatIfRaced, showWritten, writtenRows } from './definition.ts'
import { foundByKey, holdChanged } from './exclusion-locks.ts'
import type { WriteTarget } from './target.ts'
import {
  chosenColumns,
  givenFields,
  givenReferences,
  isSent,
  newColumn,
  oldColumn,
  ruleConflicts,
  sent,
  sentValue,
  shownColumn,
  type Trial,
  trialColumns,
  type ValueBy,
} from './trial.ts'
import { keyNames, raced, staleBy, wantedCte, writtenKeys } from './wanted.ts'

/** Returns the statements that create the function; none if no rule allows changing records. */
export function createFunctionOfChange(target: WriteTarget): Sql[] {
  const { table } = target
  const rules = target.rules.filter((rule) => rule.allows('update'))
  if (rules.length === 0) return []
  const trial: Trial = { target, action: 'update', rules }
  const given = givenFields(trial)
  const referring = givenReferences(trial).flatMap(({ fields }) => fields)
  const valued = [...new Set([...given, ...referring])]
  const grants = grantsOf(target.rules)
  const hidden = [...new Set(referring)].filter((field) => !isPlain(field, grants))
  const sentFields = [...new Set([...given, ...table.primaryKey])]
  const input = {
    text: '',
    document: sql`$1`,
    count: 0,
    counts: new Map(sentFields.map(({ name }) => [name, 1])),
    highestIdentity: undefined,
    computed: new Set(given.filter(isCounted).map(({ name }) => name)),
  }
  const before = beforeCtes(table, {
    joined: sql`, _wanted, _input`,
    where: [foundByKey(table), target.isReadable],
    columns: [
      sql`_wanted._n, _input._sent`,
      ...sentFields.map((field) => sentValue(target, field)),
      ...valued.map((field) => sql`_row.${field.column} as ${oldColumn(table, field)}`),
      ...hidden.map((field) => sql`${isShown(field, grants, [row])} as ${shownColumn(table, field)}`),
      sql`(${movesKey(table, input)}) as _moved`,
      ...trialColumns(
        trial,
        valueFrom(target, (field) => sql`_row.${field.column}`),
        (rule) => sql`${renderPredicate(rule.where, row)}${readsOperands(target, rule)}`,
      ),
    ],
    includeDeleted: false,
    withState: true,
    lock: 'no key update',
  })
  const old = (field: Field) => sql`_input.${oldColumn(table, field)}`
  // A hidden value counts as changed. Otherwise the answer would tell whether the sent value equals the
  // hidden one.
  const isNew = (fields: readonly Field[]) =>
    join(
      fields.map((field) => {
        const differs = sql`${newColumn(table, field)} is distinct from ${oldColumn(table, field)}`
        return hidden.includes(field)
          ? sql`(${differs} or ${shownColumn(table, field)} is not true)`
          : sql`(${differs})`
      }),
      sql` or `,
    )
  const bodyKeys = table.primaryKey.map((field) => sql`_input.${inputColumn(table, field)}`)
  const conflicts = {
    repeated: sql`select case when $2 is null then (${repeated(bodyKeys)}) end`,
    missing: places(sql`_wanted where _n not in (select _n from _before)`),
    moved: places(sql`_before where _moved`),
    stale: staleBy(sql`$4`),
    ...ruleConflicts(trial, (fields) => sql`(${isNew(fields)})`),
    raced,
  }
  const assigned = table.storage.assignment(
    withSomething(table, [
      ...given.map((field) => [field, sql`_before.${newColumn(table, field)}`] as const),
      ...touch(table),
    ]),
  )
  const ctes: Cte[] = [
    inputCte(table, input),
    wantedCte(table, sql`$2`, true),
    ...before,
    [
      '_chosen',
      sql`select _input.*${join(
        chosenColumns(trial, valued, valueFrom(target, old), old).map((column) => sql`, ${column}`),
        emptySql,
      )} from _before _input`,
    ],
    conflictsCte(conflicts),
    [
      '_written',
      sql`update ${table.relation} _row set ${assigned} from _chosen _before
           where ${matchesBefore(table)} and ${ifNoConflicts(conflicts)}
          returning _before._n, _before._sent, ${join(writtenKeys(table))},
                    ${writtenState(table, true, true)}`,
    ],
  ]
  const answer = sql`
    (select row_to_json(_conflicts) from _conflicts),
    ${writtenRows(table, keyNames(table), sql`_sent`, sql`_written`)}
    into guest.conflicts, guest.written`
  const write = recordsStatement(table, ctes, [{ event: 'RECORD_UPDATE', previous: true }], answer)
  const holding = holdChanged(
    trial,
    input,
    valueFrom(target, (field) => sql`_row.${field.column}`),
  )
  return createFunction(target, 'update', [...holding, write, repeatIfRaced, showWritten(target, sql`$5`)])
}

/** Fields in which a change can have an operation instead of a value. */
const isCounted = ({ type, schema }: Field): boolean =>
  ['integer', 'number'].includes(type.base ?? schema.type)

/**
 * Returns conditions, each after `and`: the caller must read the present value of each field that the change
 * computes. Otherwise a constraint failure could reveal a value that the caller may not read.
 */
function readsOperands({ rules }: WriteTarget, rule: PlannedRule): Sql {
  const grants = grantsOf(rules)
  const hidden = [...rule.written('update')].filter((field) => isCounted(field) && !isPlain(field, grants))
  const conditions = hidden.map(
    (field) => sql` and (jsonb_typeof(${sent} -> ${literal(field.name)}) is distinct from 'object'
                         or ${isShown(field, grants, [row])})`,
  )
  return join(conditions, emptySql)
}

/**
 * Returns what an update sets. If that is nothing, it sets the key to itself, so that the record gets a new
 * version.
 */
const withSomething = (table: Table, set: (readonly [Field, Sql])[]): (readonly [Field, Sql])[] => {
  const [key] = table.primaryKey as [Field]
  return set.length > 0 ? set : [[key, table.storage.field(key, rowAlias)]]
}

/** Returns the value of a field after a change. `present` is the value before it. */
const valueFrom =
  (target: WriteTarget, present: (field: Field) => Sql): ValueBy =>
  (rule: PlannedRule, field) => {
    const filled = rule.set.get(field)
    if (filled && isChangeable(target.table, field)) return filled
    if (!rule.written('update').has(field)) return present(field)
    const value = isCounted(field)
      ? computed(field, sql`(${sent} -> ${literal(field.name)})`, present(field), sentValue(target, field))
      : sentValue(target, field)
    const otherwise = defaultOf(target.table, field) ?? nullOf(field)
    return sql`case when ${isSent(field)} then ${value} when $3 then ${otherwise} else ${present(field)} end`
  }

const isChangeable = ({ createdAt, updatedAt }: Table, field: Field): boolean =>
  field !== createdAt && field !== updatedAt
