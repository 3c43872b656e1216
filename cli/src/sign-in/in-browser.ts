/**
 * Signs in with the browser: opens the page on which the person confirms, and waits on this machine for the
 * code that the page sends. The code is useless without the verifier, which this process sends only to the
 * service.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import type { TokenAnswer } from '../../../client/src/connection/session.ts'
import type { Client } from '../../../client/src/index.ts'
import { comparisonCode } from '../../../src/kernel/lib/comparison-code.ts'
import { exitCodes } from '../exit-codes.ts'
import { Problem } from '../problem.ts'
import type { Target } from '../target.ts'
import { hasDisplay, openInBrowser } from '../terminal/browser.ts'
import type { Output } from '../terminal/output.ts'

/** How long the person may take, in ms. */
const patienceMs = 5 * 60_000

const secret = () => randomBytes(32).toString('base64url')

/**
 * Gets tokens with the browser. `client`: a client of the target, without credentials. Throws a Problem if
 * the person refuses.
 */
export async function tokensByBrowser(
  { url, site }: Target,
  client: Client,
  { output, opensBrowser }: { output: Output; opensBrowser: boolean },
): Promise<TokenAnswer> {
  const [verifier, state] = [secret(), secret()]
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const waiting = await waitForCode(state)
  try {
    const mount = site === undefined ? '' : `/sites/${encodeURIComponent(site)}`
    const page = new URL(`${url}${mount}/accounts/cli/`)
    page.search = new URLSearchParams({
      port: String(waiting.port),
      challenge,
      state,
      name: machineName(),
    }).toString()
    const isOpen = opensBrowser && hasDisplay() && (await openInBrowser(page))
    output.note(
      `${isOpen ? 'Your browser shows this page' : 'Open this page in a browser on this machine'}: ${page}`,
    )
    output.note(`Agree there if it shows the code ${comparisonCode(challenge)}.`)
    const code = await waiting.code
    return await client.request<TokenAnswer>({
      method: 'POST',
      path: '/api/auth/cli/token/',
      body: { code, verifier },
    })
  } finally {
    waiting.stop()
  }
}

/** Returns the name for the list of sign-ins, with only the allowed characters. */
function machineName(name = hostname()): string {
  const plain = name.replaceAll(/[^\p{L}\p{N} ._-]/gu, '-').replace(/^[^\p{L}\p{N}]+/u, '')
  return [...plain].slice(0, 60).join('') || 'a machine'
}

interface Waiting {
  port: number
  code: Promise<string>
  stop(): void
}

/**
 * Listens on this machine for one request of the browser. Ignores requests without the state, because other
 * programs and pages can also reach the port.
 */
async function waitForCode(state: string): Promise<Waiting> {
  const answer = pending<string>()
  const late = setTimeout(
    () =>
      answer.reject(
        new Problem('The sign-in was not confirmed within five ' + 'minutes.', exitCodes.forbidden),
      ),
    patienceMs,
  )
  const server = createServer((request, response) => {
    const query = queryOf(request, (server.address() as AddressInfo | null)?.port)
    if (!query || !isSame(query.get('state') ?? '', state)) return say(response, 404, 'This is not the page.')
    const code = query.get('code')
    if (code === null) {
      answer.reject(new Problem('The sign-in was refused in the browser.', exitCodes.forbidden))
      return say(response, 200, 'Refused. You can close this page.')
    }
    answer.resolve(code)
    say(response, 200, 'Signed in. You can close this page and continue in the terminal.')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The promise may reject before anybody awaits it.
  answer.promise.catch(() => undefined)
  return {
    port: (server.address() as AddressInfo).port,
    code: answer.promise,
    stop() {
      clearTimeout(late)
      server.close()
    },
  }
}

/** Returns a promise, and the functions that settle it. */
function pending<Value>() {
  let resolve: (value: Value) => void = () => undefined
  let reject: (error: Error) => void = () => undefined
  const promise = new Promise<Value>((done, fail) => {
    ;[resolve, reject] = [done, fail]
  })
  return { promise, resolve: (value: Value) => resolve(value), reject: (error: Error) => reject(error) }
}

/**
 * Returns the query of the browser's request; undefined for any other request. A page that uses DNS rebinding
 * has another host.
 */
function queryOf(
  { method, url = '', headers }: IncomingMessage,
  port: number | undefined,
): URLSearchParams | undefined {
  const address = `http://127.0.0.1:${port}`
  if (method !== 'GET' || headers.host !== `127.0.0.1:${port}` || !URL.canParse(url, address))
    return undefined
  const { pathname, searchParams } = new URL(url, address)
  return pathname === '/' ? searchParams : undefined
}

function isSame(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}

function say(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  })
  response.end(text)
}
