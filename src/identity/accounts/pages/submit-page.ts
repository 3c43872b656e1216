/**
 * The common behavior of the forms on these pages: they perform an action, or are shown again with an error.
 */
import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { z } from 'zod'
import type { RequestContext } from '../../../kernel/context.ts'
import { AppError, forbidden, invalidFields } from '../../../kernel/errors.ts'
import type { AppEnv } from '../../../kernel/http/app-env.ts'
import { formOf } from '../../../kernel/http/body.ts'
import { failureOf } from '../../../kernel/http/failures.ts'
import { isSameOrigin } from '../../../kernel/http/is-same-origin.ts'
import { messagesByField } from '../../../kernel/http/validate.ts'
import { describeError } from '../../../kernel/page/error-page.tsx'
import { showPage, textsOf } from '../../../kernel/page/show-page.tsx'
import { type AccountTexts, accountTexts } from './texts/texts.ts'

type PageContext = Context<AppEnv>
type Form = Readonly<Record<string, string>>

/**
 * A form: its schema, its action, the page that shows it again with an error, and the page that follows it.
 */
interface FormTerms<Schema extends z.ZodType, Result> {
  schema: Schema
  act(ctx: RequestContext, input: z.output<Schema>): Promise<Result>
  again(form: Form, problem: string): Child
  /** The page for an invalid link, if a link opened the form. Sending the form again would not help. */
  dead?(problem: string): Child
  next(result: Result): Child
}

/** Performs the action of a form, and returns the next page. Errors are shown on the page of the form. */
export async function submitPage<Schema extends z.ZodType, Result>(
  c: PageContext,
  { schema, act, again, dead, next }: FormTerms<Schema, Result>,
): Promise<Response> {
  if (!isSameOrigin(c)) throw forbidden()
  const form = await formOf(c)
  const texts = textsOf(c, accountTexts)
  const show = (failure: AppError) => {
    const problem = problemOf(failure, texts)
    const isDead = dead !== undefined && Object.hasOwn(Object(failure.body), 'token')
    return showPage(c, isDead ? dead(problem) : again(form, problem), failure)
  }
  const input = schema.safeParse(form)
  if (!input.success) return show(invalidFields(messagesByField(input.error.issues)))
  try {
    return showPage(c, next(await act(c.var.ctx, input.data)))
  } catch (error) {
    if (!(error instanceof AppError) || ![400, 403, 429].includes(error.status)) throw error
    return show(failureOf(error, c))
  }
}

/**
 * Of the pages that need a sign-in, only the confirmation of a new address uses the common texts for errors.
 */
const problemOf = (answer: AppError, texts: AccountTexts): string =>
  answer.code === 'permission_denied' ? texts.links.otherAccount : describeError(answer, texts)
