/** Functions: what clients have run, by their own request or by events. E2. */
import type { RequestContext } from '../context.ts'
import { DatabaseFailure, isViolationOf } from '../db/failures.ts'
import { inTenant, signedIn } from '../db/tenant.ts'
import { found } from '../errors.ts'
import { offsetOf, type Page, type PageQuery, pageOf } from '../http/paging.ts'
import { slugOf } from '../lib/slug.ts'
import { functionExists, modeIsFixed, nameGivesNoSlug, unfitForMode } from './errors.ts'
import type { FunctionChange, FunctionInput, FunctionRecord } from './schema.ts'
import * as store from './store.ts'
import { asFunction, type FunctionRow } from './views.ts'

export { selectRunnables } from './store.ts'

export async function listFunctions(ctx: RequestContext, app: string, url: string, query: PageQuery): Promise<Page<FunctionRecord>> {
  const { results } = await inTenant(ctx, 'read', [
    store.selectApp(app),
    store.countFunctions(app),
    store.selectFunctions(app, query.page_size, offsetOf(query)),
  ])
  found(results.row(0))
  return pageOf(results.rest(), url, query, asFunction)
}

export async function readFunction(ctx: RequestContext, app: string, slug: string): Promise<FunctionRecord> {
  const { results } = await inTenant(ctx, 'read', [store.selectFunction(app, slug)])
  return asFunction(found(results.row<FunctionRow>()))
}

export async function createFunction(ctx: RequestContext, app: string, input: FunctionInput): Promise<FunctionRecord> {
  const slug = slugOf(input.name)
  if (!slug) throw nameGivesNoSlug()
  const { results } = await inTenant(ctx, 'write', [store.insertFunction(signedIn(ctx).userId, app, slug, input)]).catch(refuse(slug))
  return asFunction(found(results.row<FunctionRow>()))
}

export async function changeFunction(ctx: RequestContext, app: string, slug: string, change: FunctionChange): Promise<FunctionRecord> {
  const { results } = await inTenant(ctx, 'write', [store.updateFunction(signedIn(ctx).userId, app, slug, change)]).catch(refuse(slug))
  return asFunction(found(results.row<FunctionRow>()))
}

/** With its subscriptions; the history of its runs stays. */
export async function deleteFunction(ctx: RequestContext, app: string, slug: string): Promise<void> {
  const { results } = await inTenant(ctx, 'write', [store.deleteFunction(app, slug)])
  found(results.row())
}

const refuse =
  (slug: string) =>
  (error: unknown): never => {
    if (isViolationOf(error, '_functions_app_id_slug_key')) throw functionExists(slug)
    if (error instanceof DatabaseFailure && error.column === 'execution_mode') throw modeIsFixed()
    throw (error instanceof DatabaseFailure && unfitForMode(error.constraint)) || error
  }
