/** The access rules of an app, which apply to several of its tables. X2. */
import type { RequestContext } from '../../kernel/context.ts'
import { requireCaller } from '../../kernel/db/entering.ts'
import { sql } from '../../kernel/db/sql.ts'
import { AppError, invalidFields } from '../../kernel/errors.ts'
import { namesTag } from '../../kernel/http/entity-tags.ts'
import { canonicalJson } from '../../kernel/lib/canonical-json.ts'
import { sha256 } from '../../kernel/lib/sha256.ts'
import { planOf, withCatalog } from '../catalog/catalog.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import { appRuleProblems } from '../datatables/draft.ts'
import { wayOut } from '../guests/planned-rules.ts'
import { remakeViews } from '../guests/remake.ts'
import { type AccessReport, reportOf } from '../guests/report.ts'
import type { AppRule } from '../model/access.ts'
import { takesAppRules, withAppRules } from '../model/app-rules.ts'
import { rulesNaming } from '../model/named-tables.ts'
import { relationshipGraph } from '../model/relationships.ts'
import type { Table } from '../model/table.ts'
import { retryOnLock } from './retry-on-lock.ts'
import { shortLockTimeout } from './store.ts'

/** The rules of an app, what the rules of all its tables allow, and the hash of the rules of the app. */
export interface AppAccess extends AccessReport {
  rules: AppRule[]
  hash: string
}

const accessOf = (catalog: Catalog): AppAccess => ({
  rules: [...catalog.app.rules],
  ...reportOf(catalog),
  hash: sha256(canonicalJson(catalog.app.rules)),
})

/** Reads the rules of an app, with the report. Throws 404 if the app does not exist. */
export const readAppAccess = (ctx: RequestContext, app: string): Promise<AppAccess> =>
  withCatalog(ctx, app, 'read', (catalog) => planOf({ statements: {}, finish: () => accessOf(catalog) }))

/**
 * Replaces the rules of an app. A dry run only checks them. `ifMatch`: the tags of the rules that the client
 * has seen. Throws 400 for rules that do not fit a table to which they apply, 404 if the app does not exist,
 * and 412 for rules that the client has not seen.
 */
export const replaceAppAccess = (
  ctx: RequestContext,
  app: string,
  rules: readonly AppRule[],
  { isDry, ifMatch }: { isDry: boolean; ifMatch: string | undefined },
): Promise<AppAccess> =>
  retryOnLock(() =>
    withCatalog(ctx, app, 'schema', (catalog) => {
      const { hash } = accessOf(catalog)
      if (ifMatch !== undefined && !namesTag(ifMatch, hash)) throw rulesNotSeen(app)
      const after = withRules(catalog, rules)
      const problems = problemsOf(catalog, after, rules)
      if (problems.length > 0) throw invalidFields({ rules: problems })
      const made = [...after.tables.values()].filter(takesAppRules)
      const { dropped, created } = remade({ ...catalog, app: after.app }, made)
      const access = accessOf(after)
      return planOf({
        isDry,
        statements: { timeout: shortLockTimeout, dropped, app: update(ctx, catalog, rules), created },
        finish: () => access,
      })
    }),
  )

/** Returns the catalog as it is with other rules of the app. */
function withRules(catalog: Catalog, rules: readonly AppRule[]): Catalog {
  const tables = new Map([...catalog.tables].map(([name, table]) => [name, withAppRules(table, rules)]))
  return {
    ...catalog,
    app: { ...catalog.app, rules },
    tables,
    relationships: relationshipGraph(tables),
  }
}

/** Returns the problems of the rules, except those of their filters. */
function problemsOf({ app, tables }: Catalog, after: Catalog, rules: readonly AppRule[]): string[] {
  const names = rules.map(({ name }) => name)
  const repeated = names.filter((name, position) => names.indexOf(name) < position)
  // A rule may keep the name of a table whose datasource is inactive.
  const isKept = (table: string) => rulesNaming(app.rules, table).length > 0
  const missing = rules.flatMap((rule) =>
    (rule.tables === '*' ? [] : rule.tables)
      .filter((name) => {
        const table = tables.get(name)
        return table ? !takesAppRules(table) : !isKept(name)
      })
      .map((name) => `${rule.name}: there is no table ${JSON.stringify(name)} of the app that takes rules`),
  )
  return [
    ...repeated.map((name) => `there are two rules named ${JSON.stringify(name)}`),
    ...missing,
    ...[...after.tables.values()].flatMap(appRuleProblems),
  ]
}

/** Makes the views and functions of the tables again. Throws 400 for filters that do not fit a table. */
function remade(catalog: Catalog, made: readonly Table[]) {
  try {
    return remakeViews(catalog, { made })
  } catch (error) {
    const { json_schema: problems } =
      error instanceof AppError && error.status === 400 ? (error.body as { json_schema?: string[] }) : {}
    throw problems ? invalidFields({ rules: problems.filter((one) => one !== wayOut) }) : error
  }
}

const rulesNotSeen = (app: string): AppError =>
  new AppError(412, 'changed_meanwhile', {
    error: 'Precondition failed',
    detail: `The access rules of "${app}" are others than those that If-Match names. Read them again.`,
  })

const update = (ctx: RequestContext, { app }: Catalog, rules: readonly AppRule[]) => sql`
  update _apps set rules = ${JSON.stringify(rules)}::json, updated_at = now(),
                   modified_by = ${requireCaller(ctx).userId}
   where id = ${app.id} returning id`
