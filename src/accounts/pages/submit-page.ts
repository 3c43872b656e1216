/** What the forms of these pages have in common: they do something, or are shown again with an error. */
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'
import type { RequestContext } from '../../context.ts'
import { AppError, forbidden } from '../../errors.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { formOf } from '../../http/body.ts'
import { failureOf } from '../../http/failures.ts'
import { isSameOrigin } from '../../http/is-same-origin.ts'
import { messagesByField } from '../../http/validate.ts'
import { describeError } from '../../page/error-page.tsx'
import { asDocument } from '../../page/page.tsx'

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
export async function submitPage<Schema extends z.ZodType, Result>(
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

/** Of the pages that need a sign-in, only the confirmation of a new address is refused in the usual words. */
const problemOf = (answer: AppError): string =>
  describeError(answer) === describeError(forbidden())
    ? 'Sign in to the account whose e-mail address changes, and open the link again.'
    : describeError(answer)
