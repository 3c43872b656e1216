/** /invitations/{token}: an invitation as people see it. Reading it changes nothing. */
import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { anonymous } from '../../access/credentials.ts'
import { AppError, forbidden } from '../../errors.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { formOf } from '../../http/body.ts'
import { failureOf } from '../../http/failures.ts'
import { page } from '../../http/openapi/describe.ts'
import { uuidParam } from '../../http/params.ts'
import { isSameOrigin } from '../../http/same-origin.ts'
import { messagesByField } from '../../http/validate.ts'
import { sentenceOf } from '../../page/failures.tsx'
import { asDocument } from '../../page/page.tsx'
import { acceptInvitation, readForPage } from '../accept.ts'
import { acceptance } from '../schema.ts'
import { AcceptedPage, AcceptPage } from './accept.tsx'

export const acceptancePages = new Hono<AppEnv>()
  .use(page, anonymous)

  .get('/:token', async (c) => {
    const token = uuidParam(c.req.param('token'))
    const invitation = await readForPage(c.var.ctx, token)
    return c.html(asDocument(<AcceptPage invitation={invitation} token={token} code={c.req.query('code') ?? ''} />))
  })

  .post('/:token', async (c) => {
    if (!isSameOrigin(c)) throw forbidden()
    const token = uuidParam(c.req.param('token'))
    const { code = '', password, first_name, last_name } = await formOf(c)
    const shown = { token, code, entered: { first_name, last_name } }
    const said = acceptance.safeParse({ password, first_name, last_name, ...(code === '' ? {} : { code }) })
    if (!said.success) return refuse(c, shown, 400, messagesByField(said.error.issues))
    const invitation = await readForPage(c.var.ctx, token)
    try {
      const accepted = await acceptInvitation(c.var.ctx, token, said.data)
      return c.html(asDocument(<AcceptedPage accepted={accepted} site={invitation.config.site[0]?.slug} />))
    } catch (error) {
      if (!(error instanceof AppError) || ![400, 403, 429].includes(error.status)) throw error
      const failure = failureOf(error, c)
      if (failure.status === 400) return refuse(c, shown, 400, failure.body as Record<string, string[]>)
      const text =
        failure.status === 403
          ? 'The account with your address is not changed by this link: open the newest one that you were sent.'
          : sentenceOf(failure)
      return refuse(c, shown, failure.status, { account: [text] })
    }
  })

interface Shown {
  token: string
  code: string
  entered: { first_name?: string | undefined; last_name?: string | undefined }
}

/** The same form, with what was entered and what was wrong. */
async function refuse(c: Context<AppEnv>, shown: Shown, status: ContentfulStatusCode, problems: Record<string, string[]>): Promise<Response> {
  const invitation = await readForPage(c.var.ctx, shown.token)
  return c.html(asDocument(<AcceptPage invitation={invitation} {...shown} problems={problems} />), status)
}
