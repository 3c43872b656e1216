/** `npm run keys:rotate`: rotates the keys for encrypted values. docs/operate/keys.md. */
import { describeVariable, requireVariables } from '../src/kernel/env.ts'
import { rotateDataKey, rotateMasterKey, sitesWithKeys } from './key-rotation.ts'
import { newMasterKeys } from './master-keys.ts'
import { requireOwnerDatabaseUrl } from './owner-database.ts'
import { newSigningKeys } from './signing-keys.ts'

const { MASTER_KEYS, SIGNING_KEYS } = process.env
const [what, slug] = process.argv.slice(2)

const usage = `Usage: npm run keys:rotate -- <what>, with OWNER_DATABASE_URL set as for db:migrate, and MASTER_KEYS as for the Worker

  --new-signing-key  prints SIGNING_KEYS with a new first key, before the keys it has (if it is set)
  --new-master-key   prints MASTER_KEYS with a new current key, beside the keys it has (if it is set)
  --master           encrypts every data key and the secrets of authenticator apps with the current master key
  --site <slug>      gives a site a new data key
  --all-sites        gives every site a new data key`

async function run(): Promise<void> {
  if (what === '--new-master-key') {
    if (MASTER_KEYS) requireVariables(process.env, ['MASTER_KEYS'])
    return console.log(newMasterKeys(MASTER_KEYS))
  }
  if (what === '--new-signing-key') {
    if (SIGNING_KEYS) requireVariables(process.env, ['SIGNING_KEYS'])
    return console.log(await newSigningKeys(SIGNING_KEYS))
  }
  const wellAsked = what === '--master' || what === '--all-sites' || (what === '--site' && slug !== undefined)
  if (!wellAsked) throw new Error(usage)
  const ownerUrl = requireOwnerDatabaseUrl(process.env)
  if (!MASTER_KEYS) throw new Error(describeVariable('MASTER_KEYS', false))
  requireVariables(process.env, ['MASTER_KEYS'])
  if (what === '--master') {
    const count = await rotateMasterKey(ownerUrl, MASTER_KEYS)
    return console.log(
      `${count} keys and secrets were encrypted anew. The older master keys are of no more use.`,
    )
  }
  for (const site of slug ? [slug] : await sitesWithKeys(ownerUrl)) {
    const version = await rotateDataKey(ownerUrl, MASTER_KEYS, site)
    console.log(
      version === undefined
        ? `${site} has nothing encrypted yet.`
        : `${site} encrypts with data key ${version} from now on; the Worker encrypts what is there anew, in the background.`,
    )
  }
}

try {
  await run()
} catch (error) {
  // The cause of a key error has the details: its own message is for clients.
  const { message, cause } = error as Error
  console.error(cause instanceof Error ? cause.message : message)
  process.exitCode = 1
}
