/** `tessera sites suspend`, `resume`, `delete` and `restore`. docs/guide/organizations-and-sites.md. */
import type { Command } from 'commander'
import { action, examples } from '../command.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../exit-codes.ts'
import { Problem } from '../problem.ts'
import { ask, canAsk } from '../terminal/ask.ts'

/** The site as the service answers it. */
interface AnsweredSite {
  slug: string
  state: string
  deletes_at: string | null
}

/** Adds these commands to the group of site commands. */
export function addLifecycleCommands(sites: Command): void {
  const post = (name: string, description: string) =>
    examples(
      sites
        .command(`${name} <slug>`)
        .description(description)
        .action(action((context: Context, _: object, slug: string) => change(context, 'POST', slug, name))),
      `tessera sites ${name} shop`,
    )
  post('suspend', 'suspend a site: it answers 404 until it is resumed')
  post('resume', 'end the suspension of a site')
  post('restore', 'restore a deleted site')
  examples(
    sites
      .command('delete <slug>')
      .description('delete a site: it can be restored for some days, and is erased then')
      .option('--yes', 'do not ask for confirmation, for scripts')
      .action(action(remove)),
    'tessera sites delete shop',
    'tessera sites delete shop --yes',
  )
}

async function remove(context: Context, { yes }: { yes?: boolean }, slug: string): Promise<void> {
  if (!yes) {
    if (!canAsk())
      throw new Problem('Add --yes: there is no terminal to ask for ' + 'confirmation.', exitCodes.usage)
    const typed = await ask(`The site ${slug} will answer 404. Type its slug to go on:`)
    if (typed.trim() !== slug) throw new Problem('Nothing was deleted.')
  }
  await change(context, 'DELETE', slug)
}

async function change(
  { client, output }: Context,
  method: 'POST' | 'DELETE',
  slug: string,
  operation?: string,
): Promise<void> {
  const path = `/api/cloud/sites/${encodeURIComponent(slug)}/${operation === undefined ? '' : `${operation}/`}`
  const site = await client().request<AnsweredSite>({ method, path })
  const until = site.deletes_at === null ? '' : ` It can be restored until ${site.deletes_at}.`
  output.result(site, () => output.line(`The site ${site.slug} is ${site.state}.${until}`))
}
