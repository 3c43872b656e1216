/** Restores tables whose records are in MongoDB. */
import type { RequestContext } from '../../../kernel/context.ts'
import { planOf, withCatalog } from '../../catalog/catalog.ts'
import type { Catalog } from '../../catalog/load-catalog.ts'
import { bringBack } from '../../datatables/collections.ts'
import { missingMessage } from '../../failures/errors.ts'
import { referencesOf } from '../../model/relationships.ts'
import type { Table } from '../../model/table.ts'
import { ask } from '../../providers/mongodb/ask.ts'
import { isInMongodb } from '../../providers/mongodb/capabilities.ts'
import { type ConnectionRow, connectionOf } from '../../providers/mongodb/elsewhere.ts'
import { referenceForms } from '../../providers/mongodb/key-forms.ts'
import { asideOf, outgoingKeys } from './aside.ts'
import { cannotBeRestored } from './errors.ts'

/**
 * Throws 422 if records of a deleted table reference records that were deleted in the meantime. Postgres
 * finds them when it adds the keys again.
 */
export async function requireTargets(
  ctx: RequestContext,
  app: string,
  tables: readonly Table[],
): Promise<void> {
  const concerned = tables.filter(
    (table) => isInMongodb(table) && table.isMaterialized && outgoingKeys(table).length > 0,
  )
  for (const table of concerned)
    await withCatalog(ctx, app, 'read', (catalog) => {
      const own = outgoingKeys(table).map(({ fields }) => fields.join())
      const references = referencesOf(table, catalog.tables).filter(({ columns }) =>
        own.includes(columns.join()),
      )
      return planOf({
        statements: { reach: connectionOf(catalog.app.id, table.datasource.slug ?? '') },
        async finish({ reach }) {
          const keys = referenceForms(asideOf(catalog.siteId, table), references, 'all')
          const { keys: found } = await ask(ctx, reach.one, { ask: 'dangling', keys })
          const [first] = found.flatMap((place) => references[place] ?? [])
          if (first)
            throw cannotBeRestored(table.name, [
              missingMessage(first.columns, first.target.name).slice(0, -1),
            ])
        },
      })
    })
}

/** Gives the collections of restored tables their names again. Throws as `ask` does. */
export async function nameAgain(
  ctx: RequestContext,
  { siteId, tables: others }: Pick<Catalog, 'siteId' | 'tables'>,
  to: ConnectionRow,
  tables: readonly Table[],
): Promise<void> {
  const all = new Map([...others, ...tables.map((table) => [table.name, table] as const)])
  for (const table of tables) await ask(ctx, to, bringBack(siteId, table, all))
}
