/** `npm run admin`: superusers of a deployed service. docs/operate/deploy.md. */

import { parseArgs } from 'node:util'
import {
  administratorEmail,
  createSuperuser,
  linkMinutes,
  listSuperusers,
  renewLink,
  serviceAddress,
} from './admin-links.ts'
import { putInPlace, restoreSite } from './admin-sites.ts'
import { requireOwnerDatabaseUrl } from './owner-database.ts'
import { runCommand } from './run-command.ts'

const usage = `Usage: npm run admin -- <command>, with OWNER_DATABASE_URL set as for npm run db:migrate

  create <email>   makes a superuser, and prints a link by which the person sets a password: once, within ${linkMinutes} minutes
  link <email>     prints a new link for a superuser
  list             lists the superusers
  restore-site <slug> --from <url> --service-url <url> --by <email> [--as <slug>] [--dry-run]
                   makes a site as it was in another database, a branch of an earlier time
  replace-site <slug> <with> [--as <slug>] [--dry-run]
                   puts a site in place of another one, which is renamed and suspended

  --env <name>     the environment of wrangler.toml whose PUBLIC_URL the link has
  --url <address>  or the address itself, for example https://app.example.com`

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      env: { type: 'string' },
      url: { type: 'string' },
      from: { type: 'string' },
      'service-url': { type: 'string' },
      as: { type: 'string' },
      by: { type: 'string' },
      'dry-run': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return console.log(usage)
  const [command, email, ...rest] = positionals
  if (command === 'restore-site' && email !== undefined && rest.length === 0)
    return restoreSite(ownerUrl(), email, values)
  if (command === 'replace-site' && email !== undefined && rest.length === 1)
    return putInPlace(ownerUrl(), email, String(rest[0]), values)
  if (rest.length > 0) throw new Error(usage)
  if (command === 'list' && email === undefined) {
    for (const { email: address, username, isActive, hasPassword } of await listSuperusers(ownerUrl()))
      console.log(
        [address, username, isActive ? 'active' : 'inactive', hasPassword ? 'password' : 'no password'].join(
          '  ',
        ),
      )
    return
  }
  const make = { create: createSuperuser, link: renewLink }[String(command)]
  if (make === undefined) throw new Error(usage)
  const address = administratorEmail(email)
  const { env, url } = values
  const base = serviceAddress(url ?? (env === undefined ? undefined : await addressOfEnvironment(env)))
  console.log(`${base}${await make(ownerUrl(), address)}`)
  console.error(`The link sets the password of ${address}. It works once, and for ${linkMinutes} minutes.`)
}

const ownerUrl = (): string => requireOwnerDatabaseUrl(process.env)

async function addressOfEnvironment(name: string): Promise<string | undefined> {
  // Imported here because it loads wrangler, which takes a second.
  const { readEnvironment } = await import('./deploy/environment.ts')
  const { publicUrlOf } = await import('./deploy/checks.ts')
  return publicUrlOf(readEnvironment(name, []))
}

await runCommand(run)
