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

export const isList = (statements: Batch | readonly Sql[]): statements is readonly Sql[] => Array.isArray(statements)

/** Sends statements as one transaction. Returns the rows of named ones under their names, those of a list in its order. */
export interface Send {
  <Of extends Batch>(statements: Of, deadlineMs: number): Promise<Answers<Of>>
  (statements: readonly Sql[], deadlineMs: number): Promise<Results>
}

/** Makes a function that also takes named statements of one that takes a list. */
export function sendOf(sendList: (statements: readonly Sql[], deadlineMs: number) => Promise<Results>): Send {
  async function send<Of extends Batch>(statements: Of, deadlineMs: number): Promise<Answers<Of>>
  async function send(statements: readonly Sql[], deadlineMs: number): Promise<Results>
  async function send(statements: Batch | readonly Sql[], deadlineMs: number): Promise<unknown> {
    if (isList(statements)) return sendList(statements, deadlineMs)
    return answersTo(statements, await sendList(statementsOf(statements), deadlineMs))
  }
  return send
}

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
