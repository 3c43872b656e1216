/** …/scim/v2/ServiceProviderConfig, …/ResourceTypes, …/Schemas: the supported features of SCIM. RFC 7644. */
import { type Route, route } from '../../kernel/http/route.ts'
import { configuration, resourceType, schema } from './discovery/schema.ts'
import {
  listResourceTypes,
  listSchemas,
  readConfiguration,
  readResourceType,
  readSchema,
} from './discovery/service.ts'
import { listOf, scimAnswer } from './messages.ts'
import { common, directoryOf, missing, root } from './route-parts.ts'

export const scimDiscoveryRoutes: readonly Route[] = [
  route({
    ...common,
    id: 'getScimConfig',
    summary: 'Read the supported SCIM features',
    description: 'Returns the parts of the protocol that the service supports.',
    method: 'GET',
    path: `${root}/ServiceProviderConfig`,
    answers: { 200: scimAnswer(configuration), ...missing },
    handle: async ({ ctx, params, url }) => ({
      200: await readConfiguration(ctx, directoryOf(params.organization, url)),
    }),
  }),
  route({
    ...common,
    id: 'listScimResourceTypes',
    summary: 'List the types of SCIM resources',
    description: 'Lists users and groups, with their paths and schemas.',
    method: 'GET',
    path: `${root}/ResourceTypes`,
    answers: { 200: scimAnswer(listOf(resourceType)), ...missing },
    handle: async ({ ctx, params, url }) => ({
      200: await listResourceTypes(ctx, directoryOf(params.organization, url)),
    }),
  }),
  route({
    ...common,
    id: 'getScimResourceType',
    summary: 'Read a type of SCIM resources',
    description: 'Returns the path and the schemas of one type.',
    method: 'GET',
    path: `${root}/ResourceTypes/:resource_type`,
    answers: { 200: scimAnswer(resourceType), ...missing },
    handle: async ({ ctx, params, url }) => ({
      200: await readResourceType(ctx, directoryOf(params.organization, url), params.resource_type),
    }),
  }),
  route({
    ...common,
    id: 'listScimSchemas',
    summary: 'List the schemas of SCIM resources',
    description: 'Lists the attributes of users and groups.',
    method: 'GET',
    path: `${root}/Schemas`,
    answers: { 200: scimAnswer(listOf(schema)), ...missing },
    handle: async ({ ctx, params, url }) => ({
      200: await listSchemas(ctx, directoryOf(params.organization, url)),
    }),
  }),
  route({
    ...common,
    id: 'getScimSchema',
    summary: 'Read a schema of SCIM resources',
    description: 'Returns the attributes of one kind of resource. Its id is a URN.',
    method: 'GET',
    path: `${root}/Schemas/:schema`,
    answers: { 200: scimAnswer(schema), ...missing },
    handle: async ({ ctx, params, url }) => ({
      200: await readSchema(ctx, directoryOf(params.organization, url), params.schema),
    }),
  }),
]
