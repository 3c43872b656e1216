/** Validates rows as a write would, without writing them. D15. */

import type { RequestContext } from '../../kernel/context.ts'
import { DatabaseFailure, isInvalidValue } from '../../kernel/db/failures.ts'
import { tooManyRows } from '../../kernel/http/body-errors.ts'
import { limitProblems, problemsMax } from '../../kernel/lib/problem-list.ts'
import { planOf, withCatalog } from '../catalog/catalog.ts'
import { type TablePath, tableOf } from '../catalog/find-table.ts'
import type { Validation } from '../datatables/schema.ts'
import { rowsMax } from '../failures/body.ts'
import { valueOutOfRange } from '../failures/errors.ts'
import { workBudget } from '../model/constraints.ts'
import type { Table } from '../model/table.ts'
import { refuseInMongodb } from '../providers/mongodb/capabilities.ts'
import { inspectRecords, neededFields, wholeRecord } from '../write/parse/validate.ts'
import { conflictsOf } from './conflicts.ts'

/** The message about values that were not checked. */
const leftOut =
  'Not checked against its pattern, because these values are too many or too long. Send fewer rows.'

/** Validates rows against the schema and the records of a table. Throws 413 for too many rows. */
export async function validateData(
  ctx: RequestContext,
  path: TablePath,
  rows: readonly unknown[],
): Promise<Validation> {
  try {
    return await withCatalog(ctx, path.app, 'read', (catalog) => {
      const table = tableOf(catalog, path)
      if (table.isMaterialized) refuseInMongodb(table, 'other')
      if (rows.length > rowsMax) throw tooManyRows(rowsMax)
      const { problems, found, good, counts, bad } = inspect(table, rows)
      const { statement, messageOf } = conflictsOf(catalog, table, good, counts, {
        limit: problemsMax + 1,
        bad,
      })
      return planOf({
        statements: { conflicts: statement },
        finish({ conflicts: { all: conflicts } }) {
          const all = [
            ...problems,
            ...conflicts.map((conflict) => ({ place: conflict.place, ...messageOf(conflict) })),
          ]
          return asValidation(all, found + (conflicts[0]?.total ?? 0), rows.length)
        },
      })
    })
  } catch (failure) {
    if (!(failure instanceof DatabaseFailure && isInvalidValue(failure.sqlstate))) throw failure
    return { is_valid: false, errors: [valueOutOfRange], validated_rows: rows.length }
  }
}

interface Problem {
  place: number
  /** Empty if the problem concerns the whole row. */
  fields: string
  message: string
}

/** Checks rows against the schema. `good` contains the rows without the fields that have problems. */
function inspect(table: Table, rows: readonly unknown[]) {
  const problems: Problem[] = []
  let found = 0
  const bad = new Map<number, Set<string>>()
  inspectRecords(
    table,
    rows,
    { required: neededFields(table), work: workBudget(leftOut) },
    (place, field, message) => {
      found++
      if (found <= problemsMax) problems.push({ place, fields: field === wholeRecord ? '' : field, message })
      const fields = bad.get(place)
      if (fields) fields.add(field)
      else bad.set(place, new Set([field]))
    },
  )
  const counts = new Map<string, number>()
  const good = rows.map((row, place) => {
    if (bad.get(place)?.has(wholeRecord)) return {}
    const members = Object.entries(row as object).filter(([name]) => !bad.get(place)?.has(name))
    for (const [name] of members) counts.set(name, (counts.get(name) ?? 0) + 1)
    return Object.fromEntries(members)
  })
  return { problems, found, good, counts, bad }
}

function asValidation(problems: readonly Problem[], found: number, rowCount: number): Validation {
  const messages = problems
    .toSorted((a, b) => a.place - b.place)
    .map(({ place, fields, message }) => `rows[${place}]${fields === '' ? '' : `.${fields}`}: ${message}`)
  return { is_valid: found === 0, errors: limitProblems(messages, found), validated_rows: rowCount }
}
