/**
 * /_dev/mailbox: the local mailbox, as a page for browsers and as JSON for programs. Answers 404 in
 * production. I7.
 */
import { anonymous } from '../../../kernel/access/credentials.ts'
import { notFound } from '../../../kernel/errors.ts'
import { page, type Route } from '../../../kernel/http/route.ts'
import { asDocument } from '../../../kernel/page/page.tsx'
import { MailboxPage } from './page.tsx'
import { selectEmails } from './store.ts'

const deadlineMs = 5_000

/** The page of the local mailbox. `?to=` shows one recipient. */
export const mailboxPages: readonly Route[] = [
  page({
    method: 'GET',
    path: '/_dev/mailbox',
    auth: anonymous,
    handle: async (c) => {
      const { config, database } = c.var.ctx
      if (config.ENVIRONMENT !== 'development' || config.EMAIL_TRANSPORT !== 'mailbox') throw notFound()
      const to = c.req.query('to')
      const { emails } = await database.batch({ emails: selectEmails(to || null) }, deadlineMs)
      const wantsPage = c.req.header('accept')?.includes('text/html') ?? false
      return wantsPage
        ? c.html(asDocument(<MailboxPage emails={emails.all} />))
        : c.json({ results: emails.all })
    },
  }),
]
