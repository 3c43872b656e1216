/** Sends requests to a deployed service that show whether it works. */
import { demoPassword } from '../../src/kernel/access/demo-password.ts'
import { pause } from '../../src/kernel/lib/retry.ts'

interface Expected {
  what: string
  method?: string
  path: string
  body?: unknown
  /** Returns the problem of the response; undefined if there is none. */
  problem(status: number, body: unknown): string | undefined
}

const againMs = 1_000

const wantStatus =
  (wanted: number) =>
  (status: number, body: unknown): string | undefined =>
    status === wanted ? undefined : `it answered ${status} instead of ${wanted}: ${JSON.stringify(body)}`

/** Returns the requests, in order. `version`: the version that must answer; undefined if any may. */
const expectations = (version: string | undefined): Expected[] => [
  { what: 'the Worker runs', path: '/healthz', problem: wantStatus(200) },
  {
    what: 'it is ready, in the new version',
    path: '/readyz',
    problem: (status, body) => {
      const { version: answering } = Object(body) as { version?: string }
      const isOther = version !== undefined && answering !== undefined && answering !== version
      return wantStatus(200)(status, body) ?? (isOther ? `version ${answering} still answers` : undefined)
    },
  },
  { what: 'it has its API document', path: '/api/schema/', problem: wantStatus(200) },
  { what: 'it asks for credentials', path: '/api/users/me/', problem: wantStatus(401) },
  {
    what: 'it refuses the credentials of the demo',
    method: 'POST',
    path: '/api/auth/jwt/token/',
    body: { username: 'admin@example.com', password: demoPassword },
    problem: (status) =>
      status >= 400 && status < 500 ? undefined : `it answered ${status} to the password of the demo`,
  },
]

/** Returns the requests of the smoke test, for people. */
export const smokeRequests = (address: string): string[] =>
  expectations(undefined).map(({ method = 'GET', path }) => `${method} ${address}${path}`)

/**
 * Repeats the requests to the service at `address` until all responses are right, for `waitMs` at most.
 * Throws an Error that names the wrong response.
 */
export async function smokeTest(address: string, version: string | undefined, waitMs: number): Promise<void> {
  const until = Date.now() + waitMs
  for (const expected of expectations(version)) {
    for (
      let problem = await problemOf(address, expected);
      problem;
      problem = await problemOf(address, expected)
    ) {
      if (Date.now() >= until) throw new Error(`${address}${expected.path}: ${problem}`)
      await pause(againMs)
    }
  }
}

async function problemOf(
  address: string,
  { method = 'GET', path, body, problem }: Expected,
): Promise<string | undefined> {
  try {
    const response = await fetch(`${address}${path}`, {
      method,
      signal: AbortSignal.timeout(10_000),
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    const text = await response.text()
    return problem(response.status, parsed(text))
  } catch (error) {
    return `nothing answers (${(error as Error).message})`
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text.slice(0, 200)
  }
}
