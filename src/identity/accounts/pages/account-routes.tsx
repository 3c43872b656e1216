/** /accounts/me: the account page. */
import type { Context } from 'hono'
import * as z from 'zod'
import { inSession } from '../../../kernel/access/credentials.ts'
import { siteVisitors } from '../../../kernel/access/policies.ts'
import { startCookie } from '../../../kernel/access/record-sign-in.ts'
import { deleteSession, setSession } from '../../../kernel/access/session-responses.ts'
import { signInHelp } from '../../../kernel/access/sign-in-help-page.ts'
import type { ErrorCode } from '../../../kernel/error-codes.ts'
import type { AppError } from '../../../kernel/errors.ts'
import type { AppEnv } from '../../../kernel/http/app-env.ts'
import { page, type Route } from '../../../kernel/http/route.ts'
import { mountOf } from '../../../kernel/http/tenant-locator.ts'
import { accountPath } from '../../../kernel/page/account-path.ts'
import { describeError } from '../../../kernel/page/error-page.tsx'
import { showPage, textsOf } from '../../../kernel/page/show-page.tsx'
import { email, personName } from '../../users/schema.ts'
import { acceptPermissions, declinePermissions } from '../../users/service.ts'
import { joinSite } from '../join/service.ts'
import { readOverview } from '../own/overview.ts'
import { exportHeaders, preferredLanguage } from '../own/schema.ts'
import { changeOwn, exportOwn, keepAccount, planDeletion } from '../own/service.ts'
import { passwordChange } from '../password/schema.ts'
import { replacePassword } from '../password/service.ts'
import { unlinkProvider } from '../providers/service.ts'
import { endOtherSignIns, endSignIn } from '../sign-ins/service.ts'
import { endTrust } from '../trusted-devices/service.ts'
import { AccountPage } from './account-page.tsx'
import { DonePage, requestPaths } from './forms.tsx'
import { loginPathOf } from './login-path.ts'
import { ownForms, readForm } from './own-form-page.ts'
import { type AccountTexts, accountTexts } from './texts/texts.ts'

type PageContext = Context<AppEnv>

/**
 * Errors with their own texts, because the API's texts refer to API requests. A password reset solves each of
 * them.
 */
const toldErrors: Partial<Record<ErrorCode, 'noPassword' | 'lastWayIn'>> = {
  no_password: 'noPassword',
  last_way_in: 'lastWayIn',
}

/** The results of the forms, by the name of their text. */
const doneParameter = 'done'
const doneNames = [
  'saved',
  'addressAsked',
  'passwordChanged',
  'ended',
  'othersEnded',
  'linked',
  'unlinked',
  'trustEnded',
  'accepted',
  'declined',
  'joined',
  'kept',
] as const
type DoneName = (typeof doneNames)[number]

/** Shows the account, with a result or an error. */
async function showAccount(c: PageContext, failure?: AppError): Promise<Response> {
  const overview = await readOverview(c.var.ctx)
  const outcome = await outcomeOf(c, failure, textsOf(c, accountTexts))
  const isAtSite = loginPathOf(c.var.ctx, c.req.url) !== undefined
  const props = { ...overview, mount: mountOf(c.req.url), isAtSite, outcome }
  return showPage(c, <AccountPage {...props} />, failure)
}

async function outcomeOf(c: PageContext, failure: AppError | undefined, texts: AccountTexts) {
  if (failure) {
    const told = toldErrors[failure.code]
    if (told !== undefined) {
      const help = { text: texts.links.reset.title, path: requestPaths.reset }
      return { problem: { text: texts.account[told], help } }
    }
    const help = await signInHelp(c, failure, accountPath)
    return { problem: { text: describeError(failure, texts), help } }
  }
  const name = doneNames.find((each) => each === c.req.query(doneParameter))
  return name && { done: texts.account[name] }
}

/** Redirects to the page, which shows the result. Reloading the page does not repeat the action. */
const doneWith = (c: PageContext, name: DoneName): Response =>
  c.redirect(`${mountOf(c.req.url)}${accountPath}?${doneParameter}=${name}`, 303)

const form = ownForms(accountPath, showAccount)

/** A form sends an empty text if no language is chosen. */
const person = z.strictObject({
  first_name: personName,
  last_name: personName,
  preferred_language: z
    .literal('')
    .transform(() => null)
    .or(preferredLanguage),
})
const newAddress = z.strictObject({ email })
const signInId = z.strictObject({ id: z.uuid() })
const siteId = z.strictObject({ id: z.string().max(63) })
const linkId = z.strictObject({ id: z.coerce.number().int().positive() })

/** The page and its forms. The session's guard rejects forms from other origins. */
export const ownAccountPages: readonly Route[] = [
  page({ method: 'GET', path: '/accounts/me', auth: inSession, handle: (c) => showAccount(c) }),
  form('person', async (c) => {
    await changeOwn(c.var.ctx, await readForm(c, person))
    return doneWith(c, 'saved')
  }),
  form('address', async (c) => {
    await changeOwn(c.var.ctx, await readForm(c, newAddress))
    return doneWith(c, 'addressAsked')
  }),
  form('password', async (c) => {
    const admitted = await replacePassword(c.var.ctx, await readForm(c, passwordChange))
    setSession(c, await startCookie(c.var.ctx, admitted))
    return doneWith(c, 'passwordChanged')
  }),
  form('sign-ins/end', async (c) => {
    const { id } = await readForm(c, signInId)
    await endSignIn(c.var.ctx, id)
    return doneWith(c, 'ended')
  }),
  form('sign-ins/end-others', async (c) => {
    await endOtherSignIns(c.var.ctx)
    return doneWith(c, 'othersEnded')
  }),
  form('providers/unlink', async (c) => {
    const { id } = await readForm(c, linkId)
    await unlinkProvider(c.var.ctx, id)
    return doneWith(c, 'unlinked')
  }),
  form('trusted-devices/end', async (c) => {
    const { id } = await readForm(c, linkId)
    await endTrust(c.var.ctx, id)
    return doneWith(c, 'trustEnded')
  }),
  form('permissions/accept', async (c) => {
    const { id } = await readForm(c, siteId)
    await acceptPermissions(c.var.ctx, id)
    return doneWith(c, 'accepted')
  }),
  form('permissions/decline', async (c) => {
    const { id } = await readForm(c, siteId)
    await declinePermissions(c.var.ctx, id)
    return doneWith(c, 'declined')
  }),
  form(
    'join',
    async (c) => {
      await joinSite(c.var.ctx)
      return doneWith(c, 'joined')
    },
    siteVisitors,
  ),
  form('export', async (c) => {
    return c.json(await exportOwn(c.var.ctx), 200, exportHeaders)
  }),
  form('delete', async (c) => {
    const { deletes_at } = await planDeletion(c.var.ctx)
    deleteSession(c)
    const { account } = textsOf(c, accountTexts)
    const text = account.deleted(deletes_at.slice(0, 10))
    return showPage(
      c,
      <DonePage login={loginPathOf(c.var.ctx, c.req.url)} title={account.deletion} text={text} />,
    )
  }),
  form('keep', async (c) => {
    await keepAccount(c.var.ctx)
    return doneWith(c, 'kept')
  }),
]
