/** Confirms a sign-in to an account of another organization with a mailed code. S7. */
import { placeOf, selectHost } from '../../../kernel/access/sign-in-hosts.ts'
import { throttleAccount, throttleAddress } from '../../../kernel/access/throttle.ts'
import type { RequestContext } from '../../../kernel/context.ts'
import { openDatabase } from '../../../kernel/db/client.ts'
import { inTenant } from '../../../kernel/db/tenant.ts'
import { configOf, type Env } from '../../../kernel/env.ts'
import type { Language } from '../../../kernel/lib/languages.ts'
import { sha256 } from '../../../kernel/lib/sha256.ts'
import {
  finishInBackground,
  LetterName,
  lettersFor,
  queueAfterAnswer,
  renderEmail,
  selectNotices,
  sendEmail,
} from '../../mail/service.ts'
import { confirmationGone, wrongCode } from './errors.ts'
import * as store from './store.ts'
import { asSignedIn, type SignedInUser } from './views.ts'

/** The queue message that sends the code of a confirmation. */
export interface SendCode {
  kind: 'send-code'
  confirmation: string
  /** The language of the request that caused it, for recipients without a preferred language. */
  language?: Language | null
}

/** Queues the e-mail with the code. Throws 429 if too many e-mails were sent to the address. */
export async function sendCodeLater(ctx: RequestContext, confirmation: string, email: string): Promise<void> {
  await throttleAccount(ctx, `emails to ${email}`)
  const { language } = ctx.client
  finishInBackground(ctx, ctx.env.JOBS.send({ kind: 'send-code', confirmation, language } satisfies SendCode))
}

/**
 * Sends the e-mail, unless the confirmation has ended or public.admit_letter does not admit it. The code is
 * created here, so that neither the queue nor the database contains it; the database stores its hash.
 */
export async function sendCode(env: Env, { confirmation, language }: SendCode): Promise<void> {
  const config = configOf(env)
  const code = newCode()
  const { email } = await openDatabase(config).batch(
    {
      admitted: store.admitCode(confirmation),
      email: store.writeCode(confirmation, codeHash(confirmation, code)),
    },
    deadlineMs,
  )
  if (!email.first) return
  const { to, preferred, ...named } = email.first
  const letters = lettersFor(preferred, language)
  const organization = LetterName.forAnybody(named.organization, named.organizationSlug)
  const site = LetterName.forAnybody(named.site, named.siteSlug)
  const content = { ...letters.signInCode({ code, organization, site }), language: letters.language }
  await sendEmail({ env, config }, renderEmail(to, content))
}

/**
 * Signs in with the code, and attaches the social account. Throws 400 for a wrong code and for a confirmation
 * that has ended.
 */
export async function confirmSignIn(
  ctx: RequestContext,
  confirmation: string,
  code: string,
): Promise<SignedInUser> {
  await throttleAddress(ctx)
  await throttleAccount(ctx, `confirmation ${confirmation}`)
  const hash = codeHash(confirmation, code.replaceAll(/\s/g, ''))
  const asService = {
    confirmed: store.confirm(ctx.tenant, confirmation, hash),
    host: selectHost(ctx, null),
    notices: selectNotices,
  }
  const { confirmed, host, notices } = await inTenant(ctx, 'write', {}, { asService })
  for (const { id } of notices.all) queueAfterAnswer(ctx, id)
  const row = confirmed.one
  if (row.outcome === 'signed in') return asSignedIn(ctx, row, placeOf(ctx, host.one))
  throw row.outcome === 'wrong' ? wrongCode() : confirmationGone()
}

const deadlineMs = 10_000
const digits = 8

function newCode(): string {
  let code = ''
  while (code.length < digits) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1))
    // Bytes from 250 are discarded. Otherwise the first digits would be more likely than the others.
    if (byte < 250) code += String(byte % 10)
  }
  return code
}

const codeHash = (confirmation: string, code: string): string =>
  sha256(`confirmation ${confirmation} ${code}`)
