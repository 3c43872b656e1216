/** The link to a sign-in, on a page that says why an action was refused. */
import type { Context } from 'hono'
import type { AppError } from '../errors.ts'
import type { AppEnv } from '../http/app-env.ts'
import { mountOf } from '../http/tenant-locator.ts'
import { type Help, signInAgain } from '../page/problem.tsx'
import { textsOf } from '../page/show-page.tsx'
import { commonTexts } from '../page/texts/define.ts'
import { wholeSignInAddress } from './sign-in-hosts.ts'

/**
 * Returns the link for a 403 of the page at `path`: to the service, at a tenant's host, where no sign-in
 * counts for everything; else to a new sign-in, because this one is too old.
 * Undefined for other errors.
 */
export async function signInHelp(
  c: Context<AppEnv>,
  failure: AppError | undefined,
  path: string,
): Promise<Help | undefined> {
  if (failure?.status !== 403) return undefined
  const texts = textsOf(c, commonTexts)
  const address = failure.code === 'permission_denied' ? await wholeSignInAddress(c.var.ctx) : undefined
  return address === undefined
    ? signInAgain(texts, mountOf(c.req.url), path)
    : { text: texts.common.signInAtService, address }
}
