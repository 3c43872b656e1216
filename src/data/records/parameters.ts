/** The query parameters of writes. Spec: Records; R8, R9, R13. */
import { isUnique } from '../datatables/references.ts'
import type { Field, Table } from '../datatables/table.ts'
import type { RecordDeletion } from '../providers/provider.ts'
import type { Filter } from '../query/ast.ts'
import { parseFilterText } from '../query/parse.ts'
import { keyValues, planFilter, planning } from '../query/plan.ts'
import { isAlways, type Predicate } from '../query/predicate.ts'
import { Problems } from '../query/problems.ts'
import type { RelationshipGraph } from '../query/relationships.ts'
import { rowsMax } from './body.ts'
import { tooManyRows } from './errors.ts'

interface Flags {
  /** Whether soft-deleted records are meant, too. */
  includeDeleted: boolean
  /** Whether a delete is to leave nothing, where the table would keep what is soft-deleted. */
  hardDelete: boolean
}

export function readFlags(parameters: URLSearchParams): Flags {
  const problems = new Problems()
  const flag = (name: string): boolean => {
    const value = parameters.get(name) ?? 'false'
    if (value !== 'true' && value !== 'false') problems.add(name, 'Must be true or false.')
    return value === 'true'
  }
  const flags = { includeDeleted: flag('include_deleted'), hardDelete: flag('hard_delete') }
  problems.throwIfAny()
  return flags
}

/** The fields by which an upsert finds what is there: a key or constraint has to let no two records have the same. R8. */
export function readUniqueFields(parameters: URLSearchParams, table: Table): Field[] {
  const problems = new Problems()
  const names = parameters.getAll('unique_fields').flatMap((list) => list.split(','))
  const refuse = (message: string) => problems.add('unique_fields', message)
  const fields = names.flatMap((name) => table.fields.get(name) ?? [])
  if (names.join('') === '') refuse('Names the fields by which a record is found that is there already, as unique_fields=sku.')
  else if (fields.length < names.length) {
    const unknown = names.filter((name) => !table.fields.has(name))
    refuse(`There is no field ${unknown.map((name) => JSON.stringify(name)).join(', ')}. Fields: ${[...table.fields.keys()].join(', ')}.`)
  } else if (!isUnique(table, names)) {
    refuse(`No primary key, unique constraint or unique index is of ${names.join(', ')}, and of all records.`)
  }
  problems.throwIfAny()
  return fields
}

/** Which records a delete of many is about: `ids`, or `filter`. R9. */
export function readWhich(parameters: URLSearchParams, table: Table, graph: RelationshipGraph): RecordDeletion['which'] {
  const problems = new Problems()
  const [ids, filter] = [parameters.getAll('ids'), parameters.get('filter')]
  if (ids.length > 0 && filter !== null) problems.add('filter', 'Give ids or a filter, not both.')
  else if (ids.length === 0 && filter === null) problems.add('ids', 'Give the ids of the records to delete, or a filter.')
  const which = filter === null ? { keys: readIds(ids, table, problems) } : { filter: readFilter(filter, table, graph, problems) }
  problems.throwIfAny()
  return which
}

/** A key of several fields takes as many values. R7. */
function readIds(lists: readonly string[], table: Table, problems: Problems): string[][] {
  const texts = lists.flatMap((list) => list.split(','))
  const width = table.primaryKey.length
  if (texts.length > rowsMax * width) throw tooManyRows(rowsMax)
  const keys: string[][] = []
  for (let start = 0; start < texts.length; start += width) {
    const id = texts.slice(start, start + width)
    const key = id.includes('') ? undefined : keyValues(table, id.join(','))
    if (key) keys.push(key)
    else problems.add('ids', `${JSON.stringify(id.join(','))} is no id of "${table.name}".`)
  }
  return keys
}

function readFilter(text: string, table: Table, graph: RelationshipGraph, problems: Problems): Predicate {
  const filter = parseFilterText('filter', text, problems)
  const predicate = planFilter(planning(table, problems, graph), filter)
  if (problems.areNone && (isEmpty(filter) || isAlways(predicate)))
    problems.add('filter', 'A part of the filter has no condition: it would delete every record.')
  return predicate
}

/** Whether any part of a filter says nothing of a record. */
function isEmpty(filter: Filter): boolean {
  if ('not' in filter) return isEmpty(filter.not)
  const parts = 'and' in filter ? filter.and : 'or' in filter ? filter.or : undefined
  return parts !== undefined && (parts.length === 0 || parts.some(isEmpty))
}
