import { type Sql, sql } from '../../db/sql.ts'
import { type List, selectList } from '../../http/lists/list.ts'
import type { JsonObject } from '../../lib/json-object.ts'
import type { TypeChange, TypeInput, TypesQuery } from './schema.ts'
import type { TypeRow } from './views.ts'

const columns = sql`t.id, t.type, t.name, t.slug, t.description, t.sensitivity_level, t.schema, t.version`

export const list: List = {
  orderings: new Map([
    ['name', sql`t.name`],
    ['type', sql`t.type`],
    ['sensitivity_level', sql`t.sensitivity_level`],
    ['created_at', sql`t.created_at`],
    ['modified_at', sql`t.modified_at`],
  ]),
  ordering: 'name',
  last: sql`t.id`,
  search: { texts: [sql`t.name`, sql`t.description`], in: 'the name or the description' },
}

export const selectTypes = (query: TypesQuery): Sql[] =>
  selectList(list, query, {
    columns,
    from: sql`_secret_types t`,
    where: [
      ...(query.type === undefined ? [] : [sql`t.type = ${query.type}`]),
      ...(query.sensitivity_level === undefined ? [] : [sql`t.sensitivity_level = ${query.sensitivity_level}`]),
    ],
  })

export const selectType = (slug: string) => sql<TypeRow>`select ${columns} from _secret_types t where t.slug = ${slug}`

const asJson = (schema: JsonObject | null) => (schema === null ? null : JSON.stringify(schema))

export const insertType = (input: TypeInput, slug: string) => sql<TypeRow>`
  insert into _secret_types as t (type, name, slug, description, sensitivity_level, schema)
  values (${input.type}, ${input.name}, ${slug}, ${input.description}, ${input.sensitivity_level}, ${asJson(input.schema)}::json)
  returning ${columns}`

/** Tells `updateType` whether the caller is a superuser. Runs before the tenant is entered. */
export const noteSuperuser = (userId: number) => sql<{ is_superuser: boolean }>`
  select set_config('tessera.superuser', u.is_superuser::text, true), u.is_superuser from public.users u where u.id = ${userId}`

/** No row when the type or the sensitivity would be another, nor for a system type, unless a superuser changes it. After `noteSuperuser`. */
export const updateType = (slug: string, newSlug: string | null, { name, description, schema, type, sensitivity_level }: TypeChange) => sql<TypeRow>`
  update _secret_types t
     set name = coalesce(${name ?? null}, t.name),
         slug = coalesce(${newSlug}, t.slug),
         description = coalesce(${description ?? null}, t.description),
         schema = ${schema === undefined ? sql`t.schema` : sql`${asJson(schema)}::json`},
         version = t.version + ${schema === undefined ? 0 : 1},
         modified_at = now()
   where t.slug = ${slug} and (t.type <> 'system' or current_setting('tessera.superuser', true) = 'true')
     and t.type = coalesce(${type ?? null}, t.type) and t.sensitivity_level = coalesce(${sensitivity_level ?? null}, t.sensitivity_level)
  returning ${columns}`

/** No row for a system type, and for one that secrets are of. */
export const deleteType = (slug: string) => sql<{ id: number }>`
  delete from _secret_types t
   where t.slug = ${slug} and t.type <> 'system' and not exists (select from _secrets s where s.type_id = t.id)
  returning t.id`
