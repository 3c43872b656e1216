/**
 * Pushes an app to many sites: plans for all of them first, then one site, then eight at a time. A site that
 * refuses stays as it was. A push that was interrupted goes on where it ended, because a site that has the
 * files needs no plan.
 */
import { eachAtOnce } from '../../../src/kernel/lib/each-at-once.ts'
import type { Context } from '../context.ts'
import { failureOf } from '../failure.ts'
import { Problem } from '../problem.ts'
import { readFiles } from '../schema/files.ts'
import type { Parts } from '../schema/parts.ts'
import {
  carryOut,
  folderOf,
  keepState,
  type Planned,
  planOf,
  requireConsent,
  requirePushable,
} from '../schema/run.ts'
import { loses, showPlan } from '../schema/show.ts'
import { nameOf } from '../target.ts'
import type { Output } from '../terminal/output.ts'
import type { ProjectOptions } from './options.ts'

/** The result for a site. `differs`: it was not pushed. */
interface SiteResult {
  site: string
  outcome: 'same' | 'differs' | 'pushed' | 'refused'
  /** The number of changes. */
  changes: number
  /** Why the site refuses. */
  reason?: string
}

interface PlannedSite {
  context: Context
  /** Undefined if the site refuses. */
  planned?: Planned
  result: SiteResult
}

const atOnce = 8

/** Pushes an app to the sites. Throws a Problem if the user does not consent. */
export async function pushToSites(
  output: Output,
  contexts: readonly Context[],
  options: ProjectOptions,
  app: string,
): Promise<{ app: string; sites: SiteResult[] }> {
  const files = await readFiles(folderOf({}, app))
  const sites: PlannedSite[] = []
  await eachAtOnce(contexts, atOnce, async (context) => {
    sites.push(await planSite(context, options, app, files))
  })
  sites.sort((a, b) => (a.result.site < b.result.site ? -1 : 1))
  showGroups(output, app, sites)
  const waiting = sites.filter(({ result }) => result.outcome === 'differs')
  if (!options.dryRun && waiting.length > 0) {
    await requireConsent(plansOf(waiting), options, app)
    const [first, ...others] = waiting as [PlannedSite, ...PlannedSite[]]
    await pushSite(output, first, app)
    if (first.result.outcome === 'pushed')
      await eachAtOnce(others, atOnce, (site) => pushSite(output, site, app))
  }
  const results = sites.map(({ result }) => result)
  const count = (wanted: SiteResult['outcome']) => results.filter(({ outcome }) => outcome === wanted).length
  output.line(
    `${app}: ${count('pushed')} pushed, ${count('same')} the same, ${count('differs')} not pushed, ` +
      `${count('refused')} refused.`,
    count('refused') + count('differs') > 0 ? 'yellow' : 'green',
  )
  return { app, sites: results }
}

const plansOf = (sites: readonly PlannedSite[]) => sites.flatMap(({ planned }) => planned?.plan ?? [])

async function planSite(
  context: Context,
  options: ProjectOptions,
  app: string,
  files: Parts,
): Promise<PlannedSite> {
  const site = nameOf(context.target)
  try {
    const planned = await planOf(context, {}, app, files)
    const changes = planned.plan.length
    if (changes === 0) keepState(context, planned)
    else requirePushable(context, planned, options)
    if (loses(planned.plan) && options.yes && !options.allowDataLoss)
      throw new Problem('The push can lose data. Add --allow-data-loss to allow this. Nothing was pushed.')
    return { context, planned, result: { site, outcome: changes === 0 ? 'same' : 'differs', changes } }
  } catch (error) {
    return { context, result: { site, outcome: 'refused', changes: 0, reason: failureOf(error).message } }
  }
}

async function pushSite(output: Output, site: PlannedSite, app: string): Promise<void> {
  const { context, planned, result } = site
  try {
    // Each site has its own signing secrets.
    await carryOut(context, planned as Planned, app, (slug) => `${result.site} ${slug}`)
    result.outcome = 'pushed'
    output.note(`Pushed ${app} to ${result.site}.`)
  } catch (error) {
    result.outcome = 'refused'
    result.reason = failureOf(error).message
    output.line(`${result.site}: ${result.reason}`, 'red')
  }
}

/** Returns a plan as text without what is the same site's alone: the names of its schema and tables. */
const textOf = (plan: Planned['plan'] | undefined): string =>
  JSON.stringify(plan)?.replaceAll(/\bsite_\d+\b/g, 'site') ?? ''

/** Returns why a site refuses, in the words that other sites use, too. */
const reasonOf = ({ site, reason }: SiteResult): string | undefined => reason?.replaceAll(site, 'the site')

/** Prints each plan once, with the sites that have it, and each reason of a refusal. */
function showGroups(output: Output, app: string, sites: readonly PlannedSite[]): void {
  const groups = new Map<string, PlannedSite[]>()
  for (const site of sites) {
    const key = reasonOf(site.result) ?? textOf(site.planned?.plan)
    groups.set(key, [...(groups.get(key) ?? []), site])
  }
  for (const group of groups.values()) {
    const [{ planned, result }] = group as [PlannedSite]
    const names = group.map((site) => site.result.site).join(', ')
    output.line(`${app}, ${group.length} site${group.length === 1 ? '' : 's'}: ${names}`, 'bold')
    const reason = reasonOf(result)
    if (reason !== undefined) output.line(`REFUSED: ${reason}`, 'red')
    else if (result.outcome === 'same') output.line('The files and the service are the same.')
    else if (planned && !output.isJson) showPlan(output, planned.plan)
  }
}
