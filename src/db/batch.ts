/** Statements by name, sent in one transaction, and their rows under the same names. */
import type { Results } from './results.ts'
import type { Sql } from './sql.ts'

/**
 * The statements run in the order of their names in the object. One that is undefined is not sent, and has no rows. A
 * list of statements has a list of answers.
 */
export type Batch = Readonly<Record<string, Sql | readonly Sql[] | undefined>>

/** The rows of each statement of a batch. */
export type Answers<Of extends Batch> = { readonly [Name in keyof Of]: AnswerOf<Exclude<Of[Name], undefined>> }

type AnswerOf<Statement> = Statement extends Sql<infer Row> ? Rows<Row> : Statement extends readonly Sql<infer Row>[] ? readonly Rows<Row>[] : never

/** The rows of a statement. */
export class Rows<Row> {
  readonly all: readonly Row[]

  constructor(all: readonly Row[]) {
    this.all = all
  }

  /** Undefined if there is no row. */
  get first(): Row | undefined {
    return this.all[0]
  }

  /** The row of a statement that always has one. */
  get one(): Row {
    const [row] = this.all
    if (row === undefined) throw new Error('A statement that always answers with a row answered with none.')
    return row
  }
}

/** Whether statements were given as a list, whose answers are told by their positions. */
export const isList = (statements: Batch | readonly Sql[]): statements is readonly Sql[] => Array.isArray(statements)

/** The statements of a batch in the order in which they are sent. */
export const statementsOf = (batch: Batch): Sql[] => Object.values(batch).flatMap((member) => member ?? [])

/** The answers of a batch. `results` are those of `statementsOf(batch)`. */
export function answersTo<Of extends Batch>(batch: Of, results: Results): Answers<Of> {
  let position = 0
  const next = () => new Rows(results.rows(position++))
  return Object.fromEntries(
    Object.entries(batch).map(([name, member]) => [name, member === undefined ? new Rows([]) : Array.isArray(member) ? member.map(next) : next()]),
  ) as Answers<Of>
}

/** Sends statements as one transaction. Returns the rows of each statement: under its name, or in order for statements without names. */
export interface Send {
  <Of extends Batch>(statements: Of, deadlineMs: number): Promise<Answers<Of>>
  (statements: readonly Sql[], deadlineMs: number): Promise<Results>
}

/** Lets a function that sends a list of statements take named statements, too. */
export function withNames(send: (statements: readonly Sql[], deadlineMs: number) => Promise<Results>): Send {
  function sendEither<Of extends Batch>(statements: Of, deadlineMs: number): Promise<Answers<Of>>
  function sendEither(statements: readonly Sql[], deadlineMs: number): Promise<Results>
  async function sendEither(statements: Batch | readonly Sql[], deadlineMs: number): Promise<unknown> {
    if (isList(statements)) return send(statements, deadlineMs)
    return answersTo(statements, await send(statementsOf(statements), deadlineMs))
  }
  return sendEither
}
