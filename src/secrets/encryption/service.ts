/**
 * Encrypts texts with the newest data key of a site, for the place in which they are stored. A place is a
 * kind of text (`secret`), an id within the kind, and the version of the text. A text that is moved to
 * another place, site or version cannot be decrypted. The stored form is `<version of the data
 * key>.<encrypted text>`.
 */
import type { Config } from '../../kernel/env.ts'
import { decryptBytes, encryptBytes, utf8 } from '../../kernel/lib/cipher.ts'
import { unwrap, type WrappedKey } from './data-keys.ts'
import { DataKeyUnknown, Unreadable } from './errors.ts'
import type { SiteKeyAccess } from './site-keys.ts'

export { masterKeys, verifyMasterKeys } from './master-keys.ts'

/** The data keys of a site. */
export interface SiteKeys {
  siteId: number
  /** The wrapped keys, the newest one last. */
  keys: readonly WrappedKey[]
}

/** The place of a stored text. */
export interface TextPlace {
  kind: string
  id: string
  version: number
}

type Keys = Pick<Config, 'MASTER_KEYS'> & SiteKeyAccess

const bindingOf = (siteId: number, { kind, id, version }: TextPlace, keyVersion: number) => [
  'text',
  siteId,
  kind,
  id,
  version,
  keyVersion,
]

/** Returns the version of the data key of a stored text. */
export const keyVersionOf = (stored: string): number => Number(stored.split('.', 1)[0])

/** Encrypts a text for its place. Rejects with 500 if the master keys are missing or wrong. */
export async function encrypt(
  config: Keys,
  { siteId, keys }: SiteKeys,
  place: TextPlace,
  text: string,
): Promise<string> {
  const newest = keys.at(-1)
  if (!newest) throw new Error('the site has no data key')
  const key = await unwrap(config, siteId, newest)
  return `${newest.version}.${await encryptBytes(key, bindingOf(siteId, place, newest.version), utf8(text))}`
}

/**
 * Decrypts a stored text. Rejects with DataKeyUnknown if `keys` does not contain its data key; with 500 if
 * the text was not encrypted for this place, or if the master keys are missing or wrong.
 */
export async function decrypt(
  config: Keys,
  { siteId, keys }: SiteKeys,
  place: TextPlace,
  stored: string,
): Promise<string> {
  const name = `${place.kind} ${place.id}, version ${place.version}, of site ${siteId}`
  const version = keyVersionOf(stored)
  const key = keys.find((candidate) => candidate.version === version)
  if (!key) throw new DataKeyUnknown(`no data key for ${name}`)
  const cryptoKey = await unwrap(config, siteId, key)
  try {
    return new TextDecoder().decode(
      await decryptBytes(
        cryptoKey,
        bindingOf(siteId, place, key.version),
        stored.slice(stored.indexOf('.') + 1),
      ),
    )
  } catch (error) {
    throw new Unreadable(name, error)
  }
}
