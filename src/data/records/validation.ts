/** Says of rows whether they could be created, by the checks of record writes: types, constraints, required fields. Touches no row. */
import type { RequestContext } from '../../context.ts'
import { withCatalog } from '../catalog.ts'
import { workOf } from '../datatables/constraints.ts'
import type { Validation } from '../datatables/schema.ts'
import { type TablePath, tableOf } from '../datatables/service.ts'
import { rowsMax } from './body.ts'
import { tooManyRows } from './errors.ts'
import { messagesMax } from './messages.ts'
import { inspectRecords, neededFields, wholeRecord } from './validate.ts'

const leftOut = 'Was not compared with its pattern: that takes too much work on so many or so long values. Send fewer rows.'

/** What other rows would say of them, uniqueness and foreign keys, is Postgres's to check when they are written. */
export const validateData = (ctx: RequestContext, path: TablePath, rows: readonly unknown[]): Promise<Validation> =>
  withCatalog(ctx, path.app, 'read', (catalog) => {
    const table = tableOf(catalog, path)
    if (rows.length > rowsMax) throw tooManyRows(rowsMax)
    const errors: string[] = []
    let found = 0
    inspectRecords(table, rows, { required: neededFields(table), work: workOf(leftOut) }, (index, field, message) => {
      found++
      if (found <= messagesMax) errors.push(`rows[${index}]${field === wholeRecord ? '' : `.${field}`}: ${message}`)
    })
    if (found > messagesMax) errors.push(`… and ${found - messagesMax} problems more.`)
    return { statements: [], finish: () => ({ is_valid: found === 0, errors, validated_rows: rows.length }) }
  })
