/** The query and the answers of reads in several sites of an organization. */
import * as z from 'zod'
import { sizeText } from '../../kernel/http/lists/range.ts'
import { count } from '../../kernel/http/openapi/bodies.ts'
import { listParam } from '../../kernel/http/params.ts'
import { totalKinds } from '../query/render/render-total.ts'
import { number, text } from '../records/query-parts.ts'
import { listQuery } from '../records/query-schema.ts'
import { record } from '../records/schema.ts'
import { sitesMax } from './sites.ts'
import { skipReasons } from './skipped.ts'

/** The largest page. */
export const pageMax = 100

/** The parameters of lists that do not apply to several sites, and what to do instead. */
export const refused: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['page', 'offset', '_start', '_end', '_page', 'before'].map((name) => [
      name,
      'Pages of several sites follow each other: send after= with the cursor of the page before, meta.next.',
    ]),
  ),
  ...Object.fromEntries(
    ['populate', 'format', 'include', 'depth', 'relationship_type', '_bom', '_envelope'].map((name) => [
      name,
      'Not possible over several sites. Ask the site of the record.',
    ]),
  ),
  ...Object.fromEntries(
    ['_group_by', '_having', '_distinct'].map((name) => [
      name,
      'Records of several sites cannot be grouped. Send _aggregate alone: it has the results of each site.',
    ]),
  ),
}

/** The parameters that are not part of the question to each site. */
export const ownParameters = ['app', 'table', 'sites', 'environment'] as const

const { page_size: _, ...listed } = listQuery.shape
const kept = Object.fromEntries(Object.entries(listed).filter(([name]) => !(name in refused)))

/** The query parameters. */
export const query = z.looseObject({
  app: text('The slug of the app. Required.'),
  table: text('The name of the table. Required.'),
  sites: listParam(
    'The slugs of the sites, separated by commas. Default: all of the organization.',
  ).optional(),
  environment: text('Only sites of this environment, for example `production`.'),
  ...kept,
  page_size: number(1, `The number of items on a page. ${sizeText(20, pageMax)}`),
  after: text('A cursor, `meta.next` of the answer before. Default: the first page.'),
})

const site = z.string().describe('The slug of the site.')
const skipped = z
  .array(
    z.object({
      site,
      reason: z.enum(skipReasons).describe('Why the site has no part in the answer.'),
      detail: z.string().describe('The reason in a sentence.'),
    }),
  )
  .describe('The sites that have no part in the answer.')

/** The answer with records. */
export const recordsOfSites = z
  .object({
    data: z.array(z.object({ site, record })).describe('The records of the page, each with its site.'),
    total: count
      .nullable()
      .describe('The number of records of all sites that are not skipped; null if it is not known.'),
    meta: z
      .object({
        limit: z.int().describe('The maximum number of records on a page.'),
        has_more: z.boolean().describe('Whether there are records after this page.'),
        total_is: z.enum(totalKinds).describe('How the total was found: that of the least exact site.'),
        next: z.string().nullable().describe('The cursor of the next page, for `after`; null on the last.'),
      })
      .describe('The position of the page.'),
    skipped,
  })
  .meta({ id: 'RecordsOfSites', description: 'A page of the records of several sites.' })
export type RecordsOfSites = z.infer<typeof recordsOfSites>

const results = z.record(z.string(), z.unknown())
/** The answer with `_aggregate`. */
export const aggregatesOfSites = z
  .object({
    data: z.array(z.object({ site, aggregates: results })).describe('The results of each site, by name.'),
    aggregates: results.describe(
      'The results of all sites together: those of `count`, `sum`, `min`, `max`, `bool_and` and `bool_or` ' +
        'without `distinct`. Other functions have no result here, because it does not follow from those of ' +
        'the sites.',
    ),
    skipped,
  })
  .meta({ id: 'AggregatesOfSites', description: 'With `_aggregate`: the results of several sites.' })
export type AggregatesOfSites = z.infer<typeof aggregatesOfSites>

/** The description of the operation. */
export const description =
  'For owners and admins. Lists the records of a table in all sites of the organization as one list, ' +
  'with the filters, the order and the aggregates of a list of records. Ties are in the order in which ' +
  `the sites were made. At most ${sitesMax} sites and ${pageMax} records in a request. A site whose ` +
  'table is missing or differs in a named field, or that is suspended or late, is skipped. The audit of ' +
  'each site that was read names the table. A field whose name is a parameter is filtered by ' +
  '`<name>__exact`.'
