/** A provider of OpenID Connect, made of what it does otherwise than the standard has it. */
import type { Claims, OpenIdProvider, Person } from './provider.ts'

/** OpenID Connect Discovery 1.0, section 4. */
export const wellKnown = '/.well-known/openid-configuration'

/** `origin` is the hosted service's; null where there is none. */
export function openIdProvider(
  code: string,
  label: string,
  origin: string | null,
  special: Partial<Omit<OpenIdProvider, 'protocol' | 'code'>> = {},
): OpenIdProvider {
  return {
    protocol: 'openid',
    code,
    label,
    scope: ['openid', 'email', 'profile'],
    discovery: (server) => discoveryAt(server ?? origin),
    issuers: (discovery) => [discovery.slice(0, -wellKnown.length), `${discovery.slice(0, -wellKnown.length)}/`],
    read: readClaims,
    ...special,
  }
}

/** A server is named by its address, or by that of its document. */
function discoveryAt(server: string | null): string | null {
  if (server === null || server.endsWith(wellKnown)) return server
  return `${server.replace(/\/+$/, '')}${wellKnown}`
}

/** OpenID Connect Core 1.0, section 5.1. */
export function readClaims(claims: Claims): Person {
  return {
    subject: text(claims.sub) ?? '',
    email: text(claims.email),
    emailVerified: claims.email_verified === true,
    firstName: text(claims.given_name) ?? (text(claims.family_name) === undefined ? (text(claims.name) ?? '') : ''),
    lastName: text(claims.family_name) ?? '',
    username: text(claims.preferred_username),
  }
}

/** Of those that write `"true"` for true. */
export const readWrittenClaims = (claims: Claims): Person =>
  readClaims({ ...claims, email_verified: [true, 'true'].includes(claims.email_verified as string) })

/** A text that says something. */
const text = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined)
