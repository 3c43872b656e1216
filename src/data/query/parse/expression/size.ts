/**
 * The size of expressions. Some operators compare their first operand several times, and each comparison is a
 * copy of it: in this parser for `case x when`, and in Postgres for `between` and `in`. Nested, a short text
 * would become an expression of any size.
 */
import { partsOfCall, type Syntax } from './syntax.ts'

/** The characters of a constant that count as one part. */
const charactersPerPart = 40

type Column = Extract<Syntax, { kind: 'column' }>

/**
 * Returns the number of an expression's parts, with all copies. Visits each node once. `sizeOfColumn`: the
 * size of what stands in the place of a column.
 */
export function sizeOf(
  syntax: Syntax,
  sizeOfColumn: (column: Column) => number = () => 1,
  sizes = new Map<Syntax, number>(),
): number {
  const known = sizes.get(syntax)
  if (known !== undefined) return known
  const size = (of: Syntax) => sizeOf(of, sizeOfColumn, sizes)
  const sum = (all: readonly Syntax[]) => all.reduce((total, one) => total + size(one), 1)
  const counted = () => {
    switch (syntax.kind) {
      case 'column':
        return sizeOfColumn(syntax)
      case 'constant':
        return 1 + Math.floor(syntax.text.length / charactersPerPart)
      case 'cast':
        return 1 + size(syntax.operand)
      case 'operation': {
        const [first, ...others] = syntax.operands
        const copies = copying.has(syntax.operator) ? others.length : 1
        return sum(others) + (first ? copies * size(first) : 0)
      }
      case 'case':
        return sum([
          ...syntax.branches.flatMap(({ when, result }) => [when, result]),
          ...(syntax.otherwise ? [syntax.otherwise] : []),
        ])
      case 'call':
        return sum(partsOfCall(syntax))
    }
  }
  const result = counted()
  sizes.set(syntax, result)
  return result
}

/** The operators that compare their first operand with each of the others. */
const copying: ReadonlySet<string> = new Set(['in', 'not in', 'between', 'not between'])
