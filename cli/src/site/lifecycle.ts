/**
 * `tessera sites suspend`, `resume`, `activate`, `rename`, `delete` and `restore`, and
 * `tessera organizations delete` and `restore`. docs/operate/tenants.md.
 */
import type { Command } from 'commander'
import { action, examples } from '../command.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../exit-codes.ts'
import { Problem } from '../problem.ts'
import { ask, canAsk } from '../terminal/ask.ts'

/** A site, as the service returns it. */
interface AnsweredSite {
  slug: string
  state: string
  deletes_at: string | null
}

/** An organization, as the service returns it. */
interface AnsweredOrganization {
  slug: string
  deletes_at: string | null
}

/** Adds the commands to the group of site commands. */
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
      .command('activate <slug>')
      .description('let a paused site act: run its schedules and events, and send')
      .action(action(activate)),
    'tessera sites activate shop-preview',
  )
  examples(
    sites
      .command('rename <slug> <new-slug>')
      .description('give a site another slug: links with the old one are 404 then')
      .action(action(rename)),
    'tessera sites rename shop harbour-shop',
  )
  examples(
    sites
      .command('delete <slug>')
      .description('delete a site: it can be restored for some days, and is erased then')
      .option('--yes', 'do not ask for confirmation, for scripts')
      .option('--now', 'erase a preview or a site for development at once: nobody can restore it')
      .action(action(remove)),
    'tessera sites delete shop',
    'tessera sites delete shop-preview --now',
    'tessera sites delete shop --yes',
  )
}

/** Adds `tessera organizations`. */
export function addOrganizationCommands(program: Command): void {
  const organizations = program.command('organizations').description('the organizations that sites belong to')
  examples(
    organizations
      .command('delete <slug>')
      .description('delete an organization whose sites are deleted: it can be restored for some days')
      .option('--yes', 'do not ask; needed where nobody can answer')
      .action(
        action(async (context: Context, { yes }: { yes?: boolean }, slug: string) => {
          if (!yes) await confirm(`The organization ${slug} will be deleted.`, slug)
          await changeOrganization(context, 'DELETE', slug)
        }),
      ),
    'tessera organizations delete tidewater',
  )
  examples(
    organizations
      .command('restore <slug>')
      .description('restore a deleted organization; its sites are restored one by one')
      .action(
        action((context: Context, _: object, slug: string) =>
          changeOrganization(context, 'POST', slug, 'restore'),
        ),
      ),
    'tessera organizations restore tidewater',
  )
}

async function remove(
  context: Context,
  { yes, now }: { yes?: boolean; now?: boolean },
  slug: string,
): Promise<void> {
  const end = now ? 'be erased, and nobody can restore it' : 'answer 404'
  if (!yes) await confirm(`The site ${slug} will ${end}.`, slug)
  await change(context, 'DELETE', slug, undefined, now ? { now: true, slug } : undefined)
}

/** Throws unless the user types the slug. */
async function confirm(warning: string, slug: string): Promise<void> {
  if (!canAsk()) throw new Problem('Add --yes: nobody can be asked here.', exitCodes.usage)
  const typed = await ask(`${warning} Type its slug to go on:`)
  if (typed.trim() !== slug) throw new Problem('Nothing was deleted.')
}

async function activate({ client, output }: Context, _: object, slug: string): Promise<void> {
  const site = await client().request<AnsweredSite>({
    method: 'PATCH',
    path: pathOf('sites', slug),
    body: { paused: false },
  })
  output.result(site, () => output.line(`The site ${site.slug} acts now.`))
}

async function rename({ client, output }: Context, _: object, slug: string, to: string): Promise<void> {
  const site = await client().request<AnsweredSite>({
    method: 'PATCH',
    path: pathOf('sites', slug),
    body: { slug: to },
  })
  output.result(site, () => output.line(`The site ${slug} is ${site.slug} now.`))
}

const pathOf = (kind: 'sites' | 'organizations', slug: string, operation?: string): string =>
  `/api/cloud/${kind}/${encodeURIComponent(slug)}/${operation === undefined ? '' : `${operation}/`}`

const untilOf = ({ deletes_at }: { deletes_at: string | null }): string =>
  deletes_at === null ? '' : ` It can be restored until ${deletes_at}.`

async function change(
  { client, output }: Context,
  method: 'POST' | 'DELETE',
  slug: string,
  operation?: string,
  query?: { now: boolean; slug: string },
): Promise<void> {
  const path = pathOf('sites', slug, operation)
  const site = await client().request<AnsweredSite>({ method, path, query })
  const until = query ? ' It is being erased.' : untilOf(site)
  output.result(site, () => output.line(`The site ${site.slug} is ${site.state}.${until}`))
}

async function changeOrganization(
  { client, output }: Context,
  method: 'POST' | 'DELETE',
  slug: string,
  operation?: string,
): Promise<void> {
  const path = pathOf('organizations', slug, operation)
  const organization = await client().request<AnsweredOrganization>({ method, path })
  const state = organization.deletes_at === null ? 'active' : 'deleted'
  output.result(organization, () =>
    output.line(`The organization ${organization.slug} is ${state}.${untilOf(organization)}`),
  )
}
