/**
 * Changes the collection of a table in MongoDB around the transaction that changes its schema: before it,
 * what a write of either schema can bear, and after it the rest. A change that was interrupted is ended by
 * repeating it.
 */
import type { RequestContext } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { describeFailure, log } from '../../kernel/lib/log.ts'
import { planOf, withCatalog } from '../catalog/catalog.ts'
import { alterCollection, tidyCollection } from '../datatables/collections.ts'
import type { Table } from '../model/table.ts'
import { ask } from '../providers/mongodb/ask.ts'
import { hasOwnCollection } from '../providers/mongodb/capabilities.ts'
import type { Altered } from '../providers/mongodb/collection-forms.ts'
import { connectionOf } from '../providers/mongodb/elsewhere.ts'
import type { Ask } from '../providers/mongodb/wire.ts'
import { requireUnchanged, type SchemaChange } from './examine-change.ts'

type Question = Extract<Ask, { ask: 'alter' | 'tidy' | 'adopt' }>

/** How often a question is asked again before the client has to. */
const roundsMax = 3

const broken = (detail: string) =>
  new AppError(422, 'records_break_schema', { error: 'Records break the schema', detail })

/**
 * Asks the server until nothing is left to do, as part of the change `id`. Throws 422 if records do not fit,
 * or are too many for now, and 409 if another change of the collection is in progress.
 */
function askFor(
  ctx: RequestContext,
  { id, change }: { id: string; change: SchemaChange },
  table: Table,
  question: Question,
): Promise<void> {
  return withCatalog(ctx, change.path.app, 'read', (catalog) => {
    requireUnchanged(catalog, change.path, table)
    const lease = { change: id, catalog: catalog.catalogVersion }
    const asked = question.ask === 'adopt' ? question : { ...question, lease }
    return planOf({
      statements: { reach: connectionOf(catalog.app.id, table.datasource.slug ?? '') },
      async finish({ reach }) {
        for (let round = 0; round < roundsMax; round++) {
          const { isLeft, empty, repeated } = (await ask(ctx, reach.one, asked)) as Partial<Altered>
          if (empty) throw broken(`Some records have no value of ${empty.join(', ')}.`)
          if (repeated !== undefined)
            throw broken(`Some records have the same values in the unique index ${repeated}.`)
          if (!isLeft) return
        }
        throw new AppError(422, 'time_limit_exceeded', {
          error: 'Schema change too slow',
          detail: 'The collection has many documents. Send the request again: it continues where it ended.',
        })
      },
    })
  })
}

/** Makes a change of a table by `commit`, and that of its collection. Throws as that does, and 422. */
export async function changeCollection<Result>(
  ctx: RequestContext,
  change: SchemaChange,
  commit: () => Promise<Result>,
): Promise<Result> {
  const { siteId, before, after } = change
  const own = { id: crypto.randomUUID(), change }
  let result: Result
  try {
    await askFor(ctx, own, before, alterCollection(siteId, before, after))
    result = await commit()
  } catch (error) {
    if (hasOwnCollection(before))
      await askFor(ctx, own, before, tidyCollection(siteId, before, [])).catch((failure: unknown) =>
        log({ level: 'warn', collection: 'not restored', ...describeFailure(failure, false) }),
      )
    throw error
  }
  await tidyUp(ctx, change, own.id)
  return result
}

/** Leaves the collection of a changed table nothing but what its schema has. */
export async function tidyUp(
  ctx: RequestContext,
  change: SchemaChange,
  id: string = crypto.randomUUID(),
): Promise<void> {
  const { siteId, before, after } = change
  if (!hasOwnCollection(after)) return
  const gone = [...before.fields.keys()].filter((name) => !after.fields.has(name))
  await askFor(ctx, { id, change }, after, tidyCollection(siteId, after, gone))
}
