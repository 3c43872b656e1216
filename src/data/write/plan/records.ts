/** Plans the step of a write of records. */

import type { RequestContext } from '../../../kernel/context.ts'
import type { DatabaseFailure } from '../../../kernel/db/failures.ts'
import type { Sql } from '../../../kernel/db/sql.ts'
import type { AppError } from '../../../kernel/errors.ts'
import type { ProblemList } from '../../../kernel/lib/problem-list.ts'
import { type RecordsBody, recordPrefix } from '../../failures/body.ts'
import { writeError } from '../../failures/write-errors.ts'
import type { WorkBudget } from '../../model/constraints.ts'
import { workBudget } from '../../model/constraints.ts'
import type { Field } from '../../model/field.ts'
import { isInMongodb, messageOf } from '../../providers/mongodb/capabilities.ts'
import type {
  CreatedRecords,
  FilteredRecords,
  RecordCreation,
  UpsertedRecords,
  WriteBatch,
  WriteConflicts,
  WrittenRecords,
} from '../../providers/provider.ts'
import { holdExclusions, type LockQuery } from '../../providers/writes/exclusions.ts'
import type { InputRows } from '../../providers/writes/input.ts'
import type { RowLock } from '../../providers/writes/rows.ts'
import { throwConflicts, throwFilterConflicts } from '../errors/conflicts.ts'
import { type Demands, inputOf, inspectRecords } from '../parse/validate.ts'
import { isSent, type Taking } from './references.ts'
import { canShift, type Step } from './steps.ts'
import type { Target } from './target.ts'

export interface Options {
  /** The records that it changes or deletes. */
  which: 'keys of the body' | { keys: readonly (readonly string[])[] } | FilteredRecords
  /** The key in the path. Omitted: the path has none. */
  id?: string | undefined
  /** Whether omitted fields get their defaults. */
  whole: boolean
  includeDeleted: boolean
  hardDelete: boolean
  /** The versions that the record may have. Null: any will do. */
  ifMatch: readonly string[] | null
  /** Lists of the names of the fields by which an upsert finds records. */
  uniqueFields: readonly string[]
  /** Whether a creation leaves out records whose unique values are taken. */
  ignoresTaken: boolean
}

/** The options of a write that has none of them. */
export const noOptions: Options = {
  which: 'keys of the body',
  whole: false,
  includeDeleted: false,
  hardDelete: false,
  ifMatch: null,
  uniqueFields: [],
  ignoresTaken: false,
}

/** Records or edges that one statement writes. */
export interface Draft {
  ctx: RequestContext
  target: Target
  body: RecordsBody
  options: Options
  /** The values that it takes from earlier steps. Omitted: there are none. */
  taking?: Taking
  problems: ProblemList
  /** The limit of work for patterns. Omitted: its own. */
  work?: WorkBudget
  /** Returns the condition that the request changes `_row`. Omitted: as the form says. */
  changed?(): Sql
}

/** What the answer of a step contains. */
export type Returns = Pick<RecordCreation, 'returnsRecords' | 'returnsKeys' | 'isAlone'>

/** Creates the step, once it is known what its answer needs. */
export type Render = (returns: Returns) => Step

export type WrittenRow = WrittenRecords &
  Partial<Pick<UpsertedRecords, 'created'> & Pick<CreatedRecords, 'ignored'>>

/** How records are found, checked and written. */
export interface RecordForm {
  /** The fields that identify a record. */
  key: readonly Field[]
  /** How it locks its records. Omitted: it changes none that exist. */
  lock?: RowLock
  /** Whether its records can exchange unique values. */
  shifts?: boolean
  demands: Demands
  /** Returns the condition that it changes `_row`. Omitted: it changes at most one record. */
  changed?: (() => Sql) | undefined
  statements(input: InputRows, returns: Returns): WriteBatch<WrittenRow>
  /** Returns the queries of the locks of exclusions. Omitted: it needs none. */
  lockKeys?(input: InputRows): readonly LockQuery[]
  /** Throws the error for the conflicts. Omitted: as for every write of records of a body. */
  check?(row: { conflicts?: WriteConflicts | undefined; written?: number }): void
  /** Returns the error for a failure. Omitted: as for every write of records of a body. */
  errorOf?(failure: DatabaseFailure): AppError | undefined
}

/** Returns the queries of the locks of exclusions. The functions by which guests write take them. */
export const lockKeysOf = (
  { catalog, table }: Target,
  form: RecordForm,
  input: InputRows,
): readonly LockQuery[] =>
  catalog.standing || !table.schema.exclusions?.length ? [] : (form.lockKeys?.(input) ?? [])

/** Plans a step that writes records. The step has the input only if the draft has no problems. */
export function planRecords(draft: Draft, form: RecordForm): (returns: Returns) => Step<WrittenRow> {
  const { ctx, target, body, options, taking, problems, work } = draft
  const { which, id } = options
  const { key, lock, demands } = form
  const changed = draft.changed ?? form.changed
  // Only Postgres checks again what exceeds the limit.
  const ownWork = isInMongodb(target.table) ? workBudget(messageOf('patterns')) : work
  const inspected = inspectRecords(
    target.table,
    body.records,
    { ...demands, ...(ownWork && { work: ownWork }), ...(taking && { take: taking.take }) },
    (index, field, message) => problems.add(field, recordPrefix(body, index, field) + message),
  )
  const inputFor = () => ({
    ...inputOf(target.table, body, inspected),
    ...(taking && { taken: taking.taken }),
  })
  const written = (returns: Returns) => {
    const input = inputFor()
    const lockKeys = lockKeysOf(target, form, input)
    return {
      statements: { holding: holdExclusions(lockKeys), ...form.statements(input, returns) },
      // The values that it takes are not there before the steps that write them.
      lockKeys: taking && taking.taken.length > 0 ? [] : lockKeys,
    }
  }
  return (returns) => ({
    body,
    ...written(returns),
    canShift: (failure) => form.shifts === true && changed !== undefined && canShift(failure, target),
    known() {
      // Guests can lock records only by the functions that write them.
      if (!lock || target.catalog.standing) return undefined
      const records = body.records.filter((record) => key.every(({ name }) => isSent(record[name])))
      return records.length > 0 ? { table: target.table, key, records, lock } : undefined
    },
    check(row) {
      const conflicts = row.conflicts as WriteConflicts | undefined
      if (typeof which === 'object' && 'filter' in which) throwFilterConflicts(conflicts, which)
      if (form.check) form.check({ ...row, conflicts })
      else throwConflicts(conflicts, { ...target, body, key, id })
    },
    errorOf(failure) {
      if (form.errorOf) return form.errorOf(failure)
      const sent = { input: inputFor(), key: lock === undefined ? undefined : key }
      return writeError(ctx, failure, { ...target, changed, sent }, body)
    },
  })
}
