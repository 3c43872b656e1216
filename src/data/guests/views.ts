/**
 * The views of what guests may see of a table. They belong to the role of the site, so that they read its
 * tables, and stand in a schema of their own, where the role of guests may select from them and nothing else.
 */
import { identifier, join, type Sql, sql, withInlineValues } from '../../db/sql.ts'
import { whoOf } from '../model/access.ts'
import { guestPlace } from '../model/guest-table.ts'
import type { RelationshipGraph } from '../model/relationships.ts'
import { searchColumn, searchedFields, searchVector } from '../model/search-vector.ts'
import type { Field, Table } from '../model/table.ts'
import { type Predicate, visible } from '../query/predicate.ts'
import type { Problems } from '../query/problems.ts'
import { renderPredicate } from '../query/render/render.ts'
import { fieldSql, row } from '../query/row.ts'
import { isFor } from './claims.ts'
import { planRuleFilter } from './rule-filter.ts'

/** What a rule gives: a condition on rows, and fields. */
interface Grant {
  condition: Sql
  fields: ReadonlySet<Field>
}

/** A table whose rules have been planned. */
export interface GuestViews {
  table: Table
  grants: readonly Grant[]
}

/** Plans the rules of a table. Adds to the problems. */
export function planViews(table: Table, graph: RelationshipGraph, problems: Problems): GuestViews {
  const rules = table.schema.access?.rules ?? []
  const grants = rules.map((rule, position) => {
    const where = planRuleFilter(table, graph, rule, `access.rules[${position}].where`, problems)
    const names = rule.fields && new Set(rule.fields)
    return {
      condition: withInlineValues(sql`(${isFor(whoOf(rule))} and ${rendered(where)})`),
      fields: new Set([...table.fields.values()].filter(({ name }) => !names || names.has(name))),
    }
  })
  return { table, grants }
}

const rendered = (where: Predicate): Sql => renderPredicate(where, row)

/** Returns the statements that make the views: one of all rules, and one of each, if there are several. */
export function createViews(siteId: number, { table, grants }: GuestViews): Sql[] {
  if (grants.length === 0) return []
  const { all, rules } = viewNames(siteId, table)
  return [
    ...createView(siteId, all, table, grants),
    ...rules.flatMap((view, position) => createView(siteId, view, table, [grants[position] as Grant])),
  ]
}

/** Returns the statement that drops the views of tables, if they exist. */
export function dropViews(siteId: number, tables: readonly Table[]): Sql[] {
  const views = tables.flatMap((table) => {
    const { all, rules } = viewNames(siteId, table)
    return table.schema.access ? [all, ...rules] : []
  })
  return views.length === 0 ? [] : [sql`drop view if exists ${join(views)}`]
}

function viewNames(siteId: number, table: Table): { all: Sql; rules: Sql[] } {
  const rules = table.schema.access?.rules ?? []
  return {
    all: guestPlace(siteId, table.physicalName).relation,
    rules:
      rules.length > 1
        ? rules.map((_, position) => guestPlace(siteId, table.physicalName, position).relation)
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
const conditionOf = (grants: readonly Grant[]): Sql =>
  join(
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
