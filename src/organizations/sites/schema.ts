import { z } from 'zod'
import { slugPattern, slugRule } from '../../lib/slug.ts'

const environments = ['production', 'staging', 'development'] as const

export const siteInput = z.strictObject({
  name: z.string().trim().min(1).max(100),
  /** Omitted: made from the name. */
  slug: z.string().regex(slugPattern, slugRule).optional(),
  environment: z.enum(environments).default('production'),
})
/** The slug stays: it stands in addresses. */
export const siteChange = z.strictObject({ name: z.string().trim().min(1).max(100).optional(), environment: z.enum(environments).optional() })
export type SiteChange = z.infer<typeof siteChange>

export type SiteInput = z.infer<typeof siteInput>
