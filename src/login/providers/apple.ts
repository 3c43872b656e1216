/**
 * Sign in with Apple. The secret is the private key that Apple gives (PKCS #8), with `<team id>.<key id>` as the app's key:
 * of it a client secret is made that lasts as long as it is needed. Or it is such a client secret itself.
 */
import { importPKCS8, SignJWT } from 'jose'
import { openIdProvider, readWrittenClaims } from './openid.ts'

export const apple = openIdProvider('apple', 'Apple', 'https://appleid.apple.com', {
  scope: ['openid', 'email', 'name'],
  // Apple names nobody's e-mail otherwise.
  responseMode: 'form_post',
  read: readWrittenClaims,
  async secretOf({ clientId, secret, key }) {
    const [team = '', kid = ''] = key.split('.')
    if (!secret.includes('PRIVATE KEY')) return secret
    return new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid })
      .setIssuer(team)
      .setSubject(clientId)
      .setAudience('https://appleid.apple.com')
      .setIssuedAt()
      .setExpirationTime('5 minutes')
      .sign(await importPKCS8(secret, 'ES256'))
  },
})
