/** A question in the form of the address, and as a request of the API. */
import type { Asked } from '../../../../client/src/site/questions.ts'
import type { Field } from '../../session/queries.ts'

/** A question: every member is a parameter of the address. */
export interface Question {
  app?: string
  table?: string
  /** The computation: `count`, `sum` and others. */
  measure?: Asked['measure']
  /** The field to compute. Omitted for `count`. */
  of?: string
  /** The field whose values form the groups. Omitted: one value for all records. */
  by?: string
  /** The period of groups by a date or a time. */
  bucket?: (typeof buckets)[number]
  /** The filters of the records, as in the API's parameter `filters`. */
  filters?: Readonly<Record<string, unknown>>
}

/** The possible computations. */
export const measures = ['count', 'sum', 'avg', 'min', 'max'] as const
/** The possible groupings of times. */
export const buckets = ['day', 'week', 'month', 'quarter', 'year'] as const

const numeric = new Set(['integer', 'number'])
const temporal = new Set(['date', 'datetime'])
const groupable = new Set(['string', 'integer', 'boolean', 'date', 'datetime'])

/** Returns whether sums and averages of a field make sense. */
export const isNumeric = ({ type }: Field): boolean => numeric.has(type)
/** Returns whether the values of a field are points in time. */
export const isTemporal = ({ type }: Field): boolean => temporal.has(type)
/** Returns whether the values of a field can form groups. */
export const isGroupable = ({ type }: Field): boolean => groupable.has(type)

/** The maximum number of groups to request. */
export const groupsMax = 50

/** Returns the query string of a question. `fields`: the fields of its table. */
export function queryOf(question: Question, fields: readonly Field[]): Record<string, string | number> {
  const { measure = 'count', of, by, bucket = 'month', filters = {} } = question
  const value = measure === 'count' || of === undefined ? 'count(*)' : `${measure}(${of})`
  const group = fields.find(({ name }) => name === by)
  const some: Record<string, string> =
    Object.keys(filters).length > 0 ? { filters: JSON.stringify(filters) } : {}
  if (!group) return { _aggregate: `${value} as value`, ...some }
  const isTime = isTemporal(group)
  return {
    _aggregate: `${value} as value`,
    _group_by: isTime ? `date_trunc('${bucket}', ${group.name}) as label` : `${group.name} as label`,
    ordering: isTime ? 'label' : '-value',
    page_size: groupsMax,
    ...some,
  }
}

/** An answer: one value, or one for each group. */
export interface Answer {
  data: { label: unknown; value: number | string | null }[]
  aggregates?: { value: number | string | null }
  total?: number
}
