/** What the deletion of an app or a datasource takes away from others. D18. */
import * as z from 'zod'
import { booleanParam } from '../../kernel/http/params.ts'
import { containerReferenced } from './errors.ts'
import type { Catalog } from './load-catalog.ts'

/** The query parameters of such a deletion. */
export const deletionQuery = z.object({
  force: booleanParam
    .default(false)
    .describe('`true` deletes it even if tables outside reference its tables. They cannot be read then.'),
})

/** Throws 409 if tables of other apps reference tables of the app. */
export function requireNoneOutsideApp({ app, dependents }: Catalog): void {
  const others = dependents.filter(({ name }) => name.includes('/')).map(({ name }) => name)
  if (others.length > 0) throw containerReferenced('app', app.slug, distinct(others))
}

/** Throws 409 if tables outside of a datasource reference its tables. */
export function requireNoneOutsideDatasource({ tables, dependents }: Catalog, slug: string): void {
  const isInside = (name: string) => tables.get(name)?.datasource.slug === slug
  const own = [...tables.values()].filter(
    ({ name, source, schema }) =>
      !source && !isInside(name) && schema.foreignKeys?.some(({ reference }) => isInside(reference.resource)),
  )
  const others = [...own, ...dependents.filter(({ on }) => isInside(on))].map(({ name }) => name)
  if (others.length > 0) throw containerReferenced('datasource', slug, distinct(others))
}

const distinct = (names: readonly string[]): string[] => [...new Set(names)].sort()
