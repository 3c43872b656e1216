/** The tasks of the cron trigger, which runs every minute: one row for each task. */

import { queueHistories } from './data/history/sweep.ts'
import { queueNotes } from './data/providers/mongodb/sweep-notes.ts'
import { queueStoppedChanges } from './data/schema-changes/jobs/continue.ts'
import { queueOutdatedSites } from './data/schema-changes/remake-site.ts'
import { queueExpiredTables } from './data/schema-changes/trash/expire.ts'
import { sweepAccountEmails } from './identity/accounts/emails/service.ts'
import { deletePlannedAccounts } from './identity/accounts/own/service.ts'
import { deleteOldAuditEntries } from './identity/audit/service.ts'
import { queueOverdueEmails } from './identity/invitations/emails.ts'
import { deleteEndedAssertions } from './identity/login/assertions/store.ts'
import { deleteExpiredConfirmations } from './identity/login/social/store.ts'
import { deleteOldLetters } from './identity/mail/stops/store.ts'
import { checkDomains } from './identity/organizations/sites/domains/sweep.ts'
import { eraseOrganizations, queueDeletedSites } from './identity/organizations/sites/lifecycle/erase.ts'
import { prepareSites } from './identity/organizations/sites/prepare.ts'
import { queueLimitNotices } from './identity/organizations/sites/use/notices.ts'
import { deleteExpiredFamilies } from './kernel/access/jwt/store.ts'
import { deleteExpiredChallenges } from './kernel/access/second-factor/store.ts'
import { sweepKeptAnswers } from './kernel/db/answer-sweep.ts'
import { openDatabase } from './kernel/db/client.ts'
import type { Sql } from './kernel/db/sql.ts'
import { configOf, type Env } from './kernel/env.ts'
import { describeFailure, log } from './kernel/lib/log.ts'
import { record } from './kernel/telemetry/metrics.ts'
import { sweepMails } from './operation/mails/send.ts'
import { sweepTransfers } from './operation/transfers/job.ts'
import { deleteOldDeadJobs } from './operation/watching/dead-jobs/service.ts'
import { queueSites } from './operation/watching/sites/sweep.ts'
import { sweepOutbox } from './runtime/outbox/sweep.ts'
import { queueSitesWithOldKeys } from './secrets/rotation/service.ts'

/** Deletes with one statement. */
const deletes = (deleted: Sql<unknown>) => (env: Env) =>
  openDatabase(configOf(env)).batch({ deleted }, 60_000)

const tasks: [name: string, run: (env: Env) => Promise<unknown>][] = [
  ['queue the sites whose values must be reencrypted', queueSitesWithOldKeys],
  ['queue the sites with deleted tables that have expired', queueExpiredTables],
  ['queue the sites whose histories of records have to be swept', queueHistories],
  ['queue the sites with objects of an earlier release', queueOutdatedSites],
  ['queue the changes of large tables that no Worker goes on with', queueStoppedChanges],
  ['queue the deleted sites whose time to be restored is over', queueDeletedSites],
  ['erase the deleted organizations whose time to be restored is over', eraseOrganizations],
  ['prepare the roles of future sites', prepareSites],
  ['queue the overdue outbox rows', sweepOutbox],
  ['queue the datasources whose events are not in the outbox', queueNotes],
  ['queue the sites that have to be measured and swept', queueSites],
  ['queue the e-mails about soft limits', queueLimitNotices],
  ['queue the transfers that no Worker processes', sweepTransfers],
  ['queue the invitations whose e-mail was never sent', queueOverdueEmails],
  ['queue the e-mails about accounts that were never sent, and delete expired links', sweepAccountEmails],
  ['queue the e-mails of functions that were never sent', sweepMails],
  ['delete the accounts whose time has come', deletePlannedAccounts],
  ['delete old rows of the audit', deleteOldAuditEntries],
  ['delete old dead jobs', deleteOldDeadJobs],
  ['delete the counts of e-mails that are a day old', deletes(deleteOldLetters)],
  ['delete expired confirmations', deletes(deleteExpiredConfirmations)],
  ['delete SAML assertions that have ended', deletes(deleteEndedAssertions)],
  ['delete expired answers of requests with an Idempotency-Key', sweepKeptAnswers],
  ['delete sign-ins that were not finished with a second factor', deletes(deleteExpiredChallenges)],
  ['look up the DNS records of domains', checkDomains],
  ['delete expired refresh tokens', deletes(deleteExpiredFamilies)],
]

/** Runs the tasks one after the other. A task that fails is logged, and the next one runs. */
export async function runScheduledTasks(env: Env): Promise<void> {
  for (const [task, run] of tasks) {
    const started = performance.now()
    let result = 'done'
    try {
      await run(env)
    } catch (error) {
      result = 'failed'
      log({ level: 'error', task, ...describeFailure(error, env.ENVIRONMENT === 'development') })
    }
    record('tessera.task.duration', { task, result }, (performance.now() - started) / 1000)
  }
}
