/** Runs a change of schemas, and says what Postgres refused of it. */
import type { RequestContext } from '../../context.ts'
import { DatabaseFailure, isViolationOf, sqlstates } from '../../db/failures.ts'
import { type Catalog, type Plan, withCatalog } from '../catalog.ts'
import { invalidSchema, mainIsInactive, physicalNameTaken as nameTakenInPostgres, tableExists } from './errors.ts'
import { patternMsMax } from './store.ts'

/**
 * `names` are the tables that the change makes. When the physical name of one is taken by a table of another app, the
 * change is planned once more with a `distinct` one.
 */
export async function changeSchema<Result>(
  ctx: RequestContext,
  app: string,
  names: readonly string[],
  plan: (catalog: Catalog, distinct: boolean) => Plan<Result>,
): Promise<Result> {
  const attempt = (distinct: boolean) => withCatalog(ctx, app, 'schema', (catalog) => plan(catalog, distinct))
  try {
    return await attempt(false).catch((error) => {
      if (isPhysicalNameTaken(error)) return attempt(true)
      throw error
    })
  } catch (error) {
    if (isViolationOf(error, physicalNameTaken) || isNameTaken(error)) throw tableExists(names.join(', '))
    if (isViolationOf(error, datasourceTaken)) throw mainIsInactive()
    if (isDuplicateTable(error)) throw invalidSchema([nameTakenInPostgres])
    throw refusedSchema(error)
  }
}

/** Whether the app has a table of the name, in whichever of its datasources. */
export const isNameTaken = (error: unknown): boolean => isViolationOf(error, nameTaken)

/** Whether the physical name, or that of the edges, is another table's. */
export const isPhysicalNameTaken = (error: unknown): boolean => isViolationOf(error, physicalNameTaken) || isDuplicateTable(error)

/** The edges of one table have the name that another one has. */
const isDuplicateTable = (error: unknown): boolean => error instanceof DatabaseFailure && error.sqlstate === sqlstates.duplicateTable

/** What a failure says of the schema; any other failure is itself. */
export function refusedSchema(error: unknown): unknown {
  const problem = error instanceof DatabaseFailure ? patternProblems.get(error.sqlstate) : undefined
  return problem ? invalidSchema([`${(error as DatabaseFailure).detail}: ${problem}`]) : error
}

const physicalNameTaken = '_datatables_physical_table_name_key'
const nameTaken = '_datatables_app_id_name_key'
const datasourceTaken = '_datasources_app_id_slug_key'
/** By what `tryPatterns` fails with. */
const patternProblems = new Map<string, string>([
  [sqlstates.invalidRegularExpression, 'is no regular expression for Postgres (which has no \\p, no flags inside, and at most 255 repetitions)'],
  [
    sqlstates.patternTooSlow,
    `takes Postgres longer than ${patternMsMax} ms, or with the other patterns longer than twice that: shorter repetitions, or none within others, make it quicker`,
  ],
])
