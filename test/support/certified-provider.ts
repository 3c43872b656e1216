/**
 * `oidc-provider`, which is certified by the OpenID Foundation, with its own pages for sign-in and consent.
 * Runs in Node.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider } from 'oidc-provider'

export interface CertifiedProvider {
  issuer: string
  close(): Promise<void>
}

/**
 * Returns the claims of a person with the e-mail `<name>@example.org`. That of `unproven` is not verified.
 */
const claimsOf = (id: string) => ({
  sub: id,
  email: `${id}@example.org`,
  email_verified: id !== 'unproven',
  given_name: `${id.slice(0, 1).toUpperCase()}${id.slice(1)}`,
  family_name: 'Example',
  preferred_username: id,
})

/**
 * Starts the provider. `redirectUris` belong to its only client, `tessera`, whose secret is
 * `certified-secret`.
 */
export async function startCertifiedProvider(redirectUris: string[]): Promise<CertifiedProvider> {
  const server: Server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'tessera',
        client_secret: 'certified-secret',
        redirect_uris: redirectUris,
        grant_types: ['authorization_code'],
      },
    ],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name', 'preferred_username'],
    },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => claimsOf(id) }),
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'certified' }] },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    cookies: { keys: ['only for tests'] },
    pkce: { required: () => true },
  })
  server.on('request', provider.callback())
  return {
    issuer,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
