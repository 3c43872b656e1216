/**
 * Microsoft Entra ID. Of every tenant alike (`common`), its document names no issuer but a template of one. An e-mail is
 * whatever a tenant's administrator wrote: only `xms_edov` says that it is verified.
 */
import { openIdProvider, readClaims, wellKnown } from './openid.ts'

/** Where the id of the tenant stands in an issuer. */
export const tenantPlaceholder = '{tenantid}'

export const microsoft = openIdProvider('microsoft', 'Microsoft', 'https://login.microsoftonline.com/common/v2.0', {
  issuers(discovery) {
    const issuer = discovery.slice(0, -wellKnown.length)
    return [issuer, issuer.replace(/\/(common|organizations)(?=\/v2\.0$)/, `/${tenantPlaceholder}`)]
  },
  read: (claims) => ({ ...readClaims(claims), emailVerified: [true, 1, '1', 'true'].includes(claims.xms_edov as string) }),
})
