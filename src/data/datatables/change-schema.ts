/** Runs changes that create tables or schemas, and translates failures of Postgres for the client. */
import type { RequestContext } from '../../kernel/context.ts'
import type { Batch } from '../../kernel/db/batch.ts'
import { DatabaseFailure, isViolationOf, lacksGist, sqlstates } from '../../kernel/db/failures.ts'
import type { AppError } from '../../kernel/errors.ts'
import { type Again, type Plan, withCatalog } from '../catalog/catalog.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import {
  defaultDatasourceInactive,
  exclusionsUnavailable,
  invalidSchema,
  physicalNameTaken as nameTakenInPostgres,
  tableExists,
  trigramsUnavailable,
} from './errors.ts'
import { patternMsMax } from './store.ts'

/**
 * Plans and runs a change. `names` are the tables that it creates. If another app has a table with the plain
 * physical name of one of these, plans the change again with `distinct` true. `again` makes the result for a
 * repetition of the request. Throws 400 if a name is taken
 * or if Postgres rejects a pattern.
 */
export function changeSchema<Of extends Batch, Result, Kept>(
  ctx: RequestContext,
  app: string,
  names: readonly string[],
  plan: (catalog: Catalog, distinct: boolean) => Plan<Of, Result>,
  again: Again<Kept, Result>,
): Promise<Result> {
  const planFor =
    (distinct: boolean) =>
    (catalog: Catalog): Plan<Of, Result> => ({
      ...plan(catalog, distinct),
      instead: (failure) => (!distinct && isPhysicalNameTaken(failure) ? planFor(true) : undefined),
      errorOf(failure) {
        if (isViolationOf(failure, physicalNameTaken) || isNameTaken(failure))
          return tableExists(names.join(', '))
        if (isViolationOf(failure, datasourceTaken)) return defaultDatasourceInactive()
        if (isDuplicateTable(failure)) return invalidSchema([nameTakenInPostgres])
        return schemaError(failure)
      },
    })
  return withCatalog(ctx, app, 'schema', planFor(false), again)
}

/** Tells whether a failure means that the app has a table of this name, in any of its datasources. */
export const isNameTaken = (error: unknown): boolean => isViolationOf(error, nameTaken)

/**
 * Tells whether a failure means that another table has the physical name of the table, or of its edge table.
 */
export const isPhysicalNameTaken = (error: unknown): boolean =>
  isViolationOf(error, physicalNameTaken) || isDuplicateTable(error)

/**
 * Tells whether a table exists already. This happens if the edge table of one table has the name of another
 * table.
 */
const isDuplicateTable = (error: unknown): boolean =>
  error instanceof DatabaseFailure && error.sqlstate === sqlstates.duplicateTable

/** Returns the 400 or 422 for a failure that a schema caused; undefined for any other failure. */
export function schemaError(failure: DatabaseFailure): AppError | undefined {
  const { sqlstate, detail } = failure
  // Schemas can name only two objects that the service does not create: operator classes of extensions.
  if (sqlstate === sqlstates.undefinedObject)
    return lacksGist(failure) ? exclusionsUnavailable() : trigramsUnavailable()
  const problem = patternProblems.get(sqlstate)
  return problem ? invalidSchema([`${detail}: ${problem}`]) : undefined
}

const physicalNameTaken = '_datatables_physical_table_name_key'
const nameTaken = '_datatables_app_id_name_key'
const datasourceTaken = '_datasources_app_id_slug_key'
/** The problems of patterns, by the SQLSTATE that `tryPatterns` fails with. */
const patternProblems = new Map<string, string>([
  [
    sqlstates.invalidRegularExpression,
    'is not a regular expression that Postgres supports (without \\p and inline flags, at most 255 ' +
      'repetitions)',
  ],
  [
    sqlstates.patternTooSlow,
    `takes Postgres more than ${patternMsMax} ms, or all patterns together take more than twice that. ` +
      'Shorter repetitions, or none within others, are faster',
  ],
])
