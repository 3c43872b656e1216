/** /accounts/second-factor: the pages to manage second factors. */
import type { Context } from 'hono'
import { inSession } from '../../../kernel/access/credentials.ts'
import { startCookie } from '../../../kernel/access/record-sign-in.ts'
import { setSession } from '../../../kernel/access/session-responses.ts'
import { signInHelp } from '../../../kernel/access/sign-in-help-page.ts'
import type { ErrorCode } from '../../../kernel/error-codes.ts'
import { AppError, invalidFields } from '../../../kernel/errors.ts'
import type { AppEnv } from '../../../kernel/http/app-env.ts'
import { formOf } from '../../../kernel/http/body.ts'
import { failureOf } from '../../../kernel/http/failures.ts'
import { page, type Route } from '../../../kernel/http/route.ts'
import { mountOf } from '../../../kernel/http/tenant-locator.ts'
import { messagesByField } from '../../../kernel/http/validate.ts'
import { describeError } from '../../../kernel/page/error-page.tsx'
import type { Problem } from '../../../kernel/page/problem.tsx'
import { factorsPath } from '../../../kernel/page/required-factor.ts'
import { showPage, textsOf } from '../../../kernel/page/show-page.tsx'
import { totpConfirmation } from '../factors/schema.ts'
import { beginTotp, confirmTotp, readFactors, removeFactor, replaceCodes } from '../factors/service.ts'
import { CodesPage, FactorsPage, FirstCodePage, NewAppPage } from './factors.tsx'
import { ownForms } from './own-form-page.ts'
import { accountTexts } from './texts/texts.ts'

type PageContext = Context<AppEnv>

type ToldName = 'notProven' | 'alreadyOn' | 'notBegun' | 'noFactor' | 'isOff' | 'forbidden'

/** The texts of errors whose text in the API refers to its requests. */
const told: Partial<Record<ErrorCode, ToldName>> = {
  ownership_not_proved: 'notProven',
  authenticator_already_on: 'alreadyOn',
  authenticator_not_begun: 'notBegun',
  no_second_factor: 'noFactor',
  not_found: 'isOff',
  permission_denied: 'forbidden',
}

async function problemOf(c: PageContext, failure: AppError): Promise<Problem> {
  const texts = textsOf(c, accountTexts)
  const name = told[failure.code]
  const text = name === undefined ? describeError(failure, texts) : texts.factors[name]
  if (name === 'notProven')
    return { text, help: { text: texts.links.reset.title, path: '/accounts/password/reset/' } }
  return { text, help: await signInHelp(c, failure, factorsPath) }
}

/** Shows the second factors of the account. */
async function showFactors(c: PageContext, failure?: AppError): Promise<Response> {
  const mount = mountOf(c.req.url)
  const factors = await readFactors(c.var.ctx)
  const problem = failure && { problem: await problemOf(c, failure) }
  const props = { mount, factors, isRequired: c.req.query('required') !== undefined, ...problem }
  return showPage(c, <FactorsPage {...props} />, failure)
}

const form = ownForms(factorsPath, showFactors)

/** Shows the form for the first code again. */
const showFirstCode = (c: PageContext, problem: string, failure: AppError) =>
  showPage(c, <FirstCodePage mount={mountOf(c.req.url)} problem={problem} />, failure)

/** Turns on the app, and sets a new session, because all earlier sessions have ended. */
async function turnOn(c: PageContext): Promise<Response> {
  const { code = '' } = await formOf(c)
  const texts = textsOf(c, accountTexts)
  const input = totpConfirmation.safeParse({ code: code.replaceAll(/\s/g, '') })
  if (!input.success)
    return showFirstCode(c, texts.factors.sixDigits, invalidFields(messagesByField(input.error.issues)))
  try {
    const { admitted, recoveryCodes } = await confirmTotp(c.var.ctx, input.data.code)
    const session = await startCookie(c.var.ctx, admitted)
    setSession(c, session)
    return showCodes(c, texts.factors.turnedOn, recoveryCodes)
  } catch (error) {
    if (!(error instanceof AppError) || !(error.code === 'wrong_code' || error.status === 429)) throw error
    const failure = failureOf(error, c)
    const problem = failure.status === 429 ? describeError(failure, texts) : texts.factors.wrongCode
    return showFirstCode(c, problem, failure)
  }
}

const showCodes = (c: PageContext, title: string, codes: string[]) =>
  showPage(c, <CodesPage mount={mountOf(c.req.url)} title={title} codes={codes} />)

/** The pages. The session's guard rejects forms from other origins. */
export const factorPages: readonly Route[] = [
  page({
    method: 'GET',
    path: '/accounts/second-factor',
    auth: inSession,
    handle: (c) => showFactors(c),
  }),
  form('app', async (c) => {
    const totp = await beginTotp(c.var.ctx)
    return showPage(c, <NewAppPage mount={mountOf(c.req.url)} totp={totp} />)
  }),
  form('app/confirm', turnOn),
  form('app/remove', async (c) => {
    await removeFactor(c.var.ctx, null)
    return c.redirect(`${mountOf(c.req.url)}${factorsPath}`, 303)
  }),
  form('recovery-codes', async (c) => {
    const { recovery_codes } = await replaceCodes(c.var.ctx)
    return showCodes(c, textsOf(c, accountTexts).factors.newCodes, recovery_codes)
  }),
]
