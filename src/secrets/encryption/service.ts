/**
 * Texts of a site, encrypted: by its newest data key, for the one place that they are kept in. A place is a kind of text
 * (`secret`), an id among its kind, and the version of the text there; moved to another place, site or version, a text
 * does not decrypt. What is stored is `<version of the data key>.<sealed text>`.
 */
import type { Config } from '../../env.ts'
import { open, seal, utf8 } from './cipher.ts'
import { unwrap, type WrappedKey } from './data-keys.ts'
import { DataKeyUnknown, unreadable } from './errors.ts'

export interface SiteKeys {
  siteId: number
  /** The site's data keys, the newest last. */
  keys: readonly WrappedKey[]
}

export interface Place {
  kind: string
  id: string
  version: number
}

type Keys = Pick<Config, 'MASTER_KEYS'>

const bindingOf = (siteId: number, { kind, id, version }: Place, keyVersion: number) => ['text', siteId, kind, id, version, keyVersion]

/** The version of the data key that a stored text was encrypted with. */
export const keyVersionOf = (stored: string): number => Number(stored.split('.', 1)[0])

export async function encrypt(config: Keys, { siteId, keys }: SiteKeys, place: Place, text: string): Promise<string> {
  const newest = keys.at(-1)
  if (!newest) throw new Error('the site has no data key')
  const key = await unwrap(config, siteId, newest)
  return `${newest.version}.${await seal(key, bindingOf(siteId, place, newest.version), utf8(text))}`
}

/** Fails with a 500 when the text is not what was encrypted for this place; with DataKeyUnknown when `keys` lacks its key. */
export async function decrypt(config: Keys, { siteId, keys }: SiteKeys, place: Place, stored: string): Promise<string> {
  const what = `${place.kind} ${place.id}, version ${place.version}, of site ${siteId}`
  const version = keyVersionOf(stored)
  const key = keys.find((candidate) => candidate.version === version)
  if (!key) throw new DataKeyUnknown(`no data key for ${what}`)
  const cryptoKey = await unwrap(config, siteId, key)
  try {
    return new TextDecoder().decode(await open(cryptoKey, bindingOf(siteId, place, key.version), stored.slice(stored.indexOf('.') + 1)))
  } catch (error) {
    throw unreadable(what, error)
  }
}
