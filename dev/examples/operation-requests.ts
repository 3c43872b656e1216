/** The operations for operators of the service: the use and limits of sites, the status, dead letters. */
import type { Recorder } from './recorder.ts'

/** Dead letters, use, limits, status and dead jobs. A function has failed before. */
export async function askOperation({ ask }: Recorder, token: string): Promise<void> {
  await ask('listDeadLetters', { token, query: '?page_size=1' })
  await ask('listMails', { token, query: '?page_size=1' })
  await ask('listSkippedRuns', { token, query: '?page_size=1' })
  await ask('replayDeadLetters', { token, body: { function_slug: 'failing', dry_run: true } })
  await ask('replayDeadLetters', { token, body: { function_slug: 'failing', limit: 100 } })
  await ask('replaceSiteLimits', {
    token,
    body: { requests: { soft: 800_000, hard: 1_000_000 }, records: { hard: 5_000_000 } },
  })
  await ask('getSiteLimits', { token })
  await ask('getSiteUse', { token, query: '?month=2025-01' })
  await ask('getStatus', { token })
  await ask('replayDeadJobs', { token, body: { kind: 'send-invitation', dry_run: true } })
  await ask('replayDeadJobs', { token, body: { kind: 'send-invitation', limit: 10 } })
}
