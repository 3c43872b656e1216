/** The caller of an explanation: what Postgres knows about a user, a group, a role or anyone. */
import { DatabaseFailure, sqlstates } from '../../kernel/db/failures.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import { invalidFields } from '../../kernel/errors.ts'
import { readStanding, type Standing } from '../../kernel/standing.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import type { AccessQuestion, Explanation } from './schema.ts'

/** A caller whose access is explained. */
export interface ExplainedCaller {
  /** The properties of a guest that access rules use. Undefined: the caller has `access_site`. */
  standing: Standing | undefined
  /** Whether the caller may write without any rule, because of `change_site`. */
  mayChange: boolean
}

/**
 * Returns the statement after which `tessera.claims()` returns the caller of the explanation. The service's
 * role runs it.
 */
export function explainAs({ siteId }: Catalog, { as }: AccessQuestion): Sql {
  const user = 'user' in as ? as.user : null
  return sql`select public.explain_as(${siteId}, ${user}, ${'group' in as ? as.group : null},
    ${'role' in as ? as.role : null})`
}

/** The column that `readCaller` reads. */
export const callerColumn = sql`tessera.claims()::text as caller`

/** Reads the column. */
export function readCaller(text: string): ExplainedCaller {
  const { may_change: mayChange } = JSON.parse(text) as { may_change?: boolean }
  if (mayChange !== undefined) return { standing: undefined, mayChange }
  const standing = readStanding(text)
  return { standing, mayChange: standing?.permissions.includes('change_site') ?? false }
}

/** Returns a standing in the form of explanations. */
export const asStanding = ({ signedIn, user, groups, permissions, roles }: Standing) => ({
  signed_in: signedIn,
  user,
  groups: [...groups],
  permissions: [...permissions] as NonNullable<Explanation['standing']>['permissions'],
  roles: [...roles],
})

/** Returns the error for a failure of `explainAs`: 400 for a caller who does not belong to the site. */
export function callerError(failure: unknown, { as }: AccessQuestion): unknown {
  if (!(failure instanceof DatabaseFailure) || failure.sqlstate !== sqlstates.noSuchPerson) return failure
  return invalidFields({ as: [missing(as)] })
}

function missing(as: AccessQuestion['as']): string {
  if ('user' in as) return `The site has no person with the id ${as.user}.`
  if ('role' in as) return `The site has no role ${JSON.stringify(as.role)}.`
  return `The organization of the site has no group ${JSON.stringify('group' in as ? as.group : '')}.`
}
