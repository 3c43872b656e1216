/** Statements that run for parts of a large text. */
import type { FailureFields } from './failures.ts'
import { Sql } from './sql.ts'

/**
 * The result of a part of a text: the row of the statement, or, for a part with only one member, the failure.
 */
export type Part<Row> = { first: number; row: Row } | { first: number; failure: FailureFields }

/** Returns a statement that is run for parts of the large text, with as many of its members as are accepted. */
export const runInParts = <Row>({ strings, values }: Sql<Row>): Sql<Part<Row>> =>
  new Sql<Part<Row>>(strings, values, 'parts')
