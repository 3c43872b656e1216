/** The page of the local mailbox. */
import { Page } from '../../../kernel/page/page.tsx'
import type { StoredEmail } from './store.ts'

/** Shows e-mails as plain text, in the given order. A line that is an address becomes a link. */
export const MailboxPage = ({ emails }: { emails: readonly StoredEmail[] }) => (
  <Page title="Mailbox">
    <h1>Mailbox</h1>
    {emails.length === 0 ? <p>No e-mails yet.</p> : null}
    {emails.map(({ to, subject, text, created }) => (
      <article>
        <h2>{subject}</h2>
        <p class="hint">
          To {to}, {created}
        </p>
        {text.split('\n\n').map((paragraph) => (
          <p>{paragraph.split('\n').map(showLine)}</p>
        ))}
      </article>
    ))}
  </Page>
)

const showLine = (line: string) => (/^https?:\/\//.test(line) ? <a href={line}>{line}</a> : `${line} `)
