/** /accounts/password, /accounts/email: the pages of links that reset a password or verify an address. */
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'
import { anonymous, visitor } from '../../access/credentials.ts'
import type { RequestContext } from '../../context.ts'
import { AppError, forbidden } from '../../errors.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { formOf } from '../../http/body.ts'
import { failureOf } from '../../http/failures.ts'
import { isSameOrigin } from '../../http/is-same-origin.ts'
import { page, type Route } from '../../http/route.ts'
import { mountOf } from '../../http/tenant-locator.ts'
import { messagesByField } from '../../http/validate.ts'
import { describeError } from '../../page/error-page.tsx'
import { asDocument } from '../../page/page.tsx'
import { addressConfirmation, type VerifiedAddress } from '../address/schema.ts'
import { confirmAddress, requestVerification } from '../address/service.ts'
import { linkRequest, passwordReset } from '../password/schema.ts'
import { requestReset, resetPassword } from '../password/service.ts'
import {
  ConfirmAddressPage,
  DonePage,
  NewPasswordPage,
  RequestPage,
  requestTexts,
  SentPage,
} from './forms.tsx'

type PageContext = Context<AppEnv>
type Form = Readonly<Record<string, string>>

/**
 * A form: what it must have, what it does, and the pages that show it again with an error and that follow it.
 */
interface FormTerms<Schema extends z.ZodType, Result> {
  schema: Schema
  act(ctx: RequestContext, input: z.output<Schema>): Promise<Result>
  again(form: Form, problem: string): unknown
  next(result: Result): unknown
}

/** Does what a form asks for, and returns the page that follows. Errors are shown on the page of the form. */
async function submit<Schema extends z.ZodType, Result>(
  c: PageContext,
  { schema, act, again, next }: FormTerms<Schema, Result>,
): Promise<Response> {
  if (!isSameOrigin(c)) throw forbidden()
  const form = await formOf(c)
  const show = (problem: string, status: ContentfulStatusCode) =>
    c.html(asDocument(again(form, problem)), status)
  const input = schema.safeParse(form)
  if (!input.success) return show(sentence(messagesByField(input.error.issues)), 400)
  try {
    return c.html(asDocument(next(await act(c.var.ctx, input.data))))
  } catch (error) {
    if (!(error instanceof AppError) || ![400, 403, 429].includes(error.status)) throw error
    const answer = failureOf(error, c)
    return show(
      answer.status === 400 ? sentence(answer.body as Record<string, string[]>) : problemOf(answer),
      answer.status,
    )
  }
}

const sentence = (messages: Readonly<Record<string, readonly string[]>>): string =>
  Object.values(messages).flat().join(' ')

const problemOf = (answer: AppError): string =>
  answer.status === 403
    ? 'Sign in to the account whose e-mail address changes, and open the link again.'
    : describeError(answer)

/** The pages of a form that asks for a link. */
function requestPages(
  kind: keyof typeof requestTexts,
  request: (ctx: RequestContext, email: string) => Promise<void>,
): Route[] {
  const texts = requestTexts[kind]
  const path = texts.path.replace(/\/$/, '')
  return [
    page({
      method: 'GET',
      path,
      auth: anonymous,
      handle: (c) => c.html(asDocument(<RequestPage texts={texts} mount={mountOf(c.req.url)} />)),
    }),
    page({
      method: 'POST',
      path,
      auth: anonymous,
      handle: (c) =>
        submit(c, {
          schema: linkRequest,
          act: (ctx, { email }) => request(ctx, email),
          again: ({ email = '' }, problem) => (
            <RequestPage texts={texts} mount={mountOf(c.req.url)} email={email} problem={problem} />
          ),
          next: () => <SentPage />,
        }),
    }),
  ]
}

/** The pages. Opening a link changes nothing: its form does. */
export const linkPages: readonly Route[] = [
  ...requestPages('reset', requestReset),
  ...requestPages('verify', requestVerification),
  page({
    method: 'GET',
    path: '/accounts/password/reset/confirm',
    auth: anonymous,
    handle: (c) =>
      c.html(asDocument(<NewPasswordPage mount={mountOf(c.req.url)} token={c.req.query('token') ?? ''} />)),
  }),
  page({
    method: 'POST',
    path: '/accounts/password/reset/confirm',
    auth: anonymous,
    handle: (c) => {
      const mount = mountOf(c.req.url)
      return submit(c, {
        schema: passwordReset,
        act: resetPassword,
        again: ({ token = '' }, problem) => <NewPasswordPage mount={mount} token={token} problem={problem} />,
        next: () => (
          <DonePage
            mount={mount}
            title="Your password is set"
            text="You were signed out everywhere. You can sign in with your new password now."
          />
        ),
      })
    },
  }),
  page({
    method: 'GET',
    path: '/accounts/email/verify/confirm',
    auth: anonymous,
    handle: (c) =>
      c.html(
        asDocument(<ConfirmAddressPage mount={mountOf(c.req.url)} token={c.req.query('token') ?? ''} />),
      ),
  }),
  page({
    method: 'POST',
    path: '/accounts/email/verify/confirm',
    auth: visitor,
    handle: (c) => {
      const mount = mountOf(c.req.url)
      return submit(c, {
        schema: addressConfirmation,
        act: (ctx, { token }) => confirmAddress(ctx, token),
        again: ({ token = '' }, problem) => (
          <ConfirmAddressPage mount={mount} token={token} problem={problem} />
        ),
        next: (verified) => (
          <DonePage mount={mount} title="Your e-mail address is verified" text={verifiedText(verified)} />
        ),
      })
    },
  }),
]

const verifiedText = ({ email, has_password }: VerifiedAddress): string =>
  has_password
    ? `The address ${email} is verified.`
    : `The address ${email} is verified. The account has no password. To get one, reset the password.`
