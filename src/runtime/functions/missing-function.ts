/** Finds out which part of a function's path does not exist. */
import type { RequestContext } from '../../kernel/context.ts'
import { inTenant } from '../../kernel/db/tenant.ts'
import type { AppError } from '../../kernel/errors.ts'
import { functionNotFound } from './errors.ts'
import { selectApp } from './store.ts'

/** Returns the 404 for a function that was not found. It depends on whether the app exists. */
export async function missingFunction(ctx: RequestContext, app: string, slug: string): Promise<AppError> {
  const answers = await inTenant(ctx, 'read', { app: selectApp(app) })
  return functionNotFound(slug, app, answers.app.first !== undefined)
}
