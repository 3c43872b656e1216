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
import { requireOwnerDatabaseUrl } from './owner-database.ts'

const usage = `Usage: npm run admin -- <command>, with OWNER_DATABASE_URL set as for npm run db:migrate

  create <email>   makes a superuser, and prints a link by which the person sets a password: once, within ${linkMinutes} minutes
  link <email>     prints a new link for a superuser
  list             lists the superusers

  --env <name>     the environment of wrangler.toml whose PUBLIC_URL the link has
  --url <address>  or the address itself, for example https://app.example.com`

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { env: { type: 'string' }, url: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  })
  if (values.help) return console.log(usage)
  const [command, email, ...rest] = positionals
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
  // It loads wrangler, which takes a second.
  const { readEnvironment } = await import('./deploy/environment.ts')
  const { publicUrlOf } = await import('./deploy/checks.ts')
  return publicUrlOf(readEnvironment(name, []))
}

try {
  await run()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
