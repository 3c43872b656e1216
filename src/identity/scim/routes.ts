/** …/scim/v2: SCIM 2.0 for the directory of an organization. RFC 7644. */
import type { Route } from '../../kernel/http/route.ts'
import { scimDiscoveryRoutes } from './discovery-routes.ts'
import { scimGroupRoutes } from './group-routes.ts'
import { scimUserRoutes } from './user-routes.ts'

export const scimRoutes: readonly Route[] = [...scimDiscoveryRoutes, ...scimUserRoutes, ...scimGroupRoutes]
