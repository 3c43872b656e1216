/** Says of rows whether they could be created, by the checks of record writes and by what other records have against them. Touches no row. D15. */
import type { RequestContext } from '../../context.ts'
import { DatabaseFailure, isBadValue } from '../../db/failures.ts'
import { withCatalog } from '../catalog.ts'
import { workOf } from '../datatables/constraints.ts'
import type { Validation } from '../datatables/schema.ts'
import { type TablePath, tableOf } from '../datatables/service.ts'
import type { Table } from '../datatables/table.ts'
import { rowsMax } from './body.ts'
import { type ConflictRow, conflictsOf } from './conflicts.ts'
import { tooManyRows, valueOutOfRange } from './errors.ts'
import { messagesMax } from './messages.ts'
import { inspectRecords, neededFields, wholeRecord } from './validate.ts'

const leftOut = 'Was not compared with its pattern: that takes too much work on so many or so long values. Send fewer rows.'

export async function validateData(ctx: RequestContext, path: TablePath, rows: readonly unknown[]): Promise<Validation> {
  try {
    return await withCatalog(ctx, path.app, 'read', (catalog) => {
      const table = tableOf(catalog, path)
      if (rows.length > rowsMax) throw tooManyRows(rowsMax)
      const { problems, found, good, counts } = inspect(table, rows)
      const { statement, messageOf } = conflictsOf(catalog, table, good, counts, messagesMax + 1)
      return {
        statements: statement ? [statement] : [],
        finish(results) {
          const conflicts = statement ? results.rows<ConflictRow>() : []
          const all = [...problems, ...conflicts.map((conflict) => ({ place: conflict.place, ...messageOf(conflict) }))]
          return asValidation(all, found + (conflicts[0]?.total ?? 0), rows.length)
        },
      }
    })
  } catch (failure) {
    if (!(failure instanceof DatabaseFailure && isBadValue(failure.sqlstate))) throw failure
    return { is_valid: false, errors: [valueOutOfRange], validated_rows: rows.length }
  }
}

interface Problem {
  place: number
  /** '' where it is about the whole row. */
  fields: string
  message: string
}

/** `good`: the rows with those of their fields that nothing is wrong with. */
function inspect(table: Table, rows: readonly unknown[]) {
  const problems: Problem[] = []
  let found = 0
  const bad = new Map<number, Set<string>>()
  inspectRecords(table, rows, { required: neededFields(table), work: workOf(leftOut) }, (place, field, message) => {
    found++
    if (found <= messagesMax) problems.push({ place, fields: field === wholeRecord ? '' : field, message })
    const fields = bad.get(place)
    if (fields) fields.add(field)
    else bad.set(place, new Set([field]))
  })
  const counts = new Map<string, number>()
  const good = rows.map((said, place) => {
    if (bad.get(place)?.has(wholeRecord)) return {}
    const members = Object.entries(said as object).filter(([name]) => !bad.get(place)?.has(name))
    for (const [name] of members) counts.set(name, (counts.get(name) ?? 0) + 1)
    return Object.fromEntries(members)
  })
  return { problems, found, good, counts }
}

function asValidation(problems: readonly Problem[], found: number, rowCount: number): Validation {
  const errors = problems
    .toSorted((a, b) => a.place - b.place)
    .slice(0, messagesMax)
    .map(({ place, fields, message }) => `rows[${place}]${fields === '' ? '' : `.${fields}`}: ${message}`)
  if (found > messagesMax) errors.push(`… and ${found - messagesMax} problems more.`)
  return { is_valid: found === 0, errors, validated_rows: rowCount }
}
