/**
 * The history of secrets. It outlives the secret and never contains values. Spec: Secret history record; K7.
 */

import type { RequestContext } from '../../kernel/context.ts'
import { inTenant } from '../../kernel/db/tenant.ts'
import { boundedRangeOf } from '../../kernel/http/lists/range.ts'
import { secretNotFound } from '../errors.ts'
import { requireApp, selectApp } from '../levels.ts'
import type { HistoryQuery, SecretHistory } from './schema.ts'
import { list, selectHistory } from './store.ts'

/** Returns a page of the history of a key. Throws 404 for an unknown app or key. */
export async function readHistory(
  ctx: RequestContext,
  key: string,
  query: HistoryQuery,
): Promise<SecretHistory> {
  const app = query.app || null
  const { limit, offset } = boundedRangeOf(query, list)
  const statements = { history: selectHistory(key, app, query), app: selectApp(app) }
  const answers = await inTenant(ctx, 'read', statements)
  requireApp(app, answers.app)
  const row = answers.history.first
  if (!row) throw secretNotFound(key, app)
  return {
    key,
    app: row.app,
    results: row.results,
    total_count: row.total_count,
    limit,
    offset,
    has_next: offset + limit < row.total_count,
    has_previous: offset > 0,
  }
}
