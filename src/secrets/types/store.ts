/** The SQL of secret types. */

import type { secretTypes } from '../../../drizzle/tenant/secrets.ts'
import { of } from '../../kernel/db/columns.ts'
import { sql } from '../../kernel/db/sql.ts'
import { type List, selectPage } from '../../kernel/http/lists/list.ts'
import type { JsonObject } from '../../kernel/lib/json-object.ts'
import { listForm, type TypeChange, type TypeInput, type TypesQuery } from './schema.ts'

const t = of<typeof secretTypes>('t')

const columns = t('id', 'type', 'name', 'slug', 'description', 'sensitivity_level', 'schema', 'version')

export const list: List<typeof listForm> = {
  ...listForm,
  columns: {
    name: sql`t.name`,
    type: sql`t.type`,
    sensitivity_level: sql`t.sensitivity_level`,
    created_at: sql`t.created_at`,
    modified_at: sql`t.modified_at`,
  },
  last: sql`t.id`,
  texts: [sql`t.name`, sql`t.description`],
}

/** Selects a page of types. */
export function selectTypes(query: TypesQuery) {
  const where = []
  if (query.type !== undefined) where.push(sql`t.type = ${query.type}`)
  if (query.sensitivity_level !== undefined) where.push(sql`t.sensitivity_level = ${query.sensitivity_level}`)
  return selectPage(list, query, { columns, from: sql`_secret_types t`, where })
}

export const selectType = (slug: string) => sql`select ${columns} from _secret_types t where t.slug = ${slug}`

const asJson = (schema: JsonObject | null) => (schema === null ? null : JSON.stringify(schema))

export const insertType = (input: TypeInput, slug: string) => sql`
  insert into _secret_types as t (type, name, slug, description, sensitivity_level, schema)
  values (${input.type}, ${input.name}, ${slug}, ${input.description}, ${input.sensitivity_level},
          ${asJson(input.schema)}::json)
  returning ${columns}`

/** Selects whether a user is a superuser. Runs as the service. */
export const selectSuperuser = (userId: number) => sql<{ is_superuser: boolean }>`
  select u.is_superuser from public.users u where u.id = ${userId}`

/**
 * Updates a type. Undefined fields are unchanged. Returns no row if the change names another type or
 * sensitivity. Fails with TS403 for a system type, unless the caller is a superuser
 * (public.keep_system_type).
 */
export const updateType = (
  slug: string,
  newSlug: string | null,
  { name, description, schema, type, sensitivity_level }: TypeChange,
) => sql`
  update _secret_types t
     set name = coalesce(${name ?? null}, t.name),
         slug = coalesce(${newSlug}, t.slug),
         description = coalesce(${description ?? null}, t.description),
         schema = ${schema === undefined ? sql`t.schema` : sql`${asJson(schema)}::json`},
         version = t.version + ${schema === undefined ? 0 : 1},
         modified_at = now()
   where t.slug = ${slug}
     and t.type = coalesce(${type ?? null}, t.type)
     and t.sensitivity_level = coalesce(${sensitivity_level ?? null}, t.sensitivity_level)
  returning ${columns}`

/** Deletes a type. Returns no row for a system type, and for a type that secrets have. */
export const deleteType = (slug: string) => sql<{ id: number }>`
  update _secret_types t set is_gone = true
   where t.slug = ${slug} and t.type <> 'system'
     and not exists (select from _secrets s where s.type_id = t.id)
  returning t.id`
