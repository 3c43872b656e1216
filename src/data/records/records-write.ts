/** What all writes of a body's records share, with and without `atomic=false`. */

import type { Sql } from '../../db/sql.ts'
import type { SentBody } from '../../http/body-formats.ts'
import type { Form, RecordsBody } from '../failures/body.ts'
import type { Field } from '../model/table.ts'
import type { GuestAction } from '../model/written-fields.ts'
import type { CreatedRecords, UpsertedRecords, WriteBatch, WrittenRecords } from '../providers/provider.ts'
import type { InputRows } from '../providers/writes/input.ts'
import { isAmong } from '../providers/writes/lock.ts'
import type { Demands } from './validate.ts'
import type { WrittenBody } from './views.ts'
import type { Target, WritePlan } from './write.ts'

/** The row of a write of the records of a body. */
export type WrittenRow = WrittenRecords &
  Partial<Pick<UpsertedRecords, 'created'> & Pick<CreatedRecords, 'ignored'>>

/** The row of several statements of a write. */
export type MergedRow = UpsertedRecords & CreatedRecords

/** How a write processes the records of a body. */
export interface RecordsWrite<Row extends WrittenRow> {
  demands: Demands
  /** The fields that identify a record. */
  key: readonly Field[]
  /** Returns the body with the names of fields. Omitted: the body already has them. */
  bodyOf?(body: RecordsBody): RecordsBody
  /** Whether it changes the records of `key`, of which there may be several. */
  changesMany?: boolean
  /** `isAlone`: see RecordCreation. */
  statements(input: InputRows, isAlone?: boolean): WriteBatch<Row>
}

/** Creates records together with related records that are inside them. */
export interface NestedCreation<Row extends WrittenRow> {
  /** Whether a body contains related records. */
  isIn(target: Target, body: RecordsBody): boolean
  plan(target: Target, body: RecordsBody): WritePlan<Row>
}

/** A write of the records of a body, and its answer. */
export interface RecordsRequest<Row extends WrittenRow, Body extends WrittenBody> {
  /** The action that access rules must allow guests. Omitted: guests cannot do it. */
  action?: GuestAction
  sent: SentBody
  form: Form
  parameters: URLSearchParams
  describe: (target: Target) => RecordsWrite<Row>
  /** Omitted: records cannot have related records. */
  nested?: NestedCreation<Row> | undefined
  /** Creates the body of the answer. `bulk`: the body of the request was an array. */
  answer: (written: Row | MergedRow, bulk: boolean) => Body
}

/** Returns the condition that a write changes `_row`. Undefined: it changes at most one record. */
export const changedBy = (
  { table }: Target,
  { key, changesMany = false }: Pick<RecordsWrite<WrittenRow>, 'key' | 'changesMany'>,
  { records }: RecordsBody,
): (() => Sql) | undefined =>
  changesMany && records.length > 1
    ? () => isAmong(table, [{ table, key, records, lock: 'no key update' }])
    : undefined
