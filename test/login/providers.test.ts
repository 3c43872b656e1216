/** The named providers, each replaced by a server with the same dialect. S1. */
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { hasOwnId, providerCodes, providerOf } from '../../src/identity/login/providers/registry.ts'
import { siteIdOf, startApp, type TestApp } from '../support/app.ts'
import { appleKeys, dialects } from '../support/dialects.ts'
import { createSocialSite, type SocialSite } from '../support/social-login.ts'

const named = providerCodes.filter((code) => !hasOwnId(code))
const servers = inject('identityProviders')
let app: TestApp

/**
 * The account of Ada at each provider. `says` marks providers that never say that an e-mail is verified, or
 * that hide unverified ones.
 */
const people: Record<string, [username: string, first: string, last: string, says?: 'never' | 'hides']> = {
  google: ['ada.google', 'Ada', 'Byron'],
  github: ['ada-github', 'Ada Byron', ''],
  microsoft: ['ada.microsoftexample.org', 'Ada Byron', ''],
  gitlab: ['ada-gitlab', 'Ada Byron', ''],
  facebook: ['ada.facebook', 'Ada', 'Byron', 'never'],
  linkedin: ['ada.linkedin', 'Ada', 'Byron'],
  apple: ['ada.apple', 'Ada', 'Byron'],
  slack: ['ada.slack', 'Ada', 'Byron'],
  discord: ['ada-discord', 'Ada', ''],
  twitch: ['ada-twitch', 'AdaPlays', '', 'hides'],
  bitbucket: ['ada-bitbucket', 'Ada Byron', ''],
  zoom: ['ada.zoom', 'Ada', 'Byron'],
}

/** The URL of the hosted service: the authorization endpoint, or the discovery document. */
const places: Record<string, string> = {
  google: 'https://accounts.google.com/.well-known/openid-configuration',
  github: 'https://github.com/login/oauth/authorize',
  microsoft: 'https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration',
  gitlab: 'https://gitlab.com/.well-known/openid-configuration',
  facebook: 'https://www.facebook.com/v23.0/dialog/oauth',
  linkedin: 'https://www.linkedin.com/oauth/.well-known/openid-configuration',
  apple: 'https://appleid.apple.com/.well-known/openid-configuration',
  slack: 'https://slack.com/.well-known/openid-configuration',
  discord: 'https://discord.com/oauth2/authorize',
  twitch: 'https://id.twitch.tv/oauth2/authorize',
  bitbucket: 'https://bitbucket.org/site/oauth2/authorize',
  zoom: 'https://zoom.us/oauth/authorize',
}

const serverOf = (code: string) => `${servers}/d/${code}${code === 'microsoft' ? '/common/v2.0' : ''}`

/** The providers that an owner can point at another server. */
const hosted = ['github', 'gitlab']

/**
 * Creates a site with an app of a provider whose server is replaced: by the app's settings or, for providers
 * that have one service, in the database.
 */
async function siteWith(code: string, name: string, clientId = 'tessera'): Promise<SocialSite> {
  const site = await createSocialSite(app, name, [])
  const credentials = code === 'apple' ? { secret: appleKeys.private, key: 'TEAM.KEY' } : { secret: 'right' }
  const settings = { server_url: serverOf(code) }
  const isHosted = hosted.includes(code)
  const body = {
    provider: code,
    name: code,
    client_id: clientId,
    ...credentials,
    ...(isHosted && { settings }),
  }
  const made = await app.request('POST', `${site.api}/auth/social-apps/`, { token: site.owner.token, body })
  expect([made.status, made.body.data.is_configured]).toEqual([201, true])
  if (!isHosted)
    await app.sql('update tenant._social_apps set settings = settings || $1::jsonb where site_id = $2', [
      JSON.stringify(settings),
      siteIdOf(site),
    ])
  return site
}

/** Signs in at the provider. Returns the parameters that it sends back, by redirect or by a form. */
async function approved(authorizationUrl: string): Promise<URLSearchParams> {
  const response = await fetch(authorizationUrl, { redirect: 'manual' })
  const back = response.headers.get('location') ?? response.headers.get('x-form')?.replace(' ', '?')
  await response.body?.cancel()
  if (!back) throw new Error(`${response.status} at ${authorizationUrl}`)
  return new URL(back).searchParams
}

async function signIn(site: SocialSite, code: string) {
  const { body } = await site.begin(code)
  const back = await approved(body.authorization_url)
  return {
    answer: await site.finish(code, { code: back.get('code'), state: back.get('state') }),
    code: back.get('code'),
  }
}

beforeAll(async () => {
  app = (await startApp()).with({ ALLOW_PRIVATE_HOSTS: 'true' })
})

it('every named provider has a test server, an address and expectations', () => {
  for (const table of [dialects, people, places]) expect(Object.keys(table).sort()).toEqual([...named].sort())
})

it('a provider whose server must no longer be called gets 400', async () => {
  const site = await siteWith('github', 'strict')
  const strict = app.with({ ALLOW_PRIVATE_HOSTS: 'false' })
  const refused = {
    status: 400,
    body: {
      detail: 'The provider is not configured, or its configuration cannot be read.',
      code: 'provider_unusable',
    },
  }
  expect(
    await strict.request('GET', `${site.api}/auth/github/redirect/`, { token: site.member.token }),
  ).toMatchObject(refused)
  expect(
    await strict.request('POST', `${site.api}/auth/github/token/`, { body: { code: 'x' } }),
  ).toMatchObject(refused)
})

it.each(['github', 'bitbucket'])(
  'a person whom %s has identified before signs in without the list of e-mails; a new one needs an e-mail',
  async (code) => {
    const site = await siteWith(code, `no-emails-${code}`)
    const { answer: first } = await signIn(site, code)
    await app.sql(`update tenant._social_apps set client_id = 'no-emails' where site_id = $1`, [
      siteIdOf(site),
    ])
    expect((await signIn(site, code)).answer.body.user).toMatchObject({ id: first.body.user.id })

    const fresh = await siteWith(code, `no-emails-fresh-${code}`, 'no-emails')
    expect((await signIn(fresh, code)).answer).toMatchObject({
      status: 400,
      body: {
        detail: 'The provider did not return an e-mail address that an account can have.',
        code: 'provider_failed',
      },
    })
    // Its address is that of the person in the tests below, at other sites.
    await app.sql('delete from users where id = $1', [first.body.user.id])
  },
)

describe.each(named)('%s', (code) => {
  const [username, first_name, last_name, says] = people[code] ?? ['', '', '']
  const email = `ada.${code}@example.org`

  it('has the address in its row', () => {
    const provider = providerOf({ provider: code })
    const placeOf = () => {
      if (provider.protocol === 'openid') return provider.discovery(undefined)
      return provider.protocol === 'oauth2' ? provider.endpoints(undefined).authorization : ''
    }
    const place = placeOf()
    expect(place).toBe(places[code])
    const urls = provider.protocol === 'oauth2' ? Object.values(provider.endpoints(undefined)) : [place]
    expect(urls.every((url) => url.startsWith('https://'))).toBe(true)
  })

  it('signs a person in on the page and then by the API; a used code is rejected', async () => {
    const site = await siteWith(code, `named-${code}`)
    // The steps of a browser, because Apple sends the name only in its form.
    const start = await app.request('GET', `/sites/named-${code}/accounts/${code}/login/`)
    const back = await approved(start.headers.get('location') ?? '')
    const cookie = start.headers.get('set-cookie')?.split(';')[0] ?? ''
    const path = `/sites/named-${code}/accounts/${code}/login/callback/`
    const form = { body: back.toString(), headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    const page = back.has('user') ? ((await app.request('POST', path, form)).body as string) : ''
    const target = page ? (/url=([^"]+)"/.exec(page)?.[1] ?? '').replaceAll('&amp;', '&') : `${path}?${back}`
    const end = await app.request('GET', target, { headers: { cookie } })
    const hasSession = end.headers.getSetCookie().some((one) => one.startsWith('sessionid='))
    expect([end.status, hasSession]).toEqual([303, true])

    const { answer, code: used } = await signIn(site, code)
    expect([answer.status, answer.body.user]).toEqual([
      200,
      expect.objectContaining({ email, username, first_name, last_name }),
    ])
    const again = await site.begin(code)
    expect(await site.finish(code, { code: used, state: again.body.state })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('rejected the authorization code'), code: 'provider_failed' },
    })
    // Only a proof of this service sets email_verified_at, since it is valid beyond the organization.
    const [row] = await app.sql(
      `select u.email_verified_at, bool_and(a.is_vouched) as vouched
         from users u join social_accounts a on a.user_id = u.id where u.email = $1 group by u.id`,
      [email],
    )
    expect(row).toEqual({ email_verified_at: null, vouched: says !== 'never' })
  })

  it('opens no existing account by an e-mail that it does not call verified', async () => {
    const site = await siteWith(code, `unverified-${code}`, 'unverified')
    await app.sql('delete from users where email = $1', [email])
    await app.sql('insert into users (username, email) values ($1, $2)', [`owner-of-${code}`, email])
    const { answer } = await signIn(site, code)
    const detail =
      says === 'hides'
        ? 'The provider did not return an e-mail address that an account can have.'
        : expect.stringContaining('does not say that the e-mail is verified')
    expect([answer.status, answer.body]).toEqual([
      400,
      { detail, code: says === 'hides' ? 'provider_failed' : 'email_not_verified' },
    ])
  })
})
