/**
 * Rotates the keys for encrypted values: the master key, or the data key of a site. Safe to repeat and to
 * interrupt.
 */
import type pg from 'pg'
import {
  type AccountText,
  decryptForAccount,
  encryptForAccount,
  totpKind,
} from '../src/secrets/account-texts/service.ts'
import { newDataKey, rewrap, type WrappedKey } from '../src/secrets/encryption/data-keys.ts'
import { masterKeys, prove, verifyProof } from '../src/secrets/encryption/master-keys.ts'
import { onConnection } from './connection.ts'
import { inTransaction } from './in-transaction.ts'

const atOnce = 100

const wrappedColumns = 'site_id::float8 as "siteId", version, master_kid as "masterKid", wrapped'

interface StoredKey extends WrappedKey {
  siteId: number
}

/**
 * Encrypts every data key with the current master key of the ring, in several transactions; values that data
 * keys have encrypted do not change. Also encrypts the secrets of authenticator apps with it. Returns how
 * many keys there were. Deletes the proofs of master keys that are no longer needed.
 */
export function rotateMasterKey(url: string, ring: string): Promise<number> {
  const config = { MASTER_KEYS: ring }
  return onConnection(url, async (client) => {
    const { current } = await masterKeys(config)
    const { [current.kid]: known } = await proofs(client)
    if (known !== undefined) await verifyProof(current, known)
    else
      await client.query('insert into public.master_keys (kid, proof) values ($1, $2)', [
        current.kid,
        await prove(current),
      ])
    let count = 0
    for (let some = atOnce; some === atOnce; count += some)
      some = await inTransaction(client, () => rewrapSome(client, ring, current.kid))
    for (let some = atOnce; some === atOnce; count += some)
      some = await inTransaction(client, () => encryptSomeAgain(client, ring, current.kid))
    await client.query(
      `delete from public.master_keys k
        where k.kid <> $1 and not exists (select from public.data_keys d where d.master_kid = k.kid)
          and not exists (select from public.totp_secrets t where t.master_kid = k.kid)`,
      [current.kid],
    )
    return count
  })
}

async function rewrapSome(client: pg.Client, ring: string, current: string): Promise<number> {
  const { rows } = await client.query<StoredKey>(
    `select ${wrappedColumns} from public.data_keys where master_kid <> $1 order by site_id, version limit ${atOnce} for update`,
    [current],
  )
  for (const { siteId, ...key } of rows) {
    const { masterKid, wrapped } = await rewrap({ MASTER_KEYS: ring }, siteId, key)
    const parameters = [siteId, key.version, masterKid, wrapped]
    await client.query(
      'update public.data_keys set master_kid = $3, wrapped = $4 where site_id = $1 and version = $2',
      parameters,
    )
  }
  return rows.length
}

/** Encrypts some secrets of authenticator apps with the current master key. */
async function encryptSomeAgain(client: pg.Client, ring: string, current: string): Promise<number> {
  const config = { MASTER_KEYS: ring }
  const { rows } = await client.query<AccountText & { userId: number }>(
    `select user_id::float8 as "userId", master_kid as "masterKid", secret as stored
       from public.totp_secrets where master_kid <> $1 order by user_id limit ${atOnce} for update`,
    [current],
  )
  const known = await proofs(client)
  for (const { userId, ...text } of rows) {
    const place = { kind: totpKind, userId }
    const bytes = await decryptForAccount(config, place, text)
    const { masterKid, stored } = await encryptForAccount(config, place, bytes, known)
    await client.query('update public.totp_secrets set master_kid = $2, secret = $3 where user_id = $1', [
      userId,
      masterKid,
      stored,
    ])
  }
  return rows.length
}

/**
 * Gives a site a new data key, which encrypts new values from now on. Returns its version; undefined if the
 * site has not encrypted anything yet.
 */
export function rotateDataKey(url: string, ring: string, slug: string): Promise<number | undefined> {
  return onConnection(url, async (client) => {
    const { rows } = await client.query<StoredKey>(
      `select ${wrappedColumns} from public.data_keys where site_id = (select id from public.sites where slug = $1) order by version desc limit 1`,
      [slug],
    )
    const [newest] = rows
    if (!newest) return undefined
    const key = await newDataKey(
      { MASTER_KEYS: ring },
      newest.siteId,
      newest.version + 1,
      await proofs(client),
    )
    const parameters = [newest.siteId, key.version, key.wrapped, key.masterKid, key.proof]
    const added = await client.query<{ added: boolean }>(
      'select public.add_data_key($1, $2, $3, $4, $5) as added',
      parameters,
    )
    if (!added.rows[0]?.added) throw new Error('The site has just been given a new key by somebody else.')
    return key.version
  })
}

/** Returns the slugs of the sites that have a data key. */
export async function sitesWithKeys(url: string): Promise<string[]> {
  return onConnection(url, async (client) => {
    const { rows } = await client.query<{ slug: string }>(
      'select s.slug from public.sites s where exists (select from public.data_keys d where d.site_id = s.id) order by s.id',
    )
    return rows.map(({ slug }) => slug)
  })
}

async function proofs(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ kid: string; proof: string }>(
    'select kid, proof from public.master_keys',
  )
  return Object.fromEntries(rows.map(({ kid, proof }) => [kid, proof]))
}
