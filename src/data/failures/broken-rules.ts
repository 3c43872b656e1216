/**
 * The errors of rules and checks that only Postgres found broken, and of expressions that it cannot compute.
 */
import type { RequestContext } from '../../kernel/context.ts'
import { DatabaseFailure, sqlstates } from '../../kernel/db/failures.ts'
import type { Sql } from '../../kernel/db/sql.ts'
import { inTenant } from '../../kernel/db/tenant.ts'
import type { AppError } from '../../kernel/errors.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import { isOperation } from '../model/arithmetic.ts'
import { checkMessage } from '../model/checks.ts'
import type { RangePair } from '../model/exclusion-form.ts'
import type { Field } from '../model/field.ts'
import type { NamedConstraint } from '../model/named-constraints.ts'
import { isInOrder, rangeProblems } from '../model/ranges.ts'
import type { CheckSchema } from '../model/schema-form.ts'
import type { Table } from '../model/table.ts'
import { checkCondition } from '../providers/ddl/checks.ts'
import { firstFailing, type SentRecords } from '../providers/writes/first-failing.ts'
import { firstCheckFailure } from '../providers/writes/input.ts'
import { canFail, type Expression, fieldsIn } from '../query/plan/expression/expression.ts'
import {
  computedFields,
  isComputed,
  planCheck,
  planFormula,
} from '../query/plan/expression/row-expression.ts'
import { type RecordsBody, recordPrefix } from './body.ts'
import { brokenCheck, invalidRecords } from './errors.ts'

interface Target {
  catalog: Pick<Catalog, 'standing' | 'tables'>
  table: Table
  sent?: SentRecords | undefined
}

export const mayNotBeNull = 'This field may not be null.'

/** Returns the meaning of a constraint, which a guest may also know from the fields that it reads. */
export const constraintNamed = (
  name: string,
  { catalog, table }: Pick<Target, 'catalog' | 'table'>,
): NamedConstraint | undefined =>
  table.constraints.get(name) ?? catalog.tables.get(table.name)?.constraints.get(name)

/**
 * Returns the error for a rule or a check that only Postgres found violated. For several records, it names
 * the first one.
 */
export async function brokenRule(
  ctx: RequestContext,
  target: Target,
  { fields, rule, required, check, range }: NamedConstraint,
  body: RecordsBody,
): Promise<AppError | undefined> {
  const { table } = target
  if (check) {
    const failing = await firstOf(ctx, target, body, whereCheckFails(target, check))
    return brokenCheck(check.name, prefixOf(body, failing) + checkMessage(check))
  }
  if (range) {
    const failing = await firstOf(ctx, target, body, whereOutOfOrder(target, range))
    return invalidRecords(rangeProblems(range, prefixOf(body, failing)))
  }
  if (required) return invalidRecords({ [fields.join()]: [mayNotBeNull] })
  const field = table.fields.get(fields.join())
  if (!field || !rule) return undefined
  const failing = await firstOf(ctx, target, body, whereRuleFails(target, body, field, rule))
  const text = `${prefixOf(body, failing, field.name)}The value violates the rule "${rule.name}".`
  return invalidRecords({ [field.name]: [text] })
}

const prefixOf = (body: RecordsBody, failing: number | undefined, field?: string): string =>
  failing === undefined ? '' : recordPrefix(body, failing, field)

/** Returns the query for the first record that breaks a rule; undefined if the body does not show it. */
function whereRuleFails(
  { table, sent }: Target,
  { text, records }: RecordsBody,
  field: Field,
  rule: NonNullable<NamedConstraint['rule']>,
): Sql<{ _n: number }> | undefined {
  if (field.formula !== undefined)
    return (
      sent &&
      firstFailing(table, sent, {
        of: ({ fields }) => rule.check((fields.get(field.name) as Field).column),
      })
    )
  // If a record computes the value, the body alone does not show which record breaks the rule.
  const isSent = !records.some((record) => isOperation(field, record[field.name]))
  return isSent ? firstCheckFailure(table, { text, count: records.length }, field, rule) : undefined
}

/** Returns the query for the first record with a range out of order; undefined if a guest may not write it. */
function whereOutOfOrder({ table, sent }: Target, range: RangePair): Sql<{ _n: number }> | undefined {
  if (!sent || !range.every((name) => table.fields.has(name))) return undefined
  const of = ({ fields }: Table) =>
    isInOrder(...(range.map((name) => (fields.get(name) as Field).column) as [Sql, Sql]))
  return firstFailing(table, sent, { of })
}

function whereCheckFails(
  { catalog, table: written, sent }: Target,
  check: CheckSchema,
): Sql<{ _n: number }> | undefined {
  // A guest may write other fields than it reads. A table has the check if it has all of its fields.
  const table = [catalog.tables.get(written.name), written].find((one) =>
    one?.schema.checks?.some(({ name }) => name === check.name),
  )
  // Results of operations, and values of other records, are not in the body.
  const isSent = !sent?.input.computed?.size && !sent?.input.taken?.length
  if (!sent || !table || !isSent) return undefined
  const fields = fieldsIn(planCheck(table, check)).flatMap((field) =>
    isComputed(field) ? fieldsIn(planFormula(table, field)) : [field],
  )
  return firstFailing(table, sent, {
    needed: catalog.standing ? fields : [],
    of: (values) => checkCondition(values, check),
  })
}

/**
 * Returns the position of the record of an array that a query finds; undefined also if the query fails. Those
 * of a batch are tried one by one instead.
 */
async function firstOf(
  ctx: RequestContext,
  { catalog: { standing } }: Target,
  { bulk }: RecordsBody,
  failing: Sql<{ _n: number }> | undefined,
): Promise<number | undefined> {
  if (!failing || !bulk) return undefined
  const planned = standing && { siteId: null, catalogVersion: null, standing }
  try {
    return (await inTenant(ctx, 'read', { failing }, { planned })).failing.first?._n
  } catch (error) {
    if (error instanceof DatabaseFailure) return undefined
    throw error
  }
}

/**
 * Returns the messages about values from which Postgres cannot compute the expressions of a table; undefined
 * if it has none that could fail. Guests learn of those that have fields which they read.
 */
export function notComputed(
  { sqlstate }: DatabaseFailure,
  { catalog, table: written }: Target,
): Record<string, string[]> | undefined {
  const table = catalog.tables.get(written.name) ?? written
  const isDivision = sqlstate === sqlstates.divisionByZero
  const isPossible = (expression: Expression) => canFail(expression, isDivision)
  const names = [
    ...computedFields(table).filter((field) => isPossible(planFormula(table, field))),
    ...(table.schema.checks ?? []).filter((check) => isPossible(planCheck(table, check))),
  ].map(({ name }) => name)
  if (names.length === 0) return undefined
  const what = names.length === 1 ? 'This' : 'This, or another expression of the table,'
  const reason = isDivision ? 'it divides by zero' : 'a value is out of range, or of another form'
  const text = `${what} cannot be computed from the values of the record: ${reason}.`
  return Object.fromEntries(names.map((name) => [name, [text]]))
}
