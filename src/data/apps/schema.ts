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
    id: id.describe('The id of the app.'),
    name: z.string().describe('The name.'),
    slug: z.string().describe('The slug, made from the name, which stands in paths.'),
    description: z.string().describe('A description for people.'),
    datasource_count: count.describe('How many datasources it has.'),
    table_count: count.describe('How many datatables it has.'),
    datasources: z
      .array(
        z.object({
          id: id.describe('The id of the datasource.'),
          name: z.string().describe('Its name.'),
          slug: z.string().describe('Its slug.'),
          provider_type: z.string().describe('How tables are stored.'),
          table_count: count.describe('How many datatables it has.'),
        }),
      )
      .describe('Its datasources.'),
    created_at: timestamp.describe('When it was created.'),
    updated_at: timestamp.describe('When it was last changed.'),
    created_by: id.describe('The id of the account that created it.'),
    modified_by: id.nullable().describe('The id of the account that changed it last; null: nobody.'),
  })
  .meta({ id: 'App', description: 'An app: a group of datasources and tables.' })
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
export const appListItem = app.omit({ table_count: true, datasources: true }).meta({ id: 'AppListItem', description: 'An app in a list.' })
export type AppListItem = z.infer<typeof appListItem>

export const appStats = tableTotals
  .extend({
    app_name: z.string().describe('The name of the app.'),
    app_slug: z.string().describe('The slug of the app.'),
    total_datasources: count.describe('How many datasources there are.'),
    datasources: z
      .array(
        z.object({
          name: z.string().describe('The name of the datasource.'),
          slug: z.string().describe('Its slug.'),
          provider_type: z.string().describe('How tables are stored.'),
          total_tables: count.describe('How many datatables it has.'),
          materialized_tables: count.describe('How many of them have a physical table.'),
        }),
      )
      .describe('The datasources.'),
  })
  .meta({ id: 'AppStats', description: 'How many datasources and tables an app has.' })
export type AppStats = z.infer<typeof appStats>

export const appRestored = z.object({ message: z.string().describe('What was done.') })
