/** The bodies and parameters of apps. */
import * as z from 'zod'
import { identity } from '../../kernel/http/fixed-members.ts'
import { type ListForm, listQuery } from '../../kernel/http/lists/list.ts'
import { count, id, provenance } from '../../kernel/http/openapi/bodies.ts'
import { activeByDefault } from '../../kernel/http/params.ts'
import { withFixed, withReadOnly } from '../../kernel/http/with-read-only.ts'
import { slugPattern, slugRule } from '../../kernel/lib/slug-rule.ts'
import { tableTotals } from '../catalog/schema.ts'

/** The orderings and the search of the list. */
export const listForm = {
  orderings: ['name', 'slug', 'created_at', 'updated_at'],
  ordering: 'name',
  searched: 'the name or the slug',
} as const satisfies ListForm

const slug = z.string().regex(slugPattern, slugRule).meta({ description: 'Default: made from the name.' })
const name = z.string().trim().min(1).max(100)
const description = z.string().max(2000)

/** The query parameters of the list. */
export const appsQuery = listQuery(listForm, activeByDefault)
/** The parsed query parameters of the list. */
export type AppsQuery = z.infer<typeof appsQuery>

/** Spec: App. */
export const app = z
  .object({
    id: id.describe('The id of the app.'),
    name: z.string().describe('The name.'),
    slug: z
      .string()
      .describe('The slug, which paths contain. It is made from the name and cannot be changed.'),
    description: z.string().describe('A description.'),
    datasource_count: count.describe('The number of its datasources.'),
    table_count: count.describe('The number of its datatables.'),
    datasources: z
      .array(
        z.object({
          id: id.describe('The id of the datasource.'),
          name: z.string().describe('Its name.'),
          slug: z.string().describe('Its slug.'),
          provider_type: z.string().describe('How tables are stored.'),
          table_count: count.describe('The number of its datatables.'),
        }),
      )
      .describe('Its datasources.'),
    ...provenance,
  })
  .meta({ id: 'App', description: 'An app: a group of datasources and tables.' })
/** An app in full. */
export type App = z.infer<typeof app>

/** The body of creating an app. D16. */
export const appInput = withReadOnly(
  { name, slug: slug.optional(), description: description.default('') },
  app,
)
export type AppInput = z.infer<typeof appInput>

/** Paths contain the slug. */
const fixed = { ...identity, slug: 'Paths contain it: create another app with the new slug.' }

/** The body of PUT. */
export const appReplacement = withFixed(fixed, { name, description: description.default('') }, app)

/** The body of PATCH. */
export const appChange = withFixed(fixed, { name: name.optional(), description: description.optional() }, app)
export type AppChange = z.infer<typeof appChange>

/** An app in a list, without the details of its tables and datasources. */
export const appListItem = app
  .omit({ table_count: true, datasources: true })
  .meta({ id: 'AppListItem', description: 'An app in a list.' })
export type AppListItem = z.infer<typeof appListItem>

/** The counts of the datasources and tables of an app. */
export const appStats = tableTotals
  .extend({
    app_name: z.string().describe('The name of the app.'),
    app_slug: z.string().describe('The slug of the app.'),
    total_datasources: count.describe('The number of datasources.'),
    datasources: z
      .array(
        z.object({
          name: z.string().describe('The name of the datasource.'),
          slug: z.string().describe('Its slug.'),
          provider_type: z.string().describe('How tables are stored.'),
          total_tables: count.describe('The number of its datatables.'),
          materialized_tables: count.describe('The number of its datatables with a physical table.'),
        }),
      )
      .describe('The counts of each datasource.'),
  })
  .meta({ id: 'AppStats', description: 'The counts of the datasources and tables of an app.' })
/** The counts of the datasources and tables of an app. */
export type AppStats = z.infer<typeof appStats>

/** The answer of restoring an app. */
export const appRestored = z.object({
  message: z.string().describe('A sentence that confirms the restoration.'),
})
