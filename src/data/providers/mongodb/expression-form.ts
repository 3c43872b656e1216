/** Writes planned expressions as plain data. What MongoDB cannot compute as Postgres does is refused. */

import { answerBytesMax } from '../../../kernel/db/answer-bytes.ts'
import type { Table } from '../../model/table.ts'
import type { AggregationPlan } from '../../query/plan/aggregation/plan-aggregation.ts'
import type { Result } from '../../query/plan/aggregation/results.ts'
import type { AggregateCall, Application, Expression } from '../../query/plan/expression/expression.ts'
import { notInMongodb } from './capabilities.ts'
import { operandForm, predicateForm } from './forms.ts'
import type { ExpressionForm, GroupForm, PredicateForm, ResultForm, TermForm } from './read-forms.ts'

/** The casts, from which type and to which. */
const casts: ReadonlySet<string> = new Set([
  ...[
    'integer string',
    'boolean string',
    'boolean integer',
    'date string',
    'integer number',
    'number integer',
  ],
  ...['string integer', 'string number', 'date datetime', 'date local datetime', 'datetime date'],
  ...['local datetime date', 'datetime local datetime', 'local datetime datetime'],
])

/** Functions whose results would be others: the patterns of texts, and powers of numbers below zero. */
const refused: ReadonlySet<string> = new Set(['to_char', 'power'])
/** The types of values that `concat` joins. */
const joined: ReadonlySet<string> = new Set(['string', 'integer', 'boolean', 'date'])

/** Returns an expression of the records of a table. Throws 422 for what MongoDB cannot compute. */
export function expressionForm(table: Table, expression: Expression): ExpressionForm {
  const type = expression.type.name
  switch (expression.kind) {
    case 'value':
      return { is: 'value', type, text: expression.value }
    case 'column':
    case 'property':
      if (expression.relationships.length > 0) throw notInMongodb('related')
      return { is: 'field', type, operand: operandForm(table, expression) }
    case 'related':
      throw notInMongodb('related')
    case 'application': {
      const { aggregate } = expression
      return aggregate ? aggregateForm(table, aggregate, type) : callForm(table, expression)
    }
  }
}

function callForm(table: Table, { name, of, type }: Application): ExpressionForm {
  const [from = type] = of.map((one) => one.type)
  const isUnknownCast = name === 'cast' && from !== type && !casts.has(`${from.name} ${type.name}`)
  const isUnknownText = name === 'concat' && of.some((one) => !joined.has(one.type.name))
  if (refused.has(name) || isUnknownCast || isUnknownText) throw notInMongodb('functions')
  return { is: 'call', name, type: type.name, of: of.map((one) => expressionForm(table, one)) }
}

const aggregateForm = (table: Table, call: AggregateCall, type: string): ExpressionForm => ({
  is: 'aggregate',
  name: call.name,
  type,
  distinct: call.distinct,
  of: call.values.map((one) => expressionForm(table, one)),
  options: call.options.flatMap((one) => (one.kind === 'value' ? [one.value ?? ''] : [])),
  ...(call.filter && { filter: expressionForm(table, call.filter) }),
  order: call.order.map(({ of, descending, nullsFirst }) => ({
    of: expressionForm(table, of),
    descending,
    nullsFirst,
  })),
})

/** Returns the plan of an aggregation. Throws as `expressionForm` does. */
export function groupForm({ table, keys, aggregates, ...plan }: AggregationPlan): GroupForm {
  if (plan.populate.length > 0) throw notInMongodb('related')
  const results = [...(keys ?? []), ...aggregates]
  const operandOf = (result: Result, type: string) => ({
    path: `r${results.indexOf(result)}`,
    type,
    inside: [],
  })
  const resultForm = ({ name, expression }: Result): ResultForm => ({
    name,
    type: expression.type.name,
    ...itemsOf(expression),
    of: expressionForm(table, expression),
  })
  return {
    where: predicateForm(table, plan.where),
    keys: keys?.map(resultForm) ?? null,
    aggregates: aggregates.map(resultForm),
    having: {
      is: 'and',
      of: plan.having.map(({ result, means, value, type, isNegated }): PredicateForm => {
        const compared = {
          is: 'compared' as const,
          operand: operandOf(result, type.name),
          by: means,
          values: [value],
        }
        return isNegated ? { is: 'not', of: compared } : compared
      }),
    },
    order: plan.order.map(
      ({ result, descending, nullable, nullsFirst }): TermForm => ({
        operand: operandOf(result, result.expression.type.name),
        ...{ descending, nullable, nullsFirst },
      }),
    ),
    offset: plan.offset,
    limit: plan.limit,
    countOnly: plan.countOnly,
    bytesMax: answerBytesMax,
  }
}

/** Returns the type of the items of a list. */
function itemsOf(expression: Expression): Pick<ResultForm, 'items'> {
  const aggregate = expression.kind === 'application' ? expression.aggregate : undefined
  const [first] = aggregate?.values ?? []
  return first && expression.type.name === 'list' ? { items: first.type.name } : {}
}
