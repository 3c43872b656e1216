/**
 * Explains who may create, change, delete or connect a record: which rule allows it, or why each rule does
 * not.
 */
import type { Sql } from '../../kernel/db/sql.ts'
import type { Standing } from '../../kernel/standing.ts'
import { isFor } from '../catalog/guests.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import { recordNotFound, unreadMessage } from '../failures/errors.ts'
import { planRules } from '../guests/planned-rules.ts'
import { tablesWithViews } from '../guests/remake.ts'
import { fieldsOf } from '../guests/report.ts'
import { writeTarget } from '../guests/write-functions/target.ts'
import { type AccessRule, allows } from '../model/access.ts'
import type { Table } from '../model/table.ts'
import { type WriteAction, writableFields } from '../model/written-fields.ts'
import { Problems } from '../query/problems.ts'
import { asStanding, type ExplainedCaller, readCaller } from './caller.ts'
import { type TriedCondition, wholeCondition, withTrials } from './conditions.ts'
import { problemsOfData, readableValues } from './data-problems.ts'
import { recordWhere } from './record.ts'
import type { AccessQuestion, Explanation } from './schema.ts'
import {
  type Attempt,
  filledFields,
  selectWritingTrials,
  type WritingRow,
  type WritingRule,
} from './writing-trials.ts'

/** A question about a write. */
export type WriteQuestion = AccessQuestion & { action: WriteAction }

/** Returns a question as one about a write; undefined if it is not. */
export const asWriteQuestion = (question: AccessQuestion): WriteQuestion | undefined => {
  const { action } = question
  return action === 'read' || action === 'history' ? undefined : { ...question, action }
}

/**
 * Plans the explanation of a write: the statement, and the function that makes the explanation from its row.
 */
export function explainWriting(
  catalog: Catalog,
  table: Table,
  question: WriteQuestion,
): { statement: Sql<WritingRow>; explain(row: WritingRow): Explanation } {
  const attempt = attemptOf(catalog, table, question)
  return {
    statement: selectWritingTrials(attempt),
    explain(found) {
      if (question.record !== undefined && !found.record)
        throw recordNotFound(table.name, String(question.record))
      return explanationOf({ catalog, table, question, attempt }, found)
    },
  }
}

function attemptOf(catalog: Catalog, table: Table, { action, record, data }: WriteQuestion): Attempt {
  const planned = planRules(table, catalog.relationships, new Problems())
  const conditionOf = (filter: AccessRule['where']) => wholeCondition(table, catalog.relationships, filter)
  const rules = table.rules.flatMap((rule, position): WritingRule[] => {
    const one = planned[position]
    if (!one || !allows(rule, action)) return []
    return [
      { rule, planned: one, where: conditionOf(rule.where), check: conditionOf(rule.check ?? rule.where) },
    ]
  })
  return {
    target: writeTarget(catalog, table, planned, tablesWithViews(catalog), []),
    action,
    rules,
    which: record === undefined ? undefined : recordWhere(catalog, table, record),
    // A change without values only sets the values of the rules.
    values: givesValues(action) ? readableValues(table, action, data ?? changeOfNothing(action)) : undefined,
  }
}

const givesValues = (action: WriteAction) => action === 'create' || action === 'update'

const changeOfNothing = (action: WriteAction) => (action === 'update' ? {} : undefined)

interface Explained {
  catalog: Catalog
  table: Table
  question: WriteQuestion
  attempt: Attempt
}

type SaidRule = Explanation['rules'][number]
type Details = Record<string, string[]>

function explanationOf(explained: Explained, found: WritingRow): Explanation {
  const { table, question, attempt } = explained
  const { action, data } = question
  const { standing, mayChange } = readCaller(found.caller)
  const rules = saidRules(explained, found, standing)
  const all = table.rules
  const mine = attempt.rules.filter(({ rule }) => !standing || isFor(rule, standing))
  if (!standing || mayChange) {
    return {
      allowed: mayChange,
      reason: reasonOfMember(standing !== undefined, mayChange),
      standing: standing ? asStanding(standing) : null,
      fields: mayChange ? writableFields(table, action).map(({ name }) => name) : [],
      rules,
      ...(data ? { problems: {} } : {}),
    }
  }
  const giving = rules.filter(({ failed }) => failed === null).map(({ name }) => name)
  const problems = mine.length > 0 ? problemsIn(explained, found, standing, giving[0]) : {}
  const refusal = refusalOf({
    question,
    table,
    isForCaller: mine.length > 0,
    isThere: found.record?.is_there ?? true,
    isReadable: found.record?.is_readable ?? (action === 'create' || all.some(isReading(standing))),
    hasProblems: Object.keys(problems).length > 0,
    isGiven: giving.length > 0,
  })
  return {
    allowed: refusal === undefined,
    reason: refusal ?? reasonOf(giving, found.record !== null),
    standing: asStanding(standing),
    fields: fieldsOf(
      table,
      mine.map(({ rule }) => rule),
      action,
    ),
    rules,
    ...(data ? { problems } : {}),
  }
}

const isReading = (standing: Standing) => (rule: AccessRule) => allows(rule, 'read') && isFor(rule, standing)

/** Returns the explanation of each rule of the table. */
function saidRules(
  { table, question: { action, data = {} }, attempt }: Explained,
  { record }: WritingRow,
  standing: ExplainedCaller['standing'],
): SaidRule[] {
  const where = [...(record?.where ?? [])]
  return table.rules.map((rule): SaidRule => {
    const { name, who } = rule
    const position = attempt.rules.findIndex((one) => one.rule === rule)
    const one = attempt.rules[position]
    if (!one) return { name, who, failed: 'can', conditions: [] }
    const values = record?.rules[position]
    const [before] = record && action !== 'create' ? withTrials([one.where], where) : []
    const [after] = values ? withTrials([one.check], [...values.check]) : []
    const set = filledFields(table, action, one.planned).flatMap(([field], index) => {
      const filled = values?.set[index]
      return filled ? [{ field: field.name, ...filled }] : []
    })
    const unwritable = [...new Set([...unwritableBy(table, action, one, data), ...(record?.unread ?? [])])]
    return {
      name,
      who,
      failed: failureOf({ isForCaller: !standing || isFor(rule, standing), unwritable, set, before, after }),
      conditions: before?.conditions ?? [],
      ...(values ? { check: after?.conditions ?? [], set } : {}),
      ...(givesValues(action) ? { unwritable } : {}),
    }
  })
}

/** Returns the names in the data that a rule does not allow. A change may contain the key of the record. */
function unwritableBy(table: Table, action: WriteAction, { planned }: WritingRule, data: object): string[] {
  const key = action === 'update' ? table.primaryKey : []
  const fields = [...planned.written(action), ...planned.set.keys(), ...key]
  const names = new Set(fields.map(({ name }) => name))
  return Object.keys(data).filter((name) => !names.has(name))
}

interface Judged {
  isForCaller: boolean
  unwritable: readonly string[]
  set: readonly { passes: boolean }[]
  before: TriedCondition | undefined
  after: TriedCondition | undefined
}

/** Returns the first member of a rule that forbids the write; null if none of the tested members does. */
function failureOf({ isForCaller, unwritable, set, before, after }: Judged): SaidRule['failed'] {
  if (!isForCaller) return 'who'
  if (unwritable.length > 0) return 'fields'
  if (set.some(({ passes }) => !passes)) return 'set'
  if (before?.passes === false) return 'where'
  return after?.passes === false ? 'check' : null
}

/**
 * Returns the problems of the data for this caller. `by`: the name of the rule that would allow the write.
 */
function problemsIn(
  { catalog, table, question: { action, data = {} }, attempt }: Explained,
  { record }: WritingRow,
  standing: Standing,
  by: string | undefined,
): Details {
  const problems: Details = problemsOfData(catalog, table, { action, data }, standing)
  if (record?.is_moved)
    problems[table.primaryKey.map(({ name }) => name).join(',')] = [
      'The primary key of a record cannot be changed.',
    ]
  const values = record?.rules[attempt.rules.findIndex(({ rule }) => rule.name === by)]
  for (const position of values?.unseen ?? []) {
    const { fields = [] } = attempt.target.references[position] ?? {}
    const names = fields.map(({ name }) => name)
    problems[names.join(',')] = [unreadMessage(names)]
  }
  return problems
}

const reasonOfMember = (isGuest: boolean, mayChange: boolean): string => {
  if (isGuest) return 'The caller has change_site, so access rules do not apply to its writes.'
  return mayChange
    ? 'The caller has access_site and change_site, so access rules do not apply.'
    : 'The caller has access_site, so access rules do not apply, but lacks change_site, which writes need.'
}

interface Refusable {
  question: WriteQuestion
  table: Table
  isForCaller: boolean
  isThere: boolean
  isReadable: boolean
  hasProblems: boolean
  isGiven: boolean
}

const verbs = { create: 'create', update: 'change', delete: 'delete', edges: 'connect' }

/** Returns why a guest may not write; undefined if it may. */
function refusalOf({
  question: { action, record },
  table,
  isForCaller,
  isThere,
  isReadable,
  hasProblems,
  isGiven,
}: Refusable): string | undefined {
  const verb = verbs[action]
  const what = record === undefined ? 'any record' : `the record ${JSON.stringify(String(record))}`
  if (!isForCaller) return `No rule allows this caller to ${verb} records of "${table.name}".`
  if (!isThere) return `Guests find no deleted records, and ${what} is deleted.`
  if (!isReadable) return `The caller may not read ${what}, and cannot ${verb} what it does not find.`
  if (hasProblems) return 'The data contains members that this caller cannot write: see "problems".'
  if (isGiven) return undefined
  return action === 'create'
    ? 'No rule allows this caller to create such a record.'
    : `No rule allows this caller to ${verb} ${what}${action === 'update' ? ' in this way' : ''}.`
}

function reasonOf(giving: readonly string[], isTried: boolean): string {
  const names = giving.map((name) => JSON.stringify(name))
  return isTried
    ? `Allowed by the rule ${names[0]}, the first that fits.`
    : `Allowed for the records that the rules let pass: ${names.join(', ')}.`
}
