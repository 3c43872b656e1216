/** Limits the digits of computed numbers, of which a short expression can make a hundred thousand. */
import { sql } from '../../../../kernel/db/sql.ts'
import { apply, type Expression, isPlain, named } from './expression.ts'
import { number } from './types.ts'

/**
 * Returns an expression whose text is shown or joined with others. Postgres refuses a computed number of more
 * than a thousand digits: tessera.bounded.
 */
export const bounded = (expression: Expression): Expression =>
  expression.type === number && !isPlain(expression)
    ? named(
        'bounded',
        apply(expression.at, number, [expression], (x) => sql`tessera.bounded(${x})`),
      )
    : expression
