/** Plans and creates new tables in packages. */
import type { Call } from '../../../client/src/connection/transport.ts'
import { parseTableSchema } from '../../../src/data/model/table-schema.ts'
import { isReference, type OwnTable } from '../../../src/operation/transfers/source/source.ts'
import type { Difference } from './compare.ts'
import {
  type DryRun,
  type PlannedChange,
  type Planning,
  planned,
  referencesOf,
  relatedChanges,
} from './dry-run.ts'
import type { Parts } from './parts.ts'

/**
 * New tables of one datasource, all drafts or none, which are created together, and may reference each other.
 */
interface Package {
  datasource: string
  materialized: boolean
  names: readonly string[]
}

/** Groups new tables into packages. */
export function packagesOf(files: Parts, created: readonly { name: string }[]): Package[] {
  const packages = new Map<string, Package & { names: string[] }>()
  for (const { name } of created) {
    const table = files.tables.get(name)
    if (!table || isReference(table)) continue
    const { datasource, materialized } = table
    const key = JSON.stringify([datasource, materialized])
    const one = packages.get(key) ?? { datasource, materialized, names: [] }
    packages.set(key, one)
    one.names.push(name)
  }
  return [...packages.values()]
}

/** Returns the body that creates a package. */
const packageBody = (files: Parts, { names }: Package) => ({
  resources: names.map((name) => {
    const { description, schema } = files.tables.get(name) as OwnTable
    return { name, description, schema }
  }),
})

/** Plans new tables. Returns the plans by name; the last table of a package has the steps of all. */
export async function planPackages(
  planning: Planning,
  created: readonly Difference[],
): Promise<Map<string, PlannedChange>> {
  const { client, app, files, service } = planning
  const plans = new Map<string, PlannedChange>()
  for (const one of packagesOf(files, created)) {
    const ask = () => client.request<DryRun>(creationOf(app, files, one, service?.parts, true))
    const answer = service
      ? await planned(ask, relatedChanges(planning, one.names))
      : { steps: [], waitsFor: ['the app'] }
    for (const difference of created.filter(({ name }) => one.names.includes(name))) {
      const isLast = difference.name === one.names.at(-1)
      const told = problemsIn(answer.problem, difference.name, isLast)
      const problem = [...problemsOf(planning, difference.name), ...told].join('\n')
      plans.set(difference.name, {
        ...{ ...difference, members: [], waitsFor: answer.waitsFor },
        steps: isLast ? answer.steps : [],
        ...(problem === '' ? {} : { problem }),
      })
    }
  }
  return plans
}

/** Returns the problems of a package that name a table; the last table has those that name none. */
function problemsIn(problem: string | undefined, name: string, isLast: boolean): string[] {
  return (problem?.split('\n') ?? []).flatMap((line) => {
    const [, place, text = line] = /^resource ("(?:[^"\\]|\\.)*"): (.*)$/.exec(line) ?? []
    const isOwn = place === undefined ? isLast : place === JSON.stringify(name)
    return isOwn ? [text] : []
  })
}

/**
 * Returns the problems of a new table that the service cannot tell in a dry run: it plans nothing for an app
 * that does not exist yet, and plans a table in another datasource if its own does not.
 */
function problemsOf({ files, service }: Planning, name: string): string[] {
  const { datasource, schema } = files.tables.get(name) as OwnTable
  const sources = [files.app.datasources, service?.parts.app.datasources ?? {}]
  const isKnown = sources.some((all) => Object.hasOwn(all, datasource))
  const problems = isKnown ? [] : [`The datasource "${datasource}" is not in "datasources" of app.json.`]
  if (service !== undefined) return problems
  const parsed = parseTableSchema(schema)
  if ('problems' in parsed) return [...problems, ...parsed.problems]
  const missing = referencesOf(files.tables.get(name)).filter((target) => target && !files.tables.has(target))
  return [...problems, ...missing.map((target) => `It references ${target}, which has no file in tables.`)]
}

/** Returns the request that creates a package, or plans it. */
export function creationOf(
  app: string,
  files: Parts,
  one: Package,
  found: Parts | undefined,
  isDry: boolean,
): Call {
  // The service does not know a datasource that does not exist yet, so the dry run uses the app's first one.
  const exists = found?.app.datasources[one.datasource] !== undefined
  return {
    method: 'POST',
    path: `/api/apps/${encodeURIComponent(app)}/datatables/create_schema/`,
    query: {
      dry_run: isDry || undefined,
      materialize: one.materialized,
      datasource: exists || !isDry ? one.datasource : undefined,
    },
    body: packageBody(files, one),
  }
}
