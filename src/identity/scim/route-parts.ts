/** The common parts of SCIM operations: their paths, their callers, and their answers. */
import { byDirectory } from '../../kernel/access/credentials.ts'
import { scimForm } from '../../kernel/http/dialects.ts'
import { scimError } from '../../kernel/http/openapi/bodies.ts'
import type { group } from './groups/schema.ts'
import { type Directory, scimAnswer } from './messages.ts'
import type { user } from './users/schema.ts'

/** The path prefix of a directory's operations. */
export const root = '/api/cloud/organizations/:organization/scim/v2'
/** The guards of every operation. */
export const common = { auth: byDirectory, dialect: scimForm } as const
/** The errors of operations that read. */
export const missing = { 404: scimError }
/** The errors of operations that write. */
export const changes = { 400: scimError, 404: scimError, 409: scimError }
/** Returns the answer with a resource that was created. */
export const created = <Of extends typeof user | typeof group>(body: Of) => ({
  ...scimAnswer(body),
  headers: ['Location'],
})
/** The common part of the descriptions of writes. */
export const ignoresOthers =
  'Attributes of RFC 7643 that the service does not store are ignored, and so are extensions.'

/** Returns the directory of a request. */
export const directoryOf = (organization: string, url: string): Directory => {
  const { origin, pathname } = new URL(url)
  return { organization, base: `${origin}${pathname.replace(/\/scim\/v2\/.*$/, '/scim/v2')}` }
}

/** Returns the header that names a resource. */
export const locationOf = ({ meta }: { meta?: { location?: string | undefined } | undefined }) => ({
  Location: meta?.location ?? '',
})
