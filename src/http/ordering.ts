/** `ordering` of small resources: fields of a closed list, separated by commas; a `-` before one for descending. */
import { z } from 'zod'
import { join, type Sql, sql } from '../db/sql.ts'

export interface Ordered {
  field: string
  descending: boolean
}

/** The query parameter. Only what is shown of a row can be sorted by. */
export const orderingBy = (columns: ReadonlyMap<string, Sql>, fallback: string) => {
  const choices = [...columns.keys()].join(', ')
  return z
    .string()
    .default(fallback)
    .transform((text) => text.split(',').map((part): Ordered => ({ field: part.trim().replace(/^-/, ''), descending: part.trim().startsWith('-') })))
    .refine((fields) => fields.every(({ field }) => columns.has(field)), `Fields to order by are: ${choices}; with a "-" before one, descending.`)
    .meta({ description: `Of ${choices}; \`-\` before one for descending.` })
}

/** `last` tells rows apart that are equal in all of them. */
export const orderBy = (columns: ReadonlyMap<string, Sql>, ordering: readonly Ordered[], last: Sql): Sql =>
  join([...ordering.map(({ field, descending }) => sql`${columns.get(field) as Sql} ${descending ? sql`desc` : sql`asc`}`), last])
