import { z } from 'zod'
import { listQuery } from '../../http/lists/list.ts'
import { count, id, timestamp } from '../../http/openapi/bodies.ts'
import { inactiveHidden } from '../../http/params.ts'
import { returnable } from '../../http/returnable.ts'
import { slugPattern, slugRule } from '../../lib/slug.ts'
import { tableTotals } from '../datatables/schema.ts'
import { list } from './store.ts'

const slug = z.string().regex(slugPattern, slugRule).meta({ description: 'Omitted: what the name gives.' })
const name = z.string().trim().min(1).max(100)
const description = z.string().max(2000)

export const appsQuery = listQuery(list, inactiveHidden)
export type AppsQuery = z.infer<typeof appsQuery>

/** Spec: App. */
export const app = z
  .object({
    id,
    name: z.string(),
    slug: z.string(),
    description: z.string(),
    datasource_count: count,
    table_count: count,
    datasources: z.array(z.object({ id, name: z.string(), slug: z.string(), provider_type: z.string(), table_count: count })),
    created_at: timestamp,
    updated_at: timestamp,
    created_by: id,
    modified_by: id.nullable(),
  })
  .meta({ id: 'App' })
export type App = z.infer<typeof app>

/** D16 */
export const newApp = returnable({ name, slug: slug.optional(), description: description.default('') }, app)
export type NewApp = z.infer<typeof newApp>

/** What PUT takes. */
export const appInput = returnable({ name, description: description.default('') }, app)

/** The slug stays: it stands in addresses. */
export const appChange = returnable({ name: name.optional(), description: description.optional() }, app)
export type AppChange = z.infer<typeof appChange>

/** In lists: without the tables and the datasources themselves. */
export const appListItem = app.omit({ table_count: true, datasources: true }).meta({ id: 'AppListItem' })
export type AppListItem = z.infer<typeof appListItem>

export const appStats = tableTotals
  .extend({
    app_name: z.string(),
    app_slug: z.string(),
    total_datasources: count,
    datasources: z.array(
      z.object({ name: z.string(), slug: z.string(), provider_type: z.string(), total_tables: count, materialized_tables: count }),
    ),
  })
  .meta({ id: 'AppStats' })
export type AppStats = z.infer<typeof appStats>

export const appRestored = z.object({ message: z.string() })
