import { z } from 'zod'
import { slugPattern, slugRule } from '../../lib/slug.ts'
import { providerTypes } from '../providers/registry.ts'

export const datasourceInput = z.strictObject({
  name: z.string().trim().min(1).max(100),
  slug: z.string().regex(slugPattern, slugRule),
  provider_type: z.enum(providerTypes),
  provider_config: z.record(z.string(), z.json()).default({}),
  description: z.string().max(2000).default(''),
})
export type DatasourceInput = z.infer<typeof datasourceInput>
