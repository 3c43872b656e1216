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
    id: id.describe('The id of the datasource.'),
    app: id.describe('The id of its app.'),
    app_name: z.string().describe('The name of its app.'),
    app_slug: z.string().describe('The slug of its app.'),
    name: z.string().describe('The name.'),
    slug: z.string().describe('The slug, which is given when it is created and cannot be changed.'),
    provider_type: z
      .enum(providerTypes)
      .describe('How tables are stored: `flat_table` has a column for each field, `jsonb` one document for each record.'),
    provider_config: z.record(z.string(), z.unknown()).describe('Settings of the provider.'),
    description: z.string().describe('A description for people.'),
    is_active: z.boolean().describe('Whether it is in use.'),
    table_count: count.describe('How many datatables it has.'),
    materialized_count: count.describe('How many of them have a physical table.'),
    created_at: timestamp.describe('When it was created.'),
    updated_at: timestamp.describe('When it was last changed.'),
    created_by: id.describe('The id of the account that created it.'),
    modified_by: id.nullable().describe('The id of the account that changed it last; null: nobody.'),
  })
  .meta({ id: 'Datasource', description: 'A place where tables of an app are stored.' })
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
  .meta({ id: 'DatasourceListItem', description: 'A datasource in a list.' })
export type DatasourceListItem = z.infer<typeof datasourceListItem>

export const datasourceStats = tableTotals
  .extend({ provider_type: z.string().describe('How tables are stored.'), is_active: z.boolean().describe('Whether the datasource is in use.') })
  .meta({ id: 'DatasourceStats', description: 'How many tables a datasource has.' })
export type DatasourceStats = z.infer<typeof datasourceStats>
