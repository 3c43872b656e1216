/** /accounts/second-factor: the pages of one's own second factors. */
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { inSession } from '../../access/credentials.ts'
import { startCookie } from '../../access/record-sign-in.ts'
import { setSession } from '../../access/session-responses.ts'
import { AppError, forbidden, notFound } from '../../errors.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { formOf } from '../../http/body.ts'
import { failureOf } from '../../http/failures.ts'
import { page, type Route } from '../../http/route.ts'
import { mountOf } from '../../http/tenant-locator.ts'
import { describeError } from '../../page/error-page.tsx'
import { asDocument } from '../../page/page.tsx'
import { alreadyOn, isWrongCode, noFactor, notBegun, notProven } from '../factors/errors.ts'
import { totpConfirmation } from '../factors/schema.ts'
import { beginTotp, confirmTotp, readFactors, removeFactor, replaceCodes } from '../factors/service.ts'
import { CodesPage, FactorsPage, FirstCodePage, factorsPath, NewAppPage, type Problem } from './factors.tsx'

type PageContext = Context<AppEnv>

/** The errors that are told otherwise than by the API, whose texts name its requests. */
const told: readonly (readonly [error: () => AppError, problem: Problem])[] = [
  [
    notProven,
    {
      text: 'First prove that the account is yours: open the link that a reset of the password mails to you.',
      help: { text: 'Reset your password', path: '/accounts/password/reset/' },
    },
  ],
  [alreadyOn, { text: 'You have an authenticator app. To use another one, first turn it off.' }],
  [notBegun, { text: 'No authenticator app waits for a code. Set it up again.' }],
  [noFactor, { text: 'Recovery codes come with a second factor. First set one up.' }],
  [notFound, { text: 'The authenticator app is turned off already.' }],
  [
    forbidden,
    {
      text: 'A sign-in through a provider changes no second factor. Sign in with your password or a passkey.',
    },
  ],
]

function problemOf(mount: string, failure: AppError): Problem {
  const text = describeError(failure)
  const [, problem = { text }] = told.find(([error]) => describeError(error()) === text) ?? []
  if (failure.status !== 403) return problem
  const next = encodeURIComponent(`${mount}${factorsPath}`)
  return {
    ...problem,
    help: { text: 'Sign in again', path: `/accounts/login/?auto_redirect=false&next=${next}` },
  }
}

/** Shows what the account has. */
async function showFactors(c: PageContext, failure?: AppError): Promise<Response> {
  const mount = mountOf(c.req.url)
  const factors = await readFactors(c.var.ctx)
  const problem = failure && { problem: problemOf(mount, failure) }
  return c.html(
    asDocument(<FactorsPage mount={mount} factors={factors} {...problem} />),
    failure?.status ?? 200,
  )
}

/** Declares a form of the pages. An error is shown together with what the account has. */
const form = <const Path extends string>(path: Path, act: (c: PageContext) => Promise<Response>): Route =>
  page({
    method: 'POST',
    path: `/accounts/second-factor/${path}`,
    auth: inSession,
    handle: async (c) => {
      try {
        return await act(c)
      } catch (error) {
        if (!(error instanceof AppError) || ![400, 403, 404, 429].includes(error.status)) throw error
        return showFactors(c, failureOf(error, c))
      }
    },
  })

/** Shows the form for the first code again. */
const showFirstCode = (c: PageContext, problem: string, status: ContentfulStatusCode) =>
  c.html(asDocument(<FirstCodePage mount={mountOf(c.req.url)} problem={problem} />), status)

const wrongCodeProblem = 'This code is not right. Type the one that the app shows now.'

/** Turns on the app, and gives the browser the session that follows those that have ended. */
async function turnOn(c: PageContext): Promise<Response> {
  const { code = '' } = await formOf(c)
  const input = totpConfirmation.safeParse({ code: code.replaceAll(/\s/g, '') })
  if (!input.success) return showFirstCode(c, 'A code has six digits.', 400)
  try {
    const { admitted, recoveryCodes } = await confirmTotp(c.var.ctx, input.data.code)
    const session = await startCookie(c.var.ctx, admitted)
    setSession(c, session)
    return showCodes(c, 'The authenticator app is turned on', recoveryCodes)
  } catch (error) {
    if (!(error instanceof AppError) || !(isWrongCode(error) || error.status === 429)) throw error
    const failure = failureOf(error, c)
    const problem = failure.status === 429 ? describeError(failure) : wrongCodeProblem
    return showFirstCode(c, problem, failure.status)
  }
}

const showCodes = (c: PageContext, title: string, codes: string[]) =>
  c.html(asDocument(<CodesPage mount={mountOf(c.req.url)} title={title} codes={codes} />))

/** The pages. The session's guard refuses forms of other origins. */
export const factorPages: readonly Route[] = [
  page({
    method: 'GET',
    path: '/accounts/second-factor',
    auth: inSession,
    handle: (c) => showFactors(c),
  }),
  form('app', async (c) => {
    const totp = await beginTotp(c.var.ctx)
    return c.html(asDocument(<NewAppPage mount={mountOf(c.req.url)} totp={totp} />))
  }),
  form('app/confirm', turnOn),
  form('app/remove', async (c) => {
    await removeFactor(c.var.ctx, null)
    return c.redirect(`${mountOf(c.req.url)}${factorsPath}`, 303)
  }),
  form('recovery-codes', async (c) => {
    const { recovery_codes } = await replaceCodes(c.var.ctx)
    return showCodes(c, 'Your new recovery codes', recovery_codes)
  }),
]
