/**
 * `npm run db:migrate`: migrates the database at OWNER_DATABASE_URL to the newest schema, and grants the roles of DATABASE_URL and SCHEMA_DATABASE_URL their rights. docs/operate/upgrade.md.
 */
import { parseArgs } from 'node:util'
import { requireVariables } from '../src/kernel/env.ts'
import { migrate } from './migrations.ts'
import { requireOwnerDatabaseUrl } from './owner-database.ts'
import { runCommand } from './run-command.ts'
import { newSigningKeys } from './signing-keys.ts'

const usage = `Usage: npm run db:migrate -- [options], with OWNER_DATABASE_URL, DATABASE_URL and SCHEMA_DATABASE_URL set

  --new-signing-keys    prints new SIGNING_KEYS, and does nothing else`

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'new-signing-keys': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return console.log(usage)
  if (values['new-signing-keys']) return console.log(await newSigningKeys())
  const { DATABASE_URL = '', SCHEMA_DATABASE_URL } = process.env
  const ownerUrl = requireOwnerDatabaseUrl(process.env)
  requireVariables(process.env, ['DATABASE_URL', 'SCHEMA_DATABASE_URL'])
  const applied = await migrate(ownerUrl, {
    roles: { service: DATABASE_URL, schema: SCHEMA_DATABASE_URL },
    onWait: () => console.log('Waiting for another migration of this database.'),
  })
  console.log(`${applied} migrations were run.`)
}

await runCommand(run)
