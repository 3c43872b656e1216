/**
 * Envelope encryption: values are encrypted at rest and bound to their place, with keys that can be rotated.
 */
import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { openDatabase } from '../../src/kernel/db/client.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { configOf } from '../../src/kernel/env.ts'
import { newDataKey, type WrappedKey } from '../../src/secrets/encryption/data-keys.ts'
import { decrypt, encrypt } from '../../src/secrets/encryption/service.ts'
import { queueSitesWithOldKeys } from '../../src/secrets/rotation/service.ts'
import worker from '../../src/worker.ts'
import { siteIdOf, startApp, type TestApp } from '../support/app.ts'
import { cacheContents, createSecretSite, type SecretSite } from '../support/secrets.ts'

let app: TestApp
let tenant: SecretSite
let other: SecretSite

const lines: string[] = []
const spy = vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(String(line)))
afterAll(() => spy.mockRestore())

const unreadable = {
  error: 'Decryption failed',
  detail:
    'An encrypted value could not be decrypted. The failure is logged with the request id of this response.',
  code: 'decryption_failed',
}
const noKeys = {
  error: 'Encryption keys unavailable',
  detail:
    'The encryption keys are not available. The failure is logged with the request id of this response.',
  code: 'encryption_keys_unavailable',
}
const read = (key: string, of = tenant) => of.ask('GET', `/secrets/${key}/`)
const bodies: unknown[] = []

/** Returns all rows of all tables as text. */
async function dump(): Promise<string> {
  const tables = await app.sql<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname in ('public', 'tenant') or schemaname like 'site\\_%'`,
  )
  const rows = await Promise.all(tables.map(({ name }) => app.sql(`select t::text as row from ${name} t`)))
  return JSON.stringify(rows)
}

beforeAll(async () => {
  app = await startApp()
  tenant = await createSecretSite(app, 'sealed')
  other = await createSecretSite(app, 'neighbour')
  await tenant.ask('POST', '/secret-types/', {
    name: 'shaped',
    schema: { properties: { v: { maxLength: 30 } } },
  })
})

describe('a dump of all tables', () => {
  it('contains no private value and no plain key; neither do cache, log, history and errors', async () => {
    for (const type of ['private', 'sensitive', 'public', 'shaped']) {
      await tenant.keep(`DUMP-${type}`, type, { v: `CANARY-1-${type}` })
      await tenant.ask('PUT', `/secrets/DUMP-${type}/`, { value: { v: `CANARY-2-${type}` } })
      for (let times = 0; times < 3; times++) await read(`DUMP-${type}`)
    }
    bodies.push(
      (await tenant.ask('PUT', '/secrets/DUMP-shaped/', { value: { v: `CANARY-3-${'x'.repeat(40)}` } })).body,
    )
    bodies.push(
      (await tenant.ask('POST', '/secrets/', { secret_type: 'private', key: 'X', value: 'CANARY-4' })).body,
    )
    bodies.push((await tenant.ask('POST', '/secrets/', '{"value": {"v": "CANARY-5"')).body)
    bodies.push((await tenant.ask('GET', '/secrets/DUMP-private/?app=CANARY-6&page=x')).status)
    for (const type of ['private', 'sensitive', 'public', 'shaped'])
      bodies.push((await tenant.ask('GET', `/secrets/DUMP-${type}/history/`)).body)

    const found = (text: string) => [...new Set(text.match(/CANARY-\d-?\w*/g))].sort()
    expect(found(await dump())).toEqual(['CANARY-2-public'])
    expect(found(await cacheContents(app, tenant))).toEqual(['CANARY-2-public'])
    expect(found(lines.join('\n'))).toEqual([])
    expect(found(JSON.stringify(bodies))).toEqual([])
    const { keys } = JSON.parse(inject('masterKeys')) as { keys: Record<string, string> }
    const everything = (await dump()) + lines.join('\n') + (await cacheContents(app, tenant))
    for (const key of Object.values(keys)) expect(everything).not.toContain(key)
    for (const token of [tenant.owner.token, tenant.reader.token])
      expect(lines.join('\n')).not.toContain(token)
  })

  it('contains two different texts for a value that is encrypted twice', async () => {
    await tenant.keep('SAME-1', 'private', { v: 1 })
    await tenant.keep('SAME-2', 'private', { v: 1 })
    const rows = await app.sql<{ ciphertext: string }>(
      `select ciphertext from tenant._secrets where key like 'SAME-%'`,
    )
    expect(new Set(rows.map(({ ciphertext }) => ciphertext)).size).toBe(2)
  })
})

describe('a ciphertext in another place', () => {
  const swap = (table: string, column: string) =>
    app.sql(
      `update ${table} s set ${column} = o.${column} from ${table} o
        where s.site_id = o.site_id and (s.key, o.key) in (('SWAP-1', 'SWAP-2'), ('SWAP-2', 'SWAP-1'))`,
    )

  it.each(['ciphertext', 'version', 'id'])(
    'makes both of two rows unreadable if their %s is swapped, and is logged',
    async (column) => {
      const table = `tenant._secrets`
      await app.sql(`alter table ${table} drop constraint if exists _secrets_pkey cascade`)
      await tenant.keep('SWAP-1', 'private', { v: 'CANARY-first' })
      await tenant.keep('SWAP-2', 'sensitive', { v: 'CANARY-second' })
      if (column === 'version') await tenant.ask('PUT', '/secrets/SWAP-2/', { value: { v: 'CANARY-second' } })
      await swap(table, column)
      lines.length = 0
      for (const key of ['SWAP-1', 'SWAP-2']) {
        const answer = await read(key)
        expect([key, answer.status, answer.body]).toEqual([key, 500, unreadable])
        expect(
          lines.filter(
            (line) =>
              line.includes(answer.headers.get('x-request-id') as string) &&
              line.includes('does not decrypt'),
          ).length,
        ).toBe(1)
      }
      expect((await tenant.ask('GET', '/secrets/')).body).toEqual(unreadable)
      expect((await tenant.ask('GET', '/secrets/?keys=SWAP-1')).body).toEqual(unreadable)
      expect((await tenant.ask('PUT', '/secrets/SWAP-1/', { key: 'SWAP-3' })).body).toEqual(unreadable)
      const tried = await tenant.ask('PUT', '/secret-types/private/?dry_run=true', { schema: {} })
      expect([tried.status, tried.body.invalid]).toEqual([
        200,
        expect.arrayContaining([{ key: 'SWAP-1', app: null, unreadable: true }]),
      ])
      expect(lines.join('\n')).not.toContain('CANARY')
      await swap(table, column)
      expect((await read('SWAP-1')).body.value).toEqual({ v: 'CANARY-first' })
      for (const key of ['SWAP-1', 'SWAP-2']) await tenant.ask('DELETE', `/secrets/${key}/`)
    },
  )

  it('is unreadable under another key, level or version, and in another site', async () => {
    const set = (site: SecretSite, assignment: string, key = 'MOVED') =>
      app.sql(`update tenant._secrets set ${assignment} where site_id = ${siteIdOf(site)} and key = '${key}'`)
    await tenant.keep('MOVED', 'private', { v: 1 })
    const [before] = await app.sql<{ ciphertext: string; id: string }>(
      `select ciphertext, id from tenant._secrets where key = 'MOVED'`,
    )
    await set(tenant, "key = 'ELSEWHERE'")
    expect((await read('ELSEWHERE')).body).toEqual(unreadable)
    await set(
      tenant,
      `key = 'MOVED', app_id = (select id from tenant._apps where site_id = ${siteIdOf(tenant)} and slug = 'shop')`,
      'ELSEWHERE',
    )
    expect((await tenant.ask('GET', '/secrets/MOVED/?app=shop')).body).toEqual(unreadable)
    await set(tenant, 'app_id = null')
    expect((await read('MOVED')).body.value).toEqual({ v: 1 })
    await tenant.ask('PUT', '/secrets/MOVED/', { value: { v: 2 } })
    await set(tenant, `ciphertext = '${before?.ciphertext}'`)
    expect((await read('MOVED')).body).toEqual(unreadable)
    await other.keep('MOVED', 'private', { v: 3 })
    await set(other, `ciphertext = '${before?.ciphertext}', id = '${before?.id}'`)
    expect((await read('MOVED', other)).body).toEqual(unreadable)
    // A new value repairs the secret.
    expect((await tenant.ask('PUT', '/secrets/MOVED/', { value: { v: 4 } })).status).toBe(200)
    expect((await read('MOVED')).body.value).toEqual({ v: 4 })
  })

  it.each([
    '',
    'x',
    '1',
    '9.v1.x.y',
    '1.v2.aaaaaaaaaaaaaaaa.aaaa',
    `1.v1.${'a'.repeat(16)}.${'a'.repeat(40)}`,
  ])('is unreadable if it is not a ciphertext: %j', async (text) => {
    await other.keep('BROKEN', 'private')
    await app.sql(`update tenant._secrets set ciphertext = $1 where site_id = $2 and key = 'BROKEN'`, [
      text,
      siteIdOf(other),
    ])
    expect(await read('BROKEN', other)).toMatchObject({ status: 500, body: unreadable })
    await other.ask('DELETE', '/secrets/BROKEN/')
  })

  it('is unreadable for each of 1,000 moved texts', async () => {
    const config = configOf(app.env)
    const key = await newDataKey(config, 1, 1, {})
    const keys = { siteId: 1, keys: [key] }
    const places = Array.from({ length: 1000 }, (_, n) => ({
      kind: n % 2 ? 'secret' : 'social app',
      id: String(n >> 2),
      version: 1 + ((n >> 1) % 2),
    }))
    const texts = await Promise.all(places.map((place, n) => encrypt(config, keys, place, `text ${n}`)))
    const moved = await Promise.all(
      texts.map((text, n) =>
        decrypt(config, keys, places[(n + 1) % 1000] as (typeof places)[number], text).then(
          () => 'read',
          () => 'rejected',
        ),
      ),
    )
    expect(moved.filter((outcome) => outcome === 'read')).toEqual([])
    expect(await decrypt(config, keys, places[7] as (typeof places)[number], texts[7] as string)).toBe(
      'text 7',
    )
  })
})

describe('with missing or wrong master keys', () => {
  const ring = (keys: Record<string, string>) => JSON.stringify({ current: Object.keys(keys)[0], keys })
  const right = () => JSON.parse(inject('masterKeys')) as { current: string; keys: Record<string, string> }
  const wrongKey = Buffer.alloc(32, 7).toString('base64url')

  it.each<[string, () => string]>([
    ['none', () => ''],
    ['another key', () => ring({ other: wrongKey })],
    ['another key of the same name', () => ring({ [right().current]: wrongKey })],
  ])(
    '%s: /readyz returns 503, reads and writes of secrets that are not public return 500, public ones work',
    async (_what, keys) => {
      await tenant.keep('NEEDS-KEY', 'private', { v: 'CANARY' }).catch(() => undefined)
      await tenant.keep('NEEDS-NONE', 'public', { v: 1 }).catch(() => undefined)
      await read('NEEDS-KEY')
      const without = app.with({ MASTER_KEYS: keys() })
      const ask = (method: string, path: string, body?: unknown) =>
        without.request(method, path, { token: tenant.owner.token, ...(body ? { body } : {}) })
      lines.length = 0
      expect((await ask('GET', '/readyz')).status).toBe(503)
      const rejected = await ask('GET', `${tenant.api}/secrets/NEEDS-KEY/`)
      expect([rejected.status, rejected.body]).toEqual([500, noKeys])
      expect(await ask('PUT', `${tenant.api}/secrets/NEEDS-KEY/`, { value: {} })).toMatchObject({
        status: 500,
        body: noKeys,
      })
      expect(
        (await ask('POST', `${tenant.api}/secrets/`, { secret_type: 'private', key: 'NEW', value: {} })).body,
      ).toEqual(noKeys)
      expect(
        await ask('PUT', `${tenant.api}/secret-types/private/?dry_run=true`, {
          schema: { maxProperties: 9 },
        }),
      ).toMatchObject({ status: 500, body: noKeys })
      expect((await ask('GET', `${tenant.api}/secrets/NEEDS-NONE/`)).body.value).toEqual({ v: 1 })
      const log = lines.filter((line) => line.includes('"level":"error"') && line.includes('"status":5'))
      expect(log.length).toBe(5)
      for (const line of log) expect(line).toMatch(/master key|MASTER_KEYS/)
      expect(log.join('\n')).not.toContain('CANARY')
      expect(log.join('\n')).not.toContain(wrongKey)
      expect((await read('NEEDS-KEY')).body.value).toEqual({ v: 'CANARY' })
      expect((await app.request('GET', '/readyz')).status).toBe(200)
    },
  )

  it('a new site gets no data key if a master key differs from the one that was used before', async () => {
    const fresh = await createSecretSite(app, 'fresh')
    const wrong = app.with({ MASTER_KEYS: ring({ [right().current]: wrongKey }) })
    const rejected = await wrong.request('POST', `${fresh.api}/secrets/`, {
      token: fresh.owner.token,
      body: { secret_type: 'private', key: 'A', value: {} },
    })
    expect([rejected.status, rejected.body]).toEqual([500, noKeys])
    expect(await app.sql('select from data_keys where site_id = $1', [siteIdOf(fresh)])).toEqual([])
  })
})

describe('a new data key', () => {
  const versions = async () =>
    app.sql<{ version: number; count: number }>(
      `select split_part(ciphertext, '.', 1)::int as version, count(*)::int as count from tenant._secrets
        where site_id = $1 and ciphertext is not null group by 1 order by 1`,
      [siteIdOf(other)],
    )
  const dataKeys = async () =>
    (
      await app.sql<{ version: number }>('select version from data_keys where site_id = $1 order by 1', [
        siteIdOf(other),
      ])
    ).map(({ version }) => version)

  /** Adds a data key, like `npm run keys:rotate -- --site`. */
  async function rotate(): Promise<number> {
    const newest = (await dataKeys()).at(-1) as number
    const proofs = await app.sql<{ kid: string; proof: string }>('select kid, proof from master_keys')
    const key = await newDataKey(
      configOf(app.env),
      siteIdOf(other),
      newest + 1,
      Object.fromEntries(proofs.map(({ kid, proof }) => [kid, proof])),
    )
    await openDatabase(configOf(app.env)).batch(
      {
        added: sql`select public.add_data_key(${siteIdOf(other)}, ${key.version}, ${key.wrapped}, ${key.masterKid}, ${key.proof})`,
      },
      5000,
    )
    return key.version
  }

  async function consume(env = app.env) {
    const batch = createMessageBatch('tessera-jobs', [
      {
        id: '1',
        timestamp: new Date(),
        attempts: 1,
        body: { kind: 'reencrypt-site', siteId: siteIdOf(other) },
      },
    ])
    await worker.queue(batch, env)
    return getQueueResult(batch, createExecutionContext())
  }

  it('encrypts new values; old ones are reencrypted while in use; then the old key is deleted', async () => {
    await other.ask('DELETE', '/secrets/MOVED/')
    await Promise.all(
      Array.from({ length: 120 }, (_, n) =>
        other.keep(`ROTATE-${n}`, n % 2 ? 'private' : 'sensitive', { n }),
      ),
    )
    const before = await versions()
    expect(before.map(({ version }) => version)).toEqual([1])
    const version = await rotate()
    await other.keep('AFTER', 'private', { v: 'after' })
    expect((await versions()).map((row) => row.version)).toEqual([1, version])

    const sent: unknown[] = []
    await queueSitesWithOldKeys({
      ...app.env,
      JOBS: { sendBatch: async (messages: Iterable<unknown>) => void sent.push(...messages) } as never,
    })
    expect(sent).toEqual([{ body: { kind: 'reencrypt-site', siteId: siteIdOf(other) } }])

    const reading = Array.from({ length: 20 }, async (_, n) => (await read(`ROTATE-${n}`, other)).body.value)
    const writing = Array.from(
      { length: 5 },
      async (_, n) =>
        (await other.ask('PUT', `/secrets/ROTATE-${100 + n}/`, { value: { n: `new ${n}` } })).status,
    )
    const [consumed, values, statuses] = await Promise.all([
      consume(),
      Promise.all(reading),
      Promise.all(writing),
    ])
    expect(consumed).toMatchObject({ explicitAcks: ['1'], retryMessages: [] })
    expect(values).toEqual(Array.from({ length: 20 }, (_, n) => ({ n })))
    expect(statuses).toEqual(Array(5).fill(200))
    expect((await versions()).map((row) => row.version)).toEqual([version])
    expect(await dataKeys()).toEqual([version])
    expect((await read('ROTATE-50', other)).body.value).toEqual({ n: 50 })
    expect((await read('ROTATE-103', other)).body.value).toEqual({ n: 'new 3' })
    expect((await consume()).explicitAcks).toEqual(['1'])
  })

  it('continues the reencryption after an interruption; an unreadable text is logged and keeps its key', async () => {
    const version = await rotate()
    const broken = app.with({
      MASTER_KEYS: JSON.stringify({ current: 'x', keys: { x: Buffer.alloc(32).toString('base64url') } }),
    })
    expect((await consume(broken.env)).retryMessages.length).toBe(1)
    expect(await dataKeys()).toEqual([version - 1, version])
    await app.sql(
      `update tenant._secrets set ciphertext = overlay(ciphertext placing 'AAAA' from 30) where key = 'ROTATE-7'`,
    )
    lines.length = 0
    await consume()
    expect(await versions()).toEqual([
      { version: version - 1, count: 1 },
      expect.objectContaining({ version }),
    ])
    expect(await dataKeys()).toEqual([version - 1, version])
    expect(lines.filter((line) => line.includes('does not decrypt')).length).toBe(1)
    await other.ask('PUT', '/secrets/ROTATE-7/', { value: {} })
    await consume()
    expect(await dataKeys()).toEqual([version])
  })

  it('causes a retry of a write that was encrypted with the old key', async () => {
    const writes = Array.from({ length: 12 }, (_, n) =>
      other.ask('PUT', `/secrets/ROTATE-${n}/`, { value: { again: n } }),
    )
    const version = await rotate()
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(Array(12).fill(200))
    await consume()
    expect(await dataKeys()).toEqual([version])
    for (const n of [0, 5, 11]) expect((await read(`ROTATE-${n}`, other)).body.value).toEqual({ again: n })
  })
})

describe('the data keys in a dump', () => {
  it('decrypt nothing without the master key', async () => {
    const [key] = await app.sql<WrappedKey>(
      'select version, master_kid as "masterKid", wrapped from data_keys where site_id = $1 order by version desc limit 1',
      [siteIdOf(tenant)],
    )
    const config = {
      MASTER_KEYS: JSON.stringify({
        current: key?.masterKid,
        keys: { [key?.masterKid as string]: Buffer.alloc(32, 1).toString('base64url') },
      }),
    }
    const place = { kind: 'secret', id: 'x', version: 1 }
    await expect(
      encrypt(config, { siteId: siteIdOf(tenant), keys: [key as WrappedKey] }, place, 'x'),
    ).rejects.toMatchObject({ status: 500 })
  })
})
