/** The people as whom a site can be shown. */
import { queryOptions } from '@tanstack/react-query'
import { service } from '../../session/client.ts'

const pageSize = 100

/** A person of a site. */
export interface Viewer {
  id: number
  name: string
}

/**
 * The people of a site, the newest first: members, and everybody who has signed up there or used it. Those
 * whom the organization may not know by name have their number as a name.
 */
export const viewersQuery = (site: string) =>
  queryOptions({
    queryKey: [site, 'viewers'],
    async queryFn({ signal }): Promise<Viewer[]> {
      const { data } = await service.sites.people(site).list({ pageSize, ordering: ['-since'], signal })
      return data.map(({ user, full_name, username }) => ({
        id: user,
        name: full_name || username || `#${user}`,
      }))
    },
  })
