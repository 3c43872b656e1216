/** Tags: names that secrets are found by. Spec: Tags; K8. */
import type { RequestContext } from '../../context.ts'
import { isViolationOf } from '../../db/failures.ts'
import { inTenant, signedIn } from '../../db/tenant.ts'
import { type Bare, bareOf } from '../../http/lists/envelopes.ts'
import { changing, everySecret, siteOf } from '../cache/changing.ts'
import { notFoundNamed } from '../errors.ts'
import { slugFor } from '../names.ts'
import type { Done } from '../schema.ts'
import { inVault } from '../vault/service.ts'
import { tagExists } from './errors.ts'
import type { Tag, TagChange, TagInput, TagsQuery } from './schema.ts'
import * as store from './store.ts'

export async function listTags(ctx: RequestContext, query: TagsQuery): Promise<Bare<Tag>> {
  const { results } = await inTenant(ctx, 'read', store.selectTags(query))
  return bareOf(results, (tag: Tag) => tag)
}

export async function readTag(ctx: RequestContext, slug: string): Promise<Tag> {
  const { tag } = await inTenant(ctx, 'read', { tag: store.selectTag(slug) })
  return found(tag.first, slug)
}

export async function createTag(ctx: RequestContext, input: TagInput): Promise<Tag> {
  const { made } = await inTenant(ctx, 'write', { made: store.insertTag(input, slugFor(input.name)) }).catch(refuseTaken(input.name))
  return made.one
}

/** The slug follows the name; the secrets that have the tag show its new one. */
export async function changeTag(ctx: RequestContext, slug: string, change: TagChange): Promise<Tag> {
  const newSlug = change.name === undefined ? null : slugFor(change.name)
  const { changed } = await changing(ctx, await siteOf(ctx), [everySecret], () =>
    inTenant(ctx, 'write', { changed: store.updateTag(slug, newSlug, change) }).catch(refuseTaken(change.name)),
  )
  return found(changed.first, slug)
}

export async function deleteTag(ctx: RequestContext, slug: string): Promise<Done> {
  const { results } = await changing(ctx, await siteOf(ctx), [everySecret], () =>
    inVault(ctx, 'write', { deleted: store.deleteTag(signedIn(ctx).userId, slug) }),
  )
  const { name } = found(results.deleted.first, slug)
  return { message: 'Tag deleted', detail: `The tag "${name}" has been deleted, and removed from all secrets.` }
}

function found(row: Tag | undefined, slug: string): Tag {
  if (!row) throw notFoundNamed('Tag', slug)
  return row
}

const refuseTaken =
  (name = '') =>
  (error: unknown): never => {
    throw isViolationOf(error, '_tags_name_key') || isViolationOf(error, '_tags_slug_key') ? tagExists(name) : error
  }
