/**
 * The SCIM messages that do not belong to a single kind of resource: errors, lists, changes, and query
 * strings. RFC 7644.
 */
import * as z from 'zod'
import { count } from '../../kernel/http/openapi/bodies.ts'

/** The names of schemas and messages. RFC 7643 §10, RFC 7644 §8.2. */
export const urn = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  configuration: 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig',
  resourceType: 'urn:ietf:params:scim:schemas:core:2.0:ResourceType',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:Schema',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
} as const

/** The media type of bodies. JSON is accepted, too. */
const scimType = 'application/scim+json'

/** Declares the body of an answer. */
export const scimAnswer = <Body extends z.ZodType>(body: Body) => ({ body, mediaType: scimType })

/** Returns the schema for the names of schemas in an answer. */
export const schemasOf = (name: string) =>
  z.array(z.string()).describe(`The names of the schemas: \`${name}\`.`)

/** The metadata of a resource. */
export const meta = z
  .object({
    resourceType: z.string().describe('The type of the resource.'),
    created: z.string().optional().meta({ format: 'date-time', description: 'When it was created.' }),
    lastModified: z.string().optional().meta({ format: 'date-time', description: 'When it last changed.' }),
    location: z.string().meta({ format: 'uri', description: 'Its URL.' }),
  })
  .describe('The metadata of the resource.')

/** Returns the schema of a page of a list. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    schemas: schemasOf(urn.list),
    totalResults: count.describe('The number of resources on all pages.'),
    startIndex: z.int().min(1).describe('The place of the first resource of this page, from 1.'),
    itemsPerPage: count.describe('The number of resources of this page.'),
    Resources: z.array(item).describe('The resources of this page.'),
  })

/** The maximum number of resources on a page. */
export const pageMax = 200
const pageDefault = 100

const wholeNumber = z
  .string()
  .regex(/^-?\d{1,9}$/, 'A whole number is required.')
  .transform(Number)

const selection = {
  attributes: z
    .string()
    .optional()
    .describe('The attributes of the answer, separated by commas. Default: all.'),
  excludedAttributes: z
    .string()
    .optional()
    .describe('Attributes that the answer leaves out, separated by commas.'),
}

/** The query parameters of one resource. RFC 7644 §3.9. */
export const resourceQuery = z.object(selection)
export type Selection = z.output<typeof resourceQuery>

/** The query parameters of a list. RFC 7644 §3.4.2. */
export const resourcesQuery = z.object({
  ...selection,
  filter: z
    .string()
    .optional()
    .describe('A condition, for example `userName eq "ada@example.org" and active eq true`.'),
  startIndex: wholeNumber
    .transform((place) => Math.max(1, place))
    .default(1)
    .meta({ description: 'The place of the first resource, from 1.' }),
  count: wholeNumber
    .transform((number) => Math.min(pageMax, Math.max(0, number)))
    .default(pageDefault)
    .meta({ description: `How many resources the page has at most. More than ${pageMax} count as that.` }),
  sortBy: z.string().optional().describe('The attribute to sort by, for example `name.familyName`.'),
  sortOrder: z.enum(['ascending', 'descending']).default('ascending').describe('The order of `sortBy`.'),
})
export type ResourcesQuery = z.output<typeof resourcesQuery>

/** Returns the page of a list. */
export const pageOf = <Item>(
  { startIndex }: Pick<ResourcesQuery, 'startIndex'>,
  totalResults: number,
  resources: readonly Item[],
) => ({
  schemas: [urn.list],
  totalResults,
  startIndex,
  itemsPerPage: resources.length,
  Resources: [...resources],
})

/** The directory of a request: the organization's slug, and the URL of SCIM. */
export interface Directory {
  organization: string
  base: string
}
