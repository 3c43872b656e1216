/** Writes foreign keys as plain data, for the writes that keep them. */
import { uniqueKeysOf } from '../../model/keys.ts'
import type { Reference } from '../../model/relationships.ts'
import type { Table } from '../../model/table.ts'
import type { InboundKey } from '../inbound-key.ts'
import type { InputRows } from '../writes/input.ts'
import { adoptedBy } from './capabilities.ts'
import { pairForms } from './forms.ts'
import type { KeyForm } from './wire.ts'

/** Returns the keys of a table that a write may change. */
export function referenceForms(table: Table, references: readonly Reference[], input: Sent): KeyForm[] {
  const changed = references.filter(
    ({ columns }) => input === 'all' || columns.some((name) => input.has(name)),
  )
  return changed.length === 0
    ? []
    : references.map(({ target, pairs, columns }) => ({
        from: table.physicalName,
        to: target.physicalName,
        pairs: pairForms(pairs, table, target),
        rule: 'NO ACTION',
        required: columns.some((name) => table.fields.get(name)?.required),
        fromDeleted: table.softDelete?.name ?? null,
        toDeleted: target.softDelete?.name ?? null,
      }))
}

/**
 * Returns the keys to a table, if a write may change what they reference: also values that only a key could
 * reference that is made in the meantime. Otherwise undefined.
 */
export function inboundForms(
  table: Table,
  inbound: readonly InboundKey[],
  input: Sent,
): KeyForm[] | undefined {
  if (adoptedBy(table) !== undefined) return undefined
  const isChanged = (name: string) => input === 'all' || input.has(name)
  // A primary key never changes.
  const [, ...others] = uniqueKeysOf(table)
  const isConcerned =
    input === 'all' ||
    (table.softDelete && isChanged(table.softDelete.name)) ||
    others.some(({ fields }) => fields.some(isChanged))
  if (!isConcerned) return undefined
  return inbound.map(({ table: from, key, referenced = table }) => {
    const { onDelete } = key['x-actions']
    const pairs = key.fields.flatMap((name, place) => {
      const [near, far] = [from.fields.get(name), referenced.fields.get(key.reference.fields[place] ?? '')]
      return near && far ? [{ near, far }] : []
    })
    return {
      from: from.physicalName,
      to: referenced.physicalName,
      pairs: pairForms(pairs, from, referenced),
      // The schema has refused the others.
      rule: onDelete === 'SET DEFAULT' ? 'NO ACTION' : onDelete,
      required: pairs.some(({ near }) => near.required),
      fromDeleted: from.softDelete?.name ?? null,
      toDeleted: referenced.softDelete?.name ?? null,
    }
  })
}

/** The names of the fields that the records of a write have. */
type Sent = ReadonlySet<string> | 'all'

/** Returns what the records of a body have. */
export const sentBy = ({ counts }: InputRows): Sent =>
  new Set([...counts].filter(([, count]) => count > 0).map(([name]) => name))
