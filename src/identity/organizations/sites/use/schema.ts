/** The use and the limits of a site in the API. */
import * as z from 'zod'
import { count, timestamp } from '../../../../kernel/http/openapi/bodies.ts'

/** The measures of a site's use. Each is a column of public.site_use. */
export const measures = ['requests', 'invocations', 'emails', 'records', 'bytes'] as const
/** One of them. */
export type Measure = (typeof measures)[number]

const amount = z.int().min(0).max(Number.MAX_SAFE_INTEGER)
const limit = z
  .strictObject({
    soft: amount
      .nullable()
      .default(null)
      .describe('When the use reaches this, the audit log gets an entry. Null: no limit.'),
    hard: amount
      .nullable()
      .default(null)
      .describe('When the use reaches this, requests that need more are rejected. Null: no limit.'),
  })
  .refine(({ soft, hard }) => soft === null || hard === null || soft <= hard, {
    path: ['soft'],
    message: 'The soft limit must be at most the hard one.',
  })
  .meta({ description: 'The limits of one measure.' })

const perMeasure = <Schema extends z.ZodType>(schema: Schema) => ({
  requests: schema.describe('Requests that entered the site, in a calendar month in UTC.'),
  invocations: schema.describe('Invocations of functions that began, in a calendar month in UTC.'),
  emails: schema.describe('E-mails about accounts of the site, in a calendar month in UTC.'),
  records: schema.describe('Records in the tables of the site, including those in the trash.'),
  bytes: schema.describe('Bytes of the schema of the site in the database, with its indexes.'),
})

/** The body that replaces the limits of a site. */
export const newLimits = z.strictObject(perMeasure(limit.optional()))
/** The parsed body. */
export type NewLimits = z.infer<typeof newLimits>

/** The limits of a site in responses. */
export const limits = z
  .object(
    perMeasure(
      z.object({
        soft: amount
          .nullable()
          .describe('When the use reaches this, the audit log gets an entry. Null: no limit.'),
        hard: amount
          .nullable()
          .describe('When the use reaches this, requests that need more are rejected. Null: no limit.'),
      }),
    ),
  )
  .meta({ id: 'SiteLimits', description: 'The limits of a site.' })
/** The limits of a site in responses. */
export type Limits = z.infer<typeof limits>

const month = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'Send a year and a month, for example 2026-11.')

/** The query parameters of the use of a site. */
export const useQuery = z.object({
  month: month.optional().describe('The month in UTC, as `2026-11`. Default: the current one.'),
})
/** The parsed query parameters. */
export type UseQuery = z.infer<typeof useQuery>

/** The use of a site in responses. */
export const use = z
  .object({
    site: z.string().describe('The slug of the site.'),
    month: z.string().describe('The month.'),
    use: z
      .object(perMeasure(count))
      .describe('What the site has used. For records and bytes, the maximum that was measured in the month.'),
    limits: limits.describe('The limits of the site.'),
    measured_at: timestamp.nullable().describe('When records and bytes were last measured.'),
  })
  .meta({ id: 'SiteUse', description: 'The use of a site in a month.' })
/** The use of a site in responses. */
export type Use = z.infer<typeof use>
