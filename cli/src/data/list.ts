/** The code of `tessera data list`. */
import {
  type AggregatesOfSites,
  organizationPath,
  type RecordsOfSites,
} from '../../../client/src/site/organizations.ts'
import type { Context } from '../context.ts'

interface ListOptions {
  organization: string
  sites?: string
  environment?: string
  query?: string
}

/** Lists the records of a table in all sites of an organization, or aggregates of them. */
export async function list(
  { output, ...context }: Context,
  { organization, sites, environment, query = '' }: ListOptions,
  app: string,
  table: string,
): Promise<void> {
  const asked = Object.fromEntries(new URLSearchParams(query))
  const answer = await context.client().request<RecordsOfSites | AggregatesOfSites>({
    path: `${organizationPath(organization)}records/`,
    query: { ...asked, app, table, sites, environment },
  })
  output.result(answer, () => {
    const rows = answer.data.map((one) => ({
      site: one.site,
      ...('record' in one ? one.record : one.aggregates),
    }))
    const all = 'aggregates' in answer ? [...rows, { site: 'all', ...answer.aggregates }] : rows
    const names = [...new Set(all.flatMap((row) => Object.keys(row)))]
    output.table(
      names,
      all.map((row) => names.map((name) => textOf((row as Record<string, unknown>)[name]))),
    )
    if ('meta' in answer && answer.meta.next !== null)
      output.line(`There are more: add after=${answer.meta.next} to --query.`)
    for (const { site, detail } of answer.skipped) output.line(`Skipped ${site}: ${detail}`)
  })
}

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
