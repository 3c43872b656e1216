/** The catalog as an API key with scopes sees it. X1. */
import type { RequestContext } from '../../kernel/context.ts'
import { knownScopes } from '../../kernel/db/known-scopes.ts'
import { type Ability, isAllowed, type KnownScopes, ScopeMissing } from '../../kernel/scopes.ts'
import type { RelationshipGraph, Relationships } from '../model/relationships.ts'
import type { Table } from '../model/table.ts'

/** The parts of a catalog that depend on scopes. */
interface Scoped {
  app: { slug: string }
  relationships: RelationshipGraph
  /** Omitted: the request has no API key with scopes. */
  scopes?: CatalogScopes
}

/** The scopes of the request's API key, and the access that the operation needs to its table. */
export interface CatalogScopes {
  known: KnownScopes
  needed: readonly Ability[]
}

/** By catalog and scopes, so that requests share the same objects. */
const narrowed = new WeakMap<object, WeakMap<KnownScopes, RelationshipGraph>>()

/**
 * Returns the catalog with only the relationships that lead to tables that the request's API key may read.
 * Returns the catalog itself if the request has no key, or one whose scopes are not known: Postgres then
 * refuses the statements.
 */
export function scopedCatalog<Catalog extends Scoped>(ctx: RequestContext, catalog: Catalog): Catalog {
  const known = knownScopes(ctx)
  if (!known) return catalog
  const graphs = narrowed.get(catalog) ?? new WeakMap<KnownScopes, RelationshipGraph>()
  narrowed.set(catalog, graphs)
  const relationships = graphs.get(known) ?? readableRelationships(catalog, known)
  graphs.set(known, relationships)
  return withScopes(ctx, { ...catalog, relationships })
}

/** Returns what was found with the scopes of the request's API key, which statements are planned for. */
export function withScopes<Found extends object>(
  ctx: RequestContext,
  found: Found,
): Found & { scopes?: CatalogScopes } {
  const known = knownScopes(ctx)
  return known ? { ...found, scopes: { known, needed: ctx.keyUse.scoped ?? [] } } : found
}

/** Returns the relationships that lead to tables that the scopes allow to read. */
export function readableRelationships(
  { app, relationships }: Scoped,
  { scopes }: KnownScopes,
): RelationshipGraph {
  const isReadable = ({ name }: Table) => isAllowed(scopes, app.slug, name, 'read')
  const readable = ({ byName, all }: Relationships): Relationships => {
    const kept = new Set(
      all.filter(({ target, junction }) => isReadable(target) && (!junction || isReadable(junction.table))),
    )
    return {
      byName: new Map([...byName].filter(([, one]) => kept.has(one.aliasOf ?? one))),
      all: [...kept],
    }
  }
  return new Map([...relationships].map(([table, of]) => [table, readable(of)]))
}

/**
 * Tells whether errors may tell the request about another table than that of the operation: not if its API
 * key may not read that table.
 */
export const mayLearnOf = ({ app, scopes }: Omit<Scoped, 'relationships'>, table: string): boolean =>
  scopes === undefined || isAllowed(scopes.known.scopes, app.slug, table, 'read')

/** Throws 403, which names the scope, if the request's API key lacks one that it needs for a table. */
export function requireScopes({ app, scopes }: Scoped, table: string, needed = scopes?.needed ?? []): void {
  const missing = needed.find(
    (ability) => scopes && !isAllowed(scopes.known.scopes, app.slug, table, ability),
  )
  if (missing) throw new ScopeMissing(app.slug, table, missing)
}
