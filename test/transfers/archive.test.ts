/** Exports and imports of sites with the API: valid archives, and archives that were changed or damaged. */
import { generateKeyPairSync } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { resultMemoryFor } from '../../src/kernel/db/result-memory.ts'
import type { TestApp } from '../support/app.ts'
import { createSite, type Site } from '../support/app.ts'
import { withTotp } from '../support/factors.ts'
import { exportSite, importSite, newKeyPair } from './archives.ts'
import { startTransfers, type TransferService } from './service.ts'
import { contentOf, stockedSite } from './stocked-site.ts'

let service: TransferService
let app: TestApp
let site: Site
let other: Site

const { publicKey, privateKey } = newKeyPair()

beforeAll(async () => {
  service = await startTransfers()
  ;({ app } = service)
  site = await stockedSite(app, 'stocked', 3_000)
  other = await createSite(app, 'elsewhere')
  service.jobs.waiting.length = 0
})

const ask = (method: string, path: string, body?: object, token = site.owner.token) =>
  app.request(method, `/api/cloud/${path}/`, { token, ...(body ? { body } : {}) })
const transfer = (id: string, token = site.owner.token) => ask('GET', `transfers/${id}`, undefined, token)

const exported = (body: object = { public_key: publicKey }) => exportSite(service, site, body)
const imported = (
  slug: string,
  bytes: Uint8Array,
  { by = site, key = privateKey }: { by?: Site; key?: string | undefined } = {},
) => importSite(service, by, slug, bytes, { key })

describe('an error is returned', () => {
  it('for an export without permission, or with an invalid or short key', async () => {
    expect((await ask('POST', 'sites/stocked/exports', {}, other.owner.token)).status).toBe(403)
    expect((await ask('POST', 'sites/none/exports', {})).status).toBe(404)
    const rule = ['Must be a public key of RSA in PEM (SPKI), with 2048 to 8192 bits.']
    const short = generateKeyPairSync('rsa', {
      modulusLength: 1024,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    }).publicKey
    for (const public_key of ['none', privateKey, short])
      expect(await ask('POST', 'sites/stocked/exports', { public_key })).toMatchObject({
        status: 400,
        body: { public_key: rule },
      })
    const small = app.with({ TRANSFER_BYTES_MAX: '1000' })
    const { token } = site.owner
    const large = await small.request('POST', '/api/cloud/sites/stocked/exports/', { token, body: {} })
    expect([large.status, large.body.detail]).toEqual([422, expect.stringContaining('1000 bytes')])
  })

  it('for an export of a deleted site', async () => {
    const { token } = other.owner
    await ask('DELETE', 'sites/elsewhere', undefined, token)
    expect((await ask('POST', 'sites/elsewhere/exports', {}, token)).status).toBe(409)
    await ask('POST', 'sites/elsewhere/restore', undefined, token)
  })

  it('for an import without a role, with a slug that is taken, or with an invalid key', async () => {
    const path = 'organizations/stocked-org/imports'
    expect((await ask('POST', path, { slug: 'no' }, other.owner.token)).status).toBe(403)
    expect((await ask('POST', 'organizations/none/imports', { slug: 'no' })).status).toBe(404)
    expect((await ask('POST', path, { slug: 'elsewhere' })).body).toEqual({
      slug: ['A site with the slug "elsewhere" already exists.'],
    })
    expect((await ask('POST', path, { slug: 'no', private_key: publicKey })).body).toEqual({
      private_key: ['Must be a private key of RSA in PEM (PKCS #8), with 2048 to 8192 bits.'],
    })
  })

  it('for parts from other callers, beyond the limit or after the start, and for a start without all parts', async () => {
    const { id } = (await ask('POST', 'organizations/stocked-org/imports', { slug: 'parts' })).body
    const content = Buffer.alloc(900).toString('base64')
    expect((await ask('PUT', `transfers/${id}/parts/0`, { content }, other.owner.token)).status).toBe(404)
    expect((await ask('PUT', `transfers/${id}/parts/x`, { content })).status).toBe(404)
    expect((await ask('PUT', `transfers/${id}/parts/0`, { content: '*' })).status).toBe(400)
    expect(await ask('POST', `transfers/${id}/start`)).toMatchObject({
      status: 409,
      body: { detail: 'A part of the archive is missing.', code: 'wrong_state' },
    })
    const small = app.with({ TRANSFER_BYTES_MAX: '1000' })
    const put = (part: number) =>
      small.request('PUT', `/api/cloud/transfers/${id}/parts/${part}/`, {
        token: site.owner.token,
        body: { content },
      })
    expect((await put(1)).status).toBe(200)
    expect((await put(1)).status).toBe(200)
    expect(await put(0)).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('1000 bytes'), code: 'quota_exceeded' },
    })
    expect((await ask('POST', `transfers/${id}/start`)).status).toBe(409)
    await ask('DELETE', `transfers/${id}`)
    expect((await ask('PUT', `transfers/${id}/parts/0`, { content })).status).toBe(409)
    await service.drain()
    expect(await service.tracesOf('parts')).toEqual({ sites: 0, schemas: 0, parts: 0 })
  })

  it('for an archive to other callers, before it is done, or of a transfer that is not an export', async () => {
    const { id } = (await ask('POST', 'sites/stocked/exports', { rows: false })).body
    const path = `transfers/${id}/archive`
    expect((await ask('GET', path, undefined, other.owner.token)).status).toBe(404)
    expect((await ask('GET', path)).body).toEqual({
      detail: 'The export is running. Its archive can be downloaded once it is done.',
      code: 'wrong_state',
    })
    await ask('DELETE', `transfers/${id}`)
    await service.drain()
    expect((await ask('GET', path)).status).toBe(409)
    const { id: copy } = (await ask('POST', 'sites/stocked/copy', { slug: 'no-export' })).body
    expect((await ask('GET', `transfers/${copy}/archive`)).status).toBe(409)
    await ask('DELETE', `transfers/${copy}`)
    await service.drain()
  })
})

describe('the archive of a site', () => {
  it('creates an equal site, even if every step of both transfers fails once when it is saved', async () => {
    await service.failWhile(`nextval('public.saves') % 2 = 1`)
    const { id, bytes } = await exported()
    expect((await transfer(id)).body).toMatchObject({
      state: 'done',
      progress: { records: 3026, edges: 18, secrets: 3 },
    })
    const { ended } = await imported('again', bytes)
    await service.failWhile('false')
    expect(ended).toMatchObject({
      state: 'done',
      progress: { records: 3026, edges: 18, secrets: 3 },
      notes: [],
      error: null,
    })
    const content = await contentOf(app, 'stocked', site.owner)
    expect(await contentOf(app, 'again', site.owner)).toEqual({
      ...content,
      settings: { ...content.settings, environment: 'preview', paused: true },
    })
    // Only the parts of the export remain.
    const parts = await app.sql('select distinct transfer_id as id from transfer_parts')
    expect(parts).toEqual([{ id }])
    const kept = await app.sql('select count(*)::int as count from transfers where sealed is not null')
    expect(kept).toEqual([{ count: 0 }])
  })

  it('releases the memory for results after it was read', async () => {
    await exported()
    const memory = resultMemoryFor('others', true)
    expect(await memory.reserve(12 * 1024 * 1024)).toBe(true)
    memory.release()
  })

  it('contains no secret of the site in plain text, and is deleted with the site', async () => {
    const { id, bytes } = await exported({ public_key: publicKey, rows: false })
    const stored = await app.sql<{ content: string }>(
      `select encode(content, 'base64') as content from transfer_parts where transfer_id = $1`,
      [id],
    )
    const { textOfPart } = await import('../../src/operation/transfers/archive/parts.ts')
    const text = stored.map(({ content }) => textOfPart(content)).join('')
    expect(text).toContain('PRINTER')
    for (const secret of ['of the hook', 'of shop', 'of site', 'whsec_']) expect(text).not.toContain(secret)
    expect(bytes.length).toBeGreaterThan(1_000)
    await ask('POST', 'sites/stocked/copy', { slug: 'gone', rows: false })
    await service.drain()
    const ofCopy = (await ask('POST', 'sites/gone/exports', { rows: false })).body.id
    await service.drain()
    await app.sql(`update sites set is_active = false, deletes_at = now() where slug = 'gone'`)
    const [erased] = await app.sql<{ id: string }>(`select id from sites where slug = 'gone'`)
    service.jobs.waiting.push({ body: { kind: 'erase-site', siteId: Number(erased?.id) } })
    await service.drain()
    expect((await ask('GET', `transfers/${ofCopy}/archive`)).status).toBe(404)
  })

  it('leaves out secrets if it is imported without its key, and creates no site with a wrong key', async () => {
    const { bytes } = await exported({ public_key: publicKey, rows: false })
    const begun = await ask('POST', 'organizations/stocked-org/imports', { slug: 'keyless' })
    const content = Buffer.from(bytes).toString('base64')
    await ask('PUT', `transfers/${begun.body.id}/parts/0`, { content })
    await ask('POST', `transfers/${begun.body.id}/start`)
    await service.drain()
    expect((await transfer(begun.body.id)).body).toMatchObject({
      state: 'done',
      progress: { secrets: 0 },
      notes: [
        'The function shop/hook has a new signing secret, and lacks the headers X-Key.',
        'The function shop/note lacks the secrets PAY.',
      ],
    })
    const { ended } = await imported('foreign', bytes, { key: newKeyPair().privateKey })
    expect(ended).toMatchObject({
      state: 'failed',
      error: expect.stringMatching(/^The secret \w+ does not decrypt with this private key\.$/),
    })
    expect(await service.tracesOf('foreign')).toMatchObject({ sites: 0, schemas: 0 })
  })

  it('of a site that requires second factors creates a site that does, and only for a user with one', async () => {
    await app.sql('update users set email_verified_at = now(), password_is_own = true where id = $1', [
      site.owner.id,
    ])
    site.owner = await withTotp(app, site.owner)
    // The e-mail about the setting, which nothing sends here.
    service.jobs.waiting.length = 0
    const setting = (requires_factor: boolean) => ask('PATCH', 'sites/stocked', { requires_factor })
    expect(await setting(true)).toMatchObject({ status: 200, body: { requires_factor: true } })
    const { bytes } = await exported({ rows: false })
    const byOwner = await imported('guarded', bytes, { key: undefined })
    expect(byOwner.ended).toMatchObject({ state: 'done', notes: [expect.anything(), expect.anything()] })
    expect((await ask('GET', 'sites/guarded')).body.requires_factor).toBe(true)
    const byOther = await imported('unguarded', bytes, { key: undefined, by: other })
    expect(byOther.ended).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('second factor'),
    })
    expect(await service.tracesOf('unguarded')).toMatchObject({ sites: 0, schemas: 0 })
    await setting(false)
  })

  it('is deleted if the planned site of its import is deleted', async () => {
    const { id } = (await ask('POST', 'organizations/stocked-org/imports', { slug: 'unmade' })).body
    await ask('PUT', `transfers/${id}/parts/0`, { content: Buffer.alloc(900).toString('base64') })
    expect((await ask('DELETE', 'sites/unmade')).body.state).toBe('deleted')
    const [erased] = await app.sql<{ id: string }>(
      `update sites set deletes_at = now() where slug = 'unmade' returning id`,
    )
    service.jobs.waiting.push({ body: { kind: 'erase-site', siteId: Number(erased?.id) } })
    await service.drain()
    expect((await transfer(id)).body).toMatchObject({
      state: 'failed',
      error: 'The site was deleted meanwhile.',
    })
    expect(await app.sql('select from transfer_parts where transfer_id = $1', [id])).toEqual([])
    expect(await service.tracesOf('unmade')).toMatchObject({ sites: 0, schemas: 0 })
  })

  it('creates no site if it was changed', async () => {
    const { bytes } = await exported({ rows: false })
    const at = Buffer.from(bytes).indexOf('apps/shop/app.json') + 'apps/shop/app.json'.length + 8
    const changed = Uint8Array.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 0x55
    const foreign = Buffer.from(bytes)
    for (let from = 0; ; ) {
      const found = foreign.indexOf('apps/shop/app.json', from)
      if (found < 0) break
      foreign.write('../../shop/app.jsn', found)
      from = found + 1
    }
    const cases: [string, Uint8Array, RegExp][] = [
      ['changed', changed, /^apps\/shop\/app\.json (in the archive cannot be read|is not as it was written)/],
      ['outside', new Uint8Array(foreign), /^The archive has a file whose name is not possible/],
    ]
    for (const [slug, archive, error] of cases) {
      const { ended } = await imported(slug, archive)
      expect([slug, ended.state, ended.error]).toEqual([slug, 'failed', expect.stringMatching(error)])
      expect(await service.tracesOf(slug)).toMatchObject({ sites: 0, schemas: 0 })
    }
  })

  it('is not read if it was cut off or is no archive: starting is 422', async () => {
    const { bytes } = await exported({ rows: false })
    for (const [slug, archive] of [
      ['cut', bytes.subarray(0, bytes.length - 30)],
      ['none', new Uint8Array(5_000)],
    ] as const) {
      const { ended } = await imported(slug, archive)
      expect([slug, ended.state]).toEqual([slug, 'uploading'])
      expect(await ask('POST', `transfers/${ended.id}/start`)).toMatchObject({
        status: 422,
        body: {
          detail: 'The archive is not a zip file, or a part of it is missing.',
          code: 'archive_invalid',
        },
      })
      expect((await ask('DELETE', `transfers/${ended.id}`)).status).toBe(200)
      await service.drain()
      expect(await service.tracesOf(slug)).toMatchObject({ sites: 0, schemas: 0 })
    }
  })

  it('ends its import if it does not arrive in time; an export expires', async () => {
    const { id } = (await ask('POST', 'organizations/stocked-org/imports', { slug: 'late' })).body
    const { id: old } = await exported({ rows: false })
    await app.sql(`update transfers set expires_at = now() - interval '1 second' where id = any ($1)`, [
      [id, old],
    ])
    const { sweepTransfers } = await import('../../src/operation/transfers/job.ts')
    await sweepTransfers(app.env)
    await service.drain()
    expect((await transfer(id)).body).toMatchObject({
      state: 'cancelled',
      error: 'The archive did not arrive in time.',
    })
    expect((await transfer(old)).status).toBe(404)
    expect(await service.tracesOf('late')).toMatchObject({ sites: 0, schemas: 0 })
  })

  it('leaves an entry with the actor in the audit log when it is downloaded', async () => {
    const { id } = await exported()
    expect((await ask('GET', `transfers/${id}/archive`)).status).toBe(200)
    const { body } = await app.request(
      'GET',
      '/api/cloud/organizations/stocked-org/audit/?kind=transfer&page_size=2',
      { token: site.owner.token },
    )
    expect(body.results).toMatchObject(
      [{ from: 1, to: 2 }, { to: 1 }].map((downloads) => ({
        action: 'change',
        actor: { username: 'stocked-owner' },
        object: 'stocked',
        object_id: id,
        changed: ['downloads'],
        values: { downloads },
      })),
    )
  })
})
