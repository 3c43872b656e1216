/** `npm run keys:rotate`: the commands for master keys and data keys. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onConnection } from '../../dev/connection.ts'
import { rotateDataKey, rotateMasterKey, sitesWithKeys } from '../../dev/key-rotation.ts'
import { newMasterKeys } from '../../dev/master-keys.ts'
import { newSigningKeys } from '../../dev/signing-keys.ts'
import {
  type AccountText,
  decryptForAccount,
  encryptForAccount,
  totpKind,
} from '../../src/secrets/account-texts/service.ts'
import { newDataKey, type WrappedKey } from '../../src/secrets/encryption/data-keys.ts'
import { masterKeys } from '../../src/secrets/encryption/master-keys.ts'
import { decrypt, encrypt } from '../../src/secrets/encryption/service.ts'
import { type MigratedPostgres, startMigratedPostgres } from '../support/postgres.ts'

let postgres: MigratedPostgres
/** The URL of the role that owns the platform. */
let url: string
const old = newMasterKeys()
const sites = 230
const texts = new Map<number, string>()
const place = { kind: 'secret', id: 'x', version: 1 }
/** An account with an authenticator app. */
const account = { kind: totpKind, userId: 0 }
const appSecret = new Uint8Array(20).fill(7)

interface StoredKey extends WrappedKey {
  siteId: number
}

const stored = (siteId?: number) =>
  onConnection(url, async (client) => {
    const { rows } = await client.query<StoredKey>(
      `select site_id::float8 as "siteId", version, master_kid as "masterKid", wrapped from data_keys where $1::bigint is null or site_id = $1 order by site_id, version`,
      [siteId ?? null],
    )
    return rows
  })

beforeAll(async () => {
  postgres = await startMigratedPostgres('keys')
  url = postgres.urlsOf('keys').owner
  await onConnection(url, async (client) => {
    await client.query(`insert into organizations (name, slug) values ('o', 'o')`)
    let proofs: Record<string, string> = {}
    for (let n = 0; n < sites; n++) {
      const { rows } = await client.query<{ id: string }>(
        `insert into sites (organization_id, name, slug, environment) select id, $1, $1, 'production' from organizations returning id`,
        [`site-${n}`],
      )
      const siteId = Number(rows[0]?.id)
      const key = await newDataKey({ MASTER_KEYS: old }, siteId, 1, proofs)
      await client.query('insert into master_keys (kid, proof) values ($1, $2) on conflict do nothing', [
        key.masterKid,
        key.proof,
      ])
      await client.query(
        'insert into data_keys (site_id, version, master_kid, wrapped) values ($1, 1, $2, $3)',
        [siteId, key.masterKid, key.wrapped],
      )
      proofs = { [key.masterKid]: key.proof }
      texts.set(
        siteId,
        await encrypt({ MASTER_KEYS: old }, { siteId, keys: [key] }, place, `text of ${siteId}`),
      )
    }
    const { rows } = await client.query<{ id: string }>(
      `insert into users (username, email) values ('ada', 'ada@example.org') returning id`,
    )
    account.userId = Number(rows[0]?.id)
    const text = await encryptForAccount({ MASTER_KEYS: old }, account, appSecret, proofs)
    await client.query('insert into totp_secrets (user_id, secret, master_kid) values ($1, $2, $3)', [
      account.userId,
      text.stored,
      text.masterKid,
    ])
  })
})

afterAll(() => postgres?.server.stop())

const readAll = async (ring: string) => {
  const keys = await stored()
  for (const [siteId, text] of texts) {
    const ofSite = keys.filter((key) => key.siteId === siteId)
    expect(await decrypt({ MASTER_KEYS: ring }, { siteId, keys: ofSite }, place, text)).toBe(
      `text of ${siteId}`,
    )
  }
}

const readAppSecret = (ring: string) =>
  onConnection(url, async (client) => {
    const { rows } = await client.query<AccountText>(
      'select master_kid as "masterKid", secret as stored from totp_secrets where user_id = $1',
      [account.userId],
    )
    return decryptForAccount({ MASTER_KEYS: ring }, account, rows[0] as AccountText)
  })

describe('npm run keys:rotate -- --new-signing-key', () => {
  it('makes a set, or adds a new first key to an existing set', async () => {
    const before = JSON.parse(await newSigningKeys())
    expect(before.keys.length).toBe(1)
    const after = JSON.parse(await newSigningKeys(JSON.stringify(before)))
    expect(after.keys.length).toBe(2)
    expect(after.keys[1]).toEqual(before.keys[0])
    expect(after.keys[0].kid).not.toBe(before.keys[0].kid)
  })
})

describe('npm run keys:rotate -- --new-master-key', () => {
  it('makes a ring, or adds a new current key to an existing ring', async () => {
    const ring = JSON.parse(newMasterKeys(old))
    expect(Object.keys(ring.keys)).toEqual([ring.current, JSON.parse(old).current])
    expect(Buffer.from(ring.keys[ring.current], 'base64url').length).toBe(32)
    expect((await masterKeys({ MASTER_KEYS: newMasterKeys() })).current.kid).toMatch(
      /^\d{4}-\d\d-\d\d-[0-9a-f]{6}$/,
    )
  })
})

describe('npm run keys:rotate', () => {
  const both = newMasterKeys(old)
  const current = JSON.parse(both).current as string
  const alone = JSON.stringify({ current, keys: { [current]: JSON.parse(both).keys[current] } })

  it('--master refuses a ring without a key that is in use, and changes nothing', async () => {
    await expect(rotateMasterKey(url, newMasterKeys())).rejects.toMatchObject({ status: 500 })
    await readAll(old)
  })

  it('--master wraps every data key and encrypts the secrets of authenticator apps with the new key; the old key is no longer needed', async () => {
    const before = await stored()
    expect(await rotateMasterKey(url, both)).toBe(sites + 1)
    const after = await stored()
    expect(after.map(({ siteId, version, masterKid }) => [siteId, version, masterKid])).toEqual(
      before.map(({ siteId, version }) => [siteId, version, current]),
    )
    await readAll(both)
    await readAll(alone)
    expect(await readAppSecret(alone)).toEqual(appSecret)
    await expect(readAppSecret(old)).rejects.toMatchObject({ status: 500 })
    await expect(readAll(old)).rejects.toMatchObject({ status: 500 })
    expect(await rotateMasterKey(url, alone)).toBe(0)
  })

  it('--site creates the next data key of a site; older ones stay until no value needs them', async () => {
    const [first] = [...texts.keys()]
    const siteId = first as number
    expect(await rotateDataKey(url, alone, 'site-0')).toBe(2)
    const keys = await stored(siteId)
    expect(keys.map(({ version }) => version)).toEqual([1, 2])
    const text = await encrypt({ MASTER_KEYS: alone }, { siteId, keys }, place, 'new')
    expect(text).toMatch(/^2\./)
    expect(await decrypt({ MASTER_KEYS: alone }, { siteId, keys }, place, text)).toBe('new')
    await readAll(alone)
    expect(await rotateDataKey(url, alone, 'none')).toBe(undefined)
    expect((await sitesWithKeys(url)).length).toBe(sites)
  })

  it('--site refuses a master key that is not the one in use', async () => {
    const wrong = JSON.stringify({ current, keys: { [current]: Buffer.alloc(32).toString('base64url') } })
    await expect(rotateDataKey(url, wrong, 'site-1')).rejects.toMatchObject({ status: 500 })
  })
})
