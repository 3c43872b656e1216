/** Queues the e-mails of functions. */
import type { Env } from '../../../kernel/env.ts'
import { log } from '../../../kernel/lib/log.ts'
import { sendAll } from '../../../kernel/lib/send-all.ts'
import type { KeptMail } from './store.ts'

/** A queue message: send an e-mail of a function. */
export interface SendMail {
  kind: 'send-mail'
  siteId: number
  id: number
}

/** Queues e-mails that are kept. If that fails, the sweep queues them two minutes later. */
export async function queueMails(env: Env, siteId: number, kept: readonly KeptMail[]): Promise<void> {
  try {
    const messages = kept.map(({ id }): { body: SendMail } => ({ body: { kind: 'send-mail', siteId, id } }))
    await sendAll(env.JOBS, messages)
  } catch {
    log({ level: 'error', mails: 'not queued' })
  }
}
