/**
 * Explains access to the records of a table: by which rule it is given, or where each rule fails. Postgres
 * tries the same expressions as the views of guests have, for the caller who is asked about.
 */
import type { RequestContext } from '../../context.ts'
import { DatabaseFailure, sqlstates } from '../../db/failures.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { invalidFields } from '../../errors.ts'
import { readStanding, type Standing } from '../../standing.ts'
import { type Catalog, planOf, withCatalog } from '../catalog/catalog.ts'
import { type RecordsPath, writableTable } from '../catalog/find-table.ts'
import { isFor } from '../catalog/guests.ts'
import { recordNotFound } from '../failures/errors.ts'
import { type AccessRule, shownBy } from '../model/access.ts'
import type { Table } from '../model/table.ts'
import { planReadOne } from '../query/plan/plan.ts'
import { planning } from '../query/plan/planning.ts'
import { visible } from '../query/predicate.ts'
import { Problems } from '../query/problems.ts'
import { renderPredicate } from '../query/render/render.ts'
import { row } from '../query/row.ts'
import {
  type Condition,
  flattened,
  renderTrials,
  type Trial,
  wholeCondition,
  withTrials,
} from './conditions.ts'
import type { AccessQuestion, Explanation } from './explain-schema.ts'
import { problemsOfQuery } from './query-problems.ts'

/** A rule with its filter. */
interface Tried {
  rule: AccessRule
  whole: Condition
}

/** A record as the rules find it. */
interface FoundRecord {
  /** Whether it is not soft-deleted. */
  is_there: boolean
  /** Of all conditions of all rules. */
  trials: Trial[]
}

interface ExplainRow {
  /** As JSON; the text `null` for a caller who holds `access_site`. */
  claims: string
  record: FoundRecord | null
}

/**
 * Explains access. Throws 400 for a person or a group that the site does not have, 403 for a reference to a
 * table of another app, 404 for an unknown table or record, and 422 for a table without records.
 */
export async function explainAccess(
  ctx: RequestContext,
  path: RecordsPath,
  question: AccessQuestion,
): Promise<Explanation> {
  try {
    return await withCatalog(ctx, path.app, 'read', (catalog) => {
      const table = writableTable(catalog, path)
      const rules = (table.schema.access?.rules ?? []).map((rule): Tried => {
        return { rule, whole: wholeCondition(table, catalog.relationships, rule.where) }
      })
      return planOf({
        asService: { as: explainAs(catalog, question) },
        statements: { explained: selectTrials(catalog, table, question, rules) },
        finish({ explained: { one } }) {
          if (question.record !== undefined && !one.record)
            throw recordNotFound(table.name, String(question.record))
          return explanationOf({ catalog, table, question, rules }, one)
        },
      })
    })
  } catch (error) {
    if (!(error instanceof DatabaseFailure) || error.sqlstate !== sqlstates.noSuchPerson) throw error
    throw invalidFields({ as: [unknownCaller(question)] })
  }
}

function unknownCaller({ as }: AccessQuestion): string {
  return 'user' in as
    ? `The site has no person with the id ${as.user}.`
    : `The organization of the site has no group ${JSON.stringify('group' in as ? as.group : '')}.`
}

function explainAs({ siteId }: Catalog, { as }: AccessQuestion): Sql {
  const user = 'user' in as ? as.user : null
  return sql`select public.explain_as(${siteId}, ${user}, ${'group' in as ? as.group : null})`
}

/** Selects the claims of the caller, and the record with the trials of all conditions. */
function selectTrials(
  { relationships }: Catalog,
  table: Table,
  { record }: AccessQuestion,
  rules: readonly Tried[],
): Sql<ExplainRow> {
  const claims = sql`tessera.claims()::text as claims`
  if (record === undefined) return sql<ExplainRow>`select ${claims}, null::json as record`
  const state = planning(table, new Problems(), relationships)
  const one = planReadOne(state, String(record), {
    deleted: 'included',
    populate: [],
    fields: [],
    annotations: [],
  })
  if (!one) throw recordNotFound(table.name, String(record))
  const conditions = flattened(rules.map(({ whole }) => whole))
  return sql<ExplainRow>`
    select ${claims}, (
      select json_build_object('is_there', ${renderPredicate(visible(table), row)},
                               'trials', ${renderTrials(conditions)})
        from ${table.rows} ${row.alias} where ${renderPredicate(one.where, row)}) as record`
}

interface Explained {
  catalog: Catalog
  table: Table
  question: AccessQuestion
  rules: readonly Tried[]
}

function explanationOf(explained: Explained, { claims, record }: ExplainRow): Explanation {
  const { table, question, rules } = explained
  const standing = readStanding(claims)
  const all = [...table.fields.keys()]
  const trials = record ? [...record.trials] : undefined
  const said = rules.map(({ rule, whole }) => {
    const [tried] = trials ? withTrials([whole], trials) : []
    return { rule, passes: tried?.passes ?? true, conditions: tried?.conditions ?? [] }
  })
  const failures = said.map(({ rule, passes }) => failureOf(rule, passes, question, standing))
  const giving = rules.filter((_, position) => failures[position] === null).map(({ rule }) => rule)
  const problems = standing ? problemsOfQuery(explained.catalog, table.name, question.query, standing) : {}
  const isThere = record?.is_there ?? true
  const isGiven = standing === undefined || (isThere && giving.length > 0)
  return {
    allowed: isGiven && Object.keys(problems).length === 0,
    reason: reasonOf({ standing, isThere, question, giving, hasProblems: Object.keys(problems).length > 0 }),
    standing: standing ? asStanding(standing) : null,
    fields: all.filter(
      (name) =>
        standing === undefined || (isThere && giving.some((rule) => shownBy(rule)?.includes(name) ?? true)),
    ),
    rules: said.map(({ rule: { name, who }, conditions }, position) => ({
      name,
      who,
      failed: failures[position] ?? null,
      conditions,
    })),
    ...(question.query ? { problems } : {}),
  }
}

const asStanding = ({ signedIn, user, groups, permissions }: Standing) => ({
  signed_in: signedIn,
  user,
  groups: [...groups],
  permissions: [...permissions] as NonNullable<Explanation['standing']>['permissions'],
})

/** Returns the first member of a rule that does not fit; null if the rule gives what is asked. */
function failureOf(
  rule: AccessRule,
  passes: boolean,
  { action }: AccessQuestion,
  standing: Standing | undefined,
): 'can' | 'who' | 'where' | null {
  if (!rule.can.includes(action)) return 'can'
  if (standing && !isFor(rule, standing)) return 'who'
  return passes ? null : 'where'
}

interface Reasoned {
  standing: Standing | undefined
  isThere: boolean
  question: AccessQuestion
  giving: readonly AccessRule[]
  hasProblems: boolean
}

function reasonOf({ standing, isThere, question, giving, hasProblems }: Reasoned): string {
  const { action, record } = question
  const names = giving.map(({ name }) => JSON.stringify(name)).join(', ')
  const what = record === undefined ? 'any record' : `the record ${JSON.stringify(String(record))}`
  if (!standing) return 'The caller holds access_site: access rules do not apply.'
  if (!isThere) return `Guests see no deleted records, and ${what} is deleted.`
  if (giving.length === 0) return `No rule gives this caller "${action}" for ${what}.`
  if (hasProblems) return 'The query asks for what no rule gives this caller: see "problems".'
  return record === undefined
    ? `Given for the records that the rules let pass: ${names}.`
    : `Given for ${what} by the rules: ${names}.`
}
