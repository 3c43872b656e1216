/** The plan of a push: the result of the service's dry run for each part. */
import type { Call } from '../../../client/src/connection/transport.ts'
import { type Client, TesseraError } from '../../../client/src/index.ts'
import { canonicalJson } from '../../../src/lib/canonical-json.ts'
import type { Comparison, Difference } from './compare.ts'
import { isReference, type Members, type OwnTable, type Parts, type TablePart } from './parts.ts'
import type { ServiceApp } from './read-service.ts'

/** A step in Postgres, as the service plans it. */
interface Step {
  description: string
  sql: string
  /** Whether values of records are lost. */
  destructive: boolean
  /** Whether readers and writers of the table wait during the step. */
  locks: boolean
}

/** The action on a part. */
export interface PlannedChange extends Difference {
  steps: readonly Step[]
  /** The members that change, if the part has no steps in Postgres. */
  members: readonly string[]
  /** The tables that must change first, because the service cannot plan this one before. */
  waitsFor: readonly string[]
  /** Why the service rejects the change; undefined if it does not. */
  problem?: string
}

/** The data for a plan. */
interface Planning {
  client: Client
  app: string
  files: Parts
  service: ServiceApp | undefined
  comparison: Comparison
}

/** The response to a dry run. */
interface DryRun {
  changes: { operation: string; description: string; sql: string; destructive: boolean; online?: boolean }[]
  /** For a deletion: all tables that would be deleted. */
  datatables?: string[]
}

/** Plans all changes, without changing anything. */
export async function planChanges(planning: Planning): Promise<PlannedChange[]> {
  const { comparison } = planning
  const created = comparison.differences.filter(({ kind, action }) => kind === 'table' && action === 'create')
  const packages = await planPackages(planning, created)
  const planned: PlannedChange[] = []
  for (const difference of comparison.differences)
    planned.push(packages.get(difference.name) ?? (await planOne(planning, difference)))
  return planned
}

async function planOne(planning: Planning, difference: Difference): Promise<PlannedChange> {
  const { kind, name, action } = difference
  const plain = { ...difference, steps: [], members: changedMembers(planning, difference), waitsFor: [] }
  if (kind === 'secret type' && action === 'delete') return { ...plain, ...(await usesOf(planning, name)) }
  if (kind !== 'table') return plain
  const found = planning.service?.parts.tables.get(name)
  const wanted = planning.files.tables.get(name)
  const problem = found && wanted && impossible(name, found, wanted)
  if (problem) return { ...plain, problem }
  if ((found && isReference(found)) || (wanted && isReference(wanted))) return plain
  return action === 'delete' ? planDeletion(planning, difference) : planAlteration(planning, difference)
}

/**
 * Returns the problem if secrets use a secret type, which then cannot be deleted. Secrets of other apps may
 * use it, too.
 */
async function usesOf({ client }: Planning, slug: string): Promise<{ problem?: string }> {
  const { count } = await client.request<{ count: number }>({
    path: '/api/secrets/',
    query: { secret_type: slug, page_size: 1 },
  })
  return count > 0 ? { problem: `${count} secrets of the site are of this type. Delete them first.` } : {}
}

/** Returns why a change cannot turn a table into the other one. */
function impossible(name: string, found: TablePart, wanted: TablePart): string | undefined {
  const again = `Push without the file of ${name} first, then with it.`
  if (isReference(found) || isReference(wanted))
    return isReference(found) && isReference(wanted)
      ? `A reference keeps its source. ${again}`
      : `A table and a reference to one cannot become each other. ${again}`
  if (found.datasource !== wanted.datasource) return `A table keeps its datasource. ${again}`
  if (found.materialized && !wanted.materialized)
    return `A table with records cannot become a draft. ${again}`
  return undefined
}

async function planAlteration(planning: Planning, difference: Difference): Promise<PlannedChange> {
  const { client, app, files } = planning
  const { description, schema } = files.tables.get(difference.name) as OwnTable
  const path = `/api/apps/${encodeURIComponent(app)}/datatables/${difference.name}/`
  const asking = (json_schema: Members) => () =>
    client.request<DryRun>({
      method: 'PATCH',
      path,
      query: { dry_run: true },
      body: { description, json_schema },
    })
  const members = changedMembers(planning, difference)
  const answer = await planned(asking(schema), relatedChanges(planning, [difference.name]))
  const { rest, targets } = withoutNewKeys(planning, schema)
  if (answer.waitsFor.length === 0 || targets.length === 0) return { ...difference, members, ...answer }
  // Most of these tables only get a foreign key to a new table. The rest of the change can be planned now.
  const others = await planned(asking(rest), answer.waitsFor)
  return { ...difference, members, ...others, waitsFor: others.steps.length > 0 ? targets : answer.waitsFor }
}

/**
 * Returns a schema without its foreign keys to tables that do not exist yet, and the names of these tables.
 */
function withoutNewKeys({ comparison }: Planning, schema: Members): { rest: Members; targets: string[] } {
  const keys = Array.isArray(schema.foreignKeys) ? (schema.foreignKeys as Members[]) : []
  const isNew = (key: Members) => isIn(comparison, targetOf(key), ['create'])
  return {
    rest: { ...schema, foreignKeys: keys.filter((key) => !isNew(key)) },
    targets: [...new Set(keys.filter(isNew).map(targetOf))],
  }
}

async function planDeletion(planning: Planning, difference: Difference): Promise<PlannedChange> {
  const { client, app, comparison } = planning
  const path = `/api/apps/${encodeURIComponent(app)}/datatables/${difference.name}/`
  const answer = await planned(
    () => client.request<DryRun>({ method: 'DELETE', path, query: { dry_run: true, cascade: true } }),
    [],
  )
  const own = { ...difference, members: [] }
  if (answer.problem !== undefined || answer.datatables === undefined) return { ...own, ...answer }
  const others = answer.datatables.filter((name) => name !== difference.name)
  const deleted = (name: string) => isIn(comparison, name, ['delete'])
  const kept = others.filter((name) => !deleted(name))
  // The tables that are deleted with it have their own steps.
  const steps = answer.steps.filter(({ description }) => !others.some((name) => description.includes(name)))
  const stuck = kept.filter((name) => !isIn(comparison, name, ['change']))
  if (stuck.length > 0)
    return { ...own, ...answer, problem: `It is referenced by ${stuck.join(', ')}, which would stay.` }
  return { ...own, steps, waitsFor: kept }
}

const isIn = ({ differences }: Comparison, name: string, actions: readonly Difference['action'][]): boolean =>
  differences.some((one) => one.kind === 'table' && one.name === name && actions.includes(one.action))

type Answer = Pick<PlannedChange, 'steps' | 'waitsFor'> & { problem?: string; datatables?: string[] }

/** Requests a dry run. An error is a problem, unless changed `related` tables explain it. */
async function planned(ask: () => Promise<DryRun>, related: readonly string[]): Promise<Answer> {
  try {
    const { changes, datatables } = await ask()
    return { steps: changes.map(asStep), waitsFor: [], ...(datatables ? { datatables } : {}) }
  } catch (error) {
    if (!(error instanceof TesseraError) || ![400, 409, 422].includes(error.status)) throw error
    if (related.length > 0) return { steps: [], waitsFor: related }
    const problem = Object.values(error.messages).flat().join(' ')
    return { steps: [], waitsFor: [], problem: problem || error.message }
  }
}

const asStep = ({ operation, description, sql, destructive, online }: DryRun['changes'][number]): Step => ({
  description,
  sql,
  destructive,
  locks: operation !== 'create_table' && !online,
})

/**
 * Returns the other changed tables that are connected to these by foreign keys, before or after the change.
 */
function relatedChanges({ files, service, comparison }: Planning, names: readonly string[]): string[] {
  const changing = new Set(
    comparison.differences.flatMap((one) =>
      one.kind === 'table' && !names.includes(one.name) ? [one.name] : [],
    ),
  )
  const tables = [files.tables, service?.parts.tables ?? new Map<string, TablePart>()]
  const targets = tables.flatMap((all) => names.flatMap((name) => referencesOf(all.get(name))))
  const sources = tables.flatMap((all) =>
    [...all].flatMap(([other, table]) =>
      referencesOf(table).some((target) => names.includes(target)) ? [other] : [],
    ),
  )
  return [...new Set([...targets, ...sources])].filter((other) => changing.has(other)).toSorted()
}

/** Returns the tables that the foreign keys of a table reference. */
function referencesOf(table: TablePart | undefined): string[] {
  if (!table || isReference(table)) return []
  const { foreignKeys } = table.schema
  if (!Array.isArray(foreignKeys)) return []
  return foreignKeys.map(targetOf)
}

/** Returns the table that a foreign key references. */
const targetOf = (key: Members): string => String((Object(key.reference) as Members).resource ?? '')

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
async function planPackages(
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
      plans.set(difference.name, { ...difference, members: [], ...answer, steps: isLast ? answer.steps : [] })
    }
  }
  return plans
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

/** Returns the differing members; for a table, those of its schema. */
function changedMembers({ files, service }: Planning, { kind, name, action }: Difference): string[] {
  if (action !== 'change') return []
  const [before, after] = [service?.parts, files].map((parts) => contentOf(parts, kind, name))
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  return [...names].filter(
    (one) => canonicalJson(before?.[one] ?? null) !== canonicalJson(after?.[one] ?? null),
  )
}

function contentOf(parts: Parts | undefined, kind: Difference['kind'], name: string): Members | undefined {
  if (!parts) return undefined
  const { app, tables, functions, subscriptions, secretTypes } = parts
  const table = tables.get(name)
  const one = functions.get(name)
  const contents: Record<Difference['kind'], Members | undefined> = {
    app: { ...app },
    'secret type': secretTypes.get(name),
    table:
      table &&
      (isReference(table)
        ? { ...table }
        : { ...table.schema, 'description of the table': table.description }),
    function: one && { ...one.settings, code: one.code },
    subscriptions,
  }
  return contents[kind]
}
