/** A question as the address has it, and as the API is asked. */
import type { Asked } from '../../../../client/src/site/questions.ts'
import type { Field } from '../../session/queries.ts'

/** A question: every member is a parameter of the address. */
export interface Question {
  app?: string
  table?: string
  /** What is computed: `count`, `sum` and others. */
  measure?: Asked['measure']
  /** The field that is computed. Omitted for `count`. */
  of?: string
  /** The field whose values make the groups. Omitted: one answer for all records. */
  by?: string
  /** How times are put together, for a group by a date or a time. */
  bucket?: (typeof buckets)[number]
  /** Which records are asked about, as the API's parameter `filters` has it. */
  filters?: Readonly<Record<string, unknown>>
}

/** The possible computations. */
export const measures = ['count', 'sum', 'avg', 'min', 'max'] as const
/** The possible groupings of times. */
export const buckets = ['day', 'week', 'month', 'quarter', 'year'] as const

const numeric = new Set(['integer', 'number'])
const temporal = new Set(['date', 'datetime'])
const groupable = new Set(['string', 'integer', 'boolean', 'date', 'datetime'])

/** Whether sums and averages of a field make sense. */
export const isNumeric = ({ type }: Field): boolean => numeric.has(type)
/** Whether the values of a field are points in time. */
export const isTemporal = ({ type }: Field): boolean => temporal.has(type)
/** Whether the values of a field can make groups. */
export const isGroupable = ({ type }: Field): boolean => groupable.has(type)

/** The maximum number of groups to request. */
export const groupsMax = 50

/** Returns the query string of a question. `fields` are those of its table. */
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
