/** Tags, with which clients find secrets. Spec: Tags; K8. */
import type { RequestContext } from '../../kernel/context.ts'
import { requireCaller } from '../../kernel/db/entering.ts'
import { isViolationOf } from '../../kernel/db/failures.ts'
import { inTenant } from '../../kernel/db/tenant.ts'
import { requireSame } from '../../kernel/http/fixed-members.ts'
import { type BareList, bareListOf } from '../../kernel/http/lists/envelopes.ts'
import { everySecret, siteSlugOf, withFence } from '../entries/cache/with-fence.ts'
import { notFoundNamed } from '../errors.ts'
import { slugFor } from '../names.ts'
import type { Confirmation } from '../schema.ts'
import { inTenantWithKeys } from '../tenant-keys/service.ts'
import { tagExists } from './errors.ts'
import type { Tag, TagChange, TagInput, TagsQuery } from './schema.ts'
import * as store from './store.ts'

/** Returns all tags, or a part of them. */
export async function listTags(ctx: RequestContext, query: TagsQuery): Promise<BareList<Tag>> {
  const tags = await inTenant(ctx, 'read', store.selectTags(query))
  return bareListOf(tags, (tag) => tag)
}

/** Returns a tag. Throws 404 if there is none with this slug. */
export async function readTag(ctx: RequestContext, slug: string): Promise<Tag> {
  const { tag } = await inTenant(ctx, 'read', { tag: store.selectTag(slug) })
  return found(tag.first, slug)
}

/** Creates a tag. Throws 400 if its name or slug is taken. */
export async function createTag(ctx: RequestContext, input: TagInput): Promise<Tag> {
  const statements = { created: store.insertTag(input, slugFor(input.name)) }
  const { created } = await inTenant(ctx, 'write', statements).catch(duplicateName(input.name))
  return created.one
}

/**
 * Changes a tag. Its slug changes with its name. Throws 404 if there is none with this slug, 400 if the new
 * name or slug is taken.
 */
export async function changeTag(ctx: RequestContext, slug: string, change: TagChange): Promise<Tag> {
  const newSlug = change.name === undefined ? null : slugFor(change.name)
  const same = requireSame(change, store.selectTag(slug), {
    slug: (sent) => (sent === newSlug ? slug : sent),
  })
  // Answers and caches contain secrets with the names of their tags.
  const { changed } = await withFence(ctx, await siteSlugOf(ctx), [everySecret], () =>
    inTenant(ctx, 'write', { same, changed: store.updateTag(slug, newSlug, change) }).catch(
      duplicateName(change.name),
    ),
  )
  return found(changed.first, slug)
}

/** Deletes a tag and removes it from all secrets. Throws 404 if there is none with this slug. */
export async function deleteTag(ctx: RequestContext, slug: string): Promise<Confirmation> {
  const { answers } = await withFence(ctx, await siteSlugOf(ctx), [everySecret], () =>
    inTenantWithKeys(ctx, 'write', { deleted: store.deleteTag(requireCaller(ctx).userId, slug) }),
  )
  const { name } = found(answers.deleted.first, slug)
  return {
    message: 'Tag deleted',
    detail: `The tag "${name}" has been deleted and removed from all secrets.`,
  }
}

function found(row: Tag | undefined, slug: string): Tag {
  if (!row) throw notFoundNamed('Tag', slug)
  return row
}

/** Creates a handler that throws the 400 for a taken name or slug, and rethrows any other error. */
const duplicateName =
  (name = '') =>
  (error: unknown): never => {
    throw isViolationOf(error, '_tags_name_key') || isViolationOf(error, '_tags_slug_key')
      ? tagExists(name)
      : error
  }
