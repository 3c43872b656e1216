/** A site that is exported, erased, and imported again. The long run has 100,000 records. */

import { createScheduledController } from 'cloudflare:test'
import { createHash } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { keptMs } from '../../src/secrets/encryption/site-keys.ts'
import worker from '../../src/worker.ts'
import { type Site, siteIdOf } from '../support/app.ts'
import { backupOf } from '../support/backups.ts'
import { runs } from '../support/runs.ts'
import { scaled } from '../support/scaled.ts'
import { keptFor, tracesOf } from '../support/traces.ts'
import { exportSite, importSite, newKeyPair } from './archives.ts'
import { startTransfers, type TransferService } from './service.ts'
import { contentOf, stockedSite } from './stocked-site.ts'

const rows = runs(500, 100_000)
const timeout = scaled(runs(120_000, 900_000))
const { publicKey, privateKey } = newKeyPair()

let service: TransferService
let site: Site

/**
 * Returns a digest of each part of a site: settings, schemas, records of a table, edges, functions, secrets,
 * …
 */
async function digestsOf(slug: string): Promise<Record<string, string>> {
  const { records, ...others } = await contentOf(service.app, slug, site.owner)
  const parts = Object.entries({ ...others, ...records })
  return Object.fromEntries(
    parts.map(([name, part]) => [name, createHash('sha256').update(JSON.stringify(part)).digest('hex')]),
  )
}

const recordsOf = async (slug: string) => {
  const path = `/sites/${slug}/api/apps/shop/datatables/products/data/?limit=0`
  return (await service.app.request('GET', path, { token: site.owner.token })).body.total
}

beforeAll(async () => {
  service = await startTransfers()
  site = await stockedSite(service.app, 'voyage', rows)
}, timeout)

afterEach(() => vi.useRealTimers())

describe(`a site with ${rows} records, secrets, edges, rules and functions`, () => {
  it('is equal after an export, an erasure without any trace or readable backup, and an import', {
    timeout,
  }, async () => {
    const { app } = service
    const before = await digestsOf('voyage')
    expect(Object.keys(before).length).toBeGreaterThan(12)
    expect(await recordsOf('voyage')).toBe(rows)
    const readBackup = await backupOf(app, site, 'PRINTER')
    expect(JSON.parse(await readBackup())).toEqual({ port: 631 })
    const { bytes } = await exportSite(service, site, { public_key: publicKey })

    const root = await app.user('root', { superuser: true })
    await app.request('DELETE', '/api/cloud/sites/voyage/?now=true', { token: root.token })
    await worker.scheduled(createScheduledController(), app.env)
    await service.drain()
    expect(await tracesOf(app, siteIdOf(site))).toEqual([])
    expect(await keptFor(app, 'voyage')).toBe(0)
    expect(service.jobs.waiting).toEqual([])
    // Makes this isolate forget its cached keys.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + keptMs + 1 })
    await expect(readBackup()).rejects.toMatchObject({ status: 500 })
    vi.useRealTimers()

    const { ended } = await importSite(service, site, 'voyage', bytes, {
      size: 1_000_000,
      key: privateKey,
      activate: true,
    })
    expect(ended).toMatchObject({ state: 'done', error: null, notes: [] })
    expect(await recordsOf('voyage')).toBe(rows)
    expect(await digestsOf('voyage')).toEqual(before)
  })
})
