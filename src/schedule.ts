/** What the cron trigger does, each minute: one row a task. A task that fails is logged, and does not keep the others from running. */
import { deleteExpiredFamilies } from './access/jwt/store.ts'
import { forgetAudit } from './audit/service.ts'
import { openDatabase } from './db/client.ts'
import { configOf, type Env } from './env.ts'
import { queueForgotten } from './events/deliveries/sweep.ts'
import { queueForgottenLetters } from './invitations/letters.ts'
import { describeFailure, log } from './lib/log.ts'
import { deleteExpiredConfirmations } from './login/social/store.ts'
import { checkDomains } from './organizations/sites/domains/sweep.ts'
import { queueSitesBehind } from './organizations/sites/migrate.ts'
import { queueSitesWithOldKeys } from './secrets/rotation/service.ts'

const tasks: [name: string, run: (env: Env) => Promise<unknown>][] = [
  ['queue the sites whose schema is behind', queueSitesBehind],
  ['queue the sites whose values are to be encrypted anew', queueSitesWithOldKeys],
  ['queue the deliveries that were forgotten', queueForgotten],
  ['queue the invitations whose letters were never sent', queueForgottenLetters],
  ['forget what the audit need not keep any longer', forgetAudit],
  ['delete expired confirmations', (env) => openDatabase(configOf(env)).batch([deleteExpiredConfirmations], 60_000)],
  ['look up the records of domains', checkDomains],
  ['delete expired refresh tokens', (env) => openDatabase(configOf(env)).batch([deleteExpiredFamilies], 60_000)],
]

export async function tick(env: Env): Promise<void> {
  for (const [name, run] of tasks) {
    try {
      await run(env)
    } catch (error) {
      log({ level: 'error', task: name, ...describeFailure(error, env.ENVIRONMENT === 'development') })
    }
  }
}
