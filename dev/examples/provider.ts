/** An OpenID Connect provider on loopback, which approves everyone. A code is the base64url of its claims. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

export interface Provider {
  /** The address of its discovery document. */
  discovery: string
  clientId: string
  codeFor(claims: Record<string, unknown>): string
  stop(): Promise<void>
}

export async function startProvider(): Promise<Provider> {
  const clientId = 'tessera'
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const key = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const issuer = addressOf()
    const answers: Record<string, () => unknown> = {
      '/.well-known/openid-configuration': () => ({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        id_token_signing_alg_values_supported: ['RS256'],
        token_endpoint_auth_methods_supported: ['client_secret_post'],
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
      }),
      '/keys': () => ({ keys: [key] }),
      '/token': async () => {
        const code = new URLSearchParams(Buffer.concat(chunks).toString()).get('code') ?? ''
        const claims = JSON.parse(Buffer.from(code, 'base64url').toString())
        const token = new SignJWT(claims)
          .setProtectedHeader({ alg: 'RS256', kid: 'one' })
          .setIssuer(issuer)
          .setAudience(clientId)
        const id_token = await token.setIssuedAt().setExpirationTime('10 minutes').sign(privateKey)
        return { access_token: 'access', token_type: 'Bearer', expires_in: 3600, id_token }
      },
    }
    const answer = await answers[request.url ?? '']?.()
    response
      .writeHead(answer ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(answer ?? {}))
  })
  const addressOf = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    discovery: `${addressOf()}/.well-known/openid-configuration`,
    clientId,
    codeFor: (claims) => Buffer.from(JSON.stringify(claims)).toString('base64url'),
    stop: () => new Promise((stopped) => server.close(() => stopped())),
  }
}
