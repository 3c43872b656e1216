/** A real mail server on a loopback port, over TLS, that keeps its e-mails. */
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'

/** A certificate for 127.0.0.1 that only tests trust; valid for a hundred years. */
const certificateFile = join(import.meta.dirname, 'certificate.pem')
const keyFile = join(import.meta.dirname, 'certificate-key.pem')

interface Received {
  from: string
  to: string[]
  /** The e-mail as received, with its headers. */
  raw: string
}

export interface MailServer {
  /** Contains the user name and password of the server. */
  url: string
  received: Received[]
  /** Returns how often a client has started to deliver an e-mail. */
  attempts(): number
  close(): Promise<void>
}

/**
 * Starts the server, which refuses the first `refusals` e-mails. `secure`: over TLS from the first byte;
 * otherwise by STARTTLS.
 */
export async function startMailServer({ refusals = 0, secure = true } = {}): Promise<MailServer> {
  const received: Received[] = []
  let attempts = 0
  const server = new SMTPServer({
    secure,
    key: readFileSync(keyFile),
    cert: readFileSync(certificateFile),
    onAuth: ({ username, password }, _session, done) =>
      username === 'post@example.com' && password === 's:e/cret'
        ? done(null, { user: username })
        : done(new Error('no such user')),
    onMailFrom(_address, _session, done) {
      attempts++
      done(attempts <= refusals ? Object.assign(new Error('out of order'), { responseCode: 451 }) : null)
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        received.push({
          from,
          to: envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString('utf8'),
        })
        done()
      })
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `smtps://post%40example.com:s%3Ae%2Fcret@127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    attempts: () => attempts,
    close: () => new Promise((done) => server.close(done)),
  }
}
