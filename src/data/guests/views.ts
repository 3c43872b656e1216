/**
 * The views of what guests may see of a table. They belong to the role of the site, so that they read its
 * tables, and stand in a schema of their own, where the role of guests may select from them and nothing else.
 */
import { identifier, join, type Sql, sql, withInlineValues } from '../../db/sql.ts'
import { readingRules } from '../model/access.ts'
import { guestPlace } from '../model/guest-table.ts'
import { searchColumn, searchedFields, searchVector } from '../model/search-vector.ts'
import type { Field, Table } from '../model/table.ts'
import { visible } from '../query/predicate.ts'
import { renderPredicate } from '../query/render/render.ts'
import { fieldSql, row } from '../query/row.ts'
import type { PlannedRule } from './planned-rules.ts'

/** What a rule shows: a condition on rows, and fields. */
export interface Grant {
  condition: Sql
  fields: ReadonlySet<Field>
}

/** Returns what the rules that let read show. */
export const grantsOf = (rules: readonly PlannedRule[]): Grant[] =>
  rules
    .filter((rule) => rule.allows('read'))
    .map(({ isFor, where, shown }) => ({
      condition: withInlineValues(sql`(${isFor} and ${renderPredicate(where, row)})`),
      fields: shown,
    }))

/** Returns the statements that make the views: one of all rules, and one of each, if there are several. */
export function createViews(siteId: number, table: Table, planned: readonly PlannedRule[]): Sql[] {
  const grants = grantsOf(planned)
  if (grants.length === 0) return []
  const { all, rules } = viewNames(siteId, table)
  return [
    ...createView(siteId, all, table, grants),
    ...rules.flatMap((view, index) => createView(siteId, view, table, [grants[index] as Grant])),
  ]
}

/** Returns the statement that drops the views of tables, if they exist. */
export function dropViews(siteId: number, tables: readonly Table[]): Sql[] {
  const views = tables.flatMap((table) => {
    const { all, rules } = viewNames(siteId, table)
    return readingRules(table.schema.access).length > 0 ? [all, ...rules] : []
  })
  return views.length === 0 ? [] : [sql`drop view if exists ${join(views)}`]
}

function viewNames(siteId: number, table: Table): { all: Sql; rules: Sql[] } {
  const rules = readingRules(table.schema.access)
  return {
    all: guestPlace(siteId, table.physicalName).relation,
    rules:
      rules.length > 1
        ? rules.map(({ position }) => guestPlace(siteId, table.physicalName, position).relation)
        : [],
  }
}

function createView(siteId: number, view: Sql, table: Table, grants: readonly Grant[]): Sql[] {
  const given = [...table.fields.values()].filter((field) => grants.some(({ fields }) => fields.has(field)))
  const columns = [
    ...given.map((field) => sql`${shownField(field, grants)} as ${field.column}`),
    ...searchColumns(table, grants),
    sql`${row.alias}.xmin as xmin`,
  ]
  return [
    sql`create view ${view} with (security_barrier) as
      select ${join(columns)} from ${table.rows} ${row.alias}
      where ${renderPredicate(visible(table), row)} and (${conditionOf(grants)})`,
    sql`grant select on ${view} to ${identifier(`site_${siteId}_guest`)}`,
  ]
}

/** Returns the condition that one of the rules lets a row pass. */
export const conditionOf = (grants: readonly Grant[]): Sql =>
  grants.length === 0
    ? sql`false`
    : join(
        grants.map(({ condition }) => condition),
        sql` or `,
      )

/** Tells whether every rule gives a field, so that no row hides it. */
const isPlain = (field: Field, grants: readonly Grant[]): boolean =>
  grants.every(({ fields }) => fields.has(field))

/** Returns a field as an expression: null in rows that only rules without the field let pass. */
function shownField(field: Field, grants: readonly Grant[]): Sql {
  const value = fieldSql(field, row)
  if (isPlain(field, grants)) return value
  const giving = grants.filter(({ fields }) => fields.has(field))
  if (giving.length === 0) return sql`null`
  return sql`case when ${conditionOf(giving)} then ${value} end`
}

/** Returns the search vector of the fields that are shown; nothing if none of them is searched. */
function searchColumns(table: Table, grants: readonly Grant[]): Sql[] {
  const { schema, fields } = table
  const fieldOf = (name: string) => fields.get(name) as Field
  const searched = searchedFields(schema).map(({ field }) => fieldOf(field))
  if (!searched.some((field) => grants.some((grant) => grant.fields.has(field)))) return []
  const vector = searched.every((field) => isPlain(field, grants))
    ? sql`${row.alias}.${searchColumn(schema)}`
    : searchVector(schema, (name) => sql`${shownField(fieldOf(name), grants)}::text`)
  return vector ? [sql`${vector} as ${searchColumn(schema)}`] : []
}
