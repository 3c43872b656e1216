/**
 * Attaching a social account to an account that is tied to another organization: the person proves, by a code that is
 * mailed to the account's address, that it is theirs. S7. Whoever made the account in the address's name cannot shut them out.
 */
import { throttleAccount, throttleAddress } from '../../access/throttle.ts'
import type { RequestContext } from '../../context.ts'
import { openDatabase } from '../../db/client.ts'
import { inTenant } from '../../db/tenant.ts'
import { configOf, type Env } from '../../env.ts'
import { sha256 } from '../../lib/hash.ts'
import { letterOf, sendLetter, soon } from '../../mail/service.ts'
import { confirmationGone, wrongCode } from './errors.ts'
import { codeLetter } from './letters.ts'
import type { SignedInUser } from './service.ts'
import * as store from './store.ts'
import { asSignedIn } from './views.ts'

export interface SendCode {
  kind: 'send-code'
  confirmation: string
}

/** Has the code sent, as often as letters may go to one address. */
export async function askForCode(ctx: RequestContext, confirmation: string, email: string): Promise<void> {
  await throttleAccount(ctx, `letters to ${email}`)
  soon(ctx, ctx.env.JOBS.send({ kind: 'send-code', confirmation } satisfies SendCode))
}

/** Sends the letter. Its code is made now, so that neither the queue nor the database ever has it. */
export async function sendCode(env: Env, { confirmation }: SendCode): Promise<void> {
  const config = configOf(env)
  const code = newCode()
  const { letter } = await openDatabase(config).batch({ letter: store.writeCode(confirmation, codeHash(confirmation, code)) }, deadlineMs)
  const row = letter.first
  if (row) await sendLetter({ env, config }, letterOf(row.to, codeLetter({ ...row, code })))
}

/** Signs in whoever has the code. 400 for another one, and for a confirmation that has ended. */
export async function confirmSignIn(ctx: RequestContext, confirmation: string, code: string): Promise<SignedInUser> {
  await throttleAddress(ctx)
  await throttleAccount(ctx, `confirmation ${confirmation}`)
  const confirmed = store.confirm(ctx.tenant, confirmation, codeHash(confirmation, code.replaceAll(/\s/g, '')))
  const answers = await inTenant(ctx, 'write', {}, { asService: { confirmed } })
  const row = answers.confirmed.one
  if (row.outcome === 'signed in') return asSignedIn(row)
  throw row.outcome === 'wrong' ? wrongCode() : confirmationGone()
}

const deadlineMs = 10_000
const digits = 8

function newCode(): string {
  let code = ''
  while (code.length < digits) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1))
    // Bytes beyond a multiple of ten would make the first digits likelier.
    if (byte < 250) code += String(byte % 10)
  }
  return code
}

const codeHash = (confirmation: string, code: string): string => sha256(`confirmation ${confirmation} ${code}`)
