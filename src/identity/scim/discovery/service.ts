/** Describes the supported features: the configuration, the types of resources, and their attributes. */
import type { RequestContext } from '../../../kernel/context.ts'
import { asDirectory } from '../../../kernel/db/platform.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { found } from '../../../kernel/errors.ts'
import type { Attribute } from '../attributes.ts'
import { groupAttributes } from '../groups/attributes.ts'
import { type Directory, pageMax, pageOf, urn } from '../messages.ts'
import { userAttributes } from '../users/attributes.ts'

const types = [
  { name: 'User', endpoint: '/Users', schema: urn.user, description: 'A user', attributes: userAttributes },
  {
    name: 'Group',
    endpoint: '/Groups',
    schema: urn.group,
    description: 'A group',
    attributes: groupAttributes,
  },
] as const

const whole = { startIndex: 1 }

/** Checks the key of a request that reads no other data. */
const requireDirectory = (ctx: RequestContext, { organization }: Directory) =>
  asDirectory(ctx, organization, {})

/** Returns the supported features. */
export async function readConfiguration(ctx: RequestContext, directory: Directory) {
  await requireDirectory(ctx, directory)
  return {
    schemas: [urn.configuration],
    documentationUri: `${new URL(directory.base).origin}/docs/guide/scim/`,
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: pageMax },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: false },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Key of the organization',
        description: 'A key from scim-keys/, in the header Authorization: Bearer.',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${directory.base}/ServiceProviderConfig` },
  }
}

export async function listResourceTypes(ctx: RequestContext, directory: Directory) {
  await requireDirectory(ctx, directory)
  return pageOf(whole, types.length, resourceTypesOf(directory))
}

/** Returns a type of resources. Throws 404 for an unknown name. */
export async function readResourceType(ctx: RequestContext, directory: Directory, name: string) {
  await requireDirectory(ctx, directory)
  return found(resourceTypesOf(directory).find(({ id }) => id === name))
}

export async function listSchemas(ctx: RequestContext, directory: Directory) {
  await requireDirectory(ctx, directory)
  return pageOf(whole, types.length, scimSchemasOf(directory))
}

/** Returns a schema. Throws 404 for an unknown name. */
export async function readSchema(ctx: RequestContext, directory: Directory, name: string) {
  await requireDirectory(ctx, directory)
  return found(scimSchemasOf(directory).find(({ id }) => id === name))
}

const resourceTypesOf = ({ base }: Directory) =>
  types.map(({ name, endpoint, schema, description }) => ({
    schemas: [urn.resourceType],
    id: name,
    name,
    endpoint,
    description: `${description} of the organization.`,
    schema,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  }))

const scimSchemasOf = ({ base }: Directory) =>
  types.map(({ name, schema, description, attributes }) => ({
    schemas: [urn.schema],
    id: schema,
    name,
    description: `${description} of the organization.`,
    attributes: attributes(sql`null`)
      .filter(({ isCommon }) => !isCommon)
      .map((attribute) => ({
        ...described(attribute),
        ...(attribute.parts ? { subAttributes: attribute.parts.map(described) } : {}),
      })),
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema}` },
  }))

const described = ({ name, type, description, ...is }: Attribute) => ({
  name,
  type,
  multiValued: is.isMultiValued ?? false,
  description,
  required: is.isRequired ?? false,
  caseExact: is.isCaseExact ?? false,
  mutability: is.isReadOnly ? 'readOnly' : 'readWrite',
  returned: 'default',
  uniqueness: is.isUnique ? 'server' : 'none',
})
