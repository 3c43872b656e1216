/** An expression as a client wrote it, as a tree: names are strings, and nobody has asked yet what they mean. R11. */

export type Syntax =
  /** A field, or a path to one: `artist_id.name`. */
  | { kind: 'column'; at: number; name: string }
  /** A number by its digits, a text, true, false or null. */
  | { kind: 'constant'; at: number; of: 'number' | 'string' | 'boolean' | 'null'; text: string }
  /** An operator with what it stands between, by the words it is written with: `+`, `is not null`, `at time zone`. */
  | { kind: 'operation'; at: number; operator: string; operands: readonly Syntax[] }
  /** A simple `case` has its subject in every condition. Without `else` the last one is null. */
  | { kind: 'case'; at: number; branches: readonly { when: Syntax; result: Syntax }[]; otherwise: Syntax | undefined }
  | { kind: 'cast'; at: number; operand: Syntax; type: string }
  | Call

export interface Call {
  kind: 'call'
  at: number
  /** In lower case. */
  name: string
  distinct: boolean
  /** Of `count(*)` there are none but the star. */
  operands: readonly Syntax[] | '*'
  filter: Syntax | undefined
}

/** Why an expression is refused, and at which of its characters, counted from 1. */
export class RefusedExpression extends Error {
  readonly at: number

  constructor(at: number, problem: string) {
    super(problem)
    this.name = 'RefusedExpression'
    this.at = at
  }

  /** As it is told to the client. */
  get told(): string {
    return `Position ${this.at}: ${this.message}`
  }
}
