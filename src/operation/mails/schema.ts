/** The e-mails of functions in the API. */
import * as z from 'zod'
import { type ListForm, listQuery } from '../../kernel/http/lists/list.ts'
import { id, timestamp } from '../../kernel/http/openapi/bodies.ts'

/** How clients can sort and search the list of e-mails. */
export const listForm = {
  orderings: ['created_at'],
  ordering: '-created_at',
  searched: 'the recipient or the subject',
} as const satisfies ListForm

const state = z.enum(['waiting', 'sent', 'kept', 'dropped'])

/** The query parameters of the list. */
export const mailsQuery = listQuery(listForm, {
  state: state.optional().describe('Only e-mails in this state.'),
  function_slug: z.string().optional().describe('Only e-mails of the function with this slug.'),
})
export type MailsQuery = z.infer<typeof mailsQuery>

/** An e-mail of a function in answers. */
export const mail = z
  .object({
    id: id.describe('The id of the e-mail.'),
    invocation: id.describe('The id of the run that has sent it.'),
    number: id.describe('Its place among the e-mails of the run, from 1.'),
    function_slug: z.string().describe('The slug of the function.'),
    app: z.string().describe('The slug of the app of the function.'),
    to: z.string().describe('The address of the reader.'),
    subject: z.string().describe('The subject.'),
    text: z.string().describe('The text.'),
    html: z.string().nullable().describe('The HTML. Null: there is none.'),
    reply_to: z.string().nullable().describe('The address for replies. Null: that of the sender.'),
    state: state.describe(
      '`waiting`: it will be sent. `kept`: the site was paused, so it was not sent. `dropped`: see `reason`.',
    ),
    reason: z.string().nullable().describe('Why it was dropped, or why it still waits. Null: no reason.'),
    created_at: timestamp.describe('When the run ended that has sent it.'),
    sent_at: timestamp.nullable().describe('When it was sent. Null: it was not.'),
  })
  .meta({ id: 'Mail', description: 'An e-mail of a function.' })
export type Mail = z.infer<typeof mail>
