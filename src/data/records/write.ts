/** How records are written: the table is found, the write planned and run, and what Postgres refuses of it told to the client. */
import type { RequestContext } from '../../context.ts'
import { DatabaseFailure, sqlstates } from '../../db/failures.ts'
import type { AppError } from '../../errors.ts'
import { type Catalog, type Plan, withCatalog } from '../catalog.ts'
import { providerUnavailable } from '../datasources/errors.ts'
import type { Table } from '../datatables/table.ts'
import type { Provider } from '../providers/provider.ts'
import { providers } from '../providers/registry.ts'
import { type Reference, softReferences } from '../query/relationships.ts'
import { answerBytesMax } from '../query/render-list.ts'
import { type Form, type RecordsBody, readBody } from './body.ts'
import { answerTooLarge, writeTooLong } from './errors.ts'
import { writeRefusal } from './failures.ts'
import { type RecordsPath, writableTable } from './find-table.ts'

export interface Target {
  catalog: Catalog
  table: Table
  provider: Provider
  /** The foreign keys of the table to tables whose records can be soft-deleted. */
  references: readonly Reference[]
}

/** `refusal` is what the client reads for a failure; undefined when it is none of the client's making. */
export async function write<Result>(
  ctx: RequestContext,
  path: RecordsPath,
  plan: (target: Target) => Plan<Result>,
  refusal: (failure: DatabaseFailure, target: Target) => AppError | undefined | Promise<AppError | undefined>,
): Promise<Result> {
  let target: Target | undefined
  let planned: Plan<Result> | undefined
  try {
    return await withCatalog(ctx, path.app, 'write', (catalog) => {
      target = targetOf(catalog, path)
      planned = plan(target)
      return planned
    })
  } catch (failure) {
    if (!target || !(failure instanceof DatabaseFailure)) throw failure
    if (failure.sqlstate === sqlstates.answerTooLong) throw answerTooLarge(answerBytesMax)
    // Who waited for a lock was refused before, so that this is the statement's own work.
    if (failure.sqlstate === sqlstates.queryCanceled && planned?.mode === 'single') throw writeTooLong(failure)
    throw (await refusal(failure, target)) ?? failure
  }
}

/** The same for the records of a body. */
export function writeBody<Result>(
  ctx: RequestContext,
  path: RecordsPath,
  text: string,
  form: Form,
  plan: (target: Target, body: RecordsBody) => Plan<Result>,
): Promise<Result> {
  let body: RecordsBody | undefined
  return write(
    ctx,
    path,
    (target) => {
      body ??= readBody(text, form)
      return { mode: body.bulk ? 'write' : 'single', ...plan(target, body) }
    },
    (failure, target) => body && writeRefusal(ctx, failure, target, body),
  )
}

/** The one place where a table is found to be written to: what may not be, is refused here. */
function targetOf(catalog: Catalog, path: RecordsPath): Target {
  const table = writableTable(catalog, path)
  const provider = providers.get(table.datasource.providerType)
  if (!provider) throw providerUnavailable(table.datasource.providerType, [...providers.keys()])
  return { catalog, table, provider, references: softReferences(table, catalog.tables) }
}
