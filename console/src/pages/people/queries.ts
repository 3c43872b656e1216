/** The requests of the people page. */
import { queryOptions } from '@tanstack/react-query'
import type { Invitation } from '../../../../client/src/site/invitations.ts'
import { organizationPath } from '../../../../client/src/site/organizations.ts'
import { service } from '../../session/client.ts'
import type { EnterableSite } from '../../session/queries.ts'

const pageSize = 100

/** A site that the caller may enter, with its organization. */
export const siteEntryQuery = (site: string) =>
  queryOptions({
    queryKey: [site, 'entry'],
    async queryFn({ signal }) {
      const { results } = await service.request<{ results: EnterableSite[] }>({
        path: '/api/cloud/sites/',
        query: { page_size: pageSize, search: site },
        signal,
      })
      return results.find(({ slug }) => slug === site) ?? null
    },
  })

export const membersQuery = (organization: string) =>
  queryOptions({
    queryKey: ['organizations', organization, 'members'],
    queryFn: ({ signal }) => service.organizations.members(organization).list({ pageSize, signal }),
  })

/** The invitations of an organization that were not accepted yet. */
export const invitationsQuery = (organization: string) =>
  queryOptions({
    queryKey: ['organizations', organization, 'invitations'],
    queryFn: ({ signal }) =>
      service.request<{ results: Pick<Invitation, 'uuid' | 'invitee_identifier'>[] }>({
        path: `${organizationPath(organization)}invitations/`,
        query: { invitee__is_active: false, page_size: pageSize },
        signal,
      }),
  })

/** The permissions and the roles of a person in a site. */
export const permissionsQuery = (site: string, user: number) =>
  queryOptions({
    queryKey: [site, 'permissions', user],
    async queryFn({ signal }) {
      const granted = service.sites.permissions(site)
      const [permissions, roles] = await Promise.all([
        granted.get(user, { signal }),
        granted.roles(user, { signal }),
      ])
      return { permissions, roles }
    },
  })

/** The roles that people can have in a site. */
export const rolesQuery = (site: string) =>
  queryOptions({
    queryKey: [site, 'roles'],
    queryFn: async ({ signal }) => (await service.sites.roles(site).list({ signal })).data,
  })
