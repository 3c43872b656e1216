/** Creates OpenID Connect providers, given their deviations from the standard. */
import type { Claims, OpenIdProvider, Person } from './provider.ts'

/** The end of a discovery document's address (OpenID Connect Discovery 1.0, section 4). */
export const wellKnownPath = '/.well-known/openid-configuration'

/** Builds a provider. `origin` is the address of the hosted service; null if there is none. */
export function openIdProvider(
  code: string,
  label: string,
  origin: string | null,
  deviations: Partial<Omit<OpenIdProvider, 'protocol' | 'code'>> = {},
): OpenIdProvider {
  return {
    protocol: 'openid',
    code,
    label,
    scope: ['openid', 'email', 'profile'],
    discovery: (server) => discoveryAddress(server ?? origin),
    isIssuer: (issuer, discovery) => [issuerAt(discovery), `${issuerAt(discovery)}/`].includes(issuer),
    read: readClaims,
    ...deviations,
  }
}

/** Returns the issuer whose discovery document has this address. */
export const issuerAt = (discovery: string): string => discovery.slice(0, -wellKnownPath.length)

/** Accepts the address of a server and that of its discovery document. */
function discoveryAddress(server: string | null): string | null {
  if (server === null || server.endsWith(wellKnownPath)) return server
  return `${server.replace(/\/+$/, '')}${wellKnownPath}`
}

/** Reads the standard claims (OpenID Connect Core 1.0, section 5.1). Some write `email_verified` as text. */
export function readClaims(claims: Claims): Person {
  const givenName = nonEmpty(claims.given_name)
  const familyName = nonEmpty(claims.family_name)
  const wholeName = familyName === undefined ? nonEmpty(claims.name) : undefined
  return {
    // Not trimmed: two subjects can differ by a space.
    subject: typeof claims.sub === 'string' ? claims.sub : '',
    email: nonEmpty(claims.email),
    emailVerified: claims.email_verified === true || claims.email_verified === 'true',
    firstName: givenName ?? wholeName ?? '',
    lastName: familyName ?? '',
    username: nonEmpty(claims.preferred_username),
  }
}

/** Returns a string without the space around it, or undefined if nothing is left. */
const nonEmpty = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
