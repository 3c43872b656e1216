/** The people as whom a site can be shown. */
import { queryOptions } from '@tanstack/react-query'
import { queryClient, service } from '../../session/client.ts'
import { siteEntryQuery } from '../people/queries.ts'

const pageSize = 100

/** A person of the organization of a site. */
export interface Viewer {
  id: number
  name: string
}

/** The members of the organization of a site. Superusers are excluded, because nobody can see as them. */
export const viewersQuery = (site: string) =>
  queryOptions({
    queryKey: [site, 'viewers'],
    async queryFn({ signal }): Promise<Viewer[]> {
      const entry = await queryClient.fetchQuery(siteEntryQuery(site))
      if (!entry) return []
      const { data } = await service.organizations.members(entry.organization.slug).list({ pageSize, signal })
      return data.map(({ user: { id, full_name, username } }) => ({ id, name: full_name || username }))
    },
  })
