/** The code of `tessera push`. */

import { readFileSync } from 'node:fs'
import { allItems } from '../all-items.ts'
import { type Context, clientFor } from '../context.ts'
import { exitCodes } from '../exit-codes.ts'
import { appsHere } from '../local/project.ts'
import { Problem } from '../problem.ts'
import { push } from '../schema/run.ts'
import type { Target } from '../target.ts'
import { type Environment, readEnvironment } from './environments.ts'
import type { ProjectOptions } from './options.ts'
import { pushToSites } from './sites.ts'

/** Pushes all apps of the folder, in the order of their names. */
export async function pushProject(context: Context, options: ProjectOptions): Promise<void> {
  const apps = appsHere()
  const environment = options.env === undefined ? context.target : await readEnvironment(options.env)
  const { output } = context
  if (options.sites === undefined && !options.dryRun) {
    const own = at(context, environment)
    for (const app of apps) {
      if (apps.length > 1 && !output.isJson) output.line(app, 'bold')
      await push(own, options, app)
    }
    return
  }
  const targets = options.sites === undefined ? [environment] : await sitesOf(environment, options)
  const contexts = targets.map((target) => at(context, target))
  const results = []
  for (const app of apps) results.push(await pushToSites(output, contexts, options, app))
  output.result({ apps: results }, () => undefined)
  const all = results.flatMap(({ sites }) => sites)
  if (all.some(({ outcome }) => outcome === 'refused')) process.exitCode = exitCodes.failed
  else if (options.dryRun && all.some(({ outcome }) => outcome === 'differs'))
    process.exitCode = exitCodes.different
}

const at = ({ output }: Context, { url, site }: Target): Context => {
  const target = { url, ...(site === undefined ? {} : { site }) }
  return { output, target, client: () => clientFor(target) }
}

/** Returns the sites that `--sites` names. Throws a Problem if there are none. */
async function sitesOf(environment: Environment, options: ProjectOptions): Promise<Target[]> {
  const { url } = environment
  const organization = options.organization ?? environment.organization
  const slugs =
    options.sites === 'all' ? await allSites({ url }, organization) : linesOf(options.sites as string)
  if (slugs.length === 0) throw new Problem('There are no sites to push to.', exitCodes.notFound)
  return slugs.map((site) => ({ url, site }))
}

async function allSites(target: Target, organization: string | undefined): Promise<string[]> {
  if (organization === undefined)
    throw new Problem('Name the organization of --sites all: --organization <slug>', exitCodes.usage)
  const { sites } = clientFor(target)
  const all = await allItems((page) => sites.list(organization, page))
  return all.filter(({ state }) => state === 'active').map(({ slug }) => slug)
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'))
  } catch {
    throw new Problem(`${file} cannot be read. Name a file with one slug a line, or all.`, exitCodes.usage)
  }
}
