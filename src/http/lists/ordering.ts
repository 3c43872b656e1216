/** `ordering` of lists: fields of a closed list, separated by commas; a `-` before one for descending. */
import { z } from 'zod'
import { join, Sql, sql } from '../../db/sql.ts'

/** A column without values comes last, in both directions. R13. */
export type Orderings = ReadonlyMap<string, Sql | { nullable: Sql }>

export interface Ordered {
  field: string
  descending: boolean
}

/** The query parameter. Only what is shown of a row can be sorted by. */
export const orderingBy = (orderings: Orderings, fallback: string) => {
  const choices = [...orderings.keys()]
  return z
    .string()
    .transform(parseOrdering)
    .refine(
      (fields) => fields.every(({ field }) => orderings.has(field)),
      `Fields to order by are: ${choices.join(', ')}; with a "-" before one, descending.`,
    )
    .optional()
    .meta({
      description: `Of ${choices.join(', ')}; \`-\` before one for descending. \`${fallback}\` when omitted.`,
      pattern: `^-?(${choices.join('|')})(,-?(${choices.join('|')}))*$`,
    })
}

export const parseOrdering = (text: string): Ordered[] =>
  text.split(',').map((part) => ({ field: part.trim().replace(/^-/, ''), descending: part.trim().startsWith('-') }))

/** `last` tells rows apart that are equal in all of them. */
export const orderBy = (orderings: Orderings, ordering: readonly Ordered[], last: Sql): Sql =>
  join([...ordering.map(({ field, descending }) => termOf(orderings.get(field), descending)), last])

function termOf(column: Sql | { nullable: Sql } | undefined, descending: boolean): Sql {
  if (column === undefined) throw new TypeError('the field was not validated')
  const [of, nulls] = column instanceof Sql ? [column, sql``] : [column.nullable, sql` nulls last`]
  return sql`${of} ${descending ? sql`desc` : sql`asc`}${nulls}`
}
