/** Any mail server, over TLS from the first byte. */
import { MailFailure, type Transport } from './transport.ts'

const timeoutMs = 15_000

export const sendBySmtp: Transport = async ({ config }, { to, subject, text, html }) => {
  const { SMTP_URL, EMAIL_FROM } = config
  if (!SMTP_URL) throw new MailFailure('SMTP_URL is not set')
  if (!EMAIL_FROM) throw new MailFailure('EMAIL_FROM is not set')
  // Loaded where a letter is sent, and nowhere else.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    host: SMTP_URL.hostname,
    port: Number(SMTP_URL.port || 465),
    secure: true,
    ...(SMTP_URL.username ? { auth: { user: decodeURIComponent(SMTP_URL.username), pass: decodeURIComponent(SMTP_URL.password) } } : {}),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // A letter is made of what stands in it: nothing is fetched, no file is read.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    // An address as an object is never parsed.
    await transport.sendMail({ from: EMAIL_FROM, to: { name: '', address: to }, subject, text, html })
  } catch (error) {
    throw new MailFailure(`the mail server did not take the letter: ${reasonOf(error)}`)
  } finally {
    transport.close()
  }
}

/** What went wrong, without the server's words, which quote the address. */
function reasonOf(error: unknown): string {
  const { code, responseCode, command } = Object(error) as Record<string, unknown>
  return [code, responseCode, command].filter((part) => typeof part === 'string' || typeof part === 'number').join(' ') || 'no reason'
}
