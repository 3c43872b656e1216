import { z } from 'zod'
import { count, id, timestamp } from '../../http/openapi/bodies.ts'

export const appInput = z.strictObject({
  name: z.string().trim().min(1).max(100),
  description: z.string().max(2000).default(''),
})
export type AppInput = z.infer<typeof appInput>

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

/** In lists: without the tables and the datasources themselves. */
export const appListItem = app.omit({ table_count: true, datasources: true }).meta({ id: 'AppListItem' })
export type AppListItem = z.infer<typeof appListItem>
