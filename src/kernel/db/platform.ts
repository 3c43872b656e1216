/** Runs batches on tables of the platform, after Postgres has checked the role of the caller. */
import type { RequestContext } from '../context.ts'
import { type AppError, notFound, partNotFound } from '../errors.ts'
import type { Permission } from '../permissions.ts'
import type { Batch, BatchRows } from './batch.ts'
import { callerOf } from './caller.ts'
import { asRequestError, graceMs, type Mode, requireCaller, timeoutMs } from './entering.ts'
import { type Sql, sql } from './sql.ts'

/** Runs statements on tables of the platform for a signed-in caller. */
export const onPlatform = entry<[]>('write', (caller) => sql`public.enter_platform(${caller})`)

/**
 * Runs statements on tables of the platform for callers who manage accounts: owners and admins of
 * organizations, and superusers.
 */
export const asManager = entry<[]>('write', (caller) => sql`public.enter_managers(${caller})`)

/**
 * Runs statements on tables of the platform for members of an organization with one of the roles, and
 * superusers.
 */
export const inOrganization = entry<[slug: string, roles: readonly string[]]>(
  'schema',
  (caller, slug, roles) => sql`public.enter_organization(${caller}, ${slug}, ${roles})`,
  // A statement that looks for a part of the organization names its kind in the detail of its error.
  (part, slug) =>
    part === undefined
      ? partNotFound('organization', slug, '')
      : notFound(`There is no such ${part} in the organization.`),
)

/**
 * Runs statements that manage a site, on tables of the platform, for callers with a permission in it. Null:
 * for anyone with any role or permission in the site.
 */
export const inSiteManagement = entry<[slug: string, permission: Permission | null]>(
  'write',
  (caller, slug, permission) => sql`public.enter_site(${caller}, ${slug}, ${permission})`,
  (_part, slug) => partNotFound('site', slug, ''),
)

/**
 * Runs statements on tables of the platform, of which the first one checks the caller itself, for example
 * public.set_site_state. `missing` is the error if it finds nothing.
 */
export async function asOwner<Of extends Batch>(
  ctx: RequestContext,
  missing: AppError,
  statements: Of,
): Promise<BatchRows<Of>> {
  return enterAndRun(ctx, 'write', sql`public.note_caller(${callerOf(ctx)})`, statements, () => missing)
}

/** Runs statements that manage the tenant of the request, like `inSiteManagement`. */
export async function inTenantSiteManagement<Of extends Batch>(
  ctx: RequestContext,
  permission: Permission | null,
  statements: Of,
): Promise<BatchRows<Of>> {
  const site = sql`public.site_at(${ctx.tenant.host}, ${ctx.tenant.slug})`
  return enterAndRun(
    ctx,
    'write',
    sql`public.enter_site(${callerOf(ctx)}, ${site}, ${permission})`,
    statements,
  )
}

/**
 * Runs statements on tables of the platform for anyone, signed in or not. The statements themselves check
 * permissions.
 */
export async function asAnonymous<Of extends Batch>(
  ctx: RequestContext,
  mode: Mode,
  statements: Of,
): Promise<BatchRows<Of>> {
  return runAfter(ctx, mode, sql`public.note_caller(${callerOf(ctx)})`, statements)
}

/** Runs statements on tables of the platform for the directory of an organization, by its key. */
export async function asDirectory<Of extends Batch>(
  ctx: RequestContext,
  slug: string,
  statements: Of,
): Promise<BatchRows<Of>> {
  const enter = sql`public.enter_scim(${slug}, ${ctx.directoryKeyHash}, ${callerOf(ctx)})`
  return runAfter(ctx, 'write', enter, statements)
}

/**
 * A function that runs statements after a function of migrations/functions/entry has admitted the
 * caller.
 */
type Entry<Where extends unknown[]> = <Of extends Batch>(
  ctx: RequestContext,
  ...rest: [...Where, statements: Of]
) => Promise<BatchRows<Of>>

/** `missing` creates the 404 from the detail of the database's error and the arguments. */
function entry<Where extends unknown[]>(
  mode: Mode,
  enter: (caller: Sql, ...where: Where) => Sql,
  missing: (detail: string | undefined, ...where: Where) => AppError = () => notFound(),
): Entry<Where> {
  return <Of extends Batch>(ctx: RequestContext, ...rest: [...Where, statements: Of]) => {
    const where = rest.slice(0, -1) as Where
    const first = enter(callerOf(ctx), ...where)
    return enterAndRun(ctx, mode, first, rest.at(-1) as Of, (detail) => missing(detail, ...where))
  }
}

async function enterAndRun<Of extends Batch>(
  ctx: RequestContext,
  mode: Mode,
  enter: Sql,
  statements: Of,
  missing?: (detail?: string) => AppError,
): Promise<BatchRows<Of>> {
  requireCaller(ctx)
  return runAfter(ctx, mode, enter, statements, missing)
}

/**
 * Runs statements of the platform as one transaction that begins with `first`. `missing` creates the error if
 * `first` finds nothing.
 */
async function runAfter<Of extends Batch>(
  ctx: RequestContext,
  mode: Mode,
  first: Sql,
  statements: Of,
  missing?: (detail?: string) => AppError,
): Promise<BatchRows<Of>> {
  const notes = mode === 'read' ? undefined : ctx.afterCommit.selectNotes
  try {
    const answers = await ctx.database.batch(
      { _first: sql`select ${first}`, ...statements, _notes: notes },
      timeoutMs[mode] + graceMs,
    )
    const { _notes }: BatchRows<{ _notes: typeof notes }> = answers
    if (_notes.first) await ctx.afterCommit.handle(ctx, _notes.first)
    return answers
  } catch (error) {
    throw asRequestError(error, missing)
  }
}
