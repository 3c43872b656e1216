import { Page } from '../../page/page.tsx'
import type { KeptLetter } from './store.ts'

export const MailboxPage = ({ letters }: { letters: readonly KeptLetter[] }) => (
  <Page title="Mailbox">
    <h1>Mailbox</h1>
    {letters.length === 0 ? <p>No letter has been sent yet.</p> : null}
    {letters.map(({ to, subject, text, created }) => (
      <article>
        <h2>{subject}</h2>
        <p class="hint">
          To {to}, {created}
        </p>
        {text.split('\n\n').map((paragraph) => (
          <p>{paragraph.split('\n').map((line) => (/^https?:\/\//.test(line) ? <a href={line}>{line}</a> : `${line} `))}</p>
        ))}
      </article>
    ))}
  </Page>
)
