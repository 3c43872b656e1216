/** Apple. */
import { importPKCS8, SignJWT } from 'jose'
import { openIdProvider } from './openid.ts'

/**
 * The provider. The app's secret is the private key from Apple (PKCS #8), and its key is `<team id>.<key
 * id>`: each sign-in signs a client secret with them. The secret may also be a client secret that is already
 * signed.
 */
export const apple = openIdProvider('apple', 'Apple', 'https://appleid.apple.com', {
  scope: ['openid', 'email', 'name'],
  // Apple sends the e-mail address and the name only in a form.
  responseMode: 'form_post',
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
