/** The statements on the people of a site: public.people_of. */

import { enteredCallerId } from '../../../../kernel/db/caller.ts'
import { computed } from '../../../../kernel/db/columns.ts'
import { isoTimestamp } from '../../../../kernel/db/iso-timestamp.ts'
import { type Sql, sql } from '../../../../kernel/db/sql.ts'
import { type List, selectPage } from '../../../../kernel/http/lists/list.ts'
import { siteId } from '../store.ts'
import { listForm, type PeopleQuery, type Person } from './schema.ts'

/** A person as the statements select it: the name in two parts. */
export interface PersonRow extends Omit<Person, 'full_name'> {
  first_name: string | null
  last_name: string | null
}

/** Returns what the organization may know of the account only if it has dealt with the person. */
const known = (value: Sql) => sql`case when p.is_known then ${value} end`
const username = known(sql`u.username`)
const email = known(sql`public.shown_address(u.email)`)
const firstName = known(sql`u.first_name`)
const lastName = known(sql`u.last_name`)

const columns = computed<PersonRow>({
  user: sql`p.user_id`,
  username,
  email,
  first_name: firstName,
  last_name: lastName,
  kind: sql`p.kind`,
  joined_by: sql`p.joined_by`,
  role: sql`p.role`,
  permissions: sql`to_json(p.permissions)`,
  roles: sql`to_json(p.roles)`,
  since: isoTimestamp(sql`p.since`),
  blocked: sql`p.blocked`,
})

export const list: List<typeof listForm> = {
  ...listForm,
  columns: { since: sql`p.since`, kind: sql`p.kind`, username },
  last: sql`p.user_id`,
  texts: [username, email, firstName, lastName],
}

/** Selects a page of the people of a site. */
export const selectPeople = (site: string, query: PeopleQuery) =>
  selectPage(list, query, {
    columns,
    from: sql`public.people_of(${siteId(site)}) p join public.users u on u.id = p.user_id`,
    where: query.kind === undefined ? [] : [sql`p.kind = ${query.kind}`],
  })

/** Ends what makes a person one of the site, and says whether the site keeps it out: public.end_person. */
export const endPerson = (site: string, userId: number, blocks: boolean) => sql<{ id: number | null }>`
  select public.end_person(${siteId(site)}, ${userId}, ${enteredCallerId}, ${blocks}) as id`
