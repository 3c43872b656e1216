/** The domains of sites: adding, verifying and losing them. T8. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createSite, type Site, startApp, type TestApp, type User } from '../support/app.ts'
import { domainsOf, lookUps, setProof, setZone, tick } from '../support/domains.ts'
import { grant } from '../support/fixtures.ts'

let app: TestApp
let pier: Site
let quay: Site
let helper: User
let atPier: ReturnType<typeof domainsOf>
let atQuay: ReturnType<typeof domainsOf>

beforeAll(async () => {
  app = await startApp({
    PUBLIC_URL: 'https://app.tessera.example',
    PLATFORM_HOSTS: 'api.tessera.example, edge.example',
  })
  pier = await createSite(app, 'pier')
  quay = await createSite(app, 'quay')
  helper = await app.user('helper')
  atPier = domainsOf(app, pier)
  atQuay = domainsOf(app, quay)
})

/** Returns the slug of the site at a host, or undefined. */
async function siteAt(host: string): Promise<string | undefined> {
  for (const site of [pier, quay]) {
    if ((await app.request('GET', `http://${host}/api/apps/`, { token: site.owner.token })).status === 200)
      return site.slug
  }
  return undefined
}

const statusesOf = async (of: ReturnType<typeof domainsOf>) =>
  Object.fromEntries(
    (await of.list()).body.map(({ domain, status }: { domain: string; status: string }) => [domain, status]),
  )

const age = (site: Site, domain: string, column: 'token_created' | 'checked_at', interval: string) =>
  app.sql(
    `update site_domains set ${column} = now() - $1::interval
      where domain = $2 and site_id = (select id from sites where slug = $3)`,
    [interval, domain, site.slug],
  )

describe('POST …/domains/', () => {
  it.each([
    '',
    ' ',
    'https://a.example',
    'a.example:80',
    'a.example/',
    'a.example?x',
    'a.example#x',
    'x@a.example',
    'a b.example',
    'a\tb.example',
    '%61.example',
  ])('returns 400 for %j, because it is not just a host name', async (domain) => {
    const refused = await atPier.add(domain)
    expect([refused.status, refused.body]).toEqual([
      400,
      { domain: ['A domain is a host name such as shop.example.com, without a scheme, a port or a path.'] },
    ])
  })

  it.each([
    '-a.example',
    'a-.example',
    'a..example',
    '.a.example',
    'a_b.example',
    '*.example.com',
    `${'a.'.repeat(120)}example`,
    `${'a'.repeat(64)}.example`,
  ])('returns 400 for %j, because no DNS record can exist below it', async (domain) => {
    const refused = await atPier.add(domain)
    expect([refused.status, refused.body]).toEqual([
      400,
      {
        domain: [
          `"${domain}" is not a valid host name. ` +
            'Its parts have letters, digits and hyphens, and are separated by dots.',
        ],
      },
    ])
  })

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['127.1', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['0x7f.0.0.1', '127.0.0.1'],
    ['0177.0.0.1', '127.0.0.1'],
    ['１２７.0.0.1', '127.0.0.1'],
    ['192.0.2.1.', '192.0.2.1'],
    ['::1', '[::1]'],
    ['[::1]', '[::1]'],
    ['[0:0::1]', '[::1]'],
    ['::ffff:192.0.2.1', '[::ffff:c000:201]'],
    ['2001:DB8::1', '[2001:db8::1]'],
  ])('returns 400 for %j, because it is an IP address', async (domain, shown) => {
    const refused = await atPier.add(domain)
    expect([refused.status, refused.body]).toEqual([
      400,
      { domain: [`"${shown}" is an IP address. A domain is a name such as shop.example.com.`] },
    ])
  })

  it.each([
    ['localhost', 'is a name without a dot. A domain is a name such as shop.example.com.'],
    ['app.tessera.example', 'is a host of this service.'],
    ['api.tessera.example', 'is a host of this service.'],
    ['edge.example', 'is a host of this service.'],
    ['tessera.test', 'belongs to this service: each site has a host there already.'],
    ['quay.tessera.test', 'belongs to this service: each site has a host there already.'],
    ['a.b.tessera.test', 'belongs to this service: each site has a host there already.'],
    ['workers.dev', 'belongs to Cloudflare: the ownership of names below workers.dev cannot be proved.'],
    [
      'tessera.me.workers.dev',
      'belongs to Cloudflare: the ownership of names below workers.dev cannot be proved.',
    ],
  ])('returns 400 for %s, because it %s', async (domain, why) => {
    const refused = await atPier.add(domain)
    expect([refused.status, refused.body]).toEqual([400, { domain: [`"${domain}" ${why}`] }])
  })

  it('returns 400 for the host of the request', async () => {
    const refused = await app.request('POST', 'http://gateway.example/api/cloud/sites/pier/domains/', {
      token: pier.owner.token,
      body: { domain: 'Gateway.example' },
    })
    expect([refused.status, refused.body]).toEqual([
      400,
      { domain: ['"gateway.example" is the host of this request.'] },
    ])
  })

  it('returns 403 without admin_site, and so do removing and verifying', async () => {
    await grant(app, pier, helper, ['manage_site'])
    const call = (method: string, path: string, body?: unknown) =>
      app.request(method, `/api/cloud/sites/pier/domains/${path}`, {
        token: helper.token,
        ...(body ? { body } : {}),
      })
    expect((await call('POST', '', { domain: 'a.example' })).status).toBe(403)
    expect((await call('DELETE', 'a.example/')).status).toBe(403)
    expect((await call('POST', 'a.example/verify/')).status).toBe(403)
  })

  it('returns 201 with a pending domain and the DNS record that proves it', async () => {
    const added = await atPier.add(' Shop.Pier.example. ')
    expect([added.status, added.body]).toEqual([
      201,
      {
        domain: 'shop.pier.example',
        is_primary: true,
        status: 'pending',
        dns_record: {
          type: 'TXT',
          name: '_tessera.shop.pier.example',
          value: expect.stringMatching(/^[0-9a-f]{32}$/),
        },
        failures: 0,
        created: expect.stringMatching(/Z$/),
      },
    ])
    expect((await atPier.list()).body).toEqual([added.body])
    expect(
      (await app.request('GET', '/api/cloud/sites/pier/', { token: pier.owner.token })).body.domains,
    ).toEqual([{ domain: 'shop.pier.example', is_primary: true, status: 'pending' }])
    expect(await siteAt('shop.pier.example')).toBe(undefined)
  })

  it('returns 400 for a domain of the site, but another site can have it pending', async () => {
    expect(await atPier.add('SHOP.pier.example')).toMatchObject({
      status: 400,
      body: { domain: ['"shop.pier.example" is already a domain of this site.'] },
    })
    const other = await atQuay.add('shop.pier.example')
    expect([other.status, other.body.status]).toEqual([201, 'pending'])
    expect(other.body.dns_record.value).not.toBe((await atPier.list()).body[0].dns_record.value)
    expect((await atQuay.remove('shop.pier.example')).status).toBe(204)
  })

  it('makes the first domain primary, until another one is made primary', async () => {
    expect((await atPier.add('b.example')).body.is_primary).toBe(false)
    expect((await atPier.add('c.example', { is_primary: true })).body.is_primary).toBe(true)
    expect(
      (await atPier.list()).body.map(({ domain, is_primary }: { domain: string; is_primary: boolean }) => [
        domain,
        is_primary,
      ]),
    ).toEqual([
      ['c.example', true],
      ['b.example', false],
      ['shop.pier.example', false],
    ])
  })

  it('leaves one primary domain if several requests make theirs primary at the same time', async () => {
    const berth = await createSite(app, 'berth')
    const { add, list } = domainsOf(app, berth)
    const names = ['a', 'b', 'c', 'd'].map((name) => `${name}.berth.example`)
    const added = await Promise.all(names.map((name) => add(name, { is_primary: true })))
    expect(added.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    const primary = (await list()).body.filter((domain: { is_primary: boolean }) => domain.is_primary)
    expect(primary).toHaveLength(1)
  })
})

describe('POST …/domains/{domain}/verify/', () => {
  const value = async (domain: string): Promise<string> =>
    (await atPier.list()).body.find((row: { domain: string }) => row.domain === domain).dns_record.value

  it('returns 404 for a domain that the site does not have', async () => {
    for (const domain of ['none.example', 'a b', '%00'])
      expect((await atPier.verify(domain)).status).toBe(404)
    expect(
      (
        await app.request('POST', '/api/cloud/sites/none/domains/b.example/verify/', {
          token: pier.owner.token,
        })
      ).status,
    ).toBe(404)
  })

  it('returns 400 with the records that were found and the expected one', async () => {
    const token = await value('b.example')
    const right = `Add a TXT record with the value "${token}". A new record can take a few minutes to show.`
    const answers = async () => {
      const { status, body } = await atPier.verify('b.example')
      return [status, body]
    }
    expect(await answers()).toEqual([
      400,
      { domain: [`There is no TXT record at _tessera.b.example. ${right}`] },
    ])
    await setProof('b.example')
    expect(await answers()).toEqual([
      400,
      { domain: [`There is no TXT record at _tessera.b.example. ${right}`] },
    ])
    await setProof('b.example', 'one "quoted"', 'x'.repeat(300), `${token}!`, 'four')
    expect(await answers()).toEqual([
      400,
      {
        domain: [
          'The TXT record at _tessera.b.example has another value: ' +
            `"one \\"quoted\\"", "${'x'.repeat(100)}", "${token}!". ${right}`,
        ],
      },
    ])
    expect(await siteAt('b.example')).toBe(undefined)
  })

  it.each([
    ['fails', { status: 500 }],
    ['cannot reach the name', { code: 2 }],
    ['refuses', { code: 5 }],
  ])('returns 503 with Retry-After if the resolver %s', async (_what, zone) => {
    await setZone('_tessera.b.example', zone)
    const away = await atPier.verify('b.example')
    expect([away.status, away.body, away.headers.get('retry-after')]).toEqual([
      503,
      {
        detail: 'The TXT record at _tessera.b.example could not be looked up. Try again in a moment.',
        code: 'unavailable',
      },
      '10',
    ])
  })

  it('returns 503 if there is no resolver', async () => {
    const deaf = app.with({ DNS_OVER_HTTPS: 'http://127.0.0.1:9/' })
    expect((await domainsOf(deaf, pier).verify('b.example')).status).toBe(503)
  })

  it('returns 200, and the domain leads to the site until it is deleted', async () => {
    const token = await value('b.example')
    // The token is one text in two parts, and there is another record.
    await setZone('_tessera.b.example', {
      txt: ['"v=spf1 -all"', `"${token.slice(0, 10)}" "${token.slice(10)}"`],
    })
    const verified = await atPier.verify('B.example.')
    expect([verified.status, verified.body]).toMatchObject([
      200,
      { domain: 'b.example', status: 'verified', failures: 0 },
    ])
    expect(await siteAt('b.example')).toBe('pier')
    expect((await atPier.verify('b.example')).status).toBe(200)
    expect((await atPier.remove('B.example')).status).toBe(204)
    expect((await atPier.remove('b.example')).status).toBe(404)
    expect(await siteAt('b.example')).toBe(undefined)
  })

  it('accepts records without quotes, which some resolvers return', async () => {
    await setZone('_tessera.c.example', { txt: [await value('c.example')] })
    expect((await atPier.verify('c.example')).status).toBe(200)
  })
})

describe('the schedule for domains', () => {
  it('verifies a pending domain once its record exists', async () => {
    const { value } = (await atPier.add('later.example')).body.dns_record
    await tick(app)
    expect(await statusesOf(atPier)).toMatchObject({ 'later.example': 'pending' })
    await setProof('later.example', value)
    await tick(app)
    expect(await statusesOf(atPier)).toMatchObject({ 'later.example': 'verified' })
    expect(await siteAt('later.example')).toBe('pier')
  })

  it('removes a pending domain after 7 days, but no verified one', async () => {
    await atPier.add('never.example')
    await age(pier, 'never.example', 'token_created', '6 days 23 hours')
    await tick(app)
    expect(await statusesOf(atPier)).toMatchObject({ 'never.example': 'pending' })
    await age(pier, 'never.example', 'token_created', '7 days 1 minute')
    await age(pier, 'later.example', 'token_created', '70 days')
    await tick(app)
    expect(await statusesOf(atPier)).toEqual({
      'c.example': 'verified',
      'later.example': 'verified',
      'shop.pier.example': 'pending',
    })
  })

  it('checks a verified domain once a day, and a success resets its failures', async () => {
    const token = await atPier.prove('daily.example')
    const before = await lookUps('daily.example')
    await tick(app)
    expect(await lookUps('daily.example')).toBe(before)
    await setProof('daily.example', 'another')
    await age(pier, 'daily.example', 'checked_at', '25 hours')
    await tick(app)
    await tick(app)
    expect(await lookUps('daily.example')).toBe(before + 1)
    const failures = async () =>
      (await atPier.list()).body.find(({ domain }: { domain: string }) => domain === 'daily.example').failures
    expect(await failures()).toBe(1)
    await setProof('daily.example', token)
    await age(pier, 'daily.example', 'checked_at', '25 hours')
    await tick(app)
    expect(await failures()).toBe(0)
  })

  it('does not take a failing resolver for a missing record', async () => {
    await atPier.prove('unheard.example')
    for (const zone of [{ status: 503 }, { code: 2 }]) {
      await setZone('_tessera.unheard.example', zone)
      for (let day = 0; day < 8; day++) {
        await age(pier, 'unheard.example', 'checked_at', '25 hours')
        await tick(app)
      }
    }
    expect(
      (await atPier.list()).body.find(({ domain }: { domain: string }) => domain === 'unheard.example'),
    ).toMatchObject({
      status: 'verified',
      failures: 0,
    })
  })

  it('checks 20 pending domains at a time, those first that were not checked for longest', async () => {
    await app.sql(
      `insert into site_domains (domain, site_id)
       select 'many' || n || '.example', id from sites, generate_series(1, 30) n where slug = 'quay'`,
    )
    await tick(app)
    const [{ looked }] = (await app.sql(
      `select count(*) as looked from site_domains where domain like 'many%' and checked_at > '-infinity'`,
    )) as [{ looked: string }]
    expect(Number(looked)).toBeLessThanOrEqual(20)
    await tick(app)
    await tick(app)
    expect(
      await app.sql(`select from site_domains where domain like 'many%' and checked_at = '-infinity'`),
    ).toEqual([])
    await app.sql(`delete from site_domains where domain like 'many%'`)
  })
})

describe('domains with DOMAIN_PROOF=off', () => {
  it('are verified immediately without a lookup, unless another site has them', async () => {
    const local = app.with({ DOMAIN_PROOF: 'off', PUBLIC_URL: 'http://localhost' })
    expect((await domainsOf(local, quay).add('local.example')).body.status).toBe('verified')
    expect(await siteAt('local.example')).toBe('quay')
    const taken = { status: 400, body: { domain: ['"local.example" is already a domain of another site.'] } }
    expect(await domainsOf(local, pier).add('local.example')).toMatchObject(taken)
    expect((await atPier.add('local.example')).status).toBe(201)
    expect(await domainsOf(local, pier).verify('local.example')).toMatchObject(taken)
    expect((await domainsOf(local, pier).verify('shop.pier.example')).body.status).toBe('verified')
    await tick(local)
    expect(await lookUps('local.example')).toBe(0)
    expect(await siteAt('local.example')).toBe('quay')
  })

  it('cannot be hosts of the service', async () => {
    const local = app.with({ DOMAIN_PROOF: 'off', PUBLIC_URL: 'http://localhost' })
    for (const domain of ['localhost', '127.0.0.1', 'quay.tessera.test', 'api.tessera.example']) {
      expect((await domainsOf(local, pier).add(domain)).status).toBe(400)
    }
  })
})
