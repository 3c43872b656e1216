/** Secret types: the schema of values and their sensitivity. Spec: Secret types; K1, K2. */
import type { RequestContext } from '../../kernel/context.ts'
import { requireCaller } from '../../kernel/db/entering.ts'
import { isViolationOf } from '../../kernel/db/failures.ts'
import { sql } from '../../kernel/db/sql.ts'
import { inTenant } from '../../kernel/db/tenant.ts'
import { forbidden } from '../../kernel/errors.ts'
import { requireSame } from '../../kernel/http/fixed-members.ts'
import { asItems, type ItemsPage, pageOf } from '../../kernel/http/lists/envelopes.ts'
import { everySecret, siteSlugOf, withFence } from '../entries/cache/with-fence.ts'
import { immutable, notFoundNamed } from '../errors.ts'
import { slugFor } from '../names.ts'
import type { Confirmation } from '../schema.ts'
import { systemType, typeExists, typeInUse } from './errors.ts'
import type { SecretType, TypeChange, TypeCreated, TypeDetail, TypeInput, TypesQuery } from './schema.ts'
import * as store from './store.ts'
import { asCreated, asDetail, asListItem, type TypeRow } from './views.ts'

/** Returns a page of types. */
export async function listTypes(
  ctx: RequestContext,
  url: string,
  query: TypesQuery,
): Promise<ItemsPage<SecretType>> {
  const types = await inTenant(ctx, 'read', store.selectTypes(query))
  return asItems(pageOf(types, url, store.list, query, asListItem))
}

/** Returns a type. Throws 404 if there is none with this slug. */
export async function readType(ctx: RequestContext, slug: string): Promise<TypeDetail> {
  const { type } = await inTenant(ctx, 'read', { type: store.selectType(slug) })
  return asDetail(found(type.first, slug))
}

/**
 * Creates a type. Throws 403 for a system type, unless a superuser creates it, and 400 if its name or slug is
 * taken.
 */
export async function createType(ctx: RequestContext, input: TypeInput): Promise<TypeCreated> {
  const slug = slugFor(input.name)
  const { userId } = requireCaller(ctx)
  const asService = {
    superuser: input.type === 'system' ? sql`select public.require_superuser(${userId})` : undefined,
  }
  const statements = { created: store.insertType(input, slug) }
  const { created } = await inTenant(ctx, 'write', statements, { asService }).catch(duplicateName(input.name))
  return asCreated(created.one)
}

/**
 * Changes a type. Its slug changes with its name. Throws 404 if there is none with this slug; 403 for a
 * system type, unless a superuser changes it; 400 for a field that cannot be changed, and if the new name or
 * slug is taken. K10.
 */
export async function changeType(ctx: RequestContext, slug: string, change: TypeChange): Promise<SecretType> {
  const newSlug = change.name === undefined ? null : slugFor(change.name)
  const same = requireSame(change, store.selectType(slug), {
    slug: (sent) => (sent === newSlug ? slug : sent),
  })
  const statements = {
    previous: store.selectType(slug),
    same,
    changed: store.updateType(slug, newSlug, change),
  }
  const asService = { caller: store.selectSuperuser(requireCaller(ctx).userId) }
  // Answers and caches contain secrets with the name of their type.
  const { caller, previous, changed } = await withFence(ctx, await siteSlugOf(ctx), [everySecret], () =>
    inTenant(ctx, 'write', statements, { asService }).catch(duplicateName(change.name)),
  )
  const type = found(previous.first, slug)
  if (type.type === 'system' && !caller.first?.is_superuser) throw forbidden()
  requireChangeable(type, change)
  return asListItem(changed.one)
}

/**
 * Deletes a type. Throws 404 if there is none with this slug, 400 for a system type and for a type in use.
 */
export async function deleteType(ctx: RequestContext, slug: string): Promise<Confirmation> {
  const statements = { previous: store.selectType(slug), deleted: store.deleteType(slug) }
  const { previous, deleted } = await inTenant(ctx, 'write', statements).catch((error: unknown) => {
    // A secret of the type was created between the two statements.
    throw isViolationOf(error, '_secrets_type_id_fkey') ? typeInUse(slug) : error
  })
  const type = found(previous.first, slug)
  if (type.type === 'system') throw systemType(type.name)
  if (!deleted.first) throw typeInUse(type.name)
  return { message: 'Secret type deleted', detail: `The secret type "${type.name}" has been deleted.` }
}

/** Throws the 400 for a change that names another type or sensitivity. K2. */
export function requireChangeable(row: TypeRow, change: TypeChange): void {
  for (const field of ['type', 'sensitivity_level'] as const) {
    const attempted = change[field]
    if (attempted !== undefined && attempted !== row[field]) throw immutable(field, row[field], attempted)
  }
}

/** Returns the row of a type. Throws 404 if there is none. */
export function found(row: TypeRow | undefined, slug: string): TypeRow {
  if (!row) throw notFoundNamed('Secret type', slug)
  return row
}

/** Creates a handler that throws the 400 for a taken name or slug, and rethrows any other error. */
const duplicateName =
  (name = '') =>
  (error: unknown): never => {
    throw isViolationOf(error, '_secret_types_name_key') || isViolationOf(error, '_secret_types_slug_key')
      ? typeExists(name)
      : error
  }
