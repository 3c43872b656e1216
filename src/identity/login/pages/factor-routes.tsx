/** /accounts/factor: the page that finishes a sign-in with a second factor. */
import { getCookie } from 'hono/cookie'
import { anonymous } from '../../../kernel/access/credentials.ts'
import { deviceCookie } from '../../../kernel/access/known-device.ts'
import { siteVisitors } from '../../../kernel/access/policies.ts'
import { newTrust, setTrust } from '../../../kernel/access/trust-responses.ts'
import { AppError, forbidden } from '../../../kernel/errors.ts'
import { formOf } from '../../../kernel/http/body.ts'
import { failureOf } from '../../../kernel/http/failures.ts'
import { isSameOrigin } from '../../../kernel/http/is-same-origin.ts'
import { page, type Route } from '../../../kernel/http/route.ts'
import { describeError } from '../../../kernel/page/error-page.tsx'
import { textsOf } from '../../../kernel/page/show-page.tsx'
import { codeAnswer } from '../../accounts/factors/schema.ts'
import { answerWithCode, challengeGone, wrongCode } from '../../accounts/factors/service.ts'
import { startFor } from '../session/service.ts'
import { localPath } from '../social/redirects.ts'
import { showFactor, startBrowserSession } from './session-responses.tsx'
import { loginTexts } from './texts.ts'

/** Finishes a sign-in to an account with a second factor. */
export const factorPage: Route = page({
  method: 'POST',
  path: '/accounts/factor',
  auth: anonymous,
  may: siteVisitors,
  handle: async (c) => {
    if (!isSameOrigin(c)) throw forbidden()
    const { challenge = '', code = '', next: requested, trust_device } = await formOf(c)
    const next = localPath(c.req.url, requested)
    const input = codeAnswer.safeParse({ challenge, code })
    if (!input.success && !codeAnswer.shape.challenge.safeParse(challenge).success) throw challengeGone()
    try {
      if (!input.success) throw wrongCode()
      const trust = newTrust(c.var.ctx, trust_device !== undefined)
      const identity = await answerWithCode(c.var.ctx, input.data, trust)
      setTrust(c, trust)
      const started = await startFor(c.var.ctx, identity, getCookie(c, deviceCookie))
      return startBrowserSession(c, started, next, true)
    } catch (error) {
      if (!(error instanceof AppError) || !(error.code === 'wrong_code' || error.status === 429)) throw error
      const failure = failureOf(error, c)
      const texts = textsOf(c, loginTexts)
      const problem = failure.status === 429 ? describeError(failure, texts) : texts.factor.wrongCode
      return showFactor(c, { challenge, next, problem }, failure)
    }
  },
})
