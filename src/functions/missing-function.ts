/** Tells which part of the path of a function is not there. */
import type { RequestContext } from '../context.ts'
import { inTenant } from '../db/tenant.ts'
import type { AppError } from '../errors.ts'
import { functionNotFound } from './errors.ts'
import { selectApp } from './store.ts'

/** Returns the 404 for a function that was not found, after looking whether its app exists. */
export async function missingFunction(ctx: RequestContext, app: string, slug: string): Promise<AppError> {
  const answers = await inTenant(ctx, 'read', { app: selectApp(app) })
  return functionNotFound(slug, app, answers.app.first !== undefined)
}
