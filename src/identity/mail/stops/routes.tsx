/** /accounts/emails/stop: the page that stops the e-mails of an organization to a mailbox. */
import type { Context } from 'hono'
import { anonymous } from '../../../kernel/access/credentials.ts'
import { asAnonymous } from '../../../kernel/db/platform.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { AppEnv } from '../../../kernel/http/app-env.ts'
import { formOf } from '../../../kernel/http/body.ts'
import { page, type Route } from '../../../kernel/http/route.ts'
import { showPage } from '../../../kernel/page/show-page.tsx'
import { readStop, stopPath } from '../letter-sender.ts'
import { StopPage } from './page.tsx'
import { deleteStop, insertStop, selectStop } from './store.ts'

const path = stopPath.replace(/\/$/, '')

/** Performs a change, and shows the page. Throws 404 for a link that the service did not make. */
async function answer(c: Context<AppEnv>, change: typeof insertStop | undefined): Promise<Response> {
  const { ctx } = c.var
  const token = c.req.query('token') ?? ''
  const stop = await readStop(ctx.config, token)
  if (!stop || (change === deleteStop && !stop.canAllow)) throw notFound()
  const statements = { changed: change?.(stop), row: selectStop(stop) }
  const { row } = await asAnonymous(ctx, change ? 'write' : 'read', statements)
  if (!row.first) throw notFound()
  return showPage(c, <StopPage {...row.first} token={token} canAllow={stop.canAllow} />)
}

/**
 * The pages. Opening the link changes nothing, because mail programs open links, too. A form stops the
 * e-mails, and so does the button of a mail program (RFC 8058): the token in the link authorizes both, and no
 * cookie is read.
 */
export const stopPages: readonly Route[] = [
  page({ method: 'GET', path, auth: anonymous, handle: (c) => answer(c, undefined) }),
  page({
    method: 'POST',
    path,
    auth: anonymous,
    handle: async (c) => answer(c, (await formOf(c)).allow === undefined ? insertStop : deleteStop),
  }),
]
