/** Microsoft Entra ID. */
import { issuerAt, openIdProvider, readClaims } from './openid.ts'

/** The placeholder for the tenant id in the issuer of the discovery document for all tenants (`common`). */
export const tenantPlaceholder = '{tenantid}'

export const tenantId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The hosts of Microsoft's clouds. */
const clouds: readonly string[] = [
  'login.microsoftonline.com',
  'login.microsoftonline.us',
  'login.partner.microsoftonline.cn',
]

/** The tenants in the issuers of the documents for several tenants, and for personal accounts. */
const tenantsOfAudiences: Readonly<Record<string, string>> = {
  common: tenantPlaceholder,
  organizations: tenantPlaceholder,
  consumers: '9188040d-6c67-4c5b-b112-36a304b66dad',
}

/**
 * The provider. The administrator of a tenant can set any e-mail address. Only the claim `xms_edov` says that
 * an address is verified.
 */
export const microsoft = openIdProvider(
  'microsoft',
  'Microsoft',
  'https://login.microsoftonline.com/common/v2.0',
  {
    serverProblem: ({ hostname }) =>
      clouds.includes(hostname)
        ? undefined
        : 'The server_url of Microsoft is the address of a tenant: ' +
          'https://login.microsoftonline.com/<tenant>/v2.0.',
    isIssuer(issuer, discovery) {
      const expected = issuerAt(discovery)
      const [, server, tenant = ''] = /^(.*)\/([^/]+)\/v2\.0$/.exec(expected) ?? []
      if (issuer === expected || server === undefined) return issuer === expected
      const named = issuer.startsWith(`${server}/`) ? issuer.slice(server.length + 1) : ''
      if (Object.hasOwn(tenantsOfAudiences, tenant)) return named === `${tenantsOfAudiences[tenant]}/v2.0`
      // The document at a domain of a tenant names the tenant by its id.
      return (
        !tenantId.test(tenant) && named.endsWith('/v2.0') && tenantId.test(named.slice(0, -'/v2.0'.length))
      )
    },
    read: (claims) => ({
      ...readClaims(claims),
      emailVerified: [true, 1, '1', 'true'].includes(claims.xms_edov as string),
    }),
  },
)
