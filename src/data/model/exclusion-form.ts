/** The form of exclusions and named ranges in a table schema. D19. */
import * as z from 'zod'
import { storageProblem } from '../../kernel/lib/storable.ts'

/** Whether the end belongs to a range. The beginning always does. */
const boundsSchema = z.enum(['[)', '[]'])
export type Bounds = z.output<typeof boundsSchema>

/** The names of the fields of a range: its beginning and its end. */
const rangePair = z.tuple([z.string(), z.string()], {
  error: 'Must be an array of two fields: the beginning and the end.',
})
export type RangePair = z.output<typeof rangePair>

const elementsMax = 8
export const exclusionsMax = 20
const rangesMax = 50

/** A part of an exclusion. Records exclude each other only if all of its parts are true of both. */
const elementSchema = z.union(
  [
    z.strictObject({ field: z.string(), op: z.literal('=').default('=') }),
    z.strictObject({
      range: z.union([z.string(), rangePair]),
      op: z.literal('overlaps').default('overlaps'),
    }),
  ],
  {
    error:
      'Must be {"field": <field>, "op": "="}, or {"range": <range>, "op": "overlaps"} with the name of a ' +
      'range, or with an array of two fields.',
  },
)

/** An exclusion of a table schema. */
export const exclusionSchema = z.strictObject({
  name: z
    .string()
    .regex(
      /^[a-z][a-z0-9_]{0,47}$/,
      'an exclusion name begins with a lower-case letter ' +
        'and has up to 48 lower-case letters, digits and underscores',
    ),
  elements: z.array(elementSchema).min(1).max(elementsMax),
  /** Whether ranges contain their ends. */
  bounds: boundsSchema.default('[)'),
  /** A filter, as in `?filters=`: only records that match it exclude each other. */
  where: z.record(z.string(), z.json()).optional(),
  /** What a client reads when a record is refused. */
  message: z
    .string()
    .min(1)
    .max(500)
    .superRefine((text, context) => {
      const problem = storageProblem(text)
      if (problem) context.addIssue({ code: 'custom', message: problem })
    })
    .optional(),
})

/** An exclusion as it is stored. */
export type ExclusionSchema = z.output<typeof exclusionSchema>

/** The named ranges of a table schema. */
export const rangesSchema = z
  .record(
    z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,62}$/, 'a range has a name like those of fields'),
    rangePair,
  )
  .refine((ranges) => Object.keys(ranges).length <= rangesMax, `At most ${rangesMax} ranges are allowed.`)
export type Ranges = z.output<typeof rangesSchema>
