/** The SQL of the keys of directories. */

import type { scimKeys } from '../../../../drizzle/platform/directories.ts'
import { columnsOf, of } from '../../../kernel/db/columns.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { type List, type ListQuery, selectPage } from '../../../kernel/http/lists/list.ts'
import { organizationId } from '../../organizations/service.ts'
import { listForm } from './schema.ts'

const k = of<typeof scimKeys>('k')

const columns = columnsOf(k('id', 'name', 'prefix', 'created_by'), k.times('created_at', 'last_used_at'))

export const list: List<typeof listForm> = {
  ...listForm,
  columns: {
    id: sql`k.id`,
    name: sql`k.name`,
    created_at: sql`k.created_at`,
    last_used_at: { nullable: sql`k.last_used_at` },
  },
  last: sql`k.id`,
  texts: [sql`k.name`, sql`k.prefix`],
}

const isOf = (slug: string): Sql => sql`k.organization_id = ${organizationId(slug)}`

/** Selects a page of the keys of an organization. */
export const selectKeys = (slug: string, query: ListQuery) =>
  selectPage(list, query, { columns, from: sql`public.scim_keys k`, where: [isOf(slug)] })

/** Adds a key. Fails if the organization has the maximum number of keys. */
export const addKey = (
  slug: string,
  creatorId: number,
  name: string,
  prefix: string,
  hash: string,
): Sql => sql`
  select public.add_scim_key(${organizationId(slug)}, ${creatorId}, ${name}, ${prefix}, ${hash})`

export const selectKey = (hash: string) =>
  sql`select ${columns} from public.scim_keys k where k.hash = ${hash}`

/** Deletes a key of an organization. Returns no row if there is none. */
export const deleteKey = (slug: string, id: number) => sql<{ id: number }>`
  delete from public.scim_keys k where k.id = ${id} and ${isOf(slug)} returning k.id`
