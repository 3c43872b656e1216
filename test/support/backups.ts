/** The secrets of a site in a backup of the database. */
import { configOf } from '../../src/kernel/env.ts'
import type { WrappedKey } from '../../src/secrets/encryption/data-keys.ts'
import { decrypt } from '../../src/secrets/encryption/service.ts'
import { placeOf } from '../../src/secrets/entries/values.ts'
import { type Site, siteIdOf, type TestApp } from './app.ts'

type InPostgres = Pick<Site, 'schema'>

/** Returns the wrapped data keys of a site. */
export const dataKeysOf = (app: TestApp, site: InPostgres) =>
  app.sql<WrappedKey>(
    `select version, master_kid as "masterKid", wrapped from data_keys where site_id = $1 order by version`,
    [siteIdOf(site)],
  )

/** Returns the row of a secret at the level of the site. */
export async function storedSecret(app: TestApp, site: InPostgres, key: string) {
  const [secret] = await app.sql<Parameters<typeof placeOf>[0] & { ciphertext: string }>(
    `select id, key, app_id, version, ciphertext from tenant._secrets
      where site_id = $2 and key = $1 and app_id is null`,
    [key, siteIdOf(site)],
  )
  if (!secret) throw new Error(`no secret ${key}`)
  return secret
}

/** Copies a secret and its keys. Returns a function that decrypts the copy with the master keys. */
export async function backupOf(app: TestApp, site: InPostgres, key: string): Promise<() => Promise<string>> {
  const secret = await storedSecret(app, site, key)
  const keys = { siteId: siteIdOf(site), keys: await dataKeysOf(app, site) }
  return () => decrypt(configOf(app.env), keys, placeOf(secret), secret.ciphertext)
}
