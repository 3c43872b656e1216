/** From what stood against a write (Refused) to what the client reads: nothing was written. */
import { textOf } from '../../lib/exact-json.ts'
import type { Field, Table } from '../datatables/table.ts'
import type { Refused } from '../providers/provider.ts'
import { writtenKey } from '../query/keys.ts'
import type { Reference } from '../query/relationships.ts'
import { placeOf, type RecordsBody } from './body.ts'
import { changedMeanwhile, heldBySoftDeleted, invalidRecords, recordNotFound, referenceMissing, repeatedMessage } from './errors.ts'
import { collectMessages } from './messages.ts'
import { neededFields, requiredMessage } from './validate.ts'

interface Attempt {
  table: Table
  body: RecordsBody
  /** The fields by which its records are found. */
  key: readonly Field[]
  references: readonly Reference[]
  /** The id in the path, where there is one. */
  id?: string
}

/** Throws when anything stood against the write. */
export function throwIfRefused(refused: Refused | undefined, { table, body, key, references, id }: Attempt): void {
  if (!refused) return
  const names = key.map((field) => field.name)
  const at = (place: number) => placeOf(body, place)
  const idOf = (place: number) => id ?? writtenKey(names.map((name) => textOf(body.records[place]?.[name])))
  const messages = collectMessages()
  for (const [place, first] of refused.repeated ?? []) messages.add(names.join(','), at(place) + repeatedMessage(names, first))
  for (const place of refused.incomplete ?? []) {
    const lacking = neededFields(table).filter((field) => !Object.hasOwn(body.records[place] ?? {}, field.name))
    for (const { name } of lacking) messages.add(name, at(place) + requiredMessage)
  }
  for (const place of refused.moved ?? []) {
    messages.add(table.primaryKey.map((field) => field.name).join(','), `${at(place)}The primary key of a record cannot be changed.`)
  }
  const [missing, hidden, stale] = [refused.missing?.[0], refused.hidden?.[0], refused.stale?.[0]]
  if (missing !== undefined && !refused.repeated) throw recordNotFound(table.name, idOf(missing), at(missing))
  const details = messages.details()
  if (details) throw invalidRecords(details)
  if (hidden !== undefined) throw heldBySoftDeleted(names, at(hidden))
  if (stale !== undefined) throw changedMeanwhile(table.name, idOf(stale))
  const [[place, position] = [0, -1]] = refused.unreferenced ?? []
  const reference = references[position]
  if (reference) throw referenceMissing(reference.columns, reference.target.name, at(place))
}
