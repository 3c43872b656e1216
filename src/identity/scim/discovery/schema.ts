/** The bodies that describe the supported features. RFC 7643 §5–7. */
import * as z from 'zod'
import { meta, schemasOf, urn } from '../messages.ts'

const support = z.object({ supported: z.boolean().describe('Whether the service supports it.') })

/** The supported features, in an answer. */
export const configuration = z
  .object({
    schemas: schemasOf(urn.configuration),
    documentationUri: z.string().meta({ format: 'uri', description: 'The guide.' }),
    patch: support.describe('Changes by PATCH.'),
    bulk: support
      .extend({
        maxOperations: z.int().describe('The maximum number of operations per request.'),
        maxPayloadSize: z.int().describe('The largest body, in bytes.'),
      })
      .describe('Several changes in one request.'),
    filter: support
      .extend({ maxResults: z.int().describe('The maximum number of resources per page.') })
      .describe('Filters.'),
    changePassword: support.describe('Changes of passwords.'),
    sort: support.describe('Orders.'),
    etag: support.describe('Versions of resources.'),
    authenticationSchemes: z
      .array(
        z.object({
          type: z.string().describe('The kind.'),
          name: z.string().describe('The name.'),
          description: z.string().describe('A description.'),
          primary: z.boolean().describe('Whether it is the preferred scheme.'),
        }),
      )
      .describe('How requests authenticate.'),
    meta,
  })
  .meta({ id: 'ScimServiceProviderConfig', description: 'The SCIM features that the service supports.' })

/** A type of resources in an answer. */
export const resourceType = z
  .object({
    schemas: schemasOf(urn.resourceType),
    id: z.string().describe('The name of the type.'),
    name: z.string().describe('The name of the type.'),
    endpoint: z.string().describe('The path of the resources, below the URL of SCIM.'),
    description: z.string().describe('A description.'),
    schema: z.string().describe('The name of the schema.'),
    meta,
  })
  .meta({ id: 'ScimResourceType', description: 'A type of SCIM resources.' })

const simpleAttribute = z.object({
  name: z.string().describe('The name.'),
  type: z.string().describe('The type.'),
  multiValued: z.boolean().describe('Whether it has several values.'),
  description: z.string().describe('A description.'),
  required: z.boolean().describe('Whether it is required.'),
  caseExact: z.boolean().describe('Whether upper and lower case differ in comparisons.'),
  mutability: z.string().describe('`readOnly` or `readWrite`.'),
  returned: z.string().describe('When answers contain it.'),
  uniqueness: z.string().describe('`server` if no two resources have the same value.'),
})

/** A schema in an answer. */
export const schema = z
  .object({
    schemas: schemasOf(urn.schema),
    id: z.string().describe('The name of the schema.'),
    name: z.string().describe('The name of the type of resources.'),
    description: z.string().describe('A description.'),
    attributes: z
      .array(
        simpleAttribute.extend({ subAttributes: z.array(simpleAttribute).optional().describe('Its parts.') }),
      )
      .describe('The attributes.'),
    meta,
  })
  .meta({ id: 'ScimSchema', description: 'The attributes of a type of SCIM resources.' })
