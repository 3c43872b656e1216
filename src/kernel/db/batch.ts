/** Sends named statements in one transaction, and returns their rows under the same names. */
import type { Sql } from './sql.ts'

/** A row by its column names. */
export type Row = Readonly<Record<string, unknown>>

/**
 * Statements by name. They run in the order of the object's members. A member that is undefined is not sent
 * and has no rows. A list of statements has a list of rows.
 */
export type Batch = Readonly<Record<string, Sql | readonly Sql[] | undefined>>

/** The rows of each statement of a batch. */
export type BatchRows<Of extends Batch> = {
  readonly [Name in keyof Of]: RowsOf<Exclude<Of[Name], undefined>>
}

type RowsOf<Statement> =
  Statement extends Sql<infer Row>
    ? Rows<Row>
    : Statement extends readonly Sql<infer Row>[]
      ? readonly Rows<Row>[]
      : never

/**
 * A statement that returns a row unless another request changes the data at the same time has returned none.
 */
export class RowMissing extends Error {}

/** The rows of one statement. */
export class Rows<Row> {
  readonly all: readonly Row[]

  constructor(all: readonly Row[]) {
    this.all = all
  }

  /** The first row; undefined if there is none. */
  get first(): Row | undefined {
    return this.all[0]
  }

  /** The row of a statement that returns one. Throws RowMissing if it did not. */
  get one(): Row {
    const [row] = this.all
    if (row === undefined) throw new RowMissing('A statement that should return a row returned none.')
    return row
  }
}

/** Returns the statements of a batch in the order in which they are sent. */
export const statementsOf = (batch: Batch): Sql[] => Object.values(batch).flatMap((member) => member ?? [])

/** Returns the rows of a batch by name. `lists` contains the rows of each of `statementsOf(batch)`. */
export function rowsByName<Of extends Batch>(batch: Of, lists: readonly (readonly Row[])[]): BatchRows<Of> {
  let position = 0
  const nextRows = () => new Rows(lists[position++] ?? [])
  const rowsOfMember = (member: Batch[string]) => {
    if (member === undefined) return new Rows([])
    return Array.isArray(member) ? member.map(nextRows) : nextRows()
  }
  return Object.fromEntries(
    Object.entries(batch).map(([name, member]) => [name, rowsOfMember(member)]),
  ) as BatchRows<Of>
}
