/** Reads the query parameters of writes. Spec: Records; R8, R9, R13. */

import { booleanOf } from '../../../kernel/lib/boolean-text.ts'
import type { Field } from '../../model/field.ts'
import { hasDeferredKey, isUnique } from '../../model/keys.ts'
import type { Table } from '../../model/table.ts'
import { Problems } from '../../query/problems.ts'
import type { Flags } from '../said.ts'

/** Reads the parameters that most writes accept. Throws 400 for invalid values. */
export function readFlags(parameters: URLSearchParams): Flags {
  const problems = new Problems()
  const flag = (name: string, otherwise = false) => readFlag(parameters, name, problems, otherwise)
  const returned = parameters.get('return')
  if (returned !== null && returned !== 'records' && returned !== 'minimal')
    problems.add('return', 'Must be records or minimal.')
  const flags = {
    includeDeleted: flag('include_deleted'),
    hardDelete: flag('hard_delete'),
    isDry: flag('dry_run'),
    isAtomic: flag('atomic', true),
    returnsRecords: returned === null ? undefined : returned === 'records',
  }
  problems.throwIfAny()
  return flags
}

/** Reads one boolean parameter. An invalid value is a problem, and false. */
export function readFlag(
  parameters: URLSearchParams,
  name: string,
  problems: Problems,
  otherwise = false,
): boolean {
  const value = booleanOf(parameters.get(name) ?? String(otherwise))
  if (value === undefined) problems.add(name, 'Must be true or false.')
  return value === true
}

/**
 * Reads whether records whose unique values are taken are left out. Throws 400 for an unknown value, and for
 * a guest.
 */
export function readOnConflict(parameters: URLSearchParams, table: Table, isGuest: boolean): boolean {
  const value = parameters.get('on_conflict')
  const problems = new Problems()
  if (value !== null && value !== 'ignore') problems.add('on_conflict', 'Must be ignore.')
  if (value !== null && isGuest) problems.add('on_conflict', 'Not possible by access rules.')
  if (value !== null && hasDeferredKey(table))
    problems.add('on_conflict', 'Not possible in a table with a field whose "unique" is "deferred".')
  problems.throwIfAny()
  return value !== null
}

/**
 * Reads the fields by which an upsert finds existing records, from lists of names. Throws 400 unless a key or
 * index makes them unique. R8.
 */
export function readUniqueFields(lists: readonly string[], table: Table): Field[] {
  const problems = new Problems()
  const names = lists.flatMap((list) => list.split(','))
  const refuse = (message: string) => problems.add('unique_fields', message)
  const fields = names.flatMap((name) => table.fields.get(name) ?? [])
  if (names.join('') === '') refuse('Name the fields that identify a record, for example unique_fields=sku.')
  else if (fields.length < names.length) {
    const unknown = names.filter((name) => !table.fields.has(name))
    refuse(
      `Unknown field ${unknown.map((name) => JSON.stringify(name)).join(', ')}. Fields: ` +
        `${[...table.fields.keys()].join(', ')}.`,
    )
  } else if (!isUnique(table, names)) {
    refuse(
      `No primary key, unique constraint or unconditional unique index covers exactly ${names.join(', ')}.`,
    )
  }
  problems.throwIfAny()
  return fields
}
