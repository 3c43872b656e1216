/** The locks of exclusions that the functions of guests take first: those of every rule that may apply. */
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { nullOf } from '../../model/field.ts'
import type { Table } from '../../model/table.ts'
import { type Cte, writeStatement } from '../../providers/writes/ctes.ts'
import { defaultedFields, heldBy, type LockQuery, lockKeys } from '../../providers/writes/exclusions.ts'
import { inputCte } from '../../providers/writes/input.ts'
import { allEqual, rowColumns } from '../../providers/writes/rows.ts'
import { givenFields, sentValue, type Trial, type ValueBy } from './trial.ts'
import { wantedCte, wantedKeys } from './wanted.ts'

type Input = Parameters<typeof inputCte>[1]

/** Returns the statement that takes the locks of created records; none if the table has no exclusion. */
export function holdCreated(trial: Trial, input: Input): Sql[] {
  const { target, rules } = trial
  const { table } = target
  const filled = defaultedFields(table)
  const known = [...givenFields(trial), ...filled]
  const keys = rules.flatMap((rule) =>
    lockKeys(table, {
      from: sql`_input`,
      where: [rule.isFor],
      values: [
        (field) => rule.set.get(field) ?? (known.includes(field) ? sentValue(target, field) : nullOf(field)),
      ],
    }),
  )
  return holding([inputCte(table, input, filled)], keys)
}

/** Returns the statement that takes the locks of changed records. `value`: the new values by a rule. */
export function holdChanged({ target, rules }: Trial, input: Input, value: ValueBy): Sql[] {
  const { table } = target
  const of = { from: sql`${table.rows} _row, _wanted, _input`, where: [foundByKey(table)] }
  const stored = lockKeys(table, { ...of, values: [({ column }) => sql`_row.${column}`] })
  const future = rules.flatMap((rule) =>
    lockKeys(table, { ...of, where: [...of.where, rule.isFor], values: [(field) => value(rule, field)] }),
  )
  return holding([inputCte(table, input), wantedCte(table, sql`$2`, true)], [...stored, ...future])
}

/** Returns the condition that `_input` is the record of the body for the row with a key. */
export const foundByKey = (table: Table): Sql =>
  // One record of the body is for all keys. Of several records, each is for the key at its position.
  sql`${allEqual(rowColumns(table.primaryKey), wantedKeys(table))}
      and _input._n = case when jsonb_array_length($1) > 1 then _wanted._n else 0 end`

const holding = (ctes: readonly Cte[], keys: readonly LockQuery[]): Sql[] =>
  keys.length > 0 ? [sql`perform (${writeStatement(ctes, heldBy(keys))})`] : []
