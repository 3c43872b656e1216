/** An expression as a client wrote it, as a tree whose names are not resolved yet. R11. */
import type { Path } from '../../../model/path.ts'

/** A node of the tree. `at` is its position in the text, counted from 1. */
export type Syntax =
  /** A field, or a path to one: `artist_id.name`. `name` is its text for messages and results. */
  | { kind: 'column'; at: number; path: Path; name: string }
  /** A number by its digits, a text, true, false or null. */
  | { kind: 'constant'; at: number; of: 'number' | 'string' | 'boolean' | 'null'; text: string }
  /** An operator with its operands. It is named by its words: `+`, `is not null`, `at time zone`. */
  | { kind: 'operation'; at: number; operator: string; operands: readonly Syntax[] }
  /** A `case x when a` is written as `case when x = a`. Without `else`, `otherwise` is undefined. */
  | {
      kind: 'case'
      at: number
      branches: readonly { when: Syntax; result: Syntax }[]
      otherwise: Syntax | undefined
    }
  | { kind: 'cast'; at: number; operand: Syntax; type: string }
  | Call

/** A call of a function. */
export interface Call {
  kind: 'call'
  at: number
  /** In lower case. */
  name: string
  distinct: boolean
  /** The star of `count(*)`, or the operands. */
  operands: readonly Syntax[] | '*'
  /** The terms of `order by` among the operands, or of `within group`. */
  order: readonly OrderTerm[]
  /** Whether the order is written as `within group (order by …)`. */
  isWithinGroup: boolean
  filter: Syntax | undefined
}

export interface OrderTerm {
  of: Syntax
  descending: boolean
  nullsFirst: boolean
}

export const partsOfCall = ({ operands, order, filter }: Call): readonly Syntax[] => [
  ...(operands === '*' ? [] : operands),
  ...order.map(({ of }) => of),
  ...(filter ? [filter] : []),
]

/** The problem of an expression, and the position of the character, counted from 1. */
export class ExpressionError extends Error {
  readonly at: number

  constructor(at: number, problem: string) {
    super(problem)
    this.name = 'ExpressionError'
    this.at = at
  }

  /** The message for the client, with its position. */
  get located(): string {
    return `Position ${this.at}: ${this.message}`
  }
}
