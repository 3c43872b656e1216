/** Tells those who follow lists which tables a write may change. */
import type { RequestContext } from '../../../kernel/context.ts'
import { followedKeys } from '../../catalog/inbound-keys.ts'
import type { Target } from './target.ts'

/**
 * Notes a target of a write: its table, and those that its foreign keys change with it. They are found only
 * if somebody follows lists of the site. A guest's catalog does not have the keys of other tables, so its
 * changes may be of any table.
 */
export function noteWritten(ctx: RequestContext, { catalog, table }: Target, isCreation: boolean): void {
  ctx.writes ??= []
  ctx.writes.push(() => {
    if (isCreation) return [table.physicalName]
    if (catalog.standing) return null
    return [table.physicalName, ...followedKeys(catalog, table).map((key) => key.table.physicalName)]
  })
}
