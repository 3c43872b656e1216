/** The pages of the account at a tenant's host, with a sign-in that counts in its organization alone. A8. */
import { beforeAll, describe, expect, it } from 'vitest'
import { signToken } from '../../src/kernel/access/signed-tokens.ts'
import { newSession } from '../../src/kernel/access/tokens.ts'
import { configOf } from '../../src/kernel/env.ts'
import { password } from '../support/factors.ts'
import { type Hosts, platformHost, sessionOf, startHosts, tenantHost } from '../support/sign-in-hosts.ts'

let world: Hosts
let cookie: string

beforeAll(async () => {
  world = await startHosts()
  const { username } = await world.person()
  const { session } = sessionOf(await world.form(tenantHost, '/accounts/login/', { username, password }))
  cookie = `sessionid=${session}`
})

/** The forms that need a sign-in at the service, each with its fields. */
const forms: [path: string, fields: Record<string, string>][] = [
  ['/accounts/me/person/', { first_name: 'A', last_name: '', preferred_language: '' }],
  ['/accounts/me/password/', { current_password: password, password: 'Another-horse-2' }],
  ['/accounts/me/export/', {}],
  ['/accounts/me/delete/', {}],
  ['/accounts/second-factor/app/', {}],
  ['/accounts/second-factor/recovery-codes/', {}],
  ['/accounts/passkeys/remove/', { id: '1' }],
  ['/accounts/link/', { provider: 'one' }],
]

describe('a form of the account that needs a sign-in at the service', () => {
  it.each(forms)('is 403 at a tenant’s host, and the page leads to the service: %s', async (path, fields) => {
    const { status, text } = await world.form(tenantHost, path, fields, cookie)
    const [, link] = /role="alert"[\s\S]*?(<a [\s\S]*?<\/a>)/.exec(text) ?? []
    expect([status, link]).toEqual([
      403,
      `<a href="${platformHost}/sites/shop/accounts/login/">Sign in at the service</a>`,
    ])
  })

  it('leads to the sign-in of the same host if the sign-in is only too old', async () => {
    const { app } = world
    const config = configOf(app.env)
    const user = await world.person()
    const [site] = await app.sql<{ organization_id: number }>(
      `select organization_id::int from sites where slug = 'shop'`,
    )
    const session = newSession(config, {
      ...(await app.identity(user)),
      methods: ['pwd'],
      organizationId: site?.organization_id,
      host: 'shop.example',
    })
    const old = await signToken(config, 'session', {
      ...session,
      signedInAt: new Date(Date.now() - 3_600_000),
    })
    const { status, text } = await world.form(tenantHost, '/accounts/me/export/', {}, `sessionid=${old}`)
    expect([status, text]).toEqual([
      403,
      expect.stringContaining('href="/accounts/login/?auto_redirect=false&amp;next=%2Faccounts%2Fme%2F"'),
    ])
  })
})
