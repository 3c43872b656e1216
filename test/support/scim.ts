/** The directory of an organization, as a test plays it. */
import type { Site, TestApp, User } from './app.ts'

export interface Directory {
  /** The URL of SCIM. */
  base: string
  key: string
  keyId: number
  /** A request with the key. */
  call(method: string, path: string, body?: unknown): ReturnType<TestApp['request']>
}

/** Makes a key of the organization of a site by one of its managers. */
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

/** An error in the form of SCIM. */
export const scimError = (status: number, detail: unknown, scimType?: string) => ({
  schemas: schemas.error,
  status: String(status),
  ...(scimType === undefined ? {} : { scimType }),
  detail,
})

/** The body of a PATCH. */
export const patch = (...Operations: object[]) => ({ schemas: schemas.patch, Operations })
