/** The secret and the key of an app: encrypted for its row and their version, each as a text of its own. */
import type { Config } from '../../env.ts'
import { decrypt, encrypt, type Place, type SiteKeys } from '../../secrets/encryption/service.ts'
import type { SocialAppRow } from './store.ts'

export type CredentialName = 'secret' | 'key'
export type Credentials = Readonly<Record<CredentialName, string>>

export const placeOf = ({ uid, version }: Pick<SocialAppRow, 'uid' | 'version'>, name: CredentialName): Place => ({
  kind: `social app ${name}`,
  id: uid,
  version,
})

type Owner = Pick<SocialAppRow, 'uid' | 'version'>

export async function sealCredentials(config: Config, keys: SiteKeys, owner: Owner, { secret, key }: Credentials): Promise<Credentials> {
  return {
    secret: await encrypt(config, keys, placeOf(owner, 'secret'), secret),
    key: key && (await encrypt(config, keys, placeOf(owner, 'key'), key)),
  }
}

/** A key that is empty is stored as it is. */
export const openCredential = async (config: Config, keys: SiteKeys, row: SocialAppRow, name: CredentialName): Promise<string> =>
  row[name] && decrypt(config, keys, placeOf(row, name), row[name])
