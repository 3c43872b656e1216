/** Makes the views and functions of guests again, when tables of an app have become active. */
import type { RequestContext } from '../../kernel/context.ts'
import { planOf, withCatalog } from '../catalog/catalog.ts'
import { remakeViews } from './remake.ts'

/**
 * Makes the views and functions of the tables that are active now. While a table was not, changes of other
 * tables made none for it: its views may be missing, or read a table that has been deleted meanwhile.
 */
export const remakeActive = (ctx: RequestContext, app: string): Promise<void> =>
  withCatalog(ctx, app, 'schema', (catalog) =>
    planOf({ statements: { ...remakeViews(catalog, {}) }, finish: () => undefined }),
  )
