/** /_dev/mailbox: the letters of the local mailbox, as a page, and as JSON for programs. In production it is not there. I7. */
import { Hono } from 'hono'
import { anonymous } from '../../access/credentials.ts'
import { notFound } from '../../errors.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { page } from '../../http/openapi/describe.ts'
import { asDocument } from '../../page/page.tsx'
import { MailboxPage } from './mailbox.tsx'
import { selectLetters } from './store.ts'

const deadlineMs = 5_000

export const mailboxRoutes = new Hono<AppEnv>().use(page, anonymous).get('/', async (c) => {
  const { config, database } = c.var.ctx
  if (config.ENVIRONMENT !== 'development' || config.EMAIL_TRANSPORT !== 'mailbox') throw notFound()
  const to = c.req.query('to')
  const { letters } = await database.batch({ letters: selectLetters(to || null) }, deadlineMs)
  const wantsPage = c.req.header('accept')?.includes('text/html') ?? false
  return wantsPage ? c.html(asDocument(<MailboxPage letters={letters.all} />)) : c.json({ results: letters.all })
})
