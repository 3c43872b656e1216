/** The bodies and parameters of datasources. */
import * as z from 'zod'
import { identity } from '../../kernel/http/fixed-members.ts'
import { type ListForm, listQuery } from '../../kernel/http/lists/list.ts'
import { rangeParameters, rejectMixedPaging } from '../../kernel/http/lists/range.ts'
import { count, id, provenance } from '../../kernel/http/openapi/bodies.ts'
import { activeByDefault } from '../../kernel/http/params.ts'
import { withFixed, withReadOnly } from '../../kernel/http/with-read-only.ts'
import { slugPattern, slugRule } from '../../kernel/lib/slug-rule.ts'
import { tableTotals } from '../catalog/schema.ts'
import { providerTypes } from '../model/storage.ts'

/** The orderings and the search of the list. */
export const listForm = {
  orderings: ['name', 'slug', 'provider_type', 'created_at', 'updated_at'],
  ordering: 'name',
  searched: 'the name or the slug',
  isWhole: true,
} as const satisfies ListForm

/** The most characters of the JSON of the settings of a provider. */
const configLengthMax = 65_536

const fields = {
  name: z.string().trim().min(1).max(100),
  slug: z.string().regex(slugPattern, slugRule),
  provider_type: z.enum(providerTypes),
  provider_config: z
    .record(z.string(), z.json())
    .refine(
      (config) => JSON.stringify(config).length <= configLengthMax,
      `Ensure the settings have no more than ${configLengthMax} characters.`,
    ),
  description: z.string().max(2000),
}

/** The query parameters of the list. */
export const datasourcesQuery = listQuery(listForm, activeByDefault)
/** The parsed query parameters of the list. */
export type DatasourcesQuery = z.infer<typeof datasourcesQuery>

/** Spec: Datasource. */
export const datasource = z
  .object({
    id: id.describe('The id of the datasource.'),
    app: id.describe('The id of its app.'),
    app_name: z.string().describe('The name of its app.'),
    app_slug: z.string().describe('The slug of its app.'),
    name: z.string().describe('The name.'),
    slug: z.string().describe('The slug, which cannot be changed.'),
    provider_type: z
      .enum(providerTypes)
      .describe(
        'How tables are stored: `flat_table` has a column for each field, `jsonb` a document for each ' +
          'record, `mongodb` a document of your MongoDB.',
      ),
    provider_config: z.record(z.string(), z.unknown()).describe('The settings of the provider.'),
    description: z.string().describe('A description.'),
    is_active: z.boolean().describe('Whether it is active. An inactive datasource counts as deleted.'),
    table_count: count.describe('The number of its datatables.'),
    materialized_count: count.describe('The number of its datatables with a physical table.'),
    ...provenance,
  })
  .meta({ id: 'Datasource', description: 'A place where an app stores its tables.' })
/** A datasource in full. */
export type Datasource = z.infer<typeof datasource>

const whole = {
  ...fields,
  provider_config: fields.provider_config.default({}),
  description: fields.description.default(''),
}
const isActive = z.boolean().optional()

/** The body of creating a datasource. */
export const datasourceInput = withReadOnly(whole, datasource)
export type DatasourceInput = z.infer<typeof datasourceInput>

/** A datasource stays in its app. */
const fixed = {
  ...identity,
  app: 'Create a datasource in the other app.',
  app_name: 'Change the name of the app.',
  app_slug: 'Create a datasource in the other app.',
}

/**
 * The body of PATCH. Omitted members stay unchanged. The slug and the provider may be sent, but not changed.
 */
export const datasourceChange = withFixed(
  fixed,
  { ...z.object(fields).partial().shape, is_active: isActive },
  datasource,
)
export type DatasourceChange = z.infer<typeof datasourceChange>

/** The body of PUT. Omitted members get their defaults, except `is_active`, which is unchanged. */
export const datasourceReplacement = withFixed(fixed, { ...whole, is_active: isActive }, datasource)

export const datasourceListItem = datasource
  .omit({ app: true, provider_config: true, materialized_count: true, created_by: true, modified_by: true })
  .meta({ id: 'DatasourceListItem', description: 'A datasource in a list.' })
export type DatasourceListItem = z.infer<typeof datasourceListItem>

/** A collection of a datasource in MongoDB. */
export const foundCollection = z
  .object({
    name: z.string().describe('The name.'),
    kind: z
      .string()
      .describe('`collection`, `view` or `timeseries`. Only of a `collection` a table can be made.'),
    documents: count.nullable().describe('The number of its documents; null: the server does not say.'),
    bytes: count.nullable().describe('The size of its documents; null: the server does not say.'),
    is_ours: z.boolean().describe('Whether it was made for a table.'),
    datatable: z
      .string()
      .nullable()
      .describe('The name of the table of this datasource whose records it has.'),
  })
  .meta({ id: 'FoundCollection', description: 'A collection in the database of a datasource.' })
export type CollectionItem = z.infer<typeof foundCollection>

/** The list of collections: by default all of them, in the order of their names. */
export const wholeDatabase = { isWhole: true } as const
/** The query parameters of the list of collections. */
export const collectionsQuery = z.object(rangeParameters(wholeDatabase)).superRefine(rejectMixedPaging)
/** The parsed query parameters. */
export type CollectionsQuery = z.infer<typeof collectionsQuery>

/** What the server of a datasource is. */
export const datasourceCheck = z
  .object({
    server: z.string().describe('The server and its version.'),
    transactions: z
      .boolean()
      .describe('Whether it has transactions. Without them, a request writes one record.'),
    round_trip_ms: z.number().describe('How long it took to answer, in milliseconds.'),
  })
  .meta({ id: 'DatasourceCheck', description: 'The server that stores the records of a datasource.' })
/** What the server of a datasource is. */
export type DatasourceCheck = z.infer<typeof datasourceCheck>

/** The counts of the tables of a datasource. */
export const datasourceStats = tableTotals
  .extend({
    provider_type: z.string().describe('How tables are stored.'),
    is_active: z.boolean().describe('Whether the datasource is active.'),
  })
  .meta({ id: 'DatasourceStats', description: 'The counts of the tables of a datasource.' })
/** The counts of the tables of a datasource. */
export type DatasourceStats = z.infer<typeof datasourceStats>
