/**
 * Sign-in providers for tests: servers in Node that the Worker reaches over loopback. One is certified
 * (`oidc-provider`), one returns the lies that a test requests, and one speaks the dialect of each named
 * provider.
 */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { startDialects } from './dialects.ts'
import { metadataOf } from './saml-documents.ts'

export interface IdentityProviders {
  url: string
  close(): Promise<void>
}

/** The response of the lying provider to a code. The code itself contains it: `codeFor` makes one. */
export interface Answered {
  /** Claims of the ID token that replace the correct ones; null removes one. */
  claims?: Record<string, unknown>
  /** Header parameters of the ID token that replace the correct ones. */
  header?: Record<string, unknown>
  /**
   * `none`: no signature; `other`: by a key that is not published; `rotated`: by a key that is published from
   * now on.
   */
  signature?: 'good' | 'none' | 'other' | 'rotated'
  /** Replaces the response of the token endpoint. */
  status?: number
  body?: unknown
  /** Members that the response of the token endpoint also has. */
  tokens?: Record<string, unknown>
  /** The response of the UserInfo endpoint: claims, or any text with a status. */
  userinfo?: Record<string, unknown>
  userinfoStatus?: number
  /** The client of the code. Others are refused. */
  client?: string
  /** The challenge of the authorization request. A code with one needs its verifier. */
  challenge?: string | undefined
  /** Distinguishes two codes with the same content. */
  serial: string
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** The other algorithms of the provider's keys. Each key has its algorithm as `kid`. */
export const otherAlgorithms = [
  ...['RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'],
  'EdDSA',
] as const

interface Keys {
  published: JWK[]
  other: JWK
  sign(
    claims: Record<string, unknown>,
    header: Record<string, unknown>,
    signature: Answered['signature'],
  ): Promise<string>
}

async function makeKeys(): Promise<Keys> {
  const [right, other] = await Promise.all([
    generateKeyPair('RS256', { extractable: true }),
    generateKeyPair('RS256', { extractable: true }),
  ])
  const others = await Promise.all(
    otherAlgorithms.map(async (alg) => ({ alg, ...(await generateKeyPair(alg, { extractable: true })) })),
  )
  const edwards = others.find(({ alg }) => alg === 'EdDSA') as (typeof others)[number]
  const signing = [...others, { ...edwards, alg: 'Ed25519' }]
  const published = await Promise.all(
    [{ ...right, kid: 'right', alg: 'RS256' }, ...signing.map((pair) => ({ ...pair, kid: pair.alg }))].map(
      async ({ publicKey, kid, alg }) => ({ ...(await exportJWK(publicKey)), kid, alg, use: 'sig' }),
    ),
  )
  const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')
  return {
    published,
    other: { ...(await exportJWK(other.publicKey)), kid: 'other', alg: 'RS256', use: 'sig' },
    async sign(claims, header, signature = 'good') {
      const full = { alg: 'RS256', kid: 'right', ...header }
      if (signature === 'none') return `${encode({ ...full, alg: 'none' })}.${encode(claims)}.`
      if (signature === 'rotated') full.kid = 'other'
      const { privateKey } = signing.find(({ alg }) => alg === full.kid) ?? right
      return new SignJWT(claims)
        .setProtectedHeader(full as { alg: string })
        .sign(signature === 'good' ? privateKey : other.privateKey)
    },
  }
}

/** Starts the lying provider at `/liar/<any name>/…`. The name can say how its discovery document lies. */
async function startLiar(base: () => string) {
  const keys = await makeKeys()
  const used = new Set<string>()
  const rotated = new Set<string>()
  const userinfo = new Map<string, Pick<Answered, 'userinfo' | 'userinfoStatus'>>()
  const lies: Record<string, (issuer: string) => Record<string, unknown>> = {
    'other-issuer': () => ({ issuer: 'https://accounts.example.com' }),
    'private-keys': () => ({ jwks_uri: 'ftp://127.0.0.1/jwks' }),
    'odd-endpoint': () => ({ authorization_endpoint: 'javascript:alert(1)' }),
    'only-shared': () => ({ id_token_signing_alg_values_supported: ['HS256', 'none'] }),
    algorithms: () => ({ id_token_signing_alg_values_supported: ['RS256', ...otherAlgorithms] }),
    nulls: () => ({
      userinfo_endpoint: null,
      id_token_signing_alg_values_supported: null,
      token_endpoint_auth_methods_supported: null,
      end_session_endpoint: null,
    }),
    endless: () => ({ claims_supported: Array(20_000).fill('name') }),
    redirecting: (issuer) => ({ token_endpoint: `${issuer}/elsewhere` }),
  }

  const documentOf = (name: string) => {
    const issuer = `${base()}/liar/${name}`
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      userinfo_endpoint: `${issuer}/userinfo`,
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      ...lies[name]?.(issuer),
    }
  }

  async function token(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await bodyOf(request))
    const [id = '', secret = ''] = Buffer.from(
      request.headers.authorization?.slice('Basic '.length) ?? '',
      'base64',
    )
      .toString()
      .split(':')
    const client = decodeURIComponent(id) || form.get('client_id')
    if ((decodeURIComponent(secret) || form.get('client_secret')) !== 'right')
      return json(response, { error: 'invalid_client' }, 401)
    const code = form.get('code') ?? ''
    // The check of a social app sends a code that no provider has made.
    if (code === 'check') return json(response, { error: 'invalid_grant' }, 400)
    const answer: Answered = JSON.parse(Buffer.from(code, 'base64url').toString())
    const verifier = form.get('code_verifier')
    const hashed =
      verifier &&
      Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(verifier))).toString('base64url')
    const wrong =
      used.has(code) || (answer.client ?? client) !== client || (answer.challenge ?? null) !== hashed
    if (wrong) return json(response, { error: 'invalid_grant', error_description: 'no such code' }, 400)
    used.add(code)
    if (answer.body !== undefined) return json(response, answer.body, answer.status ?? 200)
    if (answer.signature === 'rotated') rotated.add(name)
    const now = Math.floor(Date.now() / 1000)
    const claims = Object.fromEntries(
      Object.entries({
        iss: documentOf(name).issuer,
        aud: client,
        sub: 'ada',
        iat: now,
        exp: now + 300,
        ...answer.claims,
      }).filter(([, value]) => value !== null),
    )
    const access = `access-${answer.serial}`
    userinfo.set(access, {
      userinfo: { sub: claims.sub, ...answer.userinfo },
      userinfoStatus: answer.userinfoStatus ?? 200,
    })
    json(response, {
      access_token: access,
      token_type: 'Bearer',
      expires_in: 300,
      ...answer.tokens,
      id_token: await keys.sign(claims, answer.header ?? {}, answer.signature),
    })
  }

  return async (path: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, , name = '', ...rest] = path.split('/')
    switch (rest.join('/')) {
      case '.well-known/openid-configuration':
        return json(response, documentOf(name))
      case 'jwks':
        return json(response, { keys: [...keys.published, ...(rotated.has(name) ? [keys.other] : [])] })
      case 'token':
        return token(name, request, response)
      case 'elsewhere':
        response.writeHead(307, { location: `${base()}/canary` }).end()
        return
      case 'userinfo': {
        const known = userinfo.get(request.headers.authorization?.slice('Bearer '.length) ?? '')
        return known
          ? json(response, known.userinfo, known.userinfoStatus)
          : json(response, { error: 'invalid_token' }, 401)
      }
      default:
        json(response, {}, 404)
    }
  }
}

/**
 * Resolves names over HTTPS: `<a>-<b>-<c>-<d>.v4.test` is that address, `public.test` a public one,
 * `mixed.test` both.
 */
function resolve(query: URLSearchParams, response: ServerResponse): void {
  const name = query.get('name') ?? ''
  const type = query.get('type')
  const [, dashed] = /^([\d-]+)\.v4\.test$/.exec(name) ?? []
  const v4: Record<string, string[]> = {
    'public.test': ['93.184.215.14'],
    'mixed.test': ['93.184.215.14', '10.0.0.1'],
    'six.test': [],
  }
  const v6: Record<string, string[]> = { 'six.test': ['fd00::1'], 'mapped.test': ['::ffff:127.0.0.1'] }
  const ofName = type === 'A' ? v4[name] : v6[name]
  const data = type === 'A' && dashed ? [dashed.replaceAll('-', '.')] : (ofName ?? [])
  json(response, {
    Status: 0,
    Answer: data.map((address) => ({ name, type: type === 'A' ? 1 : 28, TTL: 60, data: address })),
  })
}

export async function startIdentityProviders(): Promise<IdentityProviders> {
  let base = ''
  /** The number of requests to the path that must never be reached. */
  let canary = 0
  const liar = await startLiar(() => base)
  const dialects = await startDialects(() => base)
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', base)
    const answer = async () => {
      if (url.pathname.startsWith('/liar/')) return liar(url.pathname, request, response)
      if (url.pathname.startsWith('/d/'))
        return dialects(url.pathname, request, response, await bodyOf(request))
      if (url.pathname === '/dns') return resolve(url.searchParams, response)
      if (url.pathname === '/saml-metadata') {
        const certificate = readFileSync(join(import.meta.dirname, 'saml-certificate.pem'), 'utf8')
        return void response.end(metadataOf({ certificates: [certificate] }))
      }
      if (url.pathname === '/canary') {
        canary++
        return json(response, {})
      }
      if (url.pathname === '/canary/count') return json(response, canary)
      if (url.pathname === '/redirect')
        return void response
          .writeHead(Number(url.searchParams.get('status')), { location: `${base}/canary` })
          .end()
      // The response ends with the server.
      if (url.pathname === '/hang') return
      if (url.pathname === '/drip') return void setInterval(() => response.write(' '), 100).unref()
      if (url.pathname === '/large') return void response.end(Buffer.alloc(1024 * 1024 + 1, ' '))
      json(response, {}, 404)
    }
    answer().catch((error: unknown) => json(response, { error: String(error) }, 500))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: base,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
