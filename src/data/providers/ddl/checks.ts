/** The checks of a schema as constraints of its table. D19. */
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { constraintNames } from '../../model/names.ts'
import type { CheckSchema } from '../../model/schema-form.ts'
import type { Table } from '../../model/table.ts'
import { fieldsIn } from '../../query/plan/expression/expression.ts'
import { planCheck, rowSql } from '../../query/plan/expression/row-expression.ts'
import type { TableObject } from './objects.ts'

/** Returns the condition of a check, which is null for some records: those meet it. */
export const checkCondition = (table: Table, check: CheckSchema): Sql => rowSql(planCheck(table, check))

/** Returns the checks of a schema. A check follows the names of its fields, like a constraint of Postgres. */
export const checksOf = (table: Table): TableObject[] =>
  (table.schema.checks ?? []).map((check) => {
    const expression = planCheck(table, check)
    return {
      kind: 'check',
      name: constraintNames(table.physicalName).tableCheck(check.name),
      title: `the check ${check.name}`,
      fields: [...new Set(fieldsIn(expression).map(({ name }) => name))],
      definition: sql`check (${rowSql(expression)})`,
      check: check.name,
    }
  })
