/**
 * Test servers for the named providers, each with its own dialect of requests and responses, as its
 * documentation describes it. Every person is approved. A client called `unverified` gets an unverified
 * e-mail.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  importSPKI,
  type JWK,
  jwtVerify,
  SignJWT,
} from 'jose'

type Json = Record<string, unknown>

interface Granted {
  client: string
  redirectUri: string
  challenge: string | null
  nonce: string | null
  scope: string
}

interface OAuthDialect {
  kind: 'oauth2'
  authorize: string
  token: string
  /** The place of the client's secret. */
  secretIn: 'header' | 'body'
  tokens(granted: Granted): Json
  /** The error response, if it differs from the standard. */
  refusal?: { status: number; body: Json }
  /** The responses of the API by path, or null for a wrong request. */
  api: Record<
    string,
    (asked: {
      granted: Granted
      verified: boolean
      headers: IncomingMessage['headers']
      query: URLSearchParams
    }) => unknown
  >
}

interface OpenIdDialect {
  kind: 'openid'
  /** The path of the issuer on the server, and its name in the document if that differs. */
  issuer?: { path: string; template: string; actual: string }
  claims(verified: boolean): Json
  userinfo?: (verified: boolean) => Json
  tokens?: Json
  /** Responds with a form that the browser posts. */
  formPost?: true
  echoesNonce?: false
  refusesVerifier?: true
  /** Its secret is a token that this public key verifies. */
  secretKey?: string
}

/** The private key of Apple's app in the test, and its public key. */
export const appleKeys = {
  private: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgEYTK3vDHbt2Bnmbp
esxoPcU1IDswSjvOr0j5ZZNVcCOhRANCAATxZ4eJu48D5ehoN5cZgjsdVztAKGS5
VrAqI38ZOm9GKHL/BLDRVwWAlV2uJYx2Fy+ppZkoJ9OByejJql5CtSxO
-----END PRIVATE KEY-----`,
  public: `-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE8WeHibuPA+XoaDeXGYI7HVc7QChk
uVawKiN/GTpvRihy/wSw0VcFgJVdriWMdhcvqaWZKCfTgcnoyapeQrUsTg==
-----END PUBLIC KEY-----`,
}

const tenant = '9188040d-6c67-4c5b-b112-36a304b66dad'
const mail = (code: string) => `ada.${code}@example.org`

export const dialects: Record<string, OAuthDialect | OpenIdDialect> = {
  google: {
    kind: 'openid',
    claims: (verified) => ({
      sub: '10769150350006150715113082367',
      email: mail('google'),
      email_verified: verified,
      name: 'Ada Byron',
      given_name: 'Ada',
      family_name: 'Byron',
      picture: 'https://lh3.example/a',
    }),
  },
  gitlab: {
    kind: 'openid',
    claims: () => ({ sub: '4711', sub_legacy: 'abc' }),
    userinfo: (verified) => ({
      name: 'Ada Byron',
      nickname: 'ada',
      preferred_username: 'ada-gitlab',
      email: mail('gitlab'),
      email_verified: verified,
      groups: [],
    }),
  },
  microsoft: {
    kind: 'openid',
    issuer: { path: '/common/v2.0', template: '/{tenantid}/v2.0', actual: `/${tenant}/v2.0` },
    claims: (verified) => ({
      sub: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ',
      tid: tenant,
      ver: '2.0',
      name: 'Ada Byron',
      preferred_username: mail('microsoft'),
      email: mail('microsoft'),
      ...(verified ? { xms_edov: true } : {}),
    }),
    userinfo: () => ({ name: 'Ada Byron', picture: 'https://graph.example/p', email: mail('microsoft') }),
  },
  linkedin: {
    kind: 'openid',
    echoesNonce: false,
    refusesVerifier: true,
    claims: (verified) => ({
      sub: '782bbtaQ',
      name: 'Ada Byron',
      given_name: 'Ada',
      family_name: 'Byron',
      email: mail('linkedin'),
      email_verified: String(verified),
      locale: 'en_US',
    }),
  },
  apple: {
    kind: 'openid',
    formPost: true,
    secretKey: appleKeys.public,
    claims: (verified) => ({
      sub: '001234.fb3f6b3d2b0a4d0c.1234',
      email: mail('apple'),
      email_verified: String(verified),
      is_private_email: 'true',
      nonce_supported: true,
    }),
  },
  slack: {
    kind: 'openid',
    tokens: { ok: true },
    claims: (verified) => ({
      sub: 'U0R7JM',
      'https://slack.com/user_id': 'U0R7JM',
      'https://slack.com/team_id': 'T0R7GR',
      email: mail('slack'),
      email_verified: verified,
      date_email_verified: 1622128723,
      name: 'Ada Byron',
      given_name: 'Ada',
      family_name: 'Byron',
    }),
  },
  github: {
    kind: 'oauth2',
    authorize: '/login/oauth/authorize',
    token: '/login/oauth/access_token',
    secretIn: 'body',
    tokens: () => ({ access_token: 'gho_ada', scope: 'read:user,user:email', token_type: 'bearer' }),
    refusal: {
      status: 200,
      body: { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' },
    },
    api: {
      '/api/v3/user': ({ headers }) =>
        headers['user-agent'] ? { login: 'ada-github', id: 583231, name: 'Ada Byron', email: null } : null,
      '/api/v3/user/emails': ({ verified, granted }) =>
        granted.client === 'no-emails'
          ? null
          : [
              { email: 'old@example.org', primary: false, verified: true, visibility: null },
              { email: mail('github'), primary: true, verified, visibility: 'private' },
            ],
    },
  },
  facebook: {
    kind: 'oauth2',
    authorize: '/v23.0/dialog/oauth',
    token: '/v23.0/oauth/access_token',
    secretIn: 'body',
    tokens: () => ({ access_token: 'EAAada', token_type: 'bearer', expires_in: 5183944 }),
    refusal: {
      status: 400,
      body: {
        error: { message: 'This authorization code has been used.', type: 'OAuthException', code: 100 },
      },
    },
    api: {
      '/v23.0/me': ({ query }) =>
        query.get('fields')?.includes('email')
          ? { id: '10158', email: mail('facebook'), first_name: 'Ada', last_name: 'Byron' }
          : { id: '10158' },
    },
  },
  discord: {
    kind: 'oauth2',
    authorize: '/oauth2/authorize',
    token: '/api/oauth2/token',
    secretIn: 'body',
    tokens: ({ scope }) => ({
      access_token: 'disc',
      token_type: 'Bearer',
      expires_in: 604800,
      refresh_token: 'r',
      scope,
    }),
    api: {
      '/api/users/@me': ({ verified }) => ({
        id: '80351110224678912',
        username: 'ada-discord',
        global_name: 'Ada',
        discriminator: '0',
        verified,
        email: mail('discord'),
      }),
    },
  },
  twitch: {
    kind: 'oauth2',
    authorize: '/oauth2/authorize',
    token: '/oauth2/token',
    secretIn: 'body',
    tokens: ({ scope }) => ({
      access_token: 'twi',
      expires_in: 14124,
      refresh_token: 'r',
      scope: scope.split(' '),
      token_type: 'bearer',
    }),
    api: {
      // An unverified e-mail is not shown.
      '/helix/users': ({ granted, verified, headers }) =>
        headers['client-id'] === granted.client
          ? {
              data: [
                {
                  id: '141981764',
                  login: 'ada-twitch',
                  display_name: 'AdaPlays',
                  type: '',
                  ...(verified ? { email: mail('twitch') } : {}),
                },
              ],
            }
          : null,
    },
  },
  bitbucket: {
    kind: 'oauth2',
    authorize: '/site/oauth2/authorize',
    token: '/site/oauth2/access_token',
    secretIn: 'header',
    tokens: () => ({
      access_token: 'bit',
      token_type: 'bearer',
      expires_in: 7200,
      refresh_token: 'r',
      scopes: 'account email',
    }),
    api: {
      '/2.0/user': () => ({
        uuid: '{4a1f9b2e-1c3d-4a5b-8c7d-9e0f1a2b3c4d}',
        username: 'ada-bitbucket',
        display_name: 'Ada Byron',
        type: 'user',
      }),
      '/2.0/user/emails': ({ verified, granted }) =>
        granted.client === 'no-emails'
          ? null
          : {
              pagelen: 10,
              page: 1,
              size: 1,
              values: [{ email: mail('bitbucket'), is_primary: true, is_confirmed: verified, type: 'email' }],
            },
    },
  },
  zoom: {
    kind: 'oauth2',
    authorize: '/oauth/authorize',
    token: '/oauth/token',
    secretIn: 'header',
    tokens: () => ({
      access_token: 'zoo',
      token_type: 'bearer',
      refresh_token: 'r',
      expires_in: 3599,
      scope: 'user:read:user',
    }),
    api: {
      '/v2/users/me': ({ verified }) => ({
        id: 'KdYKjnimT4KPd8FFgQt9FQ',
        first_name: 'Ada',
        last_name: 'Byron',
        email: mail('zoom'),
        type: 2,
        verified: verified ? 1 : 0,
      }),
    },
  },
}

interface Asked {
  url: URL
  path: string
  form: URLSearchParams
  headers: IncomingMessage['headers']
}

/**
 * Returns the discovery document of an OpenID Connect provider. `template` is the part of its issuer after
 * its address.
 */
const discovered = (server: string, template: string, hasUserinfo: boolean): Json => ({
  issuer: `${server}${template}`,
  authorization_endpoint: `${server}/authorize`,
  token_endpoint: `${server}/token`,
  jwks_uri: `${server}/keys`,
  ...(hasUserinfo ? { userinfo_endpoint: `${server}/userinfo` } : {}),
  id_token_signing_alg_values_supported: ['RS256'],
  token_endpoint_auth_methods_supported: ['client_secret_post'],
  response_types_supported: ['code'],
  subject_types_supported: ['pairwise'],
})

/** Returns the issuer of an OpenID Connect provider, relative to the address of the provider. */
const issuerOf = (dialect: OAuthDialect | OpenIdDialect) =>
  dialect.kind === 'openid' ? (dialect.issuer ?? { path: '', template: '', actual: '' }) : undefined

/** Returns the response of a provider to an invalid code. */
const refusalOf = (dialect: OAuthDialect | OpenIdDialect) =>
  (dialect.kind === 'oauth2' && dialect.refusal) || { status: 400, body: { error: 'invalid_grant' } }

/** Starts the servers below `/d/<code>`. */
export async function startDialects(base: () => string) {
  const keys = await generateKeyPair('RS256', { extractable: true })
  const published: JWK = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const codes = new Map<string, Granted>()
  const accesses = new Map<string, Granted>()

  /** Redirects the browser back with a code, in the requested way. */
  function approve(
    dialect: OAuthDialect | OpenIdDialect,
    { searchParams }: URL,
    response: ServerResponse,
  ): void {
    const redirectUri = searchParams.get('redirect_uri') ?? ''
    const code = crypto.randomUUID()
    codes.set(code, {
      client: searchParams.get('client_id') ?? '',
      redirectUri,
      challenge: searchParams.get('code_challenge'),
      nonce: searchParams.get('nonce'),
      scope: searchParams.get('scope') ?? '',
    })
    const answer = new URLSearchParams({ code, state: searchParams.get('state') ?? '' })
    if (dialect.kind === 'openid' && dialect.formPost) {
      if (searchParams.get('response_mode') !== 'form_post')
        return void refuse(response, { error: 'invalid_request' })
      answer.set('user', JSON.stringify({ name: { firstName: 'Ada', lastName: 'Byron' } }))
      response.writeHead(200, { 'content-type': 'text/html', 'x-form': `${redirectUri} ${answer}` }).end()
    } else {
      response.writeHead(302, { location: `${redirectUri}?${answer}` }).end()
    }
  }

  const refuse = (response: ServerResponse, body: Json, status = 400) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  const send = (response: ServerResponse, body: unknown) =>
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))

  async function redeem(
    dialect: OAuthDialect | OpenIdDialect,
    server: string,
    { form, headers }: Asked,
  ): Promise<Granted | undefined> {
    const granted = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const [id, secret] = Buffer.from(headers.authorization?.replace('Basic ', '') ?? '', 'base64')
      .toString()
      .split(':')
      .map(decodeURIComponent)
    const inHeader =
      dialect.kind === 'openid' ? headers.authorization !== undefined : dialect.secretIn === 'header'
    const shown = inHeader ? { id, secret } : { id: form.get('client_id'), secret: form.get('client_secret') }
    const verifier = form.get('code_verifier')
    const challenge =
      verifier &&
      Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(verifier))).toString('base64url')
    if (
      !granted ||
      shown.id !== granted.client ||
      form.get('redirect_uri') !== granted.redirectUri ||
      challenge !== granted.challenge
    )
      return undefined
    if (dialect.kind === 'openid' && dialect.refusesVerifier && verifier) return undefined
    if (dialect.kind === 'openid' && dialect.secretKey) {
      const { payload } = await jwtVerify(shown.secret ?? '', await importSPKI(dialect.secretKey, 'ES256'), {
        audience: 'https://appleid.apple.com',
        issuer: 'TEAM',
        subject: granted.client,
      })
      return decodeProtectedHeader(shown.secret ?? '').kid === 'KEY' && payload.exp ? granted : undefined
    }
    return shown.secret === 'right' && server ? granted : undefined
  }

  async function tokensOf(
    dialect: OAuthDialect | OpenIdDialect,
    issuer: string,
    granted: Granted,
  ): Promise<Json> {
    if (dialect.kind === 'oauth2') return dialect.tokens(granted)
    const claims = {
      ...dialect.claims(granted.client !== 'unverified'),
      ...(dialect.echoesNonce === false || !granted.nonce ? {} : { nonce: granted.nonce }),
    }
    const idToken = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(issuer)
      .setAudience(granted.client)
      .setIssuedAt()
      .setExpirationTime('10 minutes')
      .sign(keys.privateKey)
    return {
      access_token: 'oidc',
      token_type: 'Bearer',
      expires_in: 3600,
      id_token: idToken,
      ...dialect.tokens,
    }
  }

  return async (
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
    body: string,
  ): Promise<void> => {
    const [, , code = ''] = path.split('/')
    const dialect = dialects[code]
    if (!dialect) return void refuse(response, {}, 404)
    const server = `${base()}/d/${code}`
    const asked: Asked = {
      url: new URL(request.url ?? '', base()),
      path: path.slice(`/d/${code}`.length),
      form: new URLSearchParams(body),
      headers: request.headers,
    }
    const place = issuerOf(dialect)
    const places = dialect.kind === 'oauth2' ? dialect : { authorize: '/authorize', token: '/token' }

    if (place && asked.path === `${place.path}/.well-known/openid-configuration`) {
      const hasUserinfo = dialect.kind === 'openid' && dialect.userinfo !== undefined
      return void send(response, discovered(server, place.template, hasUserinfo))
    }
    if (asked.path === places.authorize) return void approve(dialect, asked.url, response)
    if (asked.path === '/keys') return void send(response, { keys: [published] })
    if (asked.path === places.token) {
      const granted =
        request.method === 'POST' ? await redeem(dialect, server, asked).catch(() => undefined) : undefined
      const refusal = refusalOf(dialect)
      if (!granted) return void refuse(response, refusal.body, refusal.status)
      const tokens = await tokensOf(dialect, `${server}${place?.actual ?? ''}`, granted)
      accesses.set(`${code} ${tokens.access_token}`, granted)
      return void send(response, tokens)
    }
    const granted = accesses.get(`${code} ${request.headers.authorization?.replace(/^Bearer /, '')}`)
    if (!granted) return void refuse(response, { message: 'Unauthorized' }, 401)
    const verified = granted.client !== 'unverified'
    if (dialect.kind === 'openid' && asked.path === '/userinfo' && dialect.userinfo) {
      return void send(response, { sub: dialect.claims(verified).sub, ...dialect.userinfo(verified) })
    }
    const call = { granted, verified, headers: request.headers, query: asked.url.searchParams }
    const said = dialect.kind === 'oauth2' ? dialect.api[asked.path]?.(call) : undefined
    if (!said) return void refuse(response, { message: 'Bad Request' })
    send(response, said)
  }
}
