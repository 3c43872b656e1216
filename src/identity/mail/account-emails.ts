/** Queues e-mails about accounts, whose rows in public.account_emails are stored. */
import type { RequestContext } from '../../kernel/context.ts'
import { sql } from '../../kernel/db/sql.ts'
import type { Env } from '../../kernel/env.ts'
import type { Language } from '../../kernel/lib/languages.ts'
import { finishInBackground } from './finish-in-background.ts'

/** A queue message: send an e-mail about an account. */
export interface SendAccountEmail {
  kind: 'send-account-email'
  id: string
  /** The language of the request that caused it, for recipients without a preferred language. */
  language?: Language | null
}

/** Queues an e-mail whose row is stored. `language` applies if the reader prefers none. */
export const queueEmail = (env: Env, id: string, language: Language | null): Promise<unknown> =>
  env.JOBS.send({
    kind: 'send-account-email',
    id,
    language,
  } satisfies SendAccountEmail)

/** Queues an e-mail whose row is stored, after the answer of the request. */
export const queueAfterAnswer = (ctx: RequestContext, id: string): void =>
  finishInBackground(ctx, queueEmail(ctx.env, id, ctx.client.language))

/** Selects the notices about changes of accounts that this transaction has stored: public.tell_person. */
export const selectNotices = sql<{ id: string }>`
  select e.id from public.account_emails e
   where e.wanted_at = now() and e.sent_at is null
     and e.kind in ('password-changed', 'email-changed', 'credentials-ended')`
