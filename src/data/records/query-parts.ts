/** Parameters that the queries of reads and writes share. */
import * as z from 'zod'

/** A parameter that is `true` or `false`. */
export const flag = (description: string) => z.string().optional().meta({ type: 'boolean', description })
/** A parameter that is any text. */
export const text = (description: string) => z.string().optional().meta({ description })
/** A parameter that is a whole number. */
export const number = (minimum: number, description: string) =>
  z.string().optional().meta({ type: 'integer', minimum, description })

export const includeDeleted = flag('`true` includes soft-deleted records. Default: `false`.')

/** The related records of an answer. */
export const populate = text(
  'The relationships whose records to include, separated by commas; `*` includes all. Dots nest ' +
    'them, up to ' +
    'three levels. An array has at most 100 records; if there are more, `_more` in the record has their ' +
    'number. Or JSON with options for each relationship: `{"reviews": {"filters": {"rating__gte": 4}, ' +
    '"ordering": "-created_at", "limit": 5, "offset": 0, "fields": "id,rating", "count": true, ' +
    '"populate": "author"}, ' +
    '"maker": {}}`. With `count`, `_count` in the record has the number of all that match.',
)
