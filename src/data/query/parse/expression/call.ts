/** Parses what follows the name of a function: its operands, and the clauses of aggregate functions. R19. */
import { type Cursor, inParentheses, listed } from './cursor.ts'
import type { Call, OrderTerm, Syntax } from './syntax.ts'

type Parse = (c: Cursor) => Syntax

/** Parses a call from its opening parenthesis. `expression` parses an operand. */
export function callOf(c: Cursor, at: number, name: string, expression: Parse): Call {
  const order = () => (c.accept('order', 'by') ? listed(c, (next) => orderTerm(next, expression)) : [])
  const inside = inParentheses(c, () => {
    if (c.isAt('*', ')')) return { distinct: false, operands: c.next().text as '*', order: [] }
    const distinct = c.accept('distinct')
    const operands = c.isAt(')') && !distinct ? [] : listed(c, expression)
    return { distinct, operands, order: order() }
  })
  const isWithinGroup = c.accept('within', 'group')
  const within = isWithinGroup
    ? inParentheses(c, () => {
        if (!c.isAt('order', 'by')) c.expect('order', 'by')
        return order()
      })
    : []
  const filter = c.accept('filter')
    ? inParentheses(c, () => {
        c.expect('where')
        return expression(c)
      })
    : undefined
  return {
    kind: 'call',
    at,
    name,
    ...inside,
    order: [...inside.order, ...within],
    isWithinGroup,
    filter,
  }
}

/** As in Postgres, nulls are the largest values, so that they come first in descending order. */
function orderTerm(c: Cursor, expression: Parse): OrderTerm {
  const of = expression(c)
  const descending = c.accept('desc') || (c.accept('asc') && false)
  if (!c.accept('nulls')) return { of, descending, nullsFirst: descending }
  const nullsFirst = c.accept('first')
  if (!nullsFirst) c.expect('last')
  return { of, descending, nullsFirst }
}
