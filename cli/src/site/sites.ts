/** `tessera sites` and `tessera users invite`. */
import { type Command, Option } from 'commander'
import { type Client, TesseraError } from '../../../client/src/index.ts'
import { action, examples } from '../command.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../exit-codes.ts'
import { Problem } from '../problem.ts'
import { requireSite } from '../require-site.ts'
import { addArchiveCommands } from './archive/commands.ts'
import { addLifecycleCommands, addOrganizationCommands } from './lifecycle.ts'

/** Adds the commands to the program. */
export function addSiteCommands(program: Command): void {
  const sites = program.command('sites').description('the sites of an organization')
  examples(
    sites
      .command('create <name>')
      .description('create a site: a tenant with its own schema and role')
      .requiredOption('--organization <slug>', 'the organization that it belongs to')
      .option('--create-organization <name>', 'create the organization, unless it is there')
      .option('--slug <slug>', 'its slug; default made from the name')
      .addOption(
        new Option('--environment <name>', 'its purpose')
          .choices(['production', 'staging', 'development', 'preview'])
          .default('production'),
      )
      .action(action(createSite)),
    'tessera sites create "Tidewater shop" --organization tidewater --slug tidewater-shop',
    'tessera sites create Shop --organization tidewater --create-organization Tidewater',
  )
  addLifecycleCommands(sites)
  addArchiveCommands(sites)
  addOrganizationCommands(program)
  const users = program.command('users').description('the people of an organization')
  examples(
    users
      .command('invite <email>')
      .description('invite somebody by e-mail, with groups and permissions')
      .requiredOption('--organization <slug>', 'the organization that they become a member of')
      .option('--group <name...>', 'their groups')
      .option('--permission <permission...>', 'permissions in the site that --site names, as access_site')
      .option('--role <role...>', 'roles in the site that --site names')
      .action(action(invite)),
    'tessera users invite bram@example.org --organization tidewater --group Staff',
    'tessera users invite bram@example.org --organization tidewater --site shop --permission access_site',
    'tessera users invite bram@example.org --organization tidewater --site shop --role clerk',
  )
}

const organizations = '/api/cloud/organizations/'
/** Returns the path of an organization. */
export const organizationPath = (slug: string): string => `${organizations}${encodeURIComponent(slug)}/`

interface SiteOptions {
  organization: string
  createOrganization?: string
  slug?: string
  environment: string
}

async function createSite(
  { output, ...context }: Context,
  options: SiteOptions,
  name: string,
): Promise<void> {
  const client = context.client()
  const { organization, slug, environment } = options
  if (options.createOrganization !== undefined)
    await ensureOrganization(client, organization, options.createOrganization)
  const site = await client.request<{ slug: string }>({
    method: 'POST',
    path: `${organizationPath(organization)}sites/`,
    body: { name, environment, ...(slug === undefined ? {} : { slug }) },
  })
  output.result(site, () =>
    output.line(`Created the site ${site.slug}. Work with it by --site ${site.slug}.`),
  )
}

/** Creates the organization with this slug if the user has none. */
export async function ensureOrganization(client: Client, slug: string, name: string): Promise<void> {
  try {
    await client.request({ path: organizationPath(slug) })
  } catch (error) {
    if (!(error instanceof TesseraError && error.status === 404)) throw error
    await client.request({ method: 'POST', path: organizations, body: { name, slug } })
  }
}

interface InviteOptions {
  organization: string
  group?: string[]
  permission?: string[]
  role?: string[]
}

async function invite(
  { output, target, ...context }: Context,
  options: InviteOptions,
  email: string,
): Promise<void> {
  const { organization, group, permission, role } = options
  const wanted = permission ? '--permission' : role && '--role'
  if (wanted && target.site === undefined)
    throw new Problem(`${wanted} needs --site: permissions and roles are those of a site.`, exitCodes.usage)
  const site =
    wanted && target.site !== undefined
      ? [
          {
            slug: target.site,
            ...(permission ? { permissions: permission } : {}),
            ...(role ? { roles: role } : {}),
          },
        ]
      : undefined
  const config = { ...(group ? { group } : {}), ...(site ? { site } : {}) }
  const client = context.client()
  // The service accepts permissions in a site that does not exist yet.
  if (site) await requireSite(client)
  const invitation = await client.invitations(organization).create(email, config)
  output.result({ uuid: invitation.uuid, email, config: invitation.config }, () =>
    output.line(`Invited ${email} to ${invitation.organization_name}. The e-mail is on its way.`),
  )
}
