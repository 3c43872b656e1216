/** The function by which guests create records: all records of an array, or none. */
import { join, type Sql, sql } from '../../../kernel/db/sql.ts'
import { type Field, nullOf } from '../../model/field.ts'
import type { Table } from '../../model/table.ts'
import { type Cte, conflictsCte, ifNoConflicts, recordsStatement } from '../../providers/writes/ctes.ts'
import { defaultOf, inputColumn, inputCte } from '../../providers/writes/input.ts'
import { inInput, insertion } from '../../providers/writes/insert.ts'
import { allEqual, writtenState } from '../../providers/writes/rows.ts'
import { isComputed } from '../../query/plan/expression/row-expression.ts'
import { createFunction, showWritten, writtenRows } from './definition.ts'
import { holdCreated } from './exclusion-locks.ts'
import type { WriteTarget } from './target.ts'
import {
  chosenColumns,
  givenFields,
  newColumn,
  ruleConflicts,
  sentValue,
  type Trial,
  trialColumns,
  type ValueBy,
} from './trial.ts'
import { keyNames, writtenKeys } from './wanted.ts'

/** Returns the statements that create the function; none if no rule allows creating records. */
export function createFunctionOfCreation(target: WriteTarget): Sql[] {
  // A guest may try the function in a dry run.
  const table: Table = { ...target.table, triesNumbers: true }
  const rules = target.rules.filter((rule) => rule.allows('create'))
  if (rules.length === 0) return []
  const trial: Trial = { target, action: 'create', rules }
  const given = givenFields(trial)
  const all = [...table.fields.values()].filter((field) => !isComputed(field))
  const filled = all.filter((field) => defaultOf(table, field) !== undefined)
  const input = {
    text: '',
    document: sql`$1`,
    count: 0,
    counts: new Map(given.map(({ name }) => [name, 1])),
    highestIdentity: undefined,
  }
  const base = (field: Field): Sql =>
    given.includes(field) || filled.includes(field) ? sentValue(target, field) : nullOf(field)
  const value: ValueBy = (rule, field) => rule.set.get(field) ?? base(field)
  const conflicts = ruleConflicts(trial, () => sql`true`)
  const columns = all.map((field) => sql`${newColumn(table, field)} as ${inputColumn(table, field)}`)
  const keys = keyNames(table)
  const insert = insertion(table, input, {
    from: sql`(select _n, ${join(columns)} from _chosen) _input`,
    given: inInput(table, all),
    order: sql`_n`,
    where: sql`where ${ifNoConflicts(conflicts)}`,
  })
  const newKeys = table.primaryKey.map((field) => sql`_chosen.${newColumn(table, field)}`)
  const ctes: Cte[] = [
    inputCte(table, input, filled),
    ['_tried', sql`select _input.*, ${join(trialColumns(trial, value))} from _input`],
    [
      '_chosen',
      sql`select _n, _sent, _rule, _filled, ${join(chosenColumns(trial, all, value, base))}
            from _tried _input`,
    ],
    conflictsCte(conflicts),
    ['_inserted', sql`${insert} returning ${join(writtenKeys(table))}, ${writtenState(table, true, true)}`],
    [
      '_written',
      sql`select _chosen._n, _chosen._sent, _inserted.*
            from _inserted join _chosen on ${allEqual(newKeys, keys)}`,
    ],
  ]
  const answer = sql`
    (select row_to_json(_conflicts) from _conflicts),
    ${writtenRows(table, keys, sql`_sent`, sql`_written`)}
    into guest.conflicts, guest.written`
  const write = recordsStatement(table, ctes, [{ event: 'RECORD_CREATE' }], answer)
  return createFunction(target, 'create', [...holdCreated(trial, input), write, showWritten(target, sql`$2`)])
}
