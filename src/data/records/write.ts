/** Plans and runs writes of records, and turns database failures into errors. */
import type { RequestContext } from '../../context.ts'
import type { BatchRows } from '../../db/batch.ts'
import type { Mode } from '../../db/entering.ts'
import { DatabaseFailure, sqlstates } from '../../db/failures.ts'
import type { Sql } from '../../db/sql.ts'
import type { AppError } from '../../errors.ts'
import type { SentBody } from '../../http/body-formats.ts'
import { type Again, type Plan, planOf, withCatalog } from '../catalog/catalog.ts'
import { guestWriteOf, type RecordsPath, writableTable } from '../catalog/find-table.ts'
import { holdingKeys } from '../catalog/inbound-keys.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import { mayLearnOf } from '../catalog/scoped.ts'
import { providerUnavailable } from '../datasources/errors.ts'
import type { Form, RecordsBody } from '../failures/body.ts'
import { isBulk, readSent } from '../failures/body-lines.ts'
import { writeTooLong } from '../failures/errors.ts'
import { writeError } from '../failures/write-errors.ts'
import { guestEdges } from '../guests/edge-writer.ts'
import { guestWriter } from '../guests/writer.ts'
import { type Reference, softDeletableReferences } from '../model/relationships.ts'
import type { Table } from '../model/table.ts'
import type { GuestAction } from '../model/written-fields.ts'
import type { InboundKey } from '../providers/inbound-key.ts'
import type { Provider, RecordWriter, WriteBatch } from '../providers/provider.ts'
import { providers } from '../providers/registry.ts'
import { type EdgeWriter, memberEdges } from '../providers/writes/edges.ts'

/** The table of a write, with everything that its plan needs. */
export interface Target {
  catalog: Catalog
  /** The table with the fields that the caller may write. */
  table: Table
  /** The table as the caller reads it. */
  shown: Table
  provider: Provider
  /**
   * Writes records with the caller's rights: the provider, or for a guest the functions of the access rules.
   */
  writer: RecordWriter
  /** Writes edges with the caller's rights. */
  edges: EdgeWriter
  /** The foreign keys to tables with soft deletion. */
  references: readonly Reference[]
  /** Returns the keys that prevent a soft deletion. */
  inbound(): readonly InboundKey[]
  /** See RecordUpdate. */
  shifts: boolean
}

/** A planned write. Its statement `written` returns one row. It may have further statements. */
export interface WritePlan<Row extends object> {
  statements: WriteBatch<Row>
  mode?: Mode
  /** Whether the write is rolled back in the end. */
  isDry?: boolean
  /**
   * Returns the condition that the write changes `_row`. Omitted: it changes at most one record. Several can
   * exchange unique values.
   */
  changed?: (() => Sql) | undefined
  /** Throws the error if the statements have written nothing because of a conflict. */
  check?(written: Row): void
  /** See `Write`. Omitted, or its result is undefined: as for any write. */
  errorOf?(failure: DatabaseFailure): Promise<AppError | undefined> | undefined
}

/** Returns the plan itself. It lets the compiler derive the type of the row from the statements. */
export const writePlan = <Row extends object>(plan: WritePlan<Row>): WritePlan<Row> => plan

/** How a write is planned, and how it becomes the result or the error of the request. */
interface Write<Row extends object, Result> {
  /** The action that access rules must allow guests. Omitted: guests cannot do it. */
  action?: GuestAction | undefined
  plan: (target: Target) => WritePlan<Row>
  /** Creates the result from the row of a write that has no conflict. */
  answer: (written: Row) => Result
  /** Returns the error for a failure of the database; undefined if the client did not cause it. */
  errorOf: (
    failure: DatabaseFailure,
    target: Target & Pick<WritePlan<Row>, 'changed'>,
  ) => AppError | undefined | Promise<AppError | undefined>
}

/** Plans and runs a write. Throws 422 if the answer or the work of the write is too large. */
export async function write<Row extends object, Result>(
  ctx: RequestContext,
  path: RecordsPath,
  { action, plan, answer, errorOf }: Write<Row, Result>,
): Promise<Result> {
  let target: Target | undefined
  let planned: WritePlan<Row> | undefined
  let shifts = false
  const planFor = (catalog: Catalog): Plan<WriteBatch<Row>, Result> => {
    target = { ...targetOf(catalog, path, action), shifts }
    planned = plan(target)
    const { statements, check, mode, isDry } = planned
    return planOf({
      mode,
      isDry,
      statements,
      finish({ written: { one: row } }) {
        check?.(row)
        return answer(row)
      },
    })
  }
  // Only the plan can tell which error a conflict causes.
  const again: Again<BatchRows<WriteBatch<Row>>, Result> = ({ written: { one: row } }) =>
    hasConflicts(row) ? undefined : { result: answer(row) }
  const run = () => withCatalog(ctx, path.app, 'write', planFor, again)
  try {
    return await run().catch((failure: unknown) => {
      if (!planned?.changed || !target || !canShift(failure, target)) throw failure
      shifts = true
      return run()
    })
  } catch (failure) {
    if (!target || !(failure instanceof DatabaseFailure)) throw failure
    if (failure.sqlstate === sqlstates.answerTooLong) throw failure
    // Waiting for a lock ends earlier, with another error. So the statement's own work took this time.
    if (failure.sqlstate === sqlstates.queryCanceled && planned?.mode === 'single')
      throw writeTooLong(failure)
    const changed = planned?.changed
    throw (await (planned?.errorOf?.(failure) ?? errorOf(failure, { ...target, changed }))) ?? failure
  }
}

/**
 * Tells whether a write that failed may succeed if its records may exchange unique values. Only then it is
 * planned in two statements, so that all other writes take one.
 */
export function canShift(failure: unknown, { catalog, table }: Pick<Target, 'catalog' | 'table'>): boolean {
  if (!(failure instanceof DatabaseFailure) || failure.sqlstate !== sqlstates.unique) return false
  const fields = table.constraints.get(failure.constraint ?? '')?.fields ?? []
  const mayWait = (name: string) => {
    const field = table.fields.get(name)
    return field?.required === false || field?.schema.constraints?.unique === 'deferred'
  }
  return catalog.standing === undefined && fields.some(mayWait)
}

/**
 * Tells whether a write has a conflict. Each member of `conflicts` is null, or contains the places of its
 * conflicts.
 */
export const hasConflicts = (row: object): boolean =>
  'conflicts' in row && Object.values(row.conflicts ?? {}).some((conflict) => conflict !== null)

/** A write of the records of a body. */
interface BodyWrite<Row extends object, Result> {
  /** See `Write`. */
  action?: GuestAction | undefined
  sent: SentBody
  form: Form
  plan: (target: Target, body: RecordsBody) => WritePlan<Row>
  /** Creates the result from the row of a write that has no conflict. `bulk`: the body was an array. */
  answer: (written: Row, bulk: boolean) => Result
}

/** Plans and runs a write of the records of a body. The body is read once. */
export function writeBody<Row extends object, Result>(
  ctx: RequestContext,
  path: RecordsPath,
  { action, sent, form, plan, answer }: BodyWrite<Row, Result>,
): Promise<Result> {
  let read: { table: Table; body: RecordsBody } | undefined
  const bodyFor = (table: Table): RecordsBody => {
    if (read?.table !== table) read = { table, body: readSent(sent, form, table) }
    return read.body
  }
  return write(ctx, path, {
    action,
    plan(target) {
      const body = bodyFor(target.table)
      return { mode: body.bulk ? 'write' : 'single', ...plan(target, body) }
    },
    // When a request is repeated, the table may no longer exist.
    answer: (written: Row) => answer(written, read?.body.bulk ?? isBulk(sent)),
    errorOf: (failure, target) => writeError(ctx, failure, target, bodyFor(target.table)),
  })
}

/** Returns what a selection of records depends on. Only people with `change_site` may select all records. */
export const selectingFor = (ctx: RequestContext, { catalog, shown }: Target) => ({
  table: shown,
  graph: catalog.relationships,
  mayWriteAll: catalog.standing === undefined && ctx.apiKeyHash === null && ctx.run === null,
})

/**
 * Returns the target for a dry run: its sequence gives out no numbers, because a rollback does not undo the
 * change of a sequence.
 */
export function asTrial(target: Target): Target {
  const { writer } = target
  const tried = (table: Table): Table => ({ ...table, triesNumbers: true })
  return {
    ...target,
    writer: {
      ...writer,
      insertRecords: (table, creation) => writer.insertRecords(tried(table), creation),
      upsertRecords: (table, upsert) => writer.upsertRecords(tried(table), upsert),
    },
  }
}

/**
 * Finds the table to write to. Throws if it is unknown, not materialized, or a reference; for a guest, if no
 * rule allows the action.
 */
export function targetOf(catalog: Catalog, path: RecordsPath, action?: GuestAction): Target {
  const guests = guestWriteOf(catalog, path, action)
  const table = guests?.table ?? writableTable(catalog, path)
  const provider = providers.get(table.datasource.providerType)
  if (!provider) throw providerUnavailable(table.datasource.providerType, [...providers.keys()])
  return {
    catalog,
    table,
    shown: guests?.shown ?? table,
    provider,
    writer: guests ? guestWriter(catalog.siteId, guests.shown) : provider,
    edges: guests ? guestEdges(catalog.siteId) : memberEdges,
    // A guest may only reference records that it may read. The access rules check this.
    shifts: false,
    inbound: () => (guests ? [] : holdingKeys(catalog, table)),
    references: guests
      ? []
      : softDeletableReferences(table, catalog.tables).map((reference) => ({
          ...reference,
          isHidden: !mayLearnOf(catalog, reference.target.name),
        })),
  }
}
