/** The SQL of saved questions and dashboards. Their tables have the same columns. */

import type { questions } from '../../../drizzle/tenant/questions.ts'
import { columnsOf, computed, of } from '../../kernel/db/columns.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import { type List, selectPage } from '../../kernel/http/lists/list.ts'
import { listForm, type SavedQuery } from './schema.ts'

const s = of<typeof questions>('s')

/** The table of questions or of dashboards, and the name of its kind. */
export interface Shelf {
  what: 'question' | 'dashboard'
  table: Sql
  /** The constraint that makes names unique. */
  uniqueName: string
}

/** A row of either table, as it is selected. */
export interface SavedRow<Content> {
  id: number
  name: string
  content: Content
  version: number
  created_at: string
  updated_at: string
  created_by: number
  modified_by: number | null
}

/** The most rows of a table. */
const savedMax = 1000

const columnsWith = <Content>() =>
  columnsOf(
    s('id', 'name'),
    computed<{ content: Content }>({ content: sql`s.content` }),
    s('version'),
    s.times('created_at', 'updated_at'),
    s('created_by', 'modified_by'),
  )

/** The list of questions or of dashboards. */
export const list: List<typeof listForm> = {
  ...listForm,
  columns: { name: sql`s.name`, created_at: sql`s.created_at`, updated_at: sql`s.updated_at` },
  last: sql`s.id`,
  texts: [sql`s.name`],
}

/** Selects a page of the list. */
export const selectSaved = <Content>({ table }: Shelf, query: SavedQuery) =>
  selectPage(list, query, { columns: columnsWith<Content>(), from: sql`${table} s` })

/** Selects the row with an id. */
export const selectOne = <Content>({ table }: Shelf, id: number) =>
  sql`select ${columnsWith<Content>()} from ${table} s where s.id = ${id}`

/** Inserts a row and returns it. */
export const insertOne = <Content>({ table }: Shelf, userId: number, name: string, content: Content) =>
  sql`
  insert into ${table} as s (name, content, created_by)
  values (${name}, ${JSON.stringify(content)}::jsonb, ${userId}) returning ${columnsWith<Content>()}`

/** Fails if the table has too many rows. The caller has locked the table, so that the count is right. */
export const requireRoom = ({ what, table }: Shelf) => sql`
  select tessera.hold_quota(${`A site may have at most ${savedMax} ${what}s.`},
                            (select count(*) + 1 from ${table}), ${savedMax})`

/**
 * Replaces a row and returns it, if its version is among `tags`. Null and `*` mean any version. If the row
 * already has the new values, nothing changes.
 */
export const updateOne = <Content>(
  { table }: Shelf,
  userId: number,
  id: number,
  { name, content, tags }: { name: string; content: Content; tags: readonly string[] | '*' | null },
) => {
  const stored = sql`${JSON.stringify(content)}::jsonb`
  const isOther = sql`(s.name, s.content) is distinct from (${name}, ${stored})`
  return sql`
    update ${table} s
       set name = ${name}, content = ${stored}, version = s.version + (${isOther})::integer,
           updated_at = case when ${isOther} then now() else s.updated_at end,
           modified_by = case when ${isOther} then ${userId}::bigint else s.modified_by end
     where s.id = ${id} and ${matches(tags)} returning ${columnsWith<Content>()}`
}

/** Deletes a row, if its version is among `tags`. Otherwise returns no row. */
export const deleteOne = ({ table }: Shelf, id: number, tags: readonly string[] | '*' | null) =>
  sql<{ id: number }>`
    update ${table} s set is_gone = true where s.id = ${id} and ${matches(tags)} returning s.id`

const matches = (tags: readonly string[] | '*' | null): Sql =>
  tags === null || tags === '*' ? sql`true` : sql`s.version::text = any (${tags}::text[])`
