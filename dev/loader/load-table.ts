/** Sends the rows of a table, request by request, and continues after an earlier load. */
import { messagesOf, RefusedError } from '../client.ts'
import type { BadRows } from './bad-rows.ts'
import { type Batch, batchesOf } from './batches.ts'
import { labelsOf } from './check.ts'
import { type Fault, faultsMax, listFaults } from './faults.ts'
import type { Files } from './files.ts'
import type { OrderedTable } from './order.ts'
import { type ConvertedRow, type JsonRecord, rowConverter } from './records.ts'
import { Refusal } from './refusal.ts'
import { faultsOfRefusal, faultsOfRows, type RowFault } from './refusals.ts'
import { rowsOf } from './rows/rows.ts'
import { countRecords, isBusy, type Service, tablePath, triesMax, waitFor } from './service.ts'
import type { TableState } from './state.ts'
import type { Table } from './table.ts'

/** The data for loading a table. */
export interface Loading {
  service: Service
  files: Files
  state: TableState
  /** Stores the state. */
  save(): void
  /** Takes the rows that are left out; undefined if a bad row ends the load. */
  bad: BadRows | undefined
  onProgress(stored: number): void
  /** Changes a record before it is sent: removes the values to set afterwards. */
  prepare(record: JsonRecord): JsonRecord
}

/** The number of rows that are examined after a refusal, to report all of their faults at once. */
const examinedMax = 100_000

/** Reads the rows of a table as records. */
export async function* recordsOf(files: Files, table: Table): AsyncGenerator<ConvertedRow> {
  const convert = rowConverter(table)
  for await (const row of rowsOf(files, table.resource, labelsOf(table))) yield convert(row)
}

/**
 * Loads a table. Returns the number of records that are stored. Throws a Refusal at a bad row, unless these
 * go to a file.
 */
export async function loadTable({ table }: OrderedTable, loading: Loading): Promise<number> {
  const { service, files, state, bad } = loading
  await settle(table, loading)
  const batches = batchesOf(recordsOf(files, table), state.read, (row) =>
    bad?.add(table.name, row.row, row.faults),
  )
  for await (const { rows, read } of batches) {
    const batch = { rows: rows.map((row) => ({ ...row, record: loading.prepare(row.record) })), read }
    try {
      await sendBatch(table, batch, loading)
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
      throw await explain(service, table, batch, error, batches, state.stored)
    }
    if (rows.length > 0) loading.onProgress(state.stored)
  }
  return state.stored
}

/** Finds out whether the service stored the last request of an interrupted load. */
async function settle(table: Table, { service, state, save }: Loading): Promise<void> {
  if (state.read === 0 && !state.sent) return
  const count = await countRecords(service, table.name, table.model.softDelete !== undefined)
  const expected = state.before + state.stored
  const { sent } = state
  if (count === expected) delete state.sent
  else if (sent && count === expected + sent.stored) confirm(state)
  else
    throw new Refusal(
      `The table ${table.name} has ${count} records, but the interrupted load left ${expected}. ` +
        'Somebody else has written to it in the meantime, so the load cannot continue. Start again ' +
        'with --replace.',
    )
  save()
}

function confirm(state: TableState): void {
  if (!state.sent) return
  state.read = state.sent.read
  state.stored += state.sent.stored
  delete state.sent
}

/** Stores a batch. Bad rows go to their file, if there is one; otherwise a refusal is thrown. */
async function sendBatch(table: Table, batch: Batch, loading: Loading): Promise<void> {
  const { service, state, save } = loading
  let { rows } = batch
  for (let tries = 0; rows.length > 0; ) {
    state.sent = { read: batch.read, stored: rows.length }
    // Without a response it is unknown whether the request was stored, so the state records that it was sent.
    save()
    try {
      await post(service, table, rows)
      break
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
      if (isBusy(error) && tries < triesMax) {
        // A request with the response 503 may have been stored.
        await waitFor(error, tries++)
        await settle(table, { ...loading, state })
        if (!state.sent && state.read === batch.read) return
        continue
      }
      if (isBusy(error)) throw error
      delete state.sent
      save()
      const rest = await withoutBadRows(table, rows, error, loading)
      if (rest === undefined) {
        await sendHalves(table, { rows, read: batch.read }, loading)
        return
      }
      rows = rest
    }
  }
  state.sent = { read: batch.read, stored: rows.length }
  confirm(state)
  save()
}

/**
 * Writes the refused rows into the file of bad rows, if there is one. Returns the other rows; undefined if
 * the rows must be sent in smaller batches. Throws the refusal if it is not about rows.
 */
async function withoutBadRows(
  table: Table,
  rows: Batch['rows'],
  refusal: RefusedError,
  { service, bad }: Loading,
): Promise<Batch['rows'] | undefined> {
  if (refusal.status === 413 && rows.length > 1) return undefined
  if (!bad || !isAboutRows(refusal)) throw refusal
  const faults = await faultsOf(service, table, rows, refusal)
  if (faults.size === 0 && rows.length > 1) return undefined
  if (faults.size === 0) faults.set(0, faultsOfRefusal(table, rows, refusal))
  for (const [at, found] of faults) {
    const row = rows[at]?.row
    if (row) bad.add(table.name, row, found)
  }
  return rows.filter((_, at) => !faults.has(at))
}

async function sendHalves(table: Table, { rows, read }: Batch, loading: Loading): Promise<void> {
  const middle = Math.ceil(rows.length / 2)
  const first = rows.slice(0, middle)
  await sendBatch(table, { rows: first, read: first.at(-1)?.position ?? read }, loading)
  await sendBatch(table, { rows: rows.slice(middle), read }, loading)
}

const isAboutRows = ({ status }: RefusedError): boolean => [400, 409, 413, 422].includes(status)

const post = (service: Service, table: Table, rows: readonly ConvertedRow[]): Promise<unknown> =>
  service.client.request(
    'POST',
    `${tablePath(service, table.name)}data/`,
    rows.map(({ record }) => record),
  )

/** Returns the faults of the rows of a refused request, by their positions there. */
async function faultsOf(
  service: Service,
  table: Table,
  rows: readonly ConvertedRow[],
  error: RefusedError,
): Promise<Map<number, Fault[]>> {
  const asked = error.status === 413 ? [] : await faultsOfRows(service, table, rows)
  const all = asked.length > 0 ? asked : faultsOfRefusal(table, rows, error)
  const faults = new Map<number, Fault[]>()
  for (const { at, ...fault } of all) if (at !== undefined) faults.set(at, [...(faults.get(at) ?? []), fault])
  return faults
}

/** Creates the message about refused rows, with the faults of the rows that follow them. */
async function explain(
  service: Service,
  table: Table,
  batch: Batch,
  error: RefusedError,
  others: AsyncIterable<Batch>,
  stored: number,
): Promise<Refusal> {
  const faults: RowFault[] = []
  if (isAboutRows(error) && error.status !== 413) {
    faults.push(...(await faultsOfRows(service, table, batch.rows)))
    let examined = 0
    for await (const { rows } of others) {
      examined += rows.length
      if (faults.length >= faultsMax || examined > examinedMax) break
      faults.push(...(await faultsOfRows(service, table, rows)))
    }
  }
  const listed = faults.length > 0 ? faults : faultsOfRefusal(table, batch.rows, error)
  const said = isAboutRows(error)
    ? ''
    : `\n${messagesOf(error.body)
        .map(({ text }) => text)
        .join('\n')}`
  return new Refusal(
    `${listFaults(listed)}${said}\nThe service refused rows of ${table.name} (${error.status}). ` +
      `${stored.toLocaleString('en')} records of ${table.name} before them are stored. ` +
      'Correct the file and add --resume to continue, or add --continue to skip invalid rows.',
  )
}
