/** The plan of a push: the result of the service's dry run for each part. */

import type { AppRule } from '../../../src/data/model/access.ts'
import { rulesNaming } from '../../../src/data/model/named-tables.ts'
import { providerTypes } from '../../../src/data/model/storage.ts'
import { canonicalJson } from '../../../src/kernel/lib/canonical-json.ts'
import { slugPattern, slugRule } from '../../../src/kernel/lib/slug-rule.ts'
import {
  isReference,
  type Members,
  type OwnTable,
  type TablePart,
} from '../../../src/operation/transfers/source/source.ts'
import type { Comparison, Difference } from './compare.ts'
import {
  type DryRun,
  type PlannedChange,
  type Planning,
  planned,
  relatedChanges,
  targetOf,
} from './dry-run.ts'
import { planPackages } from './packages.ts'
import type { Parts } from './parts.ts'

/** Plans all changes, without changing anything. */
export async function planChanges(planning: Planning): Promise<PlannedChange[]> {
  const { comparison } = planning
  const created = comparison.differences.filter(({ kind, action }) => kind === 'table' && action === 'create')
  const packages = await planPackages(planning, created)
  const planned: PlannedChange[] = []
  for (const difference of comparison.differences)
    planned.push(
      (difference.kind === 'table' && packages.get(difference.name)) || (await planOne(planning, difference)),
    )
  return planned
}

async function planOne(planning: Planning, difference: Difference): Promise<PlannedChange> {
  const { kind, name, action } = difference
  const plain = { ...difference, steps: [], members: changedMembers(planning, difference), waitsFor: [] }
  if (kind === 'app') return { ...plain, ...problemOf(planning) }
  if (kind === 'secret type' && action === 'delete') return { ...plain, ...(await usesOf(planning, name)) }
  if (kind === 'role' && planning.site === undefined) return { ...plain, problem: rolesUnreadable }
  if (kind !== 'table') return plain
  const found = planning.service?.parts.tables.get(name)
  const wanted = planning.files.tables.get(name)
  const problem = found && wanted && impossible(name, found, wanted)
  if (problem) return { ...plain, problem }
  if ((found && isReference(found)) || (wanted && isReference(wanted))) return plain
  return action === 'delete' ? planDeletion(planning, difference) : planAlteration(planning, difference)
}

const rolesUnreadable =
  'Roles belong to the site: name it with --site, and sign in as somebody who may read it.'

/**
 * Returns the problems of an app and of its new datasources, for which the service has no dry run: it would
 * make the app, and then refuse a datasource.
 */
function problemOf({ files, service }: Planning): { problem?: string } {
  const { name, datasources } = files.app
  const found = service?.parts.app.datasources ?? {}
  const problems = Object.entries(datasources).flatMap(([slug, { provider_type: type }]) => {
    if (Object.hasOwn(found, slug)) return []
    const isKnown = providerTypes.some((one) => one === type)
    return [
      ...(slugPattern.test(slug) ? [] : [`datasources.${slug}: ${slugRule}`]),
      ...(isKnown ? [] : [`datasources.${slug}.provider_type: Must be one of: ${providerTypes.join(', ')}.`]),
    ]
  })
  const all = [...(name.trim() === '' ? ['name: This field is required.'] : []), ...problems]
  return all.length === 0 ? {} : { problem: all.join('\n') }
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

/** Tells whether the rules of the app name a table until the push changes them. */
const isReleased = ({ service, comparison }: Planning, table: string): boolean =>
  comparison.differences.some(({ kind }) => kind === 'access rules') &&
  rulesNaming((service?.parts.app.rules ?? []) as readonly AppRule[], table).length > 0

async function planDeletion(planning: Planning, difference: Difference): Promise<PlannedChange> {
  if (isReleased(planning, difference.name)) return { ...difference, members: [], steps: [], waitsFor: [] }
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
  const { app, tables, functions, subscriptions, secretTypes, roles } = parts
  const table = tables.get(name)
  const one = functions.get(name)
  const contents: Record<Difference['kind'], Members | undefined> = {
    app: { ...app, rules: undefined },
    'access rules': { rules: app.rules },
    role: roles.get(name),
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
