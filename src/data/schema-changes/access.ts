/** The access rules of a datatable. They are a part of its schema that is read and changed separately. */
import type { RequestContext } from '../../kernel/context.ts'
import { AppError, invalidFields } from '../../kernel/errors.ts'
import { planOf, withCatalog } from '../catalog/catalog.ts'
import { ownTableOf, type TablePath } from '../catalog/find-table.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import { type Advice, adviceOnNew } from '../guests/advice.ts'
import type { AccessSchema } from '../model/access.ts'
import type { Table } from '../model/table.ts'
import type { NewSchema } from './examine-change.ts'
import type { Changes } from './schema.ts'
import { updateSchema } from './service.ts'

type Path = TablePath & { table: string }

/** The rules of a table, and the hash of the schema that has them. */
export interface TableAccess {
  access: AccessSchema
  schemaHash: string
}

/** Reads the rules. Throws 404 for an unknown table, and 403 for a reference to a table of another app. */
export const readAccess = (ctx: RequestContext, path: Path): Promise<TableAccess> =>
  withCatalog(ctx, path.app, 'read', (catalog) => {
    const { schema, schemaHash } = ownTableOf(catalog, path)
    return planOf({ statements: {}, finish: () => ({ access: schema.access ?? noRules, schemaHash }) })
  })

const noRules: AccessSchema = { rules: [] }

/**
 * Replaces the rules, and returns advice on them. A dry run returns the steps. `ifMatch` contains the tags of
 * the schemas that the client has seen. Throws 400 for rules that do not fit the app, 404 and 403 as
 * `readAccess` does, 409 if the schema changes meanwhile, and 412 for a schema that the client has not seen.
 */
export async function replaceAccess(
  ctx: RequestContext,
  path: Path,
  access: AccessSchema,
  { isDry, ifMatch }: { isDry: boolean; ifMatch: string | undefined },
): Promise<(TableAccess | Changes) & { advice: Advice[] }> {
  let advice: Advice[] | undefined
  const advise = (catalog: Catalog, table: Table) => adviceOnNew(catalog, table, access)
  const schemaOf: NewSchema = (before, catalog) => {
    advice = advise(catalog, before)
    return { ...before.schema, access }
  }
  try {
    const options = { dry_run: isDry, allow_data_loss: false }
    const answer = await updateSchema(ctx, path, { input: {}, schemaOf }, options, ifMatch)
    // A repeated request does not plan the change, so the advice is made here.
    advice ??= await withCatalog(ctx, path.app, 'read', (catalog) =>
      planOf({ statements: {}, finish: () => advise(catalog, ownTableOf(catalog, path)) }),
    )
    if ('changes' in answer) return { ...answer, advice }
    return { access, schemaHash: answer.schema_hash, advice }
  } catch (error) {
    throw asRuleError(error)
  }
}

/** Reports the problems of a schema under the member of the body that caused them. */
function asRuleError(error: unknown): unknown {
  if (!(error instanceof AppError) || error.status !== 400) return error
  const { json_schema: problems } = error.body as { json_schema?: string[] }
  return problems
    ? invalidFields({ rules: problems.map((problem) => problem.replace(/^access\.rules/, '')) })
    : error
}
