import { z } from 'zod'
import { count, id, timestamp } from '../../http/openapi/bodies.ts'
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

/** Spec: Datasource. */
export const datasource = z
  .object({
    id,
    app: id,
    app_name: z.string(),
    app_slug: z.string(),
    name: z.string(),
    slug: z.string(),
    provider_type: z.enum(providerTypes),
    provider_config: z.record(z.string(), z.unknown()),
    description: z.string(),
    is_active: z.boolean(),
    table_count: count,
    materialized_count: count,
    created_at: timestamp,
    updated_at: timestamp,
    created_by: id,
    modified_by: id.nullable(),
  })
  .meta({ id: 'Datasource' })
export type Datasource = z.infer<typeof datasource>

export const datasourceListItem = datasource
  .omit({ app: true, provider_config: true, materialized_count: true, created_by: true, modified_by: true })
  .meta({ id: 'DatasourceListItem' })
export type DatasourceListItem = z.infer<typeof datasourceListItem>
