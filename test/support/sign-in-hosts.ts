/** An account with rights in two organizations, the hosts of both, and every way to sign in at a host. */
import { makePasskey, signWith } from '../../dev/examples/authenticator.ts'
import { codeOf, secretBytes } from '../../dev/examples/totp.ts'
import { challengeOf } from '../../src/identity/accounts/command-line/schema.ts'
import { startApp, type TestApp, type User } from './app.ts'
import { password, provenUser, unusedCode, withTotp } from './factors.ts'
import { confirmationCode } from './letters.ts'
import { codeFor, createSocialSite, type SocialSite, verified } from './social-login.ts'

/** The hosts, each with the prefix of paths that name the site `shop`. The others belong to the platform. */
export const hosts = {
  'https://shop.example': '',
  'https://second.example': '',
  'https://theirs.example': '',
  'https://unknown.example': '/sites/shop',
  'https://app.tessera.example': '/sites/shop',
  'https://edge.example': '/sites/shop',
  'https://shop.tessera.test': '',
  'http://localhost': '/sites/shop',
} as const
export type Host = keyof typeof hosts
export const hostNames = Object.keys(hosts) as Host[]

/** The tenant's host of the site `shop`, and a host of the platform. */
export const tenantHost = 'https://shop.example'
export const platformHost = 'https://app.tessera.example'

/** What a sign-in has issued. */
export interface Issued {
  access?: string
  refresh?: string
  session?: string
}

export const verifier = 'v'.repeat(43)
const commandLine = {
  port: '43210',
  challenge: challengeOf(verifier),
  state: 's'.repeat(43),
  name: 'laptop',
  answer: 'yes',
}

/** Starts the app with the sites `shop` and `second` of one organization, and `theirs` of another one. */
export async function startHosts() {
  const app = await startApp({
    PUBLIC_URL: platformHost,
    PLATFORM_HOSTS: 'edge.example',
    EMAIL_TRANSPORT: 'mailbox',
    ALLOW_PRIVATE_HOSTS: 'true',
    RATE_LIMIT_PASSWORD: '5000',
    RATE_LIMIT_ANONYMOUS: '50000',
  })
  const shop = await createSocialSite(app, 'shop', ['one'])
  await app.request('POST', '/api/cloud/organizations/shop-org/sites/', {
    token: shop.owner.token,
    body: { name: 'second', slug: 'second' },
  })
  await createSocialSite(app, 'theirs', ['one'])
  await app.sql(
    `insert into site_domains (domain, site_id, verified_at)
     select slug || '.example', id, now() from sites where slug in ('shop', 'second', 'theirs')`,
  )
  return worldOf(app, shop)
}

export type Hosts = Awaited<ReturnType<typeof startHosts>>

function worldOf(app: TestApp, shop: SocialSite) {
  const post = (at: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
    app.request('POST', `${at}${path}`, {
      headers: { origin: at, ...headers },
      ...(body === undefined ? {} : { body }),
    })
  const form = (at: string, path: string, members: Record<string, string>, cookie = '') =>
    post(at, path, new URLSearchParams(members).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
      cookie,
    })

  let people = 0
  /** Creates an account that is an admin of both organizations. */
  async function person(): Promise<User> {
    const user = await provenUser(app, `person-${people++}`)
    await app.sql(
      `insert into memberships (organization_id, user_id, role)
       select id, $1, 'admin' from organizations where slug in ('shop-org', 'theirs-org')`,
      [user.id],
    )
    return user
  }
  const guarded = async () => withTotp(app, await person())
  const signIn = (at: string, { username }: User) => post(at, '/api/auth/jwt/token/', { username, password })

  /** Signs in through the provider of the site. The account has ties elsewhere, so it has to be confirmed. */
  async function byProvider(at: Host, { email }: User) {
    const begun = await app.request('GET', `${at}${hosts[at]}/api/auth/one/redirect/`, {
      token: shop.member.token,
    })
    const asked = new URL(begun.body.authorization_url).searchParams
    const claims = { nonce: asked.get('nonce'), ...verified(`of ${email}`.replaceAll(' ', '-'), email) }
    const code = codeFor({ challenge: asked.get('code_challenge') ?? undefined, claims })
    return post(at, `${hosts[at]}/api/auth/one/token/`, { code, state: begun.body.state })
  }
  /** Begins a sign-in that waits for the mailed code. */
  async function confirmation(at: Host) {
    const { body } = await byProvider(at, await person())
    return { confirmation: body.confirmation, code: await confirmationCode(app, body.confirmation) }
  }
  const confirm = async (at: Host, waiting: object) => post(at, `${hosts[at]}/api/auth/confirm/`, waiting)

  /** Begins a sign-in that waits for a second factor. */
  async function challenge(at: string) {
    const user = await guarded()
    const { body } = await signIn(at, user)
    return { challenge: body.challenge, code: await unusedCode(app, user) }
  }

  /** Returns the code that a browser with a session gives to the command line. */
  async function commandLineCode(at: string, user: User): Promise<string> {
    const { session } = await sessionAt(at, user)
    const { headers } = await form(at, '/accounts/cli/', commandLine, `sessionid=${session}`)
    return new URL(headers.get('location') ?? '').searchParams.get('code') ?? ''
  }

  async function sessionAt(at: string, { username }: User): Promise<Issued> {
    return sessionOf(await post(at, '/api/auth/session/', { username, password }))
  }

  /** Adds a passkey of the host, with a token of the platform. Returns it and the new tokens. */
  async function passkey(at: string) {
    const { token } = await person()
    const authorization = { authorization: `Bearer ${token}` }
    const { body } = await post(at, '/api/users/me/passkeys/options/', undefined, authorization)
    const { held, credential } = await makePasskey(body, at)
    const added = await post(at, '/api/users/me/passkeys/', { name: 'Key', credential }, authorization)
    return { held, tokens: added.body.tokens as Issued }
  }
  async function signedBy(at: string) {
    const { held } = await passkey(at)
    const { body } = await post(at, '/api/auth/passkeys/options/', {})
    return { credential: await signWith(held, body, at) }
  }

  /** The operations that issue tokens or sessions, by their ids. */
  const doors: Readonly<Record<string, (at: Host) => Promise<Issued>>> = {
    createToken: async (at) => (await signIn(at, await person())).body,
    refreshToken: async (at) => {
      const { refresh } = (await signIn(at, await person())).body
      return (await post(at, '/api/auth/jwt/token/refresh/', { refresh })).body
    },
    answerChallenge: async (at) => (await post(at, '/api/auth/factor/', await challenge(at))).body,
    createPasskeyToken: async (at) => (await post(at, '/api/auth/passkeys/', await signedBy(at))).body,
    createProviderToken: async (at) => {
      const user = await person()
      const { body } = await byProvider(at, user)
      const code = await confirmationCode(app, body.confirmation)
      await confirm(at, { confirmation: body.confirmation, code })
      return (await byProvider(at, user)).body
    },
    confirmSignIn: async (at) => (await confirm(at, await confirmation(at))).body,
    createCommandLineToken: async (at) => {
      const code = await commandLineCode(at, await person())
      return (await post(at, '/api/auth/cli/token/', { code, verifier })).body
    },
    changePassword: async (at) => {
      const { token } = await person()
      const body = { current_password: password, password: 'Another-horse-2' }
      return (await post(at, '/api/auth/password/change/', body, { authorization: `Bearer ${token}` })).body
    },
    confirmTotp: async (at) => {
      const authorization = { authorization: `Bearer ${(await person()).token}` }
      const begun = await post(at, '/api/users/me/totp/', undefined, authorization)
      const code = codeOf(secretBytes(begun.body.secret))
      return (await post(at, '/api/users/me/totp/confirm/', { code }, authorization)).body.tokens
    },
    createPasskey: async (at) => (await passkey(at)).tokens,
    createSession: async (at) => sessionAt(at, await person()),
    answerSessionChallenge: async (at) =>
      sessionOf(await post(at, '/api/auth/session/factor/', await challenge(at))),
    createPasskeySession: async (at) =>
      sessionOf(await post(at, '/api/auth/session/passkey/', await signedBy(at))),
    createSessionToken: async (at) => tokenOfSession(at, (await sessionAt(at, await person())).session ?? ''),
  }

  async function tokenOfSession(at: string, session: string): Promise<Issued> {
    const { body } = await post(at, '/api/auth/session/token/', undefined, { cookie: `sessionid=${session}` })
    return body
  }

  return {
    ...{
      app,
      shop,
      doors,
      post,
      form,
      person,
      guarded,
      signIn,
      byProvider,
      challenge,
      confirmation,
      confirm,
    },
    ...{ commandLineCode, sessionAt, tokenOfSession, passkey },
  }
}

/** Returns the session that an answer has set. */
export const sessionOf = ({ headers }: { headers: Headers }): Issued => {
  const session = cookieOf(headers, 'sessionid')
  return session === undefined ? {} : { session }
}

/** Returns the value of a cookie that an answer has set. */
export const cookieOf = (headers: Headers, name: string): string | undefined =>
  headers
    .getSetCookie()
    .map((cookie) => new RegExp(`^${name}=([^;]+)`).exec(cookie)?.[1])
    .find((value) => value !== undefined)
