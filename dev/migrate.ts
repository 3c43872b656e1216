/** `npm run db:migrate`: brings the database at DATABASE_URL, and every site in it, to the newest schema; with ADMIN_EMAIL and ADMIN_PASSWORD, makes the superuser. */
import { requireVariables } from '../src/env.ts'
import { migrate } from './migrations.ts'
import { newSigningKeys } from './signing-keys.ts'
import { ensureSuperuser } from './superuser.ts'

const { DATABASE_URL = '', ADMIN_EMAIL, ADMIN_PASSWORD } = process.env

if (process.argv.includes('--new-signing-keys')) {
  console.log(await newSigningKeys())
} else {
  try {
    requireVariables(process.env, ['DATABASE_URL'])
    const { platform, sites } = await migrate(DATABASE_URL)
    console.log(`${platform} platform migrations were run, ${sites} sites were migrated.`)
    if (ADMIN_EMAIL && ADMIN_PASSWORD) {
      await ensureSuperuser(DATABASE_URL, ADMIN_EMAIL, ADMIN_PASSWORD)
      console.log(`${ADMIN_EMAIL} is a superuser.`)
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
