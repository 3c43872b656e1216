/** /invitations/{token}: the pages on which invitees read and accept an invitation. Spec: Invitation; I6. */
import type { Context } from 'hono'
import { anonymous } from '../../../kernel/access/credentials.ts'
import { AppError, forbidden, invalidFields } from '../../../kernel/errors.ts'
import type { AppEnv } from '../../../kernel/http/app-env.ts'
import { formOf } from '../../../kernel/http/body.ts'
import { failureOf } from '../../../kernel/http/failures.ts'
import { isSameOrigin } from '../../../kernel/http/is-same-origin.ts'
import { parseUuid } from '../../../kernel/http/params.ts'
import { page, type Route } from '../../../kernel/http/route.ts'
import { messagesByField } from '../../../kernel/http/validate.ts'
import { describeError } from '../../../kernel/page/error-page.tsx'
import { showPage, textsOf } from '../../../kernel/page/show-page.tsx'
import { acceptInvitation, readForPage } from '../accept.ts'
import { acceptance } from '../schema.ts'
import { AcceptedPage, AcceptPage } from './accept.tsx'
import { type InvitationTexts, invitationTexts } from './texts.ts'

/** The pages of an invitation. Reading one changes nothing. */
export const acceptancePages: readonly Route[] = [
  page({
    method: 'GET',
    path: '/invitations/:token',
    auth: anonymous,
    handle: async (c, params) => {
      const token = parseUuid(params.token)
      const invitation = await readForPage(c.var.ctx, token)
      return showPage(
        c,
        <AcceptPage invitation={invitation} token={token} code={c.req.query('code') ?? ''} />,
      )
    },
  }),
  page({
    method: 'POST',
    path: '/invitations/:token',
    auth: anonymous,
    handle: async (c, params) => {
      if (!isSameOrigin(c)) throw forbidden()
      const token = parseUuid(params.token)
      const { code = '', password, first_name, last_name } = await formOf(c)
      const form = { token, code, entered: { first_name, last_name } }
      const input = acceptance.safeParse({
        password,
        first_name,
        last_name,
        ...(code === '' ? {} : { code }),
      })
      if (!input.success) return showForm(c, form, invalidFields(messagesByField(input.error.issues)))
      const invitation = await readForPage(c.var.ctx, token)
      try {
        const accepted = await acceptInvitation(c.var.ctx, token, input.data)
        return showPage(c, <AcceptedPage accepted={accepted} site={invitation.config.site[0]?.slug} />)
      } catch (error) {
        if (!(error instanceof AppError) || ![400, 403, 429].includes(error.status)) throw error
        return showForm(c, form, failureOf(error, c))
      }
    },
  }),
]

/** Returns the errors of an answer by field. Errors that concern no field have another name. */
function problemsOf(answer: AppError, texts: InvitationTexts): Record<string, string[]> {
  const body = answer.body as Record<string, string | string[]>
  if (answer.status === 400 && body.detail === undefined) {
    const text = texts.errorText(answer)
    return Object.fromEntries(
      Object.entries(body).map(([field, messages]) => [field, [text ?? messages].flat()]),
    )
  }
  return {
    account: [answer.status === 403 ? texts.invitation.accountNotProved : describeError(answer, texts)],
  }
}

interface Form {
  token: string
  code: string
  entered: { first_name?: string | undefined; last_name?: string | undefined }
}

/** Shows the form again, with the names that were entered and with the errors. */
async function showForm(c: Context<AppEnv>, form: Form, failure: AppError): Promise<Response> {
  const invitation = await readForPage(c.var.ctx, form.token)
  const problems = problemsOf(failure, textsOf(c, invitationTexts))
  return showPage(c, <AcceptPage invitation={invitation} {...form} problems={problems} />, failure)
}
