/** /accounts/passkeys: the page of the user's own passkeys. */
import type { Context } from 'hono'
import * as z from 'zod'
import { inSession } from '../../../kernel/access/credentials.ts'
import { signInHelp } from '../../../kernel/access/sign-in-help-page.ts'
import type { AppError } from '../../../kernel/errors.ts'
import type { AppEnv } from '../../../kernel/http/app-env.ts'
import { policyWith } from '../../../kernel/http/headers.ts'
import { page, type Route } from '../../../kernel/http/route.ts'
import { mountOf } from '../../../kernel/http/tenant-locator.ts'
import { describeError } from '../../../kernel/page/error-page.tsx'
import { passkeyPolicy } from '../../../kernel/page/passkey.tsx'
import type { Problem } from '../../../kernel/page/problem.tsx'
import { showPage, textsOf } from '../../../kernel/page/show-page.tsx'
import { removeFactor } from '../factors/service.ts'
import { passkeysQuery } from '../passkeys/schema.ts'
import { listPasskeys } from '../passkeys/service.ts'
import { requestPaths } from './forms.tsx'
import { ownForms, readForm } from './own-form-page.ts'
import { PasskeysPage, passkeysPath } from './passkeys.tsx'
import { accountTexts } from './texts/texts.ts'

async function problemOf(c: Context<AppEnv>, failure: AppError): Promise<Problem> {
  const texts = textsOf(c, accountTexts)
  // The API's text refers to its requests.
  if (failure.code === 'last_way_in')
    return {
      text: texts.account.lastWayIn,
      help: { text: texts.links.reset.title, path: requestPaths.reset },
    }
  const help = await signInHelp(c, failure, passkeysPath)
  return { text: describeError(failure, texts), help }
}

/** Shows the passkeys, with an error if one could not be removed. */
async function showPasskeys(c: Context<AppEnv>, failure?: AppError): Promise<Response> {
  const mount = mountOf(c.req.url)
  const { results } = await listPasskeys(c.var.ctx, c.req.url, passkeysQuery.parse({}))
  const problem = failure && (await problemOf(c, failure))
  const isRemoved = c.req.query('done') === 'removed'
  c.header('Content-Security-Policy', policyWith(passkeyPolicy))
  const props = { mount, passkeys: results, isRemoved, problem }
  return showPage(c, <PasskeysPage {...props} />, failure)
}

const passkeyId = z.strictObject({ id: z.coerce.number().int().positive() })
const form = ownForms(passkeysPath, showPasskeys)

/** The page and its form. The session's guard rejects forms from other origins. */
export const passkeyPages: readonly Route[] = [
  page({
    method: 'GET',
    path: '/accounts/passkeys',
    auth: inSession,
    handle: (c) => showPasskeys(c),
  }),
  form('remove', async (c) => {
    const { id } = await readForm(c, passkeyId)
    await removeFactor(c.var.ctx, id)
    return c.redirect(`${mountOf(c.req.url)}${passkeysPath}?done=removed`, 303)
  }),
]
