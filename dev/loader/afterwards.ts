/**
 * The values that records get only after all of them are stored: references in cycles, and deletion marks.
 */
import { rowsPerBatch } from './batches.ts'
import type { Files } from './files.ts'
import { recordsOf } from './load-table.ts'
import { keysOf, lateFields, type OrderedTable } from './order.ts'
import type { JsonRecord } from './records.ts'
import { patiently, type Service, tablePath } from './service.ts'
import type { Table } from './table.ts'

/** The members of a table's records that are set afterwards. */
export interface Later {
  /** Fields that reference records which may not exist yet. */
  references: readonly string[]
  /** Whether the deletion mark waits, because a marked record cannot be referenced. */
  marks: boolean
  /** Fields that Postgres computes: perhaps from values that are set afterwards. */
  computed: readonly string[]
}

/**
 * Finds the values of a table to set afterwards. `rows` is the number of its rows: those of one request may
 * reference each other.
 */
export function laterOf({ table, late }: OrderedTable, all: readonly Table[], rows: number): Later {
  const own = keysOf(table).filter(({ resource }) => resource === '')
  const references = new Set(late)
  if (rows > rowsPerBatch / 2)
    for (const { fields } of own) for (const field of lateFields(table, fields)) references.add(field)
  const isReferenced =
    own.length > 0 ||
    table.model.graph !== undefined ||
    all.some((other) => keysOf(other).some(({ resource }) => resource === table.name))
  const hasKey = lateFields(table, ['is_deleted']).length > 0
  return {
    references: [...references],
    marks: table.model.softDelete !== undefined && isReferenced && hasKey,
    computed: [...table.model.fields.values()].flatMap(({ name, formula }) => (formula ? [name] : [])),
  }
}

/** Removes from a record the values to set afterwards, and what Postgres may compute from them. */
export function withoutLater(record: JsonRecord, { references, marks, computed }: Later): JsonRecord {
  const isMarked = marks && record.is_deleted === true
  const left = references.filter((name) => (record[name] ?? null) !== null)
  if (left.length === 0 && !isMarked) return record
  const others = Object.entries(record).filter(([name]) => !computed.includes(name))
  const nulls = left.map((name) => [name, null])
  return { ...Object.fromEntries([...others, ...nulls]), ...(isMarked ? { is_deleted: false } : {}) }
}

/** Reads the rows once more, and sets `members` of those records that have a value there. */
async function patchRows(
  service: Service,
  files: Files,
  table: Table,
  changeOf: (record: JsonRecord) => JsonRecord | undefined,
): Promise<void> {
  let changes: JsonRecord[] = []
  const send = async () => {
    if (changes.length === 0) return
    await patiently(() =>
      service.client.request('PATCH', `${tablePath(service, table.name)}data/?include_deleted=true`, changes),
    )
    changes = []
  }
  for await (const { record, faults } of recordsOf(files, table)) {
    const change = faults.length === 0 ? changeOf(record) : undefined
    if (!change) continue
    const key = table.model.schema.primaryKey.map((name) => [name, record[name]])
    changes.push({ ...Object.fromEntries(key), ...change })
    if (changes.length >= rowsPerBatch) await send()
  }
  await send()
}

/** Sets the references that were left out. */
export const setReferences = (
  service: Service,
  files: Files,
  table: Table,
  { references }: Later,
): Promise<void> =>
  patchRows(service, files, table, (record) => {
    const values = references.filter((name) => record[name] !== null && record[name] !== undefined)
    return values.length > 0 ? Object.fromEntries(values.map((name) => [name, record[name]])) : undefined
  })

/** Marks the records that are deleted. */
export const setMarks = (service: Service, files: Files, table: Table): Promise<void> =>
  patchRows(service, files, table, (record) =>
    record.is_deleted === true ? { is_deleted: true } : undefined,
  )
