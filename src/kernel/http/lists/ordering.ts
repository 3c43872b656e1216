/** The query parameter `ordering` of lists: fields separated by commas, with a `-` for descending order. */
import * as z from 'zod'
import { join, Sql, sql } from '../../db/sql.ts'

/** A column to sort by. Nulls of a nullable column come last in both directions. R13. */
export type Column = Sql | { nullable: Sql }

/** A field to sort by. */
export interface Ordered {
  field: string
  descending: boolean
}

/** Returns the schema of the parameter. `fallback` is the default, for its description. */
export const orderingBy = (choices: readonly string[], fallback: string) =>
  z
    .string()
    .transform(parseOrdering)
    .refine(
      (fields) => fields.every(({ field }) => choices.includes(field)),
      `Sort by one or more of: ${choices.join(', ')}. A "-" before a field sorts in descending order.`,
    )
    .optional()
    .meta({
      description:
        `The fields to sort by, separated by commas: ${choices.join(', ')}. ` +
        `A \`-\` before a field sorts in descending order. Default: \`${fallback}\`.`,
      pattern: `^-?(${choices.join('|')})(,-?(${choices.join('|')}))*$`,
    })

/** Parses the text of the parameter. Unknown fields are not rejected here. */
export const parseOrdering = (text: string): Ordered[] =>
  text
    .split(',')
    .map((part) => ({ field: part.trim().replace(/^-/, ''), descending: part.trim().startsWith('-') }))

/** Returns the terms after `order by`. `last` decides the order of rows that are equal in all fields. */
export function orderBy(
  columns: Readonly<Record<string, Column>>,
  ordering: readonly Ordered[],
  last: Sql,
): Sql {
  const known = new Map(Object.entries(columns))
  return join([...ordering.map(({ field, descending }) => termOf(known.get(field), descending)), last])
}

function termOf(column: Column | undefined, descending: boolean): Sql {
  if (column === undefined) throw new TypeError('An unknown field to sort by was not rejected.')
  const [term, nulls] = column instanceof Sql ? [column, sql``] : [column.nullable, sql` nulls last`]
  return sql`${term} ${descending ? sql`desc` : sql`asc`}${nulls}`
}
