/**
 * Explains access to the records of a table: which rule allows it, or why each rule does not. Postgres tests
 * the expressions of the views and functions that guests use, with the claims of the person in question.
 */
import type { RequestContext } from '../../kernel/context.ts'
import { DatabaseFailure, isInvalidValue } from '../../kernel/db/failures.ts'
import type { Sql } from '../../kernel/db/sql.ts'
import { requireAccess } from '../../kernel/db/tenant.ts'
import { AppError, invalidFields } from '../../kernel/errors.ts'
import { planOf, withCatalog } from '../catalog/catalog.ts'
import { type RecordsPath, writableTable } from '../catalog/find-table.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import { valueOutOfRange } from '../failures/errors.ts'
import { planRules } from '../guests/planned-rules.ts'
import type { Table } from '../model/table.ts'
import { Problems } from '../query/problems.ts'
import { callerError, explainAs } from './caller.ts'
import { explainReading } from './reading.ts'
import type { AccessQuestion, Explanation } from './schema.ts'
import { asWriteQuestion, explainWriting } from './writing.ts'

/**
 * Explains access. Throws 400 for an inconsistent request, and for a person or a group that does not belong
 * to the site, 403 for a reference to a table of another app, 404 for an unknown table or record, and 422 for
 * a table without records and for rules that no longer fit the app.
 */
export async function explainAccess(
  ctx: RequestContext,
  path: RecordsPath,
  question: AccessQuestion,
): Promise<Explanation> {
  const ask = <Row extends object>(explaining: (catalog: Catalog, table: Table) => Explaining<Row>) =>
    withCatalog(ctx, path.app, 'read', (catalog) => {
      requireSense(question)
      const table = writableTable(catalog, path)
      requireFit(catalog, table)
      const { statement, explain } = explaining(catalog, table)
      return planOf({
        asService: { as: explainAs(catalog, question) },
        statements: { explained: statement },
        finish: ({ explained }) => explain(explained.one),
      })
    })
  const written = asWriteQuestion(question)
  try {
    return await (written
      ? ask((catalog, table) => explainWriting(catalog, table, written))
      : ask((catalog, table) => explainReading(catalog, table, question)))
  } catch (error) {
    if (error instanceof DatabaseFailure && isInvalidValue(error.sqlstate))
      throw invalidFields({ data: [valueOutOfRange] })
    const refused = callerError(error, question)
    // Postgres looks for the person before it checks the caller, who must not learn from that who exists.
    if (refused !== error) await requireAccess(ctx)
    throw refused
  }
}

/** The statement of an explanation, and the function that makes the explanation from its row. */
interface Explaining<Row extends object> {
  statement: Sql<Row>
  explain(row: Row): Explanation
}

/**
 * The optional members of a request, each with the test that it does not suit the action and the message for
 * that: one row each.
 */
const senses: readonly [
  member: 'record' | 'data' | 'query',
  isWrong: (question: AccessQuestion) => boolean,
  message: string,
][] = [
  [
    'query',
    ({ action, query }) => query !== undefined && action !== 'read' && action !== 'history',
    '"query" is only possible with "read" and "history".',
  ],
  [
    'data',
    ({ action, data }) => data !== undefined && action !== 'create' && action !== 'update',
    '"data" is only possible with "create" and "update".',
  ],
  [
    'record',
    ({ action, record }) => record !== undefined && action === 'create',
    '"record" is not possible with "create": send the fields of the record as "data".',
  ],
  [
    'record',
    ({ action, record, data }) => record === undefined && action === 'update' && data !== undefined,
    'With "update", "data" needs a record: send its primary key as "record".',
  ],
]

function requireSense(question: AccessQuestion): void {
  const wrong = senses.filter(([, isWrong]) => isWrong(question))
  if (wrong.length === 0) return
  throw invalidFields(Object.fromEntries(wrong.map(([member, , message]) => [member, [message]])))
}

/**
 * Throws if the rules no longer fit the app: then views and functions do not exist, and nothing is allowed.
 */
function requireFit({ relationships }: Catalog, table: Table): void {
  const problems = new Problems()
  planRules(table, relationships, problems)
  if (problems.isEmpty) return
  throw new AppError(422, 'rules_do_not_fit', {
    error: 'Access rules do not fit',
    detail:
      `The access rules of "${table.name}" no longer fit the app, so they allow nothing. ` +
      problems.asList().join(' '),
  })
}
