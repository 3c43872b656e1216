/**
 * …/scim/v2/Me and /Bulk: optional parts of RFC 7644 that the service does not support answer 501 (§3.7,
 * §3.11).
 */
import type { RequestContext } from '../../kernel/context.ts'
import { asDirectory } from '../../kernel/db/platform.ts'
import { scimError } from '../../kernel/http/openapi/bodies.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { noBulk, noMe } from './errors.ts'
import { common, root } from './route-parts.ts'

/** Answers every caller with a key of the organization. */
async function refuse(ctx: RequestContext, organization: string, error: () => Error): Promise<never> {
  await asDirectory(ctx, organization, {})
  throw error()
}

const unsupported = (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  id: string,
  { path, summary, error }: { path: 'Me' | 'Bulk'; summary: string; error: () => Error },
): Route =>
  route({
    ...common,
    id,
    summary,
    description: 'Not supported: returns 501. RFC 7644 makes it optional.',
    method,
    path: `${root}/${path}`,
    answers: { 404: scimError, 501: scimError },
    handle: ({ ctx, params }) => refuse(ctx, params.organization, error),
  })

const me = { path: 'Me', error: noMe } as const

export const unsupportedScimRoutes: readonly Route[] = [
  unsupported('GET', 'getScimMe', { ...me, summary: 'Read the user of the SCIM key (not supported)' }),
  unsupported('POST', 'createScimMe', { ...me, summary: 'Create the user of the SCIM key' }),
  unsupported('PUT', 'replaceScimMe', { ...me, summary: 'Replace the user of the SCIM key' }),
  unsupported('PATCH', 'updateScimMe', { ...me, summary: 'Change the user of the SCIM key' }),
  unsupported('DELETE', 'deleteScimMe', { ...me, summary: 'Delete the user of the SCIM key' }),
  unsupported('POST', 'bulkScim', { path: 'Bulk', error: noBulk, summary: 'Several SCIM requests at once' }),
]
