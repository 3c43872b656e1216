/** The site whose settings are shown. */
import { queryOptions } from '@tanstack/react-query'
import { queryClient, service } from '../../session/client.ts'

/** The site, by its slug. */
export const siteQuery = (site: string) =>
  queryOptions({
    queryKey: [site, 'settings'],
    queryFn: ({ signal }) => service.sites.get(site, { signal }),
  })

/** Loads the data that shows the site again. */
export async function readSiteAgain(site: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: siteQuery(site).queryKey })
  await queryClient.invalidateQueries({ queryKey: ['sites'] })
}
