/**
 * The keys of sites, which are stored in Durable Objects. Without them nobody can decrypt the values in the
 * database.
 */
import { createScheduledController } from 'cloudflare:test'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { configOf } from '../../src/kernel/env.ts'
import { newDataKey, siteKeyIdOf, type WrappedKey } from '../../src/secrets/encryption/data-keys.ts'
import { encrypt } from '../../src/secrets/encryption/service.ts'
import { destroySiteKey, keptMs } from '../../src/secrets/encryption/site-keys.ts'
import { placeOf } from '../../src/secrets/entries/values.ts'
import worker from '../../src/worker.ts'
import { createSite, type Site, siteIdOf, startApp, type TestApp } from '../support/app.ts'
import { backupOf, dataKeysOf, storedSecret } from '../support/backups.ts'
import { ownerOf } from '../support/fixtures.ts'
import { type HeldQueue, heldQueue } from '../support/queue.ts'

let app: TestApp
let queue: HeldQueue

beforeAll(async () => {
  queue = heldQueue()
  app = await startApp({ JOBS: queue.binding as never })
})

afterEach(() => vi.useRealTimers())

const addSecret = (site: Site, key: string) =>
  ownerOf(app, site, '/').post('secrets/', { secret_type: 'api-key', key, value: { api_key: key } })
const readSecret = (site: Site, key: string) => ownerOf(app, site, '/').get(`secrets/${key}/`)
/** Makes this isolate forget its cached keys. */
const waitUntilForgotten = () => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + keptMs + 1 })

const unavailable = {
  status: 500,
  body: { error: 'Encryption keys unavailable', code: 'encryption_keys_unavailable' },
}

describe('the data key of a site', () => {
  it('is encrypted with a key of the site, which is read without another round trip to Postgres', async () => {
    const site = await createSite(app, 'first')
    await addSecret(site, 'ONE')
    const [dataKey] = await dataKeysOf(app, site)
    expect(dataKey?.wrapped).toMatch(/^site:[0-9a-f-]{36}:v1\./)
    waitUntilForgotten()
    const answer = await readSecret(site, 'ONE')
    expect(answer).toMatchObject({ status: 200, body: { value: { api_key: 'ONE' } } })
    expect(answer.headers.get('server-timing')).toContain('desc="1"')
  })

  it('is unreadable minutes after the key of the site was destroyed, also in a backup of the database', async () => {
    const site = await createSite(app, 'second')
    await addSecret(site, 'TWO')
    const read = await backupOf(app, site, 'TWO')
    expect(JSON.parse(await read())).toEqual({ api_key: 'TWO' })
    const [dataKey] = await dataKeysOf(app, site)
    await destroySiteKey(configOf(app.env), siteKeyIdOf(dataKey as WrappedKey) as string)
    waitUntilForgotten()
    await expect(read()).rejects.toMatchObject(unavailable)
    expect(await readSecret(site, 'TWO')).toMatchObject(unavailable)
    expect(await addSecret(site, 'THREE')).toMatchObject(unavailable)
  })

  it('is destroyed together with its site', async () => {
    const site = await createSite(app, 'third')
    const root = await app.user('root', { superuser: true })
    await addSecret(site, 'THREE')
    const read = await backupOf(app, site, 'THREE')
    await app.request('DELETE', '/api/cloud/sites/third/', { token: site.owner.token })
    expect(JSON.parse(await read())).toEqual({ api_key: 'THREE' })
    await app.request('DELETE', '/api/cloud/sites/third/?now=true', { token: root.token })
    await queue.drain(app.env)
    expect(await dataKeysOf(app, site)).toEqual([])
    waitUntilForgotten()
    await expect(read()).rejects.toMatchObject(unavailable)
  })

  it('is replaced by the schedule if it lacks a key of the site, and its values stay readable', async () => {
    const site = await createSite(app, 'old')
    await addSecret(site, 'OLD')
    // As an earlier version of the service stored it.
    const { MASTER_KEYS } = configOf(app.env)
    const proofs = await app.sql<{ kid: string; proof: string }>('select kid, proof from master_keys')
    const byKid = Object.fromEntries(proofs.map(({ kid, proof }) => [kid, proof]))
    const siteId = siteIdOf(site)
    const plain = await newDataKey({ MASTER_KEYS }, siteId, 1, byKid)
    expect(siteKeyIdOf(plain)).toBeNull()
    const place = placeOf(await storedSecret(app, site, 'OLD'))
    const text = await encrypt({ MASTER_KEYS }, { siteId, keys: [plain] }, place, '{"api_key":"OLD"}')
    await app.sql('update data_keys set wrapped = $2 where site_id = $1', [siteId, plain.wrapped])
    await app.sql(`update tenant._secrets set ciphertext = $1 where site_id = $2 and key = 'OLD'`, [
      text,
      siteId,
    ])

    await worker.scheduled(createScheduledController(), app.env)
    await queue.drain(app.env)
    const keys = await dataKeysOf(app, site)
    expect(keys.map(({ version, wrapped }) => [version, wrapped.startsWith('site:')])).toEqual([[2, true]])
    expect(await readSecret(site, 'OLD')).toMatchObject({ status: 200, body: { value: { api_key: 'OLD' } } })
    queue.waiting.splice(0)
    await worker.scheduled(createScheduledController(), app.env)
    expect(queue.waiting.filter(({ body }) => JSON.stringify(body).includes('reencrypt'))).toEqual([])
  })
})
