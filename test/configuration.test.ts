/** Variables that are missing or malformed: the responses, /readyz and the log. W7. */
import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { exportJWK, generateKeyPair } from 'jose'
import { beforeAll, describe, expect, inject, it, vi } from 'vitest'
import worker from '../src/worker.ts'
import { createSite, type Site, startApp, type TestApp } from './support/app.ts'

let app: TestApp
let site: Site
let lines: string[] = []

beforeAll(async () => {
  app = await startApp()
  site = await createSite(app, 'configured')
})

const waitUntil = { waitUntil: () => undefined, passThroughOnException: () => undefined } as never

/** Sends a request to the Worker with other variables. Collects the log of the Worker in `lines`. */
async function ask(variables: Record<string, unknown>, path: string, init: RequestInit = {}) {
  lines = []
  const spy = vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line))
  try {
    const response = await worker.fetch(
      new Request(`http://localhost${path}`, init),
      { ...app.env, ...variables },
      waitUntil,
    )
    return { status: response.status, headers: response.headers, text: await response.text() }
  } finally {
    spy.mockRestore()
  }
}

const hostName = 'must be a host name such as example.com, without a scheme, a port or a path.'
const signingKeys =
  'must be a JSON Web Key Set of ES256 keys, each with a kid, of which the first is private ' +
  '(npm run db:migrate -- --new-signing-keys prints one).'
const masterKeys =
  'must be {"current": "<kid>", "keys": {"<kid>": "<32 bytes in base64url>"}} ' +
  '(npm run keys:rotate -- --new-master-key prints it).'
const database = 'must be the URL of a Postgres database such as postgresql://user:password@host/database.'
const domainProof =
  'DOMAIN_PROOF must be on, or off if the host of PUBLIC_URL is localhost, a subdomain of localhost, ' +
  '127.0.0.1 or [::1].'

const siteKeyStore =
  'SITE_KEY_STORE must be on, or off if the host of PUBLIC_URL is localhost, a subdomain of localhost, ' +
  '127.0.0.1 or [::1].'

interface Jwk extends Record<string, unknown> {
  d?: string
}
const [validKey] = (JSON.parse(inject('signingKeys')) as { keys: [Jwk] }).keys
const publicPart = ({ d: _, ...others }: Jwk) => others
const set = (...keys: Jwk[]) => JSON.stringify({ keys })
async function newKey(algorithm: 'ES256' | 'ES384'): Promise<Jwk> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
  return { ...(await exportJWK(privateKey)), kid: 'CANARY' }
}
const ring = (keys: object, current = Object.keys(keys)[0]) => JSON.stringify({ current, keys })
const key32 = Buffer.alloc(32, 7).toString('base64url')

const origins =
  'CORS_ORIGINS must be origins such as https://app.example.com, separated by commas; ' +
  'if PUBLIC_URL is local, also http://localhost:* and http://127.0.0.1:*.'

const malformed: [
  what: string,
  variables: () => Promise<Record<string, string>> | Record<string, string>,
  line: string,
][] = [
  ['no database', () => ({ DATABASE_URL: '' }), `DATABASE_URL is not set; it ${database}`],
  [
    'the URL of another kind of database',
    () => ({ DATABASE_URL: 'mysql://CANARY:CANARY@localhost/x' }),
    `DATABASE_URL ${database}`,
  ],
  [
    'a database without a name',
    () => ({ DATABASE_URL: 'postgresql://CANARY:CANARY@localhost/' }),
    `DATABASE_URL ${database}`,
  ],
  ['no signing keys', () => ({ SIGNING_KEYS: ' ' }), `SIGNING_KEYS is not set; it ${signingKeys}`],
  [
    'signing keys that are not JSON',
    () => ({ SIGNING_KEYS: '{"keys": [CANARY' }),
    `SIGNING_KEYS ${signingKeys}`,
  ],
  ['an empty set of keys', () => ({ SIGNING_KEYS: '{"keys": []}' }), `SIGNING_KEYS ${signingKeys}`],
  ['only a public key', () => ({ SIGNING_KEYS: set(publicPart(validKey)) }), `SIGNING_KEYS ${signingKeys}`],
  [
    'a key without kid',
    () => ({ SIGNING_KEYS: set({ ...validKey, kid: undefined }) }),
    `SIGNING_KEYS ${signingKeys}`,
  ],
  [
    'two keys with one kid',
    async () => ({ SIGNING_KEYS: set(validKey, { ...(await newKey('ES256')), kid: validKey.kid }) }),
    `SIGNING_KEYS ${signingKeys}`,
  ],
  [
    'a key on another curve',
    async () => ({ SIGNING_KEYS: set(await newKey('ES384')) }),
    `SIGNING_KEYS ${signingKeys}`,
  ],
  [
    'a second key on another curve',
    async () => ({ SIGNING_KEYS: set(validKey, await newKey('ES384')) }),
    `SIGNING_KEYS ${signingKeys}`,
  ],
  [
    'the private part of another key',
    async () => {
      const { d = '' } = await newKey('ES256')
      return { SIGNING_KEYS: set({ ...validKey, d }) }
    },
    `SIGNING_KEYS ${signingKeys}`,
  ],
  [
    'a point that is not on the curve',
    () => ({ SIGNING_KEYS: set({ ...validKey, x: validKey.y }) }),
    `SIGNING_KEYS ${signingKeys}`,
  ],
  ['master keys that are not JSON', () => ({ MASTER_KEYS: 'CANARY-ring' }), `MASTER_KEYS ${masterKeys}`],
  [
    'a master key that is too short',
    () => ({ MASTER_KEYS: ring({ a: 'CANARY' }) }),
    `MASTER_KEYS ${masterKeys}`,
  ],
  [
    'a current master key that does not exist',
    () => ({ MASTER_KEYS: ring({ a: key32 }, 'CANARY') }),
    `MASTER_KEYS ${masterKeys}`,
  ],
  [
    'a BASE_DOMAIN with a scheme',
    () => ({ BASE_DOMAIN: 'https://CANARY.example' }),
    `BASE_DOMAIN ${hostName}`,
  ],
  ['a BASE_DOMAIN with a port', () => ({ BASE_DOMAIN: 'CANARY.example:8787' }), `BASE_DOMAIN ${hostName}`],
  ['a BASE_DOMAIN with a path', () => ({ BASE_DOMAIN: 'CANARY.example/x' }), `BASE_DOMAIN ${hostName}`],
  ['a BASE_DOMAIN that is a pattern', () => ({ BASE_DOMAIN: '*.CANARY.example' }), `BASE_DOMAIN ${hostName}`],
  ['a BASE_DOMAIN that is an address', () => ({ BASE_DOMAIN: '192.0.2.1' }), `BASE_DOMAIN ${hostName}`],
  [
    'PLATFORM_HOSTS with a scheme',
    () => ({ PLATFORM_HOSTS: 'a.example, https://CANARY.example' }),
    'PLATFORM_HOSTS must be host names, separated by commas, without schemes, ports or paths.',
  ],
  [
    'a PUBLIC_URL that is a host',
    () => ({ PUBLIC_URL: 'CANARY.example' }),
    'PUBLIC_URL must be an http or https URL such as https://app.example.com.',
  ],
  [
    'a PUBLIC_URL with credentials',
    () => ({ PUBLIC_URL: 'https://a:CANARY@b.example' }),
    'PUBLIC_URL must be an http or https URL such as https://app.example.com.',
  ],
  ['CORS_ORIGINS with a path', () => ({ CORS_ORIGINS: 'https://CANARY.example/' }), origins],
  [
    'all local ports in CORS_ORIGINS, with a public PUBLIC_URL',
    () => ({ CORS_ORIGINS: 'http://localhost:*', PUBLIC_URL: 'https://CANARY.example' }),
    origins,
  ],
  [
    'all local ports in CORS_ORIGINS, without PUBLIC_URL',
    () => ({ CORS_ORIGINS: 'http://127.0.0.1:*' }),
    origins,
  ],
  [
    'all ports of another machine in CORS_ORIGINS',
    () => ({ CORS_ORIGINS: 'http://CANARY.example:*', PUBLIC_URL: 'http://localhost:8787' }),
    origins,
  ],
  [
    'a flag that is a number',
    () => ({ ALLOW_PRIVATE_HOSTS: '1' }),
    'ALLOW_PRIVATE_HOSTS must be true or false.',
  ],
  [
    'an unknown ENVIRONMENT',
    () => ({ ENVIRONMENT: 'CANARY' }),
    'ENVIRONMENT must be production or development.',
  ],
  [
    'a limit of zero',
    () => ({ RATE_LIMIT_SIGNED_IN: '0' }),
    'RATE_LIMIT_SIGNED_IN must be a whole number from 1.',
  ],
  [
    'a depth beyond the maximum',
    () => ({ GRAPH_DEPTH_MAX: '101' }),
    'GRAPH_DEPTH_MAX must be a whole number from 1 to 100.',
  ],
  [
    'passwords hashed with too little work, in production',
    () => ({ ENVIRONMENT: 'production', PASSWORD_COST: '13' }),
    'PASSWORD_COST must be a whole number from 14 to 17, or from 4 if ENVIRONMENT is development.',
  ],
  ['an invalid slug', () => ({ DEFAULT_SITE: 'CANARY site' }), 'DEFAULT_SITE must be the slug of a site.'],
  [
    'a mail server without TLS',
    () => ({ SMTP_URL: 'smtp://CANARY:CANARY@mail.example' }),
    'SMTP_URL must be a URL such as smtps://user:password@mail.example.com:465.',
  ],
  ['no store of site keys, without PUBLIC_URL', () => ({ SITE_KEY_STORE: 'off' }), siteKeyStore],
  ['no proof, without PUBLIC_URL', () => ({ DOMAIN_PROOF: 'off' }), domainProof],
  [
    'no proof, with a public PUBLIC_URL',
    () => ({ DOMAIN_PROOF: 'off', PUBLIC_URL: 'https://CANARY.example' }),
    domainProof,
  ],
  [
    'no proof, at a name that only looks local',
    () => ({ DOMAIN_PROOF: 'off', PUBLIC_URL: 'http://localhost.CANARY.example' }),
    domainProof,
  ],
  [
    'two variables at once',
    () => ({ ENVIRONMENT: 'CANARY', ALLOW_PRIVATE_HOSTS: 'yes' }),
    'ENVIRONMENT must be production or development. ALLOW_PRIVATE_HOSTS must be true or false.',
  ],
]

describe('a variable that is missing or malformed', () => {
  it.each(malformed)(
    '%s: every path but /healthz returns 503; /readyz and the log give the rule of the variable, and never its value',
    async (_what, variables, line) => {
      const env = await variables()
      const token = site.owner.token
      for (const [path, init] of [
        ['/api/apps/', {}],
        [`${site.api}/apps/`, { headers: { authorization: `Bearer ${token}` } }],
        [
          '/api/auth/jwt/token/',
          { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } },
        ],
        ['/.well-known/jwks.json', {}],
        ['/nope', {}],
      ] as const) {
        const { status, headers, text } = await ask(env, path, init)
        expect([path, status, JSON.parse(text)]).toEqual([
          path,
          503,
          {
            detail: 'The service is not configured correctly. See its log and /readyz.',
            code: 'misconfigured',
          },
        ])
        expect(headers.get('x-content-type-options')).toBe('nosniff')
        expect(
          lines.map((entry) => JSON.parse(entry)).find(({ level }) => level === 'error')?.failure[0].message,
        ).toBe(line)
        expect(lines.join('\n')).not.toContain('CANARY')
      }
      const ready = await ask(env, '/readyz')
      expect([ready.status, JSON.parse(ready.text)]).toEqual([503, { detail: line, code: 'misconfigured' }])
      const alive = await ask(env, '/healthz')
      expect([alive.status, JSON.parse(alive.text)]).toEqual([200, { status: 'ok' }])
      for (const path of ['/', '/accounts/login/', '/docs/', '/llms.txt', '/api/docs/'])
        expect([path, (await ask(env, path)).status]).toEqual([path, 503])
    },
  )

  it('with a wrong value retries a batch of jobs, and none of them runs', async () => {
    const batch = createMessageBatch('tessera-jobs', [
      { id: '1', timestamp: new Date(), attempts: 1, body: { kind: 'sweep-site', siteId: 1 } },
    ])
    await worker.queue(batch, { ...app.env, SIGNING_KEYS: '' })
    const { explicitAcks, retryBatch } = await getQueueResult(batch, createExecutionContext())
    expect([explicitAcks, retryBatch]).toMatchObject([[], { retry: true }])
  })
})

describe('valid variables', () => {
  it.each<[string, Record<string, string>]>([
    [
      'host names in upper case, with a final dot',
      { BASE_DOMAIN: 'Tessera.Test.', PLATFORM_HOSTS: 'A.example., bücher.example,127.0.0.1' },
    ],
    [
      'empty variables, which count as not set',
      {
        BASE_DOMAIN: '',
        RATE_LIMIT_SCALE: '',
        ENVIRONMENT: '',
        CORS_ORIGINS: '',
        LARGE_TABLE_BYTES: '',
        PASSWORD_COST: '',
      },
    ],
    [
      'variables with space around them',
      { SIGNING_KEYS: `\n${inject('signingKeys')}\n`, ALLOW_PRIVATE_HOSTS: ' true ' },
    ],
    [
      'a public key beside the signing key',
      { SIGNING_KEYS: set(validKey, { ...publicPart(validKey), kid: 'older' }) },
    ],
    ['no site keys at localhost', { SITE_KEY_STORE: 'off', PUBLIC_URL: 'http://localhost:8787' }],
    ['no proof at localhost', { DOMAIN_PROOF: 'off', PUBLIC_URL: 'http://localhost:8787' }],
    ['no proof at 127.0.0.1', { DOMAIN_PROOF: 'off', PUBLIC_URL: 'http://127.0.0.1:8787' }],
    ['no proof at ::1', { DOMAIN_PROOF: 'off', PUBLIC_URL: 'http://[::1]:8787' }],
    [
      'all ports of this machine',
      { CORS_ORIGINS: 'http://localhost:*,https://127.0.0.1:*', PUBLIC_URL: 'http://localhost:8787' },
    ],
    ['no proof below localhost', { DOMAIN_PROOF: 'off', PUBLIC_URL: 'http://app.localhost' }],
  ])('/readyz returns 200: %s', async (_what, variables) => {
    expect((await ask(variables, '/readyz')).status).toBe(200)
  })

  it('without MASTER_KEYS, /readyz returns 503 and operations that need no keys work', async () => {
    const ready = await ask({ MASTER_KEYS: '' }, '/readyz')
    expect([ready.status, JSON.parse(ready.text)]).toEqual([
      503,
      { detail: `MASTER_KEYS is not set; it ${masterKeys}`, code: 'misconfigured' },
    ])
    expect(
      (
        await ask({ MASTER_KEYS: '' }, `${site.api}/apps/`, {
          headers: { authorization: `Bearer ${site.owner.token}` },
        })
      ).status,
    ).toBe(200)
  })
})
