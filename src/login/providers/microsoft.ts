/** Microsoft Entra ID. */
import { issuerAt, openIdProvider, readClaims } from './openid.ts'

/** The placeholder for the tenant id in the issuer of the discovery document for all tenants (`common`). */
export const tenantPlaceholder = '{tenantid}'

/**
 * The provider. The administrator of a tenant can set any e-mail address. Only the claim `xms_edov` says that
 * an address is verified.
 */
export const microsoft = openIdProvider(
  'microsoft',
  'Microsoft',
  'https://login.microsoftonline.com/common/v2.0',
  {
    issuers(discovery) {
      const issuer = issuerAt(discovery)
      return [issuer, issuer.replace(/\/(common|organizations)(?=\/v2\.0$)/, `/${tenantPlaceholder}`)]
    },
    read: (claims) => ({
      ...readClaims(claims),
      emailVerified: [true, 1, '1', 'true'].includes(claims.xms_edov as string),
    }),
  },
)
