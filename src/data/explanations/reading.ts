/** Explains who may read a record: tests each rule's `where` as the views of guests do. */
import { type Sql, sql } from '../../kernel/db/sql.ts'
import { isFor } from '../catalog/guests.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import { recordNotFound } from '../failures/errors.ts'
import { type AccessRule, shownBy } from '../model/access.ts'
import type { Table } from '../model/table.ts'
import { visible } from '../query/predicate.ts'
import { renderPredicate } from '../query/render/render.ts'
import { row } from '../query/row.ts'
import { asStanding, callerColumn, type ExplainedCaller, readCaller } from './caller.ts'
import {
  type Condition,
  flattened,
  renderTrials,
  type Trial,
  wholeCondition,
  withTrials,
} from './conditions.ts'
import { problemsOfQuery } from './query-problems.ts'
import { recordWhere } from './record.ts'
import type { AccessQuestion, Explanation } from './schema.ts'

/** A rule with its filter. */
interface Tried {
  rule: AccessRule
  whole: Condition
}

interface ReadingRow {
  caller: string
  /** The record as the rules find it. */
  record: {
    /** Whether it is not soft-deleted. */
    is_there: boolean
    /** Results of all conditions of all rules. */
    trials: Trial[]
  } | null
}

/**
 * Plans the explanation of a read: the statement, and the function that makes the explanation from its row.
 */
export function explainReading(catalog: Catalog, table: Table, question: AccessQuestion) {
  const rules = table.rules.map((rule): Tried => {
    return { rule, whole: wholeCondition(table, catalog.relationships, rule.where) }
  })
  return {
    statement: selectTrials(catalog, table, question, rules),
    explain(found: ReadingRow): Explanation {
      if (question.record !== undefined && !found.record)
        throw recordNotFound(table.name, String(question.record))
      return explanationOf({ catalog, table, question, rules }, found)
    },
  }
}

/** Selects the caller, and the record with the trials of all conditions. */
function selectTrials(
  catalog: Catalog,
  table: Table,
  { record }: AccessQuestion,
  rules: readonly Tried[],
): Sql<ReadingRow> {
  if (record === undefined) return sql<ReadingRow>`select ${callerColumn}, null::json as record`
  const conditions = flattened(rules.map(({ whole }) => whole))
  return sql<ReadingRow>`
    select ${callerColumn}, (
      select json_build_object('is_there', ${renderPredicate(visible(table), row)},
                               'trials', ${renderTrials(conditions)})
        from ${table.rows} ${row.alias} where ${recordWhere(catalog, table, record)}) as record`
}

interface Explained {
  catalog: Catalog
  table: Table
  question: AccessQuestion
  rules: readonly Tried[]
}

function explanationOf(explained: Explained, { caller, record }: ReadingRow): Explanation {
  const { table, question, rules } = explained
  const { standing } = readCaller(caller)
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

/** Returns the first member of a rule that does not allow the action; null if the rule allows it. */
function failureOf(
  rule: AccessRule,
  passes: boolean,
  { action }: AccessQuestion,
  standing: ExplainedCaller['standing'],
): 'can' | 'who' | 'where' | null {
  if (!rule.can.includes(action)) return 'can'
  if (standing && !isFor(rule, standing)) return 'who'
  return passes ? null : 'where'
}

interface Reasoned {
  standing: ExplainedCaller['standing']
  isThere: boolean
  question: AccessQuestion
  giving: readonly AccessRule[]
  hasProblems: boolean
}

function reasonOf({ standing, isThere, question, giving, hasProblems }: Reasoned): string {
  const { action, record } = question
  const names = giving.map(({ name }) => JSON.stringify(name)).join(', ')
  const what = record === undefined ? 'any record' : `the record ${JSON.stringify(String(record))}`
  if (!standing) return 'The caller has access_site, so access rules do not apply.'
  if (!isThere) return `Guests see no deleted records, and ${what} is deleted.`
  if (giving.length === 0) return `No rule gives this caller "${action}" for ${what}.`
  if (hasProblems) return 'No rule allows this caller to use the query: see "problems".'
  return record === undefined
    ? `Allowed for the records that match one of these rules: ${names}.`
    : `Allowed for ${what} by these rules: ${names}.`
}
