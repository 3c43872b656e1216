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
  const { results } = await inTenant(ctx, 'read', [store.selectType(slug)])
  return asDetail(found(results.row<TypeRow>(), slug))
}

/** Only superusers make types that cannot be deleted. */
export async function createType(ctx: RequestContext, input: TypeInput): Promise<TypeCreated> {
  const slug = slugFor(input.name)
  const guards = input.type === 'system' ? [sql`select public.require_superuser(${signedIn(ctx).userId})`] : []
  const { results } = await inTenant(ctx, 'write', [store.insertType(input, slug)], undefined, guards).catch(refuseTaken(input.name))
  return asCreated(results.one<TypeRow>())
}

/** The slug follows the name. System types are changed by superusers alone. K10. */
export async function changeType(ctx: RequestContext, slug: string, change: TypeChange): Promise<SecretType> {
  const newSlug = change.name === undefined ? null : slugFor(change.name)
  const { before, results } = await changing(ctx, await siteOf(ctx), [everySecret], () => {
    const statements = [store.selectType(slug), store.updateType(slug, newSlug, change)]
    return inTenant(ctx, 'write', statements, undefined, [store.noteSuperuser(signedIn(ctx).userId)]).catch(refuseTaken(change.name))
  })
  const type = found(results.row<TypeRow>(0), slug)
  if (type.type === 'system' && !before.row<{ is_superuser: boolean }>()?.is_superuser) throw forbidden()
  refuseOther(type, change)
  return asListItem(results.one<TypeRow>(1))
}

export async function deleteType(ctx: RequestContext, slug: string): Promise<Done> {
  const { results } = await inTenant(ctx, 'write', [store.selectType(slug), store.deleteType(slug)]).catch(refuseUsed)
  const type = found(results.row<TypeRow>(0), slug)
  if (type.type === 'system') throw systemType(type.name)
  if (!results.row(1)) throw typeInUse(type.name)
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
