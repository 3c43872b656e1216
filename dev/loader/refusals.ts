/** Translates the service's errors about the rows of a request to the rows of the file. */

import { messagesOf, type RefusedError } from '../client.ts'
import { placeOf } from './check.ts'
import { isMembers } from './descriptor.ts'
import type { Fault } from './faults.ts'
import { keysOf } from './order.ts'
import type { ConvertedRow } from './records.ts'
import { patiently, type Service, tablePath } from './service.ts'
import type { Table } from './table.ts'

/** A fault of a row of a request, by its position there; undefined if the service names no row. */
export interface RowFault extends Fault {
  at: number | undefined
}

/** Returns an error's messages about the rows. */
export const faultsOfRefusal = (
  table: Table,
  rows: readonly ConvertedRow[],
  { body }: RefusedError,
): RowFault[] =>
  messagesOf(body).map(({ field, text }) => {
    const [, index, rest] = /^rows\[(\d+)\]: (.*)$/s.exec(text) ?? []
    const named = field || (isMembers(body) && typeof body.field === 'string' ? body.field : '')
    return rowFault(table, rows, index, named, rest ?? text)
  })

function rowFault(
  table: Table,
  rows: readonly ConvertedRow[],
  index: string | undefined,
  field: string,
  text: string,
): RowFault {
  const row = index === undefined ? undefined : rows[Number(index)]?.row
  const said = text.replace(/rows\[(\d+)\]/g, (written, other: string) => {
    const line = rows[Number(other)]?.row.line
    return line === undefined ? written : `line ${line}`
  })
  const [first = ''] = field.split(',')
  const file = table.resource.sources[0]?.path ?? table.resource.name
  return row
    ? { ...placeOf(table, row, first), at: Number(index), text: said }
    : { file, at: undefined, text: field ? `${field}: ${text}` : text }
}

/**
 * Asks the service for all errors that the rows would cause. Omits references of the table to itself, because
 * the referenced records may follow.
 */
export async function faultsOfRows(
  service: Service,
  table: Table,
  rows: readonly ConvertedRow[],
): Promise<RowFault[]> {
  const { errors } = await patiently(() =>
    service.client.request<{ errors: string[] }>('POST', `${tablePath(service, table.name)}validate_data/`, {
      data: rows.map(({ record }) => record),
    }),
  )
  const own = new Set(keysOf(table).flatMap(({ resource, fields }) => (resource === '' ? fields : [])))
  return errors.flatMap((error) => {
    const [, index, field = '', text = error] = /^rows\[(\d+)\](?:\.([^:]+))?: (.*)$/s.exec(error) ?? []
    if (index === undefined || field.split(',').some((name) => own.has(name.trim()))) return []
    return rowFault(table, rows, index, field, text)
  })
}
