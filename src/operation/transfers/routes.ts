/** The operations of transfers: copies, exports and imports of sites. */
import * as z from 'zod'
import { signedIn } from '../../kernel/access/credentials.ts'
import { notFound } from '../../kernel/errors.ts'
import { attachment } from '../../kernel/http/attachment.ts'
import { detail, errorDetail } from '../../kernel/http/openapi/bodies.ts'
import { parseId } from '../../kernel/http/params.ts'
import { PreparedResponse, type Route, route } from '../../kernel/http/route.ts'
import { openArchive } from './archive/download.ts'
import { newCopy, newExport, newImport, newPart, transfer } from './schema.ts'
import {
  cancelTransfer,
  copySite,
  exportSite,
  importSite,
  readTransfer,
  startImport,
  uploadPart,
} from './service.ts'

const archive = z.string().meta({ format: 'binary', description: 'A zip file.' })

/**
 * Returns the number of a part. Parts are numbered from 0. For a text that is not a number, returns a number
 * that no part has.
 */
function partNumber(text: string): number {
  const number = text === '0' ? 0 : parseId(text)
  if (number >= partsMax) throw notFound()
  return number
}

const partsMax = 100_000

/** The 403 is also for an account without the second factor that the site or its organization requires. */
const denied = { 403: detail, 404: detail }
const beginErrors = { ...denied, 409: detail, 422: errorDetail }

export const transferRoutes: readonly Route[] = [
  route({
    id: 'copySite',
    summary: 'Copy a site',
    description:
      'For owners and admins of the organization. Creates a site with the apps, tables, access rules, ' +
      'functions and subscriptions of another site, and optionally with its records and ' +
      'secrets. A job does this step by step; the site answers when the transfer is done. An ' +
      'account with a ' +
      'second factor needs a recent sign-in.',
    method: 'POST',
    path: '/api/cloud/sites/:site/copy',
    auth: signedIn,
    body: newCopy,
    answers: { 202: transfer, ...beginErrors },
    handle: async ({ ctx, params, body }) => ({ 202: await copySite(ctx, params.site, body) }),
  }),
  route({
    id: 'exportSite',
    summary: 'Export a site',
    description:
      'For callers with `admin_site`. Writes the apps, tables, access rules, functions, ' +
      'subscriptions, records and edges of a site into one archive, and its secrets, encrypted with a ' +
      'public key. A job does this step by step. An account with a second factor needs a recent ' +
      'sign-in.',
    method: 'POST',
    path: '/api/cloud/sites/:site/exports',
    auth: signedIn,
    body: newExport,
    answers: { 202: transfer, ...beginErrors },
    handle: async ({ ctx, params, body }) => ({ 202: await exportSite(ctx, params.site, body) }),
  }),
  route({
    id: 'importSite',
    summary: 'Import a site',
    description:
      'For owners and admins. Begins to create a site from an archive. Send the archive in parts, then ' +
      'start the import. An account with a second factor needs a recent sign-in.',
    method: 'POST',
    path: '/api/cloud/organizations/:organization/imports',
    auth: signedIn,
    body: newImport,
    answers: { 202: transfer, ...denied, 422: errorDetail },
    handle: async ({ ctx, params, body }) => ({ 202: await importSite(ctx, params.organization, body) }),
  }),
  route({
    id: 'uploadTransferPart',
    summary: 'Send a part of an archive',
    description:
      'Stores a part of the archive of an import, for the account that began it. A part that is ' +
      'sent again replaces the earlier part ' +
      'with the same number.',
    method: 'PUT',
    path: '/api/cloud/transfers/:transfer/parts/:part',
    auth: signedIn,
    body: newPart,
    answers: { 200: transfer, ...denied, 409: detail, 422: errorDetail },
    handle: async ({ ctx, params, body }) => ({
      200: await uploadPart(ctx, params.transfer, partNumber(params.part), body),
    }),
  }),
  route({
    id: 'startTransfer',
    summary: 'Start an import',
    description:
      'Begins to create the site from the archive, in the name of the account that began the import. A ' +
      'job first compares the archive with its digests, and then creates the site step by step.',
    method: 'POST',
    path: '/api/cloud/transfers/:transfer/start',
    auth: signedIn,
    answers: { 202: transfer, ...denied, 409: detail, 422: detail },
    handle: async ({ ctx, params }) => ({ 202: await startImport(ctx, params.transfer) }),
  }),
  route({
    id: 'downloadTransferArchive',
    summary: 'Download an archive',
    description: 'Returns the archive of a completed export, as a stream. It is a zip file.',
    method: 'GET',
    path: '/api/cloud/transfers/:transfer/archive',
    auth: signedIn,
    answers: {
      200: {
        body: archive,
        mediaType: 'application/zip',
        example: 'The bytes of a zip file.',
        headers: ['Content-Disposition'],
      },
      ...denied,
      409: detail,
    },
    handle: async ({ ctx, params, c }) => {
      const { name, body } = await openArchive(ctx, params.transfer)
      const headers = { 'Content-Type': 'application/zip', 'Content-Disposition': attachment(name) }
      return new PreparedResponse(200, c.body(body, 200, headers))
    },
  }),
  route({
    id: 'getTransfer',
    summary: 'Read a transfer',
    description:
      'Returns the state of a copy, an export or an import. For the account that began it, and for ' +
      'owners and admins ' +
      'of the organization.',
    method: 'GET',
    path: '/api/cloud/transfers/:transfer',
    auth: signedIn,
    answers: { 200: transfer, ...denied },
    handle: async ({ ctx, params }) => ({ 200: await readTransfer(ctx, params.transfer) }),
  }),
  route({
    id: 'cancelTransfer',
    summary: 'Cancel a transfer',
    description: 'Cancels a running transfer. Its unfinished site is erased, and its archive is deleted.',
    method: 'DELETE',
    path: '/api/cloud/transfers/:transfer',
    auth: signedIn,
    answers: { 200: transfer, ...denied, 409: detail },
    handle: async ({ ctx, params }) => ({ 200: await cancelTransfer(ctx, params.transfer) }),
  }),
]
