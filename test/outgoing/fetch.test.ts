/** Requests to servers whose URLs come from tenants. S8. */
import { describe, expect, inject, it } from 'vitest'
import { isAddress, isPublicAddress } from '../../src/kernel/lib/public-address.ts'
import { guardedFetch, isAllowedAddress } from '../../src/kernel/outgoing/fetch.ts'
import { canaries } from '../support/social-login.ts'
import { timeLimit } from '../support/time-limit.ts'

const servers = inject('identityProviders')
const strict = { ALLOW_PRIVATE_HOSTS: false, DNS_OVER_HTTPS: `${servers}/dns` }
const local = { ...strict, ALLOW_PRIVATE_HOSTS: true }
const port = new URL(servers).port
const notAllowed =
  'OutgoingFailure: the address is not that of a public host over https at port 443, 80, 8080 or 8443'

/** Returns the error of a request. Expects that no server was reached. */
async function failureOf(config: typeof strict, url: string, init?: RequestInit): Promise<string> {
  const before = await canaries()
  const failure = await guardedFetch(config, url, init).then(
    () => 'responded',
    (error: Error) => `${error.name}: ${error.message}`,
  )
  expect(await canaries()).toBe(before)
  return failure
}

describe('the address', () => {
  it.each([
    ...[
      '0.0.0.0',
      '10.0.0.1',
      '100.64.0.1',
      '100.127.255.255',
      '127.0.0.1',
      '127.255.255.254',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
    ],
    ...[
      '192.0.0.1',
      '192.0.2.1',
      '192.88.99.1',
      '192.168.1.1',
      '198.18.0.1',
      '198.19.255.255',
      '198.51.100.1',
      '203.0.113.1',
      '224.0.0.1',
      '255.255.255.255',
    ],
    ...[
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::ffff:808:808',
      '64:ff9b::7f00:1',
      '64:ff9b:1::1',
      '100::1',
      '2001::1',
      '2001:db8::1',
    ],
    ...[
      '2002:7f00:1::',
      '3fff::1',
      'fc00::1',
      'fd12:3456::1',
      'fe80::1',
      'fec0::1',
      'ff02::1',
      '::127.0.0.1',
    ],
    ...['', 'localhost', '1.2.3', '1.2.3.256', '1:2:3', ':::', '1::2::3', 'g::1', '2606:4700::1:2:3:4:5:6:7'],
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '192.0.1.1',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450::',
    '2001:4860::8888',
  ])('%s is public', (address) => {
    expect([isPublicAddress(address), isAddress(address)]).toEqual([true, true])
  })
})

describe('a request is rejected without a connection for', () => {
  it.each([
    ...[
      '127.0.0.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '127.1',
      '127.0.0.1.',
      '１２７.0.0.1',
      '0',
      '10.0.0.1',
      '169.254.169.254',
      '192.168.0.1',
    ],
    ...[
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      '[fd00::1]',
      '[fe80::1]',
      '[::]',
    ],
    ...[
      'localhost',
      'LOCALHOST',
      'localhost.',
      'a.localhost',
      'printer',
      'printer.local',
      'vault.internal',
      'nas.lan',
      'router.home.arpa',
    ],
  ])('https://%s', async (host) => {
    expect(await failureOf(strict, `https://${host}:${port}/canary`)).toBe(notAllowed)
  })

  it.each([
    `http://public.test/canary`,
    'ftp://public.test/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'https://user:pass@public.test/',
    'https://user@public.test/',
    ...[22, 25, 81, 444, 5432, 6379, 8081, 10443, port].map((other) => `https://public.test:${other}/canary`),
    'https://user@public.test:8443/',
    'http://public.test:8080/',
  ])('%s', async (url) => {
    expect(await failureOf(strict, url)).toBe(notAllowed)
  })

  it.each([
    '127-0-0-1.v4.test',
    '10-0-0-1.v4.test',
    '169-254-169-254.v4.test',
    'mixed.test',
    'six.test',
    'mapped.test',
    '127-0-0-1.v4.test.',
  ])('a host with a private address: %s', async (host) => {
    expect(await failureOf(strict, `https://${host}:8443/canary`)).toBe(
      'OutgoingFailure: the host has a private address',
    )
  })

  it('a host without addresses, and any host while the resolver fails', async () => {
    expect(await failureOf(strict, 'https://nothing.test/')).toBe('OutgoingFailure: the host has no address')
    const deaf = { ...strict, DNS_OVER_HTTPS: `${servers}/none` }
    expect(await failureOf(deaf, 'https://public.test/')).toBe(
      'OutgoingFailure: the host could not be looked up',
    )
  })
})

describe('an https URL', () => {
  it.each(['', ':443', ':80', ':8080', ':8443'])('can have the port of a web server: %j', (suffix) => {
    expect(isAllowedAddress(strict, `https://public.test${suffix}/`)).toBe(true)
  })
})

describe('with private hosts allowed, a request', () => {
  it('can reach http and loopback addresses', async () => {
    expect((await guardedFetch(local, `${servers}/dns?name=public.test&type=A`)).status).toBe(200)
  })

  it.each([301, 302, 303, 307, 308])('does not follow a redirect: %i', async (status) => {
    for (const method of ['GET', 'POST']) {
      const init = { method, ...(method === 'POST' ? { body: 'secret' } : {}) }
      expect(
        await failureOf(local, `${servers}/redirect?status=${status}`, { ...init, redirect: 'follow' }),
      ).toBe('OutgoingFailure: the server redirects')
    }
  })

  it('names no client as a proxy would do', async () => {
    const url = `${inject('webhookServer')}/json/${crypto.randomUUID()}`
    const headers = {
      'x-own': 'yes',
      'X-Real-IP': '192.0.2.1',
      'x-forwarded-for': '192.0.2.1',
      Forwarded: 'for=192.0.2.1',
      'true-client-ip': '192.0.2.1',
      'cf-connecting-ip': '192.0.2.1',
    }
    await guardedFetch(local, url, { headers })
    const kept = await fetch(url.replace('/json/', '/received/json/'))
    const [received] = (await kept.json()) as { headers: Record<string, string> }[]
    expect(received?.headers['x-own']).toBe('yes')
    expect(JSON.stringify(received)).not.toContain('192.0.2.1')
  })

  it('reads at most 1 MiB', async () => {
    expect(await failureOf(local, `${servers}/large`)).toBe('OutgoingFailure: the response is too large')
  })

  it('to a server that does not respond fails when the caller aborts', async () => {
    const before = Date.now()
    const both = ['hang', 'drip'].map((path) =>
      failureOf(local, `${servers}/${path}`, { signal: AbortSignal.timeout(300) }),
    )
    expect(await Promise.all(both)).toEqual(Array(2).fill('OutgoingFailure: the server does not respond'))
    expect(Date.now() - before).toBeLessThan(await timeLimit(5000))
  })
})
