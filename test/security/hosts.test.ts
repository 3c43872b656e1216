/** Attacks with hosts: taking a host of another tenant, and getting requests for another site. T2, T8. */
import { beforeAll, describe, expect, it, vi } from 'vitest'
import worker from '../../src/worker.ts'
import { createSite, type Site, siteIdOf, startApp, type TestApp, type User } from '../support/app.ts'
import { domainsOf, setProof, tick } from '../support/domains.ts'
import { openIdApp, serverOf } from '../support/social-login.ts'

let app: TestApp
let victim: Site
let attacker: Site
let root: User
let ofVictim: ReturnType<typeof domainsOf>
let ofAttacker: ReturnType<typeof domainsOf>

beforeAll(async () => {
  app = await startApp({
    PUBLIC_URL: 'https://app.tessera.example',
    PLATFORM_HOSTS: 'edge.example',
    ALLOW_PRIVATE_HOSTS: 'true',
  })
  victim = await createKnownSite('victim')
  attacker = await createKnownSite('attacker')
  root = await app.user('root', { superuser: true })
  ofVictim = domainsOf(app, victim)
  ofAttacker = domainsOf(app, attacker)
})

/** Creates a site with a public secret that contains its name. */
async function createKnownSite(name: string): Promise<Site> {
  const site = await createSite(app, name)
  const post = (path: string, body: object) =>
    app.request('POST', `${site.api}/${path}/`, { token: site.owner.token, body })
  await post('secret-types', { name: 'public', sensitivity_level: 'public' })
  await post('secrets', { secret_type: 'public', key: 'WHO', value: { site: name } })
  return site
}

/**
 * Returns the site at an address, by its public secret. Asks twice, because caches may answer the second
 * time.
 */
async function siteAt(base: string): Promise<string | number> {
  const answers = []
  for (let times = 0; times < 2; times++) {
    const { status, body } = await app.request('GET', `${base}/api/secrets/WHO/`)
    answers.push(status === 200 ? (body.value.site as string) : status)
  }
  expect(answers[0]).toBe(answers[1])
  return answers[0] as string | number
}
/** The result without a site: an unknown secret looks like an unknown site. K9. */
const nobody = 404

const makeApp = (base: string, user: User, name: string) =>
  app.request('POST', `${base}/api/apps/`, { token: user.token, body: { name } })
const appsOf = async (site: Site): Promise<string[]> =>
  (
    await app.sql<{ name: string }>('select name from tenant._apps where site_id = $1 order by name', [
      siteIdOf(site),
    ])
  ).map(({ name }) => name)
const statusOf = async (of: ReturnType<typeof domainsOf>, name: string) =>
  (await of.list()).body.find(({ domain }: { domain: string }) => domain === name)?.status
const aDayLater = (domain: string) =>
  app.sql(`update site_domains set checked_at = now() - interval '25 hours' where domain = $1`, [domain])

describe('a host of the platform', () => {
  it('is refused as a domain, in any spelling and at any endpoint', async () => {
    for (const domain of [
      'app.tessera.example',
      'APP.Tessera.Example.',
      'app.tessera。example',
      'edge.example',
      'attacker.tessera.test',
      'x.workers.dev',
    ]) {
      expect([domain, (await ofAttacker.add(domain)).status]).toEqual([domain, 400])
    }
    const here = await app.request('POST', 'http://gateway.example./api/cloud/sites/attacker/domains/', {
      token: attacker.owner.token,
      body: { domain: 'gateway.example' },
    })
    expect(here.status).toBe(400)
    expect((await ofAttacker.list()).body).toEqual([])
  })

  it('keeps the requests, sign-ins and superuser writes of other tenants', async () => {
    for (const host of ['app.tessera.example', 'edge.example']) {
      await ofAttacker.add(host)
      await setProof(host, 'whatever')
      await ofAttacker.verify(host)
      expect(await siteAt(`http://${host}/sites/victim`)).toBe('victim')
      expect((await app.request('GET', `http://${host}/sites/victim/accounts/login/`)).body).toContain(
        'Sign in to victim',
      )
      await makeApp(`http://${host}/sites/victim`, root, `by root at ${host}`)
    }
    expect([await appsOf(victim), await appsOf(attacker)]).toEqual([
      ['by root at app.tessera.example', 'by root at edge.example'],
      [],
    ])
  })

  it('is not taken by a slug either: a site with the name of the platform’s host is below BASE_DOMAIN', async () => {
    const platform = app.with({ PUBLIC_URL: 'https://app.tessera.test', DEFAULT_SITE: '' })
    const named = await createSite(platform, 'app')
    await platform.request('POST', `${named.api}/auth/social-apps/`, {
      token: named.owner.token,
      body: openIdApp('id', serverOf('hosts-id')),
    })
    expect(
      (await platform.request('GET', 'http://app.tessera.test/api/apps/', { token: named.owner.token }))
        .status,
    ).toBe(404)
    expect(
      (await platform.request('GET', 'http://app.tessera.test/sites/victim/api/secrets/WHO/')).body.value,
    ).toEqual({ site: 'victim' })
    const begin = (of: TestApp) =>
      of.request(
        'GET',
        `${named.api}/auth/id/redirect/?redirect_uri=${encodeURIComponent('https://app.tessera.test/back')}`,
        {
          token: named.owner.token,
        },
      )
    expect([(await begin(platform)).status, (await begin(app)).status]).toEqual([400, 200])
  })
})

describe('a host of another tenant', () => {
  it('cannot be taken first: the claim stays pending, blocks nobody, and is not fulfilled by the owner’s record', async () => {
    expect((await ofAttacker.add('shop.victim.example')).status).toBe(201)
    expect(await siteAt('http://shop.victim.example')).toBe(nobody)
    await ofVictim.prove('shop.victim.example')
    expect((await ofAttacker.verify('shop.victim.example')).status).toBe(400)
    await tick(app)
    expect([
      await statusOf(ofVictim, 'shop.victim.example'),
      await statusOf(ofAttacker, 'shop.victim.example'),
    ]).toEqual(['verified', 'pending'])
    expect(await siteAt('http://shop.victim.example')).toBe('victim')
  })

  it('is not recognizable: adding it returns the same as for any other host', async () => {
    await ofAttacker.remove('shop.victim.example')
    const [known, unknown] = [
      await ofAttacker.add('shop.victim.example'),
      await ofAttacker.add('free.example'),
    ]
    const shape = ({ status, body }: typeof known) => [status, Object.keys(body), body.status]
    expect(shape(known)).toEqual(shape(unknown))
    await ofAttacker.remove('free.example')
  })

  it('is not removed by the attacker, who removes only the attacker’s own claim', async () => {
    expect((await ofAttacker.remove('shop.victim.example')).status).toBe(204)
    expect((await ofAttacker.remove('shop.victim.example')).status).toBe(404)
    expect(await siteAt('http://shop.victim.example')).toBe('victim')
  })
})

describe('a host in another spelling', () => {
  const spellings = [
    'bücher.example',
    'BÜCHER.example',
    'bu\u0308cher.example',
    'xn--bcher-kva.example',
    'XN--BCHER-KVA.EXAMPLE.',
    'bücher。example',
    'bü\u00adcher.example',
  ]

  it('is the same domain', async () => {
    await ofVictim.prove('bücher.example')
    for (const spelling of spellings) {
      expect([spelling, (await ofVictim.add(spelling)).body]).toEqual([
        spelling,
        { domain: ['"xn--bcher-kva.example" is already a domain of this site.'] },
      ])
    }
  })

  it('with a final dot, in upper case, in Unicode or with a port leads to the same site, and no prefix names another', async () => {
    for (const spelling of [...spellings, 'bücher.example:8443', 'XN--BCHER-KVA.EXAMPLE.:80']) {
      expect([spelling, await siteAt(`http://${spelling}`)]).toEqual([spelling, 'victim'])
      expect([spelling, await siteAt(`http://${spelling}/sites/attacker`)]).toEqual([spelling, nobody])
    }
    for (const host of ['victim.tessera.test', 'VICTIM.tessera.test.', 'victim.tessera.test:8443']) {
      expect([host, await siteAt(`http://${host}`)]).toEqual([host, 'victim'])
    }
  })

  it('with two final dots or with similar letters is another name', async () => {
    for (const other of ['xn--bcher-kva.example..', 'bucher.example', 'bϋcher.example']) {
      expect([other, await siteAt(`http://${other}`)]).toEqual([other, nobody])
    }
  })

  it.each([
    '%00.localhost',
    'a%00b',
    'a b',
    'localhost:99999',
    '[::1',
    'x.1',
    'root@localhost',
    'root:x@localhost',
  ])('gets 400 {detail} if it is not a host: %j; no exception is uncaught', async (host) => {
    // A request with such a Host header cannot be constructed, so only the URL of this request is replaced.
    const request = new Request('http://localhost/api/apps/')
    Object.defineProperty(request, 'url', { value: `http://${host}/api/apps/` })
    const response = await worker.fetch(request, app.env, { waitUntil: () => undefined } as never)
    expect([response.status, response.headers.get('content-type'), await response.json()]).toEqual([
      400,
      'application/json',
      { detail: 'The host of the request is not a valid host name.', code: 'invalid_host' },
    ])
  })

  it.each([
    '..localhost',
    '*.tessera.test',
    "a'b",
    'a_b.tessera.test',
    '127.0.0.1',
    '[::1]',
    `${'a'.repeat(250)}.example`,
  ])('gets 404 if no site has it: %j', async (host) => {
    expect(await app.request('GET', `http://${host}/api/apps/`, { token: root.token })).toMatchObject({
      status: 404,
      body: { detail: 'Not found.', code: 'not_found' },
    })
  })
})

describe('a prefix of another site', () => {
  beforeAll(async () => {
    await ofAttacker.prove('bait.example')
  })

  it('gets 404 at a verified host, for reading, writing, signing in and pages', async () => {
    const smuggled = 'http://bait.example/sites/victim'
    const { token } = root
    for (const [method, path, body] of [
      ['GET', '/api/apps/', undefined],
      ['POST', '/api/apps/', { name: 'smuggled' }],
      ['GET', '/api/secrets/WHO/', undefined],
      ['PUT', '/api/secrets/WHO/', { value: { site: 'smuggled' } }],
      ['GET', '/api/auth/social-apps/', undefined],
      ['GET', '/accounts/login/', undefined],
    ] as const) {
      const answer = await app.request(method, `${smuggled}${path}`, { token, ...(body ? { body } : {}) })
      expect([method, path, answer.status]).toEqual([method, path, 404])
    }
    // The document describes no 404 for the platform's own paths, so these requests skip the check of
    // documented responses.
    for (const [method, path, body] of [
      ['POST', '/api/auth/jwt/token/', { username: 'root', password: 'Correct-horse-1' }],
      ['GET', '/api/users/me/', undefined],
      [
        'POST',
        '/api/users/',
        { username: 'smuggled', email: 'smuggled@example.org', password: 'Correct-horse-1' },
      ],
      ['GET', '/api/cloud/organizations/', undefined],
    ] as const) {
      const request = new Request(`${smuggled}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const response = await worker.fetch(request, app.env, { waitUntil: () => undefined } as never)
      expect([method, path, response.status, await response.json()]).toEqual([
        method,
        path,
        404,
        { detail: 'Not found.', code: 'not_found' },
      ])
    }
    expect([await appsOf(attacker), (await appsOf(victim)).includes('smuggled')]).toEqual([[], false])
    expect(await app.sql(`select from users where username = 'smuggled'`)).toEqual([])
  })

  it('gets 404 at a subdomain of BASE_DOMAIN, before any other check', async () => {
    const smuggled = 'http://attacker.tessera.test/sites/victim'
    expect(await siteAt(smuggled)).toBe(nobody)
    for (const path of ['/api/apps/', '/accounts/login/', '/api/secrets/WHO/']) {
      const answer = await app.request('GET', `${smuggled}${path}`)
      expect([path, answer.status, answer.headers.get('server-timing')]).toEqual([
        path,
        404,
        expect.stringContaining('desc="0"'),
      ])
    }
  })

  it('is accepted if it names the host’s own site, and at DEFAULT_SITE', async () => {
    expect(await siteAt('http://bait.example/sites/attacker')).toBe('attacker')
    expect(await siteAt('http://attacker.tessera.test/sites/attacker')).toBe('attacker')
    const local = app.with({ DEFAULT_SITE: 'victim' })
    expect((await local.request('GET', 'http://bait.example/api/secrets/WHO/')).body.value).toEqual({
      site: 'attacker',
    })
    expect((await local.request('GET', 'http://unknown.example/api/secrets/WHO/')).body.value).toEqual({
      site: 'victim',
    })
  })

  it('gets 404 even if a cache knew the host before it belonged to a site', async () => {
    expect(await siteAt('http://later.example/sites/victim')).toBe('victim')
    await ofAttacker.prove('later.example')
    expect(await siteAt('http://later.example/sites/victim')).toBe(nobody)
  })

  it('costs no extra round trip', async () => {
    const answer = await app.request('GET', 'http://bait.example/sites/attacker/api/apps/', {
      token: attacker.owner.token,
    })
    expect([answer.status, answer.headers.get('server-timing')]).toEqual([
      200,
      expect.stringContaining('desc="1"'),
    ])
  })
})

describe('a pending domain', () => {
  it('serves no API, no page and no redirect', async () => {
    await ofAttacker.add('pending.example')
    expect(await siteAt('http://pending.example')).toBe(nobody)
    expect(
      (await app.request('GET', 'http://pending.example/api/apps/', { token: attacker.owner.token })).status,
    ).toBe(404)
    expect((await app.request('GET', 'http://pending.example/accounts/login/')).status).toBe(404)
    expect(await siteAt('http://pending.example/sites/victim')).toBe('victim')
    await app.request('POST', `${attacker.api}/auth/social-apps/`, {
      token: attacker.owner.token,
      body: openIdApp('id', serverOf('hosts-id')),
    })
    const begin = (host: string) =>
      app.request(
        'GET',
        `${attacker.api}/auth/id/redirect/?redirect_uri=${encodeURIComponent(`https://${host}/back`)}`,
        {
          token: attacker.owner.token,
        },
      )
    expect((await begin('pending.example')).status).toBe(400)
    expect((await begin('shop.victim.example')).status).toBe(400)
    expect((await begin('bait.example.')).status).toBe(200)
  })

  it('is not proved by the token of another domain, of another site, or of a deleted domain', async () => {
    const [old] = (await ofAttacker.list()).body.filter(
      ({ domain }: { domain: string }) => domain === 'pending.example',
    )
    const elsewhere = await ofVictim.add('pending.example')
    await setProof('pending.example', elsewhere.body.dns_record.value)
    expect((await ofAttacker.verify('pending.example')).status).toBe(400)
    await ofAttacker.remove('pending.example')
    const again = await ofAttacker.add('pending.example')
    await setProof('pending.example', old.dns_record.value)
    expect(again.body.dns_record.value).not.toBe(old.dns_record.value)
    expect((await ofAttacker.verify('pending.example')).status).toBe(400)
    expect((await ofVictim.verify('pending.example')).status).toBe(400)
  })
})

describe('a proof that disappears', () => {
  it('is accepted for 6 daily look-ups without it; the seventh removes the domain, also from caches', async () => {
    await ofVictim.prove('sold.example')
    await setProof('sold.example')
    for (let day = 1; day <= 6; day++) {
      await aDayLater('sold.example')
      await tick(app)
      expect([day, await siteAt('http://sold.example')]).toEqual([day, 'victim'])
    }
    expect(
      (await ofVictim.list()).body.find(({ domain }: { domain: string }) => domain === 'sold.example'),
    ).toMatchObject({
      status: 'verified',
      failures: 6,
    })
    await aDayLater('sold.example')
    await tick(app)
    expect([await statusOf(ofVictim, 'sold.example'), await siteAt('http://sold.example')]).toEqual([
      undefined,
      nobody,
    ])
  })

  it('only counts consecutive failures', async () => {
    const token = await ofVictim.prove('shaky.example')
    for (let day = 1; day <= 20; day++) {
      await setProof('shaky.example', ...(day % 7 === 0 ? [token] : []))
      await aDayLater('shaky.example')
      await tick(app)
    }
    expect(await statusOf(ofVictim, 'shaky.example')).toBe('verified')
  })
})

describe('a newer proof of a domain', () => {
  it('takes the domain over; the older domain is pending with another token, and its record does not return it', async () => {
    const old = await ofVictim.prove('moved.example')
    expect(await siteAt('http://moved.example')).toBe('victim')
    const lines: string[] = []
    const spy = vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line))
    const fresh = await ofAttacker.prove('moved.example').finally(() => spy.mockRestore())
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        domain: 'moved.example',
        lost_by_site: siteIdOf(victim),
      }),
    )
    expect(await siteAt('http://moved.example')).toBe('attacker')
    // Both records exist, as during a move.
    await setProof('moved.example', old, fresh)
    await tick(app)
    await tick(app)
    expect([await statusOf(ofVictim, 'moved.example'), await statusOf(ofAttacker, 'moved.example')]).toEqual([
      'pending',
      'verified',
    ])
    expect(await siteAt('http://moved.example')).toBe('attacker')
    const { dns_record } = (await ofVictim.list()).body.find(
      ({ domain }: { domain: string }) => domain === 'moved.example',
    )
    expect(dns_record.value).not.toBe(old)
    await setProof('moved.example', dns_record.value, fresh)
    await tick(app)
    expect(await siteAt('http://moved.example')).toBe('victim')
  })

  it('of many concurrent ones gives the domain to one site', async () => {
    const sites = [victim, attacker, ...(await Promise.all(['third', 'fourth'].map(createKnownSite)))]
    const claims = sites.map((site) => domainsOf(app, site))
    const tokens = await Promise.all(
      claims.map(async (of) => (await of.add('raced.example')).body.dns_record.value),
    )
    await setProof('raced.example', ...tokens)
    const answers = await Promise.all(claims.map((of) => of.verify('raced.example')))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const statuses = await Promise.all(claims.map((of) => statusOf(of, 'raced.example')))
    expect(statuses.toSorted()).toEqual(['pending', 'pending', 'pending', 'verified'])
    expect(await siteAt('http://raced.example')).toBe(sites[statuses.indexOf('verified')]?.slug)
  })
})

describe('the local service', () => {
  it('answers only at hosts that it knows and at those that end in localhost, so that no other name leads a page to it', async () => {
    const local = app.with({ PUBLIC_URL: 'http://127.0.0.1:8787' })
    const ask = (host: string, path: string) => {
      // The document describes no 403 for these paths, so the check of documented responses is skipped.
      const request = new Request(`http://${host}${path}`)
      return worker.fetch(request, local.env, { waitUntil: () => undefined } as never)
    }
    for (const path of ['/', '/healthz', '/docs/', '/console/', '/api/auth/social-apps/'])
      for (const host of ['rebound.example', 'pending.example', 'evillocalhost', 'localhost.evil.example'])
        expect([host, path, (await ask(host, path)).status]).toEqual([host, path, 403])
    expect(await (await ask('rebound.example', '/api/auth/social-apps/')).json()).toEqual({
      detail: '"rebound.example" is not a host of this local service. PLATFORM_HOSTS can name it.',
      code: 'unknown_host',
    })
    for (const host of [
      ...['localhost:8787', 'victim.localhost', '127.0.0.1:8787', '[::1]', '192.168.1.5'],
      ...['edge.example', 'victim.tessera.test', 'bait.example', 'BAIT.example.:8787'],
    ])
      expect([host, (await ask(host, '/healthz')).status]).toEqual([host, 200])
    const everywhere = app.with({ PUBLIC_URL: 'http://0.0.0.0:8787' }).env
    const atAnyAddress = new Request('http://rebound.example/healthz')
    expect(
      (await worker.fetch(atAnyAddress, everywhere, { waitUntil: () => undefined } as never)).status,
    ).toBe(403)
    expect(
      (await worker.fetch(new Request('http://rebound.example/healthz'), app.env, {} as never)).status,
    ).toBe(200)
  })
})
