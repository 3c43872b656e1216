/**
 * Shortens the responses of a service, and makes them equal in every run: fixed ids, times and tokens, two
 * elements of each list.
 */
import type { Recorded } from './recorder.ts'

const membersMax = 2
const moment = '2026-02-01T09:00:00Z'
const later = '2026-02-08T09:00:00Z'

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g
/** Texts of the demo, which are the same at every start. */
const fixedUuid = /^00000000-/

/** Texts that are random, or contain a secret. */
const replacements: readonly [RegExp, string][] = [
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl'],
  [/\btsk_[\w-]+/g, 'tsk_3vQ9kXexample'],
  [/\btsc_[\w-]+/g, 'tsc_3vQ9kXexample'],
  [/\bwhsec_[\w+/=-]+/g, 'whsec_ZXhhbXBsZQ=='],
  [/^\d{8}$/, '12345678'],
  [/^\d{6}$/, '123456'],
  [/^([A-Z2-7]{5}-){3}[A-Z2-7]{5}$/, 'ABCDE-FGHIJ-KLMNO-PQRST'],
  [/\bsecret=[A-Z2-7]{32}\b/, 'secret=JBSWY3DPEHPK3PXP'],
  [/^[A-Z2-7]{32}$/, 'JBSWY3DPEHPK3PXP'],
  // The challenge and the id of a passkey.
  [/^[\w-]{43}$/, 'ZXhhbXBsZS1vbmx5LW5ldmVyLXZhbGlkLWFueXdoZXJ'],
  [/^(?=.*[^0-9a-f])[\w-]{32}$/, 'Zm9yLXRoZS1leGFtcGxlLW9ubHktMzItYi0x'.slice(0, 32)],
  // A code of the page on which the command line signs in.
  [/^v1\.[\w.-]{200,}$/, 'v1.ZXhhbXBsZS1jb2Rl.ZXhhbXBsZQ'],
  // A code of the provider with the nonce of an attempt.
  [/^eyJub25jZSI6[\w-]+$/, 'eyJub25jZSI6ImV4YW1wbGUiLCJzdWIiOiIyNDgyODk3NjEwMDMifQ'],
  [/^[0-9a-f]{32}$/, '0123456789abcdef0123456789abcdef'],
  [/^localhost$/, 'app.example.com'],
  [/\bdata-[\w+/]{16}/g, 'data-bWFkZSBhdCByYW5k'],
  [/http:\/\/127\.0\.0\.1:\d+/g, 'https://api.example.com'],
]

/** Members whose value is a duration or a random text. */
const fixed: Readonly<Record<string, unknown>> = {
  execution_time_ms: 12,
  duration_ms: 5,
  request_id: '0b7e5f8a-example',
  isolate: {
    since: moment,
    requests: 1200,
    failed_requests: 0,
    round_trips: 1150,
    round_trip_ms: 6.2,
  },
  slow_statements: [{ statements: ['count', 'page'], count: 310, mean_ms: 5.1, max_ms: 41.7 }],
  prefix: 'tsk_3vQ9kX',
  address: '192.0.2.1',
  state: 'example-state',
  clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
  attestationObject: 'o2NmbXRkbm9uZQ',
  authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4',
  signature: 'MEUCIQDexample',
  userHandle: 'ZXhhbXBsZS1hY2NvdW50MQ',
  authorization_url:
    'https://id.example.com/authorize?client_id=tessera&response_type=code&scope=openid+email+profile&state=example-state',
}
/** The same members of a JSON Web Key. */
const fixedOfKeys: Readonly<Record<string, string>> = { x: 'ZXhhbXBsZS14', y: 'ZXhhbXBsZS15', kid: 'one' }

/**
 * Returns the recorded examples in a normal form. `provider`: the address of the simulated provider.
 * `started`: when the service was started.
 */
export function normalise(recorded: Recorded, provider: string, started: number): Recorded {
  const uuids = new Map<string, string>()
  const text = (value: string): string => {
    if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)) {
      const at = Date.parse(value)
      if (at < started) return value
      return at < Date.now() + 60_000 ? moment : later
    }
    let replaced = value.replaceAll(new URL(provider).origin, 'https://id.example.com')
    for (const [pattern, by] of replacements) replaced = replaced.replace(pattern, by)
    return replaced.replace(uuid, (found) => {
      if (fixedUuid.test(found)) return found
      if (!uuids.has(found))
        uuids.set(found, `10000000-0000-4000-8000-${String(uuids.size + 1).padStart(12, '0')}`)
      return uuids.get(found) as string
    })
  }
  const walked = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value)
    if (Array.isArray(value)) return value.slice(0, membersMax).map(walked)
    if (typeof value !== 'object' || value === null) return value
    const named: Readonly<Record<string, unknown>> = {
      ...fixed,
      ...('kty' in value ? fixedOfKeys : {}),
      // The state of a site or a transfer is a word; that of a sign-in is a random string.
      ...('state' in value && /^[a-z]+$/.test(String(value.state)) ? { state: value.state } : {}),
      // Of a passkey's account.
      ...('displayName' in value && !('schemas' in value) ? { id: fixed.userHandle } : {}),
      ...('prefix' in value && String(value.prefix).startsWith('tsc_') ? { prefix: 'tsc_3vQ9kX' } : {}),
    }
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        member !== null && Object.hasOwn(named, name) ? named[name] : walked(member),
      ]),
    )
  }
  const sorted = Object.entries(recorded).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(
    sorted.map(([id, { body, answers }]) => [
      id,
      {
        ...(body === undefined ? {} : { body: walked(body) }),
        answers: Object.fromEntries(
          Object.entries(answers).map(([kind, answer]) => [kind, walked(asDocument(answer))]),
        ),
      },
    ]),
  )
}

/** Only the beginning of an OpenAPI document, because the document would otherwise contain itself. */
function asDocument(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || !('openapi' in answer)) return answer
  const { openapi, info } = answer as { openapi: string; info: { title: string; version: string } }
  return { openapi, info: { title: info.title, version: info.version }, paths: {} }
}
