/**
 * What an account can make the service store: each store counts as use of a site or has a limit of its own,
 * also before a transfer has begun. T9.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { sweepSite } from '../../src/operation/watching/sites/sweep.ts'
import { createSite, type Site } from '../support/app.ts'
import { startTransfers, type TransferService } from '../transfers/service.ts'

let service: TransferService
let site: Site

const quota = 3_000_000
beforeAll(async () => {
  service = await startTransfers({ QUOTA_ARCHIVE_BYTES: String(quota) })
  site = await createSite(service.app, 'storing')
})

const ask = (method: string, path: string, body?: object, of = site) =>
  service.app.request(method, `/api/cloud/${path}/`, { token: of.owner.token, ...(body ? { body } : {}) })
const begin = async (organization: string, slug: string, of = site): Promise<string> =>
  (await ask('POST', `organizations/${organization}/imports`, { slug }, of)).body.id
const part = (bytes: number) => ({ content: Buffer.alloc(bytes, 1).toString('base64') })
const tooMany = {
  error: 'Quota exceeded',
  detail:
    `The archives of an organization, and those of an account, may have at most ${quota} bytes together. ` +
    'Cancel a transfer, or wait until older archives expire.',
  code: 'quota_exceeded',
}

/**
 * What each table of the platform may contain of an account's data. `bytes`: it counts as use of a site.
 * `few`: the number of rows, or the bytes of all together, have a limit or an end.
 */
const stores: Readonly<Record<string, 'bytes' | 'few'>> = {
  account_emails: 'few',
  address_locks: 'few',
  api_keys: 'few',
  audit_entries: 'few',
  claim_keys: 'few',
  confirmations: 'few',
  data_keys: 'few',
  dead_jobs: 'few',
  group_members: 'few',
  groups: 'few',
  invitations: 'few',
  letter_stops: 'few',
  letters: 'few',
  limit_notices: 'few',
  made_accounts: 'few',
  mailbox_letters: 'few',
  master_keys: 'few',
  memberships: 'few',
  organizations: 'few',
  passkey_challenges: 'few',
  passkeys: 'few',
  prepared_sites: 'few',
  recovery_codes: 'few',
  refresh_families: 'few',
  saml_assertions: 'few',
  scim_keys: 'few',
  scim_users: 'few',
  sign_in_challenges: 'few',
  sign_ups: 'few',
  site_domains: 'few',
  site_guests: 'few',
  site_limits: 'few',
  site_logos: 'few',
  site_meters: 'few',
  site_permissions: 'few',
  site_use: 'few',
  sites: 'few',
  slug_holds: 'few',
  social_accounts: 'few',
  totp_secrets: 'few',
  transfer_parts: 'bytes',
  transfers: 'few',
  trusted_devices: 'few',
  users: 'few',
}

describe('the archives of transfers', () => {
  it('have a limit by organization: a part beyond it is 422 and is not stored', async () => {
    const [first, second] = [await begin('storing-org', 'one'), await begin('storing-org', 'two')]
    expect((await ask('PUT', `transfers/${first}/parts/0`, part(2_000_000))).status).toBe(200)
    expect(await ask('PUT', `transfers/${second}/parts/0`, part(1_500_000))).toMatchObject({
      status: 422,
      body: tooMany,
    })
    const again = await ask('PUT', `transfers/${first}/parts/0`, part(1_000_000))
    expect(again.status).toBe(200)
    expect((await ask('PUT', `transfers/${second}/parts/0`, part(1_500_000))).status).toBe(200)
    for (const id of [first, second]) expect((await ask('DELETE', `transfers/${id}`)).status).toBe(200)
  })

  it('have the same limit by account, over all its organizations', async () => {
    expect((await ask('POST', 'organizations', { name: 'Another place' })).status).toBe(201)
    const [first, second] = [await begin('storing-org', 'three'), await begin('another-place', 'four')]
    expect((await ask('PUT', `transfers/${first}/parts/0`, part(2_000_000))).status).toBe(200)
    expect(await ask('PUT', `transfers/${second}/parts/0`, part(1_500_000))).toMatchObject({
      status: 422,
      body: tooMany,
    })
    for (const id of [first, second]) await ask('DELETE', `transfers/${id}`)
  })

  it('of exports have it, too: the export fails and says why', async () => {
    const id = await begin('storing-org', 'five')
    expect((await ask('PUT', `transfers/${id}/parts/0`, part(quota))).status).toBe(200)
    const begun = await ask('POST', 'sites/storing/exports', {})
    expect(begun.status).toBe(202)
    await service.drain()
    const ended = await ask('GET', `transfers/${begun.body.id}`)
    expect([ended.body.state, ended.body.error]).toEqual(['failed', tooMany.detail])
    await ask('DELETE', `transfers/${id}`)
  })

  it('count as use of the site', async () => {
    const siteId = Number(site.schema.slice('site_'.length))
    const used = async () => {
      await sweepSite(service.app.env, { kind: 'sweep-site', siteId })
      const [row] = await service.app.sql<{ bytes: string; use: string; parts: string }>(
        `select m.bytes, u.bytes as use, (select coalesce(sum(octet_length(p.content)), 0)
                  from transfer_parts p join transfers t on t.id = p.transfer_id where t.site_id = $1) as parts
           from site_meters m join site_use u on u.site_id = m.site_id where m.site_id = $1`,
        [siteId],
      )
      return { bytes: Number(row?.bytes), use: Number(row?.use), parts: Number(row?.parts) }
    }
    const before = await used()
    expect((await ask('POST', 'sites/storing/exports', {})).status).toBe(202)
    await service.drain()
    const after = await used()
    expect(after.parts).toBeGreaterThan(0)
    expect([after.bytes - before.bytes, after.use]).toEqual([after.parts - before.parts, after.bytes])
  })

  it('are read at their end when the import starts: a file that is no zip file is 422', async () => {
    const id = await begin('storing-org', 'seven')
    await ask('PUT', `transfers/${id}/parts/0`, part(1_000))
    expect(await ask('POST', `transfers/${id}/start`)).toMatchObject({
      status: 422,
      body: { detail: 'The archive is not a zip file, or a part of it is missing.', code: 'archive_invalid' },
    })
    expect((await ask('GET', `transfers/${id}`)).body.state).toBe('uploading')
    await ask('DELETE', `transfers/${id}`)
  })
})

describe('a table of the platform', () => {
  it('is in the list of stores, so that nothing is stored without a limit', async () => {
    const tables = await service.app.sql<{ name: string }>(
      `select tablename as name from pg_tables
        where schemaname = 'public' and tablename not in ('schema_migrations', 'schema_sources')`,
    )
    expect(tables.map(({ name }) => name).sort()).toEqual(Object.keys(stores).sort())
  })
})
