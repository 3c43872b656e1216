/** The transport for a mail server, over TLS from the first byte. */
import type { Email } from '../email.ts'
import { asMessage, MailFailure, type Transport } from './transport.ts'

const timeoutMs = 15_000

/** A mail server, and the address from which it sends. */
export interface MailServer {
  host: string
  port: number
  /** Empty: it needs none. */
  username: string
  password: string
  /** Whether the connection is encrypted: from the first byte at port 465, by STARTTLS at others. */
  use_tls: boolean
  from: string
}

/** The port of connections over TLS from the first byte. */
const tlsPort = 465

/** Sends an e-mail to the server at SMTP_URL. */
export const sendBySmtp: Transport = async ({ config }, email) => {
  const { SMTP_URL, EMAIL_FROM } = config
  if (!SMTP_URL) throw new MailFailure('SMTP_URL is not set')
  if (!EMAIL_FROM) throw new MailFailure('EMAIL_FROM is not set')
  const port = Number(SMTP_URL.port || tlsPort)
  const [username, password] = [SMTP_URL.username, SMTP_URL.password].map(decodeURIComponent) as [
    string,
    string,
  ]
  const server = { host: SMTP_URL.hostname, port, username, password, use_tls: true, from: EMAIL_FROM }
  await sendTo(server, email, { secure: true })
}

/** Sends an e-mail to a mail server that a tenant names. The caller has checked the host. */
export const sendBySmtpServer = (server: MailServer, email: Email, replyTo: string | null): Promise<void> =>
  sendTo(server, email, {
    secure: server.use_tls && server.port === tlsPort,
    requireTLS: server.use_tls,
    ignoreTLS: !server.use_tls,
    replyTo,
  })

interface Connecting {
  secure: boolean
  requireTLS?: boolean
  ignoreTLS?: boolean
  replyTo?: string | null
}

async function sendTo(server: MailServer, { to, ...content }: Email, options: Connecting): Promise<void> {
  const { host, port, username, password, from } = server
  const { replyTo, ...encryption } = options
  // Loaded here, so that requests that send no e-mail do not load it.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    host,
    port,
    ...encryption,
    ...(username ? { auth: { user: username, pass: password } } : {}),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // The library must not read or fetch anything that an e-mail refers to.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    const { html, ...message } = asMessage(content)
    // An address in an object is not parsed, so it cannot add recipients.
    await transport.sendMail({
      from,
      to: { name: '', address: to },
      ...message,
      ...(html === '' ? {} : { html }),
      ...(replyTo ? { replyTo: { name: '', address: replyTo } } : {}),
    })
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
