/** The people of a site: who belongs to it, and by what. X2. */
import type { RequestContext } from '../../../../kernel/context.ts'
import { inSiteManagement } from '../../../../kernel/db/platform.ts'
import { found } from '../../../../kernel/errors.ts'
import { type Page, pageOf } from '../../../../kernel/http/lists/envelopes.ts'
import { fullName } from '../../../../kernel/lib/full-name.ts'
import type { PeopleQuery, Person } from './schema.ts'
import * as store from './store.ts'

/** Lists the people of a site. Throws 403 without `manage_site_users`, 404 if the site does not exist. */
export async function listPeople(
  ctx: RequestContext,
  site: string,
  url: string,
  query: PeopleQuery,
): Promise<Page<Person>> {
  const answers = await inSiteManagement(ctx, site, 'manage_site_users', store.selectPeople(site, query))
  return pageOf(answers, url, store.list, query, asPerson)
}

/**
 * Ends that an account belongs to a site by a sign-up or a provider, and says whether the site keeps the
 * person out from now on. Throws 403 without `manage_site_users`, for members and holders of permissions, and
 * for a person of a higher rank; 404 if the account is no person of the site.
 */
export async function endPerson(
  ctx: RequestContext,
  site: string,
  userId: number,
  blocks: boolean,
): Promise<void> {
  const { ended } = await inSiteManagement(ctx, site, 'manage_site_users', {
    ended: store.endPerson(site, userId, blocks),
  })
  found(ended.one.id ?? undefined)
}

const asPerson = ({ first_name, last_name, ...person }: store.PersonRow): Person => ({
  ...person,
  full_name: first_name === null ? null : fullName({ first_name, last_name: last_name ?? '' }),
})
