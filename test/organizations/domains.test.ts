/** The domains of sites: adding, proving, losing them. T8. */
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
  app = await startApp({ PUBLIC_URL: 'https://app.tessera.example', PLATFORM_HOSTS: 'api.tessera.example, edge.example' })
  pier = await createSite(app, 'pier')
  quay = await createSite(app, 'quay')
  helper = await app.user('helper')
  atPier = domainsOf(app, pier)
  atQuay = domainsOf(app, quay)
})

/** Who the API at a host says it is; undefined where it says that there is nobody. */
async function siteAt(host: string): Promise<string | undefined> {
  for (const site of [pier, quay]) {
    if ((await app.request('GET', `http://${host}/api/apps/`, { token: site.owner.token })).status === 200) return site.slug
  }
  return undefined
}

const statusesOf = async (of: ReturnType<typeof domainsOf>) =>
  Object.fromEntries((await of.list()).body.map(({ domain, status }: { domain: string; status: string }) => [domain, status]))

const age = (site: Site, domain: string, column: 'token_created' | 'checked_at', interval: string) =>
  app.sql(`update site_domains set ${column} = now() - $1::interval where domain = $2 and site_id = (select id from sites where slug = $3)`, [
    interval,
    domain,
    site.slug,
  ])

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
  ])('400 for %j, which is no host name alone', async (domain) => {
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
  ])('400 for %j, which is no name that the DNS can have a record below', async (domain) => {
    const refused = await atPier.add(domain)
    expect([refused.status, refused.body]).toEqual([
      400,
      { domain: [`"${domain}" is no host name: its parts have letters, digits and hyphens, and dots between them.`] },
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
  ])('400 for %j, which is an IP address', async (domain, shown) => {
    const refused = await atPier.add(domain)
    expect([refused.status, refused.body]).toEqual([400, { domain: [`"${shown}" is an IP address. A domain is a name such as shop.example.com.`] }])
  })

  it.each([
    ['localhost', 'is a name without a dot. A domain is a name such as shop.example.com.'],
    ['app.tessera.example', 'is a host of this service itself.'],
    ['api.tessera.example', 'is a host of this service itself.'],
    ['edge.example', 'is a host of this service itself.'],
    ['tessera.test', 'belongs to this service, which has a host there for each site.'],
    ['quay.tessera.test', 'belongs to this service, which has a host there for each site.'],
    ['a.b.tessera.test', 'belongs to this service, which has a host there for each site.'],
    ['workers.dev', 'belongs to Cloudflare: nothing below workers.dev can be proved to be yours.'],
    ['tessera.me.workers.dev', 'belongs to Cloudflare: nothing below workers.dev can be proved to be yours.'],
  ])('400 for %s, which %s', async (domain, why) => {
    const refused = await atPier.add(domain)
    expect([refused.status, refused.body]).toEqual([400, { domain: [`"${domain}" ${why}`] }])
  })

  it('400 for the host of the request itself', async () => {
    const refused = await app.request('POST', 'http://gateway.example/api/cloud/sites/pier/domains/', {
      token: pier.owner.token,
      body: { domain: 'Gateway.example' },
    })
    expect([refused.status, refused.body]).toEqual([400, { domain: ['"gateway.example" is the host of this very request.'] }])
  })

  it('403 without admin_site', async () => {
    await grant(app, pier, helper, ['manage_site'])
    const call = (method: string, path: string, body?: unknown) =>
      app.request(method, `/api/cloud/sites/pier/domains/${path}`, { token: helper.token, ...(body ? { body } : {}) })
    expect((await call('POST', '', { domain: 'a.example' })).status).toBe(403)
    expect((await call('DELETE', 'a.example/')).status).toBe(403)
    expect((await call('POST', 'a.example/verify/')).status).toBe(403)
  })

  it('201: the domain is pending, and says which record proves it', async () => {
    const added = await atPier.add(' Shop.Pier.example. ')
    expect([added.status, added.body]).toEqual([
      201,
      {
        domain: 'shop.pier.example',
        is_primary: true,
        status: 'pending',
        dns_record: { type: 'TXT', name: '_tessera.shop.pier.example', value: expect.stringMatching(/^[0-9a-f]{32}$/) },
        failures: 0,
        created: expect.stringMatching(/Z$/),
      },
    ])
    expect((await atPier.list()).body).toEqual([added.body])
    expect((await app.request('GET', '/api/cloud/sites/pier/', { token: pier.owner.token })).body.domains).toEqual([
      { domain: 'shop.pier.example', is_primary: true, status: 'pending' },
    ])
    expect(await siteAt('shop.pier.example')).toBe(undefined)
  })

  it('400 for one that the site has already; another site may have it pending, with another token', async () => {
    expect(await atPier.add('SHOP.pier.example')).toMatchObject({
      status: 400,
      body: { domain: ['"shop.pier.example" is a domain of this site already.'] },
    })
    const other = await atQuay.add('shop.pier.example')
    expect([other.status, other.body.status]).toEqual([201, 'pending'])
    expect(other.body.dns_record.value).not.toBe((await atPier.list()).body[0].dns_record.value)
    expect((await atQuay.remove('shop.pier.example')).status).toBe(204)
  })

  it('the first is primary, then the one that was last made it', async () => {
    expect((await atPier.add('b.example')).body.is_primary).toBe(false)
    expect((await atPier.add('c.example', { is_primary: true })).body.is_primary).toBe(true)
    expect((await atPier.list()).body.map(({ domain, is_primary }: { domain: string; is_primary: boolean }) => [domain, is_primary])).toEqual([
      ['c.example', true],
      ['b.example', false],
      ['shop.pier.example', false],
    ])
  })
})

describe('POST …/domains/{domain}/verify/', () => {
  const value = async (domain: string): Promise<string> =>
    (await atPier.list()).body.find((row: { domain: string }) => row.domain === domain).dns_record.value

  it('404 for a domain that the site does not have', async () => {
    for (const domain of ['none.example', 'a b', '%00']) expect((await atPier.verify(domain)).status).toBe(404)
    expect((await app.request('POST', '/api/cloud/sites/none/domains/b.example/verify/', { token: pier.owner.token })).status).toBe(404)
  })

  it('400 says what was found and what would be right', async () => {
    const token = await value('b.example')
    const right = `It has to be "${token}". A new record can take some minutes to be seen.`
    const answers = async () => {
      const { status, body } = await atPier.verify('b.example')
      return [status, body]
    }
    expect(await answers()).toEqual([400, { domain: [`No TXT record was found at _tessera.b.example. ${right}`] }])
    await setProof('b.example')
    expect(await answers()).toEqual([400, { domain: [`No TXT record was found at _tessera.b.example. ${right}`] }])
    await setProof('b.example', 'one "quoted"', 'x'.repeat(300), `${token}!`, 'four')
    expect(await answers()).toEqual([
      400,
      { domain: [`_tessera.b.example has the TXT record "one \\"quoted\\"", "${'x'.repeat(100)}", "${token}!". ${right}`] },
    ])
    expect(await siteAt('b.example')).toBe(undefined)
  })

  it.each([
    ['fails', { status: 500 }],
    ['cannot reach the name', { code: 2 }],
    ['refuses', { code: 5 }],
  ])('503 with Retry-After where the resolver %s', async (_what, zone) => {
    await setZone('_tessera.b.example', zone)
    const away = await atPier.verify('b.example')
    expect([away.status, away.body, away.headers.get('retry-after')]).toEqual([
      503,
      { detail: 'The DNS could not be asked for the TXT record of _tessera.b.example. Try again in a moment.' },
      '10',
    ])
  })

  it('503 where there is no resolver', async () => {
    const deaf = app.with({ DNS_OVER_HTTPS: 'http://127.0.0.1:9/' })
    expect((await domainsOf(deaf, pier).verify('b.example')).status).toBe(503)
  })

  it('200 with the verified domain, at which the site answers from now on, and no longer once it is deleted', async () => {
    const token = await value('b.example')
    // As two parts of one text, beside others.
    await setZone('_tessera.b.example', { txt: ['"v=spf1 -all"', `"${token.slice(0, 10)}" "${token.slice(10)}"`] })
    const verified = await atPier.verify('B.example.')
    expect([verified.status, verified.body]).toMatchObject([200, { domain: 'b.example', status: 'verified', failures: 0 }])
    expect(await siteAt('b.example')).toBe('pier')
    expect((await atPier.verify('b.example')).status).toBe(200)
    expect((await atPier.remove('B.example')).status).toBe(204)
    expect((await atPier.remove('b.example')).status).toBe(404)
    expect(await siteAt('b.example')).toBe(undefined)
  })

  it('takes records without quotes, as some resolvers give them', async () => {
    await setZone('_tessera.c.example', { txt: [await value('c.example')] })
    expect((await atPier.verify('c.example')).status).toBe(200)
  })
})

describe('the schedule', () => {
  it('verifies a pending domain once its record is there', async () => {
    const { value } = (await atPier.add('later.example')).body.dns_record
    await tick(app)
    expect(await statusesOf(atPier)).toMatchObject({ 'later.example': 'pending' })
    await setProof('later.example', value)
    await tick(app)
    expect(await statusesOf(atPier)).toMatchObject({ 'later.example': 'verified' })
    expect(await siteAt('later.example')).toBe('pier')
  })

  it('drops a pending domain after 7 days, and no verified one', async () => {
    await atPier.add('never.example')
    await age(pier, 'never.example', 'token_created', '6 days 23 hours')
    await tick(app)
    expect(await statusesOf(atPier)).toMatchObject({ 'never.example': 'pending' })
    await age(pier, 'never.example', 'token_created', '7 days 1 minute')
    await age(pier, 'later.example', 'token_created', '70 days')
    await tick(app)
    expect(await statusesOf(atPier)).toEqual({ 'c.example': 'verified', 'later.example': 'verified', 'shop.pier.example': 'pending' })
  })

  it('looks a verified domain up once a day, and a failure in between two successes counts for nothing', async () => {
    const token = await atPier.prove('daily.example')
    const before = await lookUps('daily.example')
    await tick(app)
    expect(await lookUps('daily.example')).toBe(before)
    await setProof('daily.example', 'another')
    await age(pier, 'daily.example', 'checked_at', '25 hours')
    await tick(app)
    await tick(app)
    expect(await lookUps('daily.example')).toBe(before + 1)
    const failures = async () => (await atPier.list()).body.find(({ domain }: { domain: string }) => domain === 'daily.example').failures
    expect(await failures()).toBe(1)
    await setProof('daily.example', token)
    await age(pier, 'daily.example', 'checked_at', '25 hours')
    await tick(app)
    expect(await failures()).toBe(0)
  })

  it('does not take a resolver that does not answer for a missing record', async () => {
    await atPier.prove('unheard.example')
    for (const zone of [{ status: 503 }, { code: 2 }]) {
      await setZone('_tessera.unheard.example', zone)
      for (let day = 0; day < 8; day++) {
        await age(pier, 'unheard.example', 'checked_at', '25 hours')
        await tick(app)
      }
    }
    expect((await atPier.list()).body.find(({ domain }: { domain: string }) => domain === 'unheard.example')).toMatchObject({
      status: 'verified',
      failures: 0,
    })
  })

  it('looks up 20 pending domains at a time, those first that have waited longest', async () => {
    await app.sql(
      `insert into site_domains (domain, site_id) select 'many' || n || '.example', id from sites, generate_series(1, 30) n where slug = 'quay'`,
    )
    await tick(app)
    const [{ looked }] = (await app.sql(`select count(*) as looked from site_domains where domain like 'many%' and checked_at > '-infinity'`)) as [
      { looked: string },
    ]
    expect(Number(looked)).toBeLessThanOrEqual(20)
    await tick(app)
    await tick(app)
    expect(await app.sql(`select from site_domains where domain like 'many%' and checked_at = '-infinity'`)).toEqual([])
    await app.sql(`delete from site_domains where domain like 'many%'`)
  })
})

describe('with DOMAIN_PROOF=off', () => {
  it('a domain is verified at once, unless another site has it; nothing is looked up', async () => {
    const local = app.with({ DOMAIN_PROOF: 'off', PUBLIC_URL: 'http://localhost' })
    expect((await domainsOf(local, quay).add('local.example')).body.status).toBe('verified')
    expect(await siteAt('local.example')).toBe('quay')
    const taken = { status: 400, body: { domain: ['"local.example" is a domain of a site already.'] } }
    expect(await domainsOf(local, pier).add('local.example')).toMatchObject(taken)
    expect((await atPier.add('local.example')).status).toBe(201)
    expect(await domainsOf(local, pier).verify('local.example')).toMatchObject(taken)
    expect((await domainsOf(local, pier).verify('shop.pier.example')).body.status).toBe('verified')
    await tick(local)
    expect(await lookUps('local.example')).toBe(0)
    expect(await siteAt('local.example')).toBe('quay')
  })

  it('names of the service itself are refused all the same', async () => {
    const local = app.with({ DOMAIN_PROOF: 'off', PUBLIC_URL: 'http://localhost' })
    for (const domain of ['localhost', '127.0.0.1', 'quay.tessera.test', 'api.tessera.example']) {
      expect((await domainsOf(local, pier).add(domain)).status).toBe(400)
    }
  })
})
