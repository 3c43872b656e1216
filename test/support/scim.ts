/** The directory of an organization, controlled by a test. */
import type { Site, TestApp, User } from './app.ts'

export interface Directory {
  /** The base URL of SCIM. */
  base: string
  key: string
  keyId: number
  /** Sends a request with the key. */
  call(method: string, path: string, body?: unknown): ReturnType<TestApp['request']>
}

/** Creates a SCIM key for the organization of a site, as one of its managers. */
export async function createDirectory(app: TestApp, site: Site, by: User = site.owner): Promise<Directory> {
  const organization = `/api/cloud/organizations/${site.slug}-org`
  const { body } = await app.request('POST', `${organization}/scim-keys/`, {
    token: by.token,
    body: { name: 'Okta' },
  })
  const base = `${organization}/scim/v2`
  return {
    base,
    key: body.key,
    keyId: body.id,
    call: (method, path, sent) =>
      app.request(method, `${base}${path}`, {
        token: body.key,
        ...(sent === undefined
          ? {}
          : { body: sent, headers: { 'content-type': 'application/scim+json; charset=utf-8' } }),
      }),
  }
}

export const schemas = {
  user: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  group: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
  list: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  patch: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  error: ['urn:ietf:params:scim:api:messages:2.0:Error'],
}

/** Returns an error in the SCIM format. */
export const scimError = (status: number, detail: unknown, scimType?: string) => ({
  schemas: schemas.error,
  status: String(status),
  ...(scimType === undefined ? {} : { scimType }),
  detail,
})

/** Returns the body of a PATCH. */
export const patch = (...Operations: object[]) => ({ schemas: schemas.patch, Operations })
