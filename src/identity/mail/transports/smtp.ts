/** The transport for a mail server, over TLS from the first byte. */
import { asMessage, MailFailure, type Transport } from './transport.ts'

const timeoutMs = 15_000

/** Sends an e-mail to the server at SMTP_URL. */
export const sendBySmtp: Transport = async ({ config }, { to, ...content }) => {
  const { SMTP_URL, EMAIL_FROM } = config
  if (!SMTP_URL) throw new MailFailure('SMTP_URL is not set')
  if (!EMAIL_FROM) throw new MailFailure('EMAIL_FROM is not set')
  // Loaded here, so that requests that send no e-mail do not load it.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    host: SMTP_URL.hostname,
    port: Number(SMTP_URL.port || 465),
    secure: true,
    ...(SMTP_URL.username
      ? { auth: { user: decodeURIComponent(SMTP_URL.username), pass: decodeURIComponent(SMTP_URL.password) } }
      : {}),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // The library must not read or fetch anything that an e-mail refers to.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    // An address in an object is not parsed, so it cannot add recipients.
    await transport.sendMail({ from: EMAIL_FROM, to: { name: '', address: to }, ...asMessage(content) })
  } catch (error) {
    throw new MailFailure(`the mail server did not accept the e-mail: ${reasonOf(error)}`)
  } finally {
    transport.close()
  }
}

/**
 * Returns the codes of an error. The server's own text is omitted, because it quotes the recipient's address.
 */
function reasonOf(error: unknown): string {
  const { code, responseCode, command } = Object(error) as Record<string, unknown>
  const codes = [code, responseCode, command].filter(
    (part) => typeof part === 'string' || typeof part === 'number',
  )
  return codes.join(' ') || 'no reason given'
}
