/** Finds the problems of a guest's write without writing, for an explanation. */
import type { Standing } from '../../kernel/standing.ts'
import { guestCatalog } from '../catalog/guests.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import type { Table } from '../model/table.ts'
import type { WriteAction } from '../model/written-fields.ts'
import { Problems } from '../query/problems.ts'
import { inspectRecords, neededFields } from '../write/parse/validate.ts'
import type { AttemptedValues } from './writing-trials.ts'

type Data = Readonly<Record<string, unknown>>

/** Returns the problems by field that a guest of this standing would see. Empty if no rule applies to it. */
export function problemsOfData(
  catalog: Catalog,
  { name }: Table,
  { action, data }: { action: WriteAction; data: Data },
  standing: Standing,
): Record<string, string[]> {
  const written = guestCatalog(catalog, standing).writes.get(name)?.[action]
  if (!written) return {}
  const problems = new Problems()
  const isNew = action === 'create'
  inspectRecords(
    written.table,
    [data],
    { required: isNew ? neededFields(written.table) : [], canCompute: !isNew },
    (_index, field, message) => problems.add(field, message),
  )
  return Object.fromEntries(Object.entries(problems.details()).map(([field, of]) => [field, [...of]]))
}

/** Returns the values of fields of a table; undefined if Postgres cannot read one of them as its field's type. */
export function readableValues(
  table: Table,
  action: WriteAction,
  all: Data | undefined,
): AttemptedValues | undefined {
  if (!all) return undefined
  const data = Object.fromEntries(Object.entries(all).filter(([name]) => table.fields.has(name)))
  const valued = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null))
  const problems = new Problems()
  const { computed = new Set<string>() } = inspectRecords(
    table,
    [valued],
    { required: [], canCompute: action === 'update' },
    (_index, field, message) => problems.add(field, message),
  )
  return problems.isEmpty ? { data, computed } : undefined
}
