/** The SQL of tags. */

import type { tags } from '../../../drizzle/tenant/secrets.ts'
import { of } from '../../kernel/db/columns.ts'
import { sql } from '../../kernel/db/sql.ts'
import { type List, type ListQuery, selectPage } from '../../kernel/http/lists/list.ts'
import { actor } from '../history/store.ts'
import { listForm, type TagChange, type TagInput } from './schema.ts'

const t = of<typeof tags>('t')

const columns = t('name', 'slug', 'description', 'color')

/** The list of tags. */
const list: List<typeof listForm> = {
  ...listForm,
  columns: {
    name: sql`t.name`,
    slug: sql`t.slug`,
  },
  last: sql`t.id`,
  texts: [sql`t.name`, sql`t.description`],
}

export const selectTags = (query: ListQuery) => selectPage(list, query, { columns, from: sql`_tags t` })

export const selectTag = (slug: string) => sql`select ${columns} from _tags t where t.slug = ${slug}`

export const insertTag = ({ name, description, color }: TagInput, slug: string) => sql`
  insert into _tags as t (name, slug, description, color)
  values (${name}, ${slug}, ${description}, ${color}) returning ${columns}`

/** Updates a tag. Null and undefined leave a column unchanged. Returns no row if there is no such tag. */
export const updateTag = (
  slug: string,
  newSlug: string | null,
  { name, description, color }: TagChange,
) => sql`
  update _tags t
     set name = coalesce(${name ?? null}, t.name), slug = coalesce(${newSlug}, t.slug),
         description = coalesce(${description ?? null}, t.description),
         color = coalesce(${color ?? null}, t.color)
   where t.slug = ${slug} returning ${columns}`

/**
 * Deletes a tag, and records the change in the history of the secrets that had it. Returns no row if there is
 * no such tag.
 */
export const deleteTag = (userId: number, slug: string) => sql`
  with gone as (
    update _tags t set is_gone = true where t.slug = ${slug} returning t.id, ${columns}
  ), had as (
    select s.id, s.key, s.app_id, array_agg(t.name order by t.name) as names
      from _secrets s join _secret_tags x on x.secret_id = s.id join _tags t on t.id = x.tag_id
     where s.id in (select y.secret_id from _secret_tags y join gone on gone.id = y.tag_id)
     group by s.site_id, s.id
  ), recorded as (
    insert into _secret_history (secret_id, key, app_id, action, user_id, username, changes)
    select had.id, had.key, had.app_id, '~', ${actor(userId)},
           jsonb_build_object('tags', jsonb_build_object(
             'old', had.names, 'new', array_remove(had.names, gone.name)))
      from had, gone
  )
  select ${columns} from gone t`
