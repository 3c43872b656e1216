/** The forms on the account page. */
import type { Context } from 'hono'
import type { z } from 'zod'
import { inSession } from '../../../kernel/access/credentials.ts'
import { AppError, invalidFields } from '../../../kernel/errors.ts'
import type { AppEnv } from '../../../kernel/http/app-env.ts'
import { formOf } from '../../../kernel/http/body.ts'
import { failureOf } from '../../../kernel/http/failures.ts'
import type { Guard } from '../../../kernel/http/openapi/describe.ts'
import { page, type Route } from '../../../kernel/http/route.ts'
import { messagesByField } from '../../../kernel/http/validate.ts'

type PageContext = Context<AppEnv>
type Act = (c: PageContext) => Promise<Response>
type Show = (c: PageContext, failure: AppError) => Promise<Response>

/**
 * Returns a function that declares the forms below a path. `show` renders the page of the form with an error.
 * `may`: the policy of a form that enters the site of the page.
 */
export const ownForms =
  (base: string, show: Show) =>
  (path: string, act: Act, may?: Guard): Route =>
    page({
      method: 'POST',
      path: `${base}${path}`,
      auth: inSession,
      ...(may ? { may } : {}),
      handle: async (c) => {
        try {
          return await act(c)
        } catch (error) {
          if (!(error instanceof AppError) || ![400, 403, 404, 429].includes(error.status)) throw error
          return show(c, failureOf(error, c))
        }
      },
    })

/** Reads the form of a request. Throws 400 with the messages by field. */
export async function readForm<Schema extends z.ZodType>(
  c: PageContext,
  schema: Schema,
): Promise<z.output<Schema>> {
  const input = schema.safeParse(await formOf(c))
  if (!input.success) throw invalidFields(messagesByField(input.error.issues))
  return input.data
}
