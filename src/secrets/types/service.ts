/** Secret types: what a secret's value has to be, and who may read it. Spec: Secret types; K1, K2. */
import type { RequestContext } from '../../context.ts'
import { isViolationOf } from '../../db/failures.ts'
import { sql } from '../../db/sql.ts'
import { inTenant, signedIn } from '../../db/tenant.ts'
import { forbidden } from '../../errors.ts'
import { asItems, type ItemsPage, pageOf } from '../../http/lists/envelopes.ts'
import { changing, everySecret, siteOf } from '../cache/changing.ts'
import { immutable, notFoundNamed } from '../errors.ts'
import { slugFor } from '../names.ts'
import type { Done } from '../schema.ts'
import { systemType, typeExists, typeInUse } from './errors.ts'
import type { SecretType, TypeChange, TypeCreated, TypeDetail, TypeInput, TypesQuery } from './schema.ts'
import * as store from './store.ts'
import { asCreated, asDetail, asListItem, type TypeRow } from './views.ts'

export async function listTypes(ctx: RequestContext, url: string, query: TypesQuery): Promise<ItemsPage<SecretType>> {
  const { results } = await inTenant(ctx, 'read', store.selectTypes(query))
  return asItems(pageOf(results, url, store.list, query, asListItem))
}

export async function readType(ctx: RequestContext, slug: string): Promise<TypeDetail> {
  const { type } = await inTenant(ctx, 'read', { type: store.selectType(slug) })
  return asDetail(found(type.first, slug))
}

/** Only superusers make types that cannot be deleted. */
export async function createType(ctx: RequestContext, input: TypeInput): Promise<TypeCreated> {
  const slug = slugFor(input.name)
  const asService = { allowed: input.type === 'system' ? sql`select public.require_superuser(${signedIn(ctx).userId})` : undefined }
  const { made } = await inTenant(ctx, 'write', { made: store.insertType(input, slug) }, { asService }).catch(refuseTaken(input.name))
  return asCreated(made.one)
}

/** The slug follows the name. System types are changed by superusers alone. K10. */
export async function changeType(ctx: RequestContext, slug: string, change: TypeChange): Promise<SecretType> {
  const newSlug = change.name === undefined ? null : slugFor(change.name)
  const { caller, present, changed } = await changing(ctx, await siteOf(ctx), [everySecret], () => {
    const statements = { present: store.selectType(slug), changed: store.updateType(slug, newSlug, change) }
    const asService = { caller: store.noteSuperuser(signedIn(ctx).userId) }
    return inTenant(ctx, 'write', statements, { asService }).catch(refuseTaken(change.name))
  })
  const type = found(present.first, slug)
  if (type.type === 'system' && !caller.first?.is_superuser) throw forbidden()
  refuseOther(type, change)
  return asListItem(changed.one)
}

export async function deleteType(ctx: RequestContext, slug: string): Promise<Done> {
  const statements = { present: store.selectType(slug), deleted: store.deleteType(slug) }
  const { present, deleted } = await inTenant(ctx, 'write', statements).catch(refuseUsed)
  const type = found(present.first, slug)
  if (type.type === 'system') throw systemType(type.name)
  if (!deleted.first) throw typeInUse(type.name)
  return { message: 'Secret type deleted', detail: `The secret type "${type.name}" has been deleted.` }

  /** A secret of the type came between looking and deleting. */
  function refuseUsed(error: unknown): never {
    throw isViolationOf(error, '_secrets_type_id_fkey') ? typeInUse(slug) : error
  }
}

/** K2: what a change may name, but not change. */
export function refuseOther(row: TypeRow, change: TypeChange): void {
  for (const field of ['type', 'sensitivity_level'] as const) {
    const attempted = change[field]
    if (attempted !== undefined && attempted !== row[field]) throw immutable(field, row[field], attempted)
  }
}

export function found(row: TypeRow | undefined, slug: string): TypeRow {
  if (!row) throw notFoundNamed('Secret type', slug)
  return row
}

const refuseTaken =
  (name = '') =>
  (error: unknown): never => {
    throw isViolationOf(error, '_secret_types_name_key') || isViolationOf(error, '_secret_types_slug_key') ? typeExists(name) : error
  }
