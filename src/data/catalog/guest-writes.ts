/** The fields of a table that a guest may write, by action. */
import { type AccessRule, allows, writtenBy } from '../model/access.ts'
import type { Field } from '../model/field.ts'
import { guestTable } from '../model/guest-table.ts'
import type { Table } from '../model/table.ts'
import { type GuestAction, type RecordAction, writableFields } from '../model/written-fields.ts'

/** A table with the fields that a guest may give in an action. */
export interface GuestWrite {
  /** Its `fields` are only these. */
  table: Table
  /** The table as the guest reads it. If no rule allows reading, it has only its primary key. */
  shown: Table
}

/** What a guest may write, by action. */
export type GuestWrites = Partial<Record<GuestAction, GuestWrite>>

/**
 * Returns what a guest may write to a table by the rules that apply to it. `seen` is the table as the guest
 * reads it; undefined if no rule allows reading.
 */
export function writesOf(
  siteId: number,
  table: Table,
  rules: readonly AccessRule[],
  seen: Table | undefined,
): GuestWrites {
  const key = table.primaryKey.map(({ name }) => name)
  const shown = seen ?? guestTable(siteId, table, { names: new Set(key) })
  const writeOf = (action: RecordAction): GuestWrite | undefined => {
    const mine = rules.filter((rule) => allows(rule, action))
    return mine.length === 0 ? undefined : { shown, table: writtenTable(siteId, table, mine, action) }
  }
  const [create, update, remove] = [writeOf('create'), writeOf('update'), writeOf('delete')]
  return {
    ...(create ? { create } : {}),
    ...(update ? { update } : {}),
    ...(remove ? { delete: remove } : {}),
    ...(create && update && seen
      ? { upsert: { shown, table: upsertedTable(siteId, table, create, update) } }
      : {}),
    // Without a rule that allows reading, a guest cannot find a record to connect.
    ...(seen && rules.some((rule) => allows(rule, 'edges')) ? { edges: { shown, table: shown } } : {}),
  }
}

/**
 * Returns a table with the fields that a guest may send in a creation or in a change. A field that may be
 * sent only in changes is not required.
 */
function upsertedTable(
  siteId: number,
  table: Table,
  { table: created }: GuestWrite,
  { table: changed }: GuestWrite,
): Table {
  const names = new Set([...created.fields.keys(), ...changed.fields.keys()])
  const compiled = guestTable(siteId, table, { names })
  const fields = [...compiled.fields].map(([name, field]): [string, Field] => [
    name,
    created.fields.get(name) ?? { ...field, required: false },
  ])
  return { ...compiled, fields: new Map(fields) }
}

/**
 * Returns the table with only the fields that rules allow in an action. A field that a rule sets is not
 * required. For changes and deletions, the table also has the primary key, which identifies the records.
 */
function writtenTable(
  siteId: number,
  table: Table,
  rules: readonly AccessRule[],
  action: RecordAction,
): Table {
  const filled = new Set(rules.flatMap(({ set = {} }) => Object.keys(set)))
  const key = table.primaryKey.map(({ name }) => name)
  const given = writableFields(table, action)
    .map(({ name }) => name)
    .filter((name) => filled.has(name) || rules.some((rule) => writtenBy(rule)?.includes(name) ?? true))
  const names = new Set(action === 'create' ? given : [...key, ...given])
  const compiled = guestTable(siteId, table, { names: new Set([...key, ...given]) })
  const fields = [...compiled.fields].flatMap(([name, field]): [string, Field][] => {
    if (!names.has(name)) return []
    return [[name, filled.has(name) ? { ...field, required: false } : field]]
  })
  return { ...compiled, fields: new Map(fields) }
}
