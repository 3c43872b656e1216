/** Encrypts and decrypts the secret and the key of a social app. Each is bound to its app and version. */
import type { Config } from '../../../kernel/env.ts'
import { decrypt, encrypt, type SiteKeys, type TextPlace } from '../../../secrets/encryption/service.ts'
import type { Credentials, SocialAppRow } from './store.ts'

/** The name of a credential, in rows and in the API. */
export type CredentialName = keyof Credentials

type AppVersion = Pick<SocialAppRow, 'uid' | 'version'>

/** Returns the place to which a credential's encrypted value is bound. */
export const placeOf = ({ uid, version }: AppVersion, name: CredentialName): TextPlace => ({
  kind: `social app ${name}`,
  id: uid,
  version,
})

/** Encrypts both credentials for a version of an app. An empty key stays empty. */
export async function encryptCredentials(
  config: Config,
  keys: SiteKeys,
  app: AppVersion,
  { secret, key }: Credentials,
): Promise<Credentials> {
  return {
    secret: await encrypt(config, keys, placeOf(app, 'secret'), secret),
    key: key && (await encrypt(config, keys, placeOf(app, 'key'), key)),
  }
}

/**
 * Decrypts one credential. Throws the 500 if it cannot be decrypted, and DataKeyUnknown if `keys` does not
 * contain its data key.
 */
export const decryptCredential = async (
  config: Config,
  keys: SiteKeys,
  app: SocialAppRow,
  name: CredentialName,
): Promise<string> => app[name] && decrypt(config, keys, placeOf(app, name), app[name])

/** Decrypts both credentials. Throws as `decryptCredential` does. */
export async function decryptCredentials(
  config: Config,
  keys: SiteKeys,
  app: SocialAppRow,
): Promise<Credentials> {
  const [secret, key] = await Promise.all([
    decryptCredential(config, keys, app, 'secret'),
    decryptCredential(config, keys, app, 'key'),
  ])
  return { secret, key }
}
