/** Starts, reads and cancels transfers. */

import { managers } from '../../identity/organizations/service.ts'
import { createSiteIn, requireManager } from '../../identity/organizations/sites/service.ts'
import { seal } from '../../kernel/access/derived-keys.ts'
import { requireStepUp } from '../../kernel/access/fresh-sign-in.ts'
import type { RequestContext } from '../../kernel/context.ts'
import { callerOf } from '../../kernel/db/caller.ts'
import { requireCaller } from '../../kernel/db/entering.ts'
import { asOwner, inOrganization, inSiteManagement } from '../../kernel/db/platform.ts'
import { forbidden, invalidFields, notFound } from '../../kernel/errors.ts'
import { isUuid } from '../../kernel/lib/is-uuid.ts'
import { holdArchives } from './archive/parts.ts'
import { keyRule, readKey } from './archive/secret-box.ts'
import { openUploaded } from './archive/uploaded.ts'
import { readDirectory } from './archive/zip.ts'
import { eraseTarget } from './end.ts'
import { archiveTooLarge, beginError, wrongState } from './errors.ts'
import type { StepTransfer } from './job.ts'
import { keepDays, openMax, rememberDays } from './limits.ts'
import type { NewCopy, NewExport, NewImport, NewPart, Transfer } from './schema.ts'
import * as store from './store.ts'
import { asTransfer } from './views.ts'

/**
 * Starts a copy of a site in its organization. Only owners and admins may do this. Throws 400 if the slug is
 * taken, 403 for other callers, 404 if the site does not exist, 409 if it is deleted, 422 if it is too large
 * or too many transfers are running.
 */
export async function copySite(ctx: RequestContext, slug: string, input: NewCopy): Promise<Transfer> {
  requireStepUp(ctx)
  const { slug: target, name = target, ...options } = input
  const row = newTransfer(ctx, { kind: 'copy', state: 'running', site: slug, target, options })
  const bytesMax = ctx.config.TRANSFER_BYTES_MAX
  try {
    const { begun } = await inSiteManagement(ctx, slug, 'admin_site', {
      manager: requireManager(ctx, slug),
      room: store.requireRoom({ site: slug }, openMax, bytesMax),
      ...createSiteIn(ctx, { ofSite: slug }, { name, slug: target }),
      begun: store.beginTransfer(row, openMax, bytesMax),
    })
    queue(ctx, row.id)
    return asTransfer(begun.one)
  } catch (error) {
    throw beginError(error, target, bytesMax)
  }
}

/**
 * Starts an export of a site, for callers with `admin_site`. Throws 400 if the key is invalid, and otherwise
 * as `copySite` does.
 */
export async function exportSite(ctx: RequestContext, slug: string, input: NewExport): Promise<Transfer> {
  requireStepUp(ctx)
  const { rows, public_key } = input
  if (public_key !== undefined && !(await readKey('public', public_key)))
    throw invalidFields({ public_key: [keyRule('public')] })
  const options = {
    rows,
    secrets: public_key !== undefined,
    ...(public_key === undefined ? {} : { public_key }),
  }
  const row = newTransfer(ctx, { kind: 'export', state: 'running', site: slug, target: null, options })
  const bytesMax = ctx.config.TRANSFER_BYTES_MAX
  try {
    const { begun } = await inSiteManagement(ctx, slug, 'admin_site', {
      begun: store.beginTransfer(row, openMax, bytesMax),
    })
    queue(ctx, row.id)
    return asTransfer(begun.one)
  } catch (error) {
    throw beginError(error, slug, bytesMax)
  }
}

/**
 * Starts an import into a new site of an organization, and waits for the archive. Only owners and admins may
 * do this. Throws 400 if the slug is taken or the key is invalid, 403 for other callers, 404 if the
 * organization does not exist, 422 if too many transfers are running.
 */
export async function importSite(
  ctx: RequestContext,
  organization: string,
  input: NewImport,
): Promise<Transfer> {
  requireStepUp(ctx)
  const { slug, name = slug, private_key, activate } = input
  if (private_key !== undefined && !(await readKey('private', private_key)))
    throw invalidFields({ private_key: [keyRule('private')] })
  const options = { rows: true, secrets: private_key !== undefined, activate }
  const transfer = newTransfer(ctx, {
    kind: 'import',
    state: 'uploading',
    site: slug,
    target: slug,
    options,
    keepDays,
  })
  const sealed =
    private_key === undefined ? null : await seal(ctx.config, 'transfers', [transfer.id], private_key)
  const bytesMax = ctx.config.TRANSFER_BYTES_MAX
  try {
    const { begun } = await inOrganization(ctx, organization, managers, {
      room: store.requireRoom({ organization }, openMax, bytesMax),
      ...createSiteIn(ctx, organization, { name, slug }),
      begun: store.beginTransfer({ ...transfer, sealed }, openMax, bytesMax),
    })
    return asTransfer(begun.one)
  } catch (error) {
    throw beginError(error, slug, bytesMax)
  }
}

/**
 * Stores one part of the archive of an import. A part that is sent again replaces the part with the same
 * number. Only the account that began the import may send parts, because the site is created on its behalf.
 * Throws 403 for other accounts, 404 for those that may not know of the import, 409 if it does not wait for
 * an archive, 422 if the archive is too large, or if it exceeds the quota with other archives.
 */
export async function uploadPart(
  ctx: RequestContext,
  id: string,
  part: number,
  { content }: NewPart,
): Promise<Transfer> {
  const bytesMax = ctx.config.TRANSFER_BYTES_MAX
  const { userId } = requireCaller(ctx)
  const { transfer, own, uploaded, total } = await withTransfer(ctx, id, {
    own: store.lockOwn(id, userId),
    uploaded: store.uploadPart(id, userId, { part, content, bytesMax }),
    held: holdArchives({ config: ctx.config, id }),
    total: store.selectUploaded(id),
  })
  if (!own.one.is_own) throw forbidden()
  if (transfer.one.state !== 'uploading') throw wrongState('The transfer does not expect an archive.')
  if (!uploaded.first && total.one.bytes + content.length > bytesMax) throw archiveTooLarge(bytesMax)
  return asTransfer(transfer.one)
}

/**
 * Starts the creation of the site from the uploaded archive. Throws 403 for an account that did not start the
 * import, 409 if a part is missing or the creation has already started, 422 if it is no zip file.
 */
export async function startImport(ctx: RequestContext, id: string): Promise<Transfer> {
  const { userId } = requireCaller(ctx)
  const { complete } = await withTransfer(ctx, id, { complete: store.selectComplete(id, userId) })
  if (complete.first) {
    // The end of a zip file lists its files, so a file without it is refused before a job unpacks it.
    const { read, length } = await openUploaded(ctx.env, id)
    await readDirectory(read, length)
  }
  const { own, started, after } = await withTransfer(ctx, id, {
    own: store.lockOwn(id, userId),
    started: store.startImport(id, userId),
    after: store.selectTransfer(callerOf(ctx), id),
  })
  if (!own.one.is_own) throw forbidden()
  if (!started.first)
    throw wrongState(
      after.one.state === 'uploading'
        ? 'A part of the archive is missing.'
        : 'The transfer does not expect an archive.',
    )
  queue(ctx, id)
  return asTransfer(after.one)
}

/** Returns a transfer to callers who may know of it. Throws 404 for others. */
export async function readTransfer(ctx: RequestContext, id: string): Promise<Transfer> {
  const { transfer } = await withTransfer(ctx, id, {})
  return asTransfer(transfer.one)
}

/**
 * Cancels a running transfer and erases the site that it has created so far. Throws 409 if the transfer has
 * ended.
 */
export async function cancelTransfer(ctx: RequestContext, id: string): Promise<Transfer> {
  const { ended, after } = await withTransfer(ctx, id, {
    ended: store.endTransfer(id, 'cancelled', null, rememberDays),
    after: store.selectTransfer(callerOf(ctx), id),
  })
  if (!ended.first) throw wrongState('The transfer has ended already.')
  ctx.waitUntil(eraseTarget(ctx.env, ended.first.target_id))
  return asTransfer(after.one)
}

/** Runs statements for a transfer that the caller may know of. */
export async function withTransfer<Of extends Parameters<typeof asOwner>[2]>(
  ctx: RequestContext,
  id: string,
  statements: Of,
) {
  if (!isUuid(id)) throw notFound()
  return asOwner(ctx, notFound(), { transfer: store.selectTransfer(callerOf(ctx), id), ...statements })
}

interface TransferToBegin {
  kind: store.NewTransfer['kind']
  state: store.NewTransfer['state']
  site: string
  target: string | null
  options: object
  sealed?: string | null
  keepDays?: number
}

/** Returns the values of a new transfer of the caller. */
function newTransfer(
  ctx: RequestContext,
  { sealed = null, keepDays = rememberDays, ...transfer }: TransferToBegin,
): store.NewTransfer {
  const { userId, generation } = requireCaller(ctx)
  return { ...transfer, id: crypto.randomUUID(), sealed, keepDays, userId, generation }
}

/**
 * Queues the first turn. If the queue does not accept it, the scheduled task queues it within a minute or
 * two.
 */
function queue(ctx: RequestContext, transferId: string): void {
  const message: StepTransfer = { kind: 'step-transfer', transferId }
  ctx.waitUntil(ctx.env.JOBS.send(message).catch(() => undefined))
}
