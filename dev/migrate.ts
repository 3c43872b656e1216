/**
 * `npm run db:migrate`: brings the database at OWNER_DATABASE_URL, and every site in it, to the newest schema, and lets the
 * roles of DATABASE_URL and SCHEMA_DATABASE_URL use it; with ADMIN_EMAIL and ADMIN_PASSWORD, makes the superuser.
 */
import { requireVariables } from '../src/env.ts'
import { migrate } from './migrations.ts'
import { requireOwnerDatabaseUrl } from './owner-database.ts'
import { newSigningKeys } from './signing-keys.ts'
import { ensureSuperuser } from './superuser.ts'

const { DATABASE_URL = '', SCHEMA_DATABASE_URL, ADMIN_EMAIL, ADMIN_PASSWORD } = process.env

if (process.argv.includes('--new-signing-keys')) {
  console.log(await newSigningKeys())
} else {
  try {
    const ownerUrl = requireOwnerDatabaseUrl(process.env)
    requireVariables(process.env, ['DATABASE_URL', 'SCHEMA_DATABASE_URL'])
    const { platform, sites } = await migrate(ownerUrl, {
      roles: { service: DATABASE_URL, schema: SCHEMA_DATABASE_URL },
    })
    console.log(`${platform} platform migrations were run, ${sites} sites were migrated.`)
    if (ADMIN_EMAIL && ADMIN_PASSWORD) {
      await ensureSuperuser(ownerUrl, ADMIN_EMAIL, ADMIN_PASSWORD)
      console.log(`${ADMIN_EMAIL} is a superuser.`)
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
