/**
 * Restores a site from a second database with an earlier state: next to the present site, and in its place.
 */
import { neon } from '@neondatabase/serverless'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { beginRestore, compareSite, type Query, replaceSite, stateOfRestore } from '../../dev/restore-site.ts'
import { sweepTransfers } from '../../src/operation/transfers/job.ts'
import type { Site, TestApp, User } from '../support/app.ts'
import { startTransfers, type TransferService } from './service.ts'
import { contentOf, stockedSite } from './stocked-site.ts'

let service: TransferService
let app: TestApp
let site: Site
let root: User
let before: Awaited<ReturnType<typeof contentOf>>
let present: Query
let branch: Query
/** The URL of the branch with the role of the service. */
let serviceUrl: string

const queryOf = (url: string): Query => {
  const ask = neon(url)
  return async <Row>(text: string, values: unknown[] = []) => (await ask.query(text, values)) as Row[]
}

/** Clones the database of the service, like a branch of Neon. */
async function makeBranch(): Promise<string> {
  const { pathname } = new URL(app.databaseUrl)
  const [name, clone] = [pathname.slice(1), `${pathname.slice(1)}_branch`]
  const server = queryOf(inject('superuserUrl'))
  // A database cannot be cloned while it has connections.
  await server(`alter database ${name} with allow_connections false`)
  await server('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  await server(`create database ${clone} template ${name}`)
  await server(`alter database ${name} with allow_connections true`)
  await server(`alter database ${clone} with allow_connections true`)
  return clone
}

const at = (url: string, name: string): string => {
  const other = new URL(url)
  other.pathname = `/${name}`
  return other.href
}

const ask = (method: string, path: string, body?: object) =>
  app.request(method, `/sites/stocked/api/${path}`, { token: site.owner.token, ...(body ? { body } : {}) })

beforeAll(async () => {
  service = await startTransfers()
  ;({ app } = service)
  site = await stockedSite(app, 'stocked', 200)
  root = await app.user('root', { superuser: true })
  before = await contentOf(app, 'stocked', site.owner)
  const clone = await makeBranch()
  present = queryOf(app.databaseUrl)
  branch = queryOf(at(app.databaseUrl, clone))
  serviceUrl = at(String(app.env.DATABASE_URL), clone)
  await ask('DELETE', 'apps/shop/datatables/products/data/?ids=7,8,9')
  await ask('PATCH', 'apps/shop/datatables/makers/data/', [{ id: 2, name: 'Damaged' }])
  await ask('PUT', 'secrets/PRINTER/', { value: { port: 1 } })
  await ask('DELETE', 'apps/papers/')
})

const restoring = (values: object = {}) => ({
  slug: 'stocked',
  target: 'stocked-restored',
  by: root.email,
  serviceUrl,
  signingKeys: String(app.env.SIGNING_KEYS),
  ...values,
})

describe('the restore of a site', () => {
  it('compares the earlier and the present state, and changes nothing', async () => {
    const comparison = await compareSite({ present, branch }, 'stocked')
    expect(comparison).toEqual({
      tables: [
        { table: 'papers/notes', before: 2, now: null },
        { table: 'shop/cases', before: 4, now: 4 },
        { table: 'shop/makers', before: 20, now: 20 },
        { table: 'shop/products', before: 200, now: 197 },
      ],
      secrets: { before: 3, now: 3 },
      functions: { before: 3, now: 3 },
    })
    expect(await app.sql('select count(*)::int as count from transfers')).toEqual([{ count: 0 }])
  })

  it('is refused for an unknown site, and in the name of an account that is not a superuser or did not exist', async () => {
    await expect(compareSite({ present, branch }, 'none')).rejects.toThrow('The branch has no site none.')
    const databases = { present, branch }
    await expect(beginRestore(databases, restoring({ by: site.owner.email }))).rejects.toThrow(
      'No superuser who can sign in has the address stocked-owner@example.org.',
    )
    const late = await app.user('late', { superuser: true })
    await expect(beginRestore(databases, restoring({ by: late.email }))).rejects.toThrow(
      'The account late@example.org was not there then. Name another superuser.',
    )
    await branch(`update schema_migrations set name = name || '.' where name like '0000%'`)
    await expect(beginRestore(databases, restoring())).rejects.toThrow('The branch has another schema.')
    await branch(`update schema_migrations set name = rtrim(name, '.') where name like '0000%'`)
    expect(await service.tracesOf('stocked-restored')).toEqual({ sites: 0, schemas: 0, parts: 0 })
  })

  it('creates the earlier site next to the present one, with its secrets', async () => {
    const id = await beginRestore({ present, branch }, restoring())
    await app.sql(`update transfers set created = now() - interval '1 minute'`)
    await sweepTransfers(app.env)
    await service.drain()
    expect(await stateOfRestore(present, id)).toMatchObject({ state: 'done', error: null })
    const settings = { ...before.settings, environment: 'preview', paused: true }
    expect(await contentOf(app, 'stocked-restored', site.owner)).toEqual({ ...before, settings })
    const kept = await app.sql('select count(*)::int as count from transfers where sealed is not null')
    expect(kept).toEqual([{ count: 0 }])
  })

  it('replaces the present site, with its domains, permissions, keys and limits', async () => {
    await expect(replaceSite(present, 'stocked', 'none', 'aside')).rejects.toThrow()
    const reader = await app.user('reader')
    await app.sql(
      `insert into site_permissions (site_id, user_id, permissions)
       select id, $1, '{access_site}' from sites where slug = 'stocked'`,
      [reader.id],
    )
    await app.sql(
      `insert into site_domains (site_id, domain, verified_at, token)
       select id, 'stocked.example', now(), 'x' from sites where slug = 'stocked'`,
    )
    const made = await ask('POST', 'api-keys/', { name: 'ci' })
    const change = { branding: { name: 'Stocked & Co', color: '#0f766e' } }
    await app.request('PATCH', '/api/cloud/sites/stocked/', { token: site.owner.token, body: change })
    expect(await replaceSite(present, 'stocked', 'stocked-restored', 'stocked-damaged')).toEqual({
      domains: 1,
      permissions: 1,
      keys: 1,
    })
    const notes = 'http://stocked.example/api/apps/papers/datatables/notes/data/'
    expect((await app.request('GET', notes, { token: reader.token })).body.data).toHaveLength(2)
    const headers = { authorization: `Api-Key ${made.body.key}` }
    expect((await app.request('POST', notes, { headers, body: { id: 3, text: 'new' } })).status).toBe(201)
    const secret = await app.request('GET', '/sites/stocked/api/secrets/PRINTER/', {
      token: site.owner.token,
    })
    expect(secret.body).toMatchObject({ value: { port: 631 } })
    const aside = await app.request('GET', '/sites/stocked-damaged/api/apps/', { token: site.owner.token })
    expect(aside.status).toBe(404)
    const { body } = await app.request('GET', '/api/cloud/sites/stocked/', { token: site.owner.token })
    const { environment, paused } = before.settings as Record<string, unknown>
    expect([body.environment, body.paused]).toEqual([environment, paused])
    expect(body.branding).toEqual({ ...change.branding, logo: expect.stringContaining('/logo/') })
  })
})
