import { z } from 'zod'
import { listQuery } from '../../http/lists/list.ts'
import { count, id, timestamp } from '../../http/openapi/bodies.ts'
import { inactiveHidden } from '../../http/params.ts'
import { returnable } from '../../http/returnable.ts'
import { slugPattern, slugRule } from '../../lib/slug.ts'
import { tableTotals } from '../datatables/schema.ts'
import { providerTypes } from '../providers/registry.ts'
import { list } from './store.ts'

const fields = {
  name: z.string().trim().min(1).max(100),
  slug: z.string().regex(slugPattern, slugRule),
  provider_type: z.enum(providerTypes),
  provider_config: z.record(z.string(), z.json()),
  description: z.string().max(2000),
}

export const datasourcesQuery = listQuery(list, inactiveHidden)
export type DatasourcesQuery = z.infer<typeof datasourcesQuery>

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

const whole = { ...fields, provider_config: fields.provider_config.default({}), description: fields.description.default('') }
const isActive = z.boolean().optional()

export const datasourceInput = returnable(whole, datasource)
export type DatasourceInput = z.infer<typeof datasourceInput>

/**
 * What is left out stays. The slug stands in addresses and the tables are made by the provider's kind: both may be
 * sent, and stay as they are.
 */
export const datasourceChange = returnable({ ...z.object(fields).partial().shape, is_active: isActive }, datasource)
export type DatasourceChange = z.infer<typeof datasourceChange>

/** PUT: what is left out has its default. Whether it is active stays. */
export const datasourceReplacement = returnable({ ...whole, is_active: isActive }, datasource)

export const datasourceListItem = datasource
  .omit({ app: true, provider_config: true, materialized_count: true, created_by: true, modified_by: true })
  .meta({ id: 'DatasourceListItem' })
export type DatasourceListItem = z.infer<typeof datasourceListItem>

export const datasourceStats = tableTotals.extend({ provider_type: z.string(), is_active: z.boolean() }).meta({ id: 'DatasourceStats' })
export type DatasourceStats = z.infer<typeof datasourceStats>
