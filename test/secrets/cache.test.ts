/** Reads that ask no database, and are never old. Spec: Limits, secret cache lifetime; architecture: one request, one round trip. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { issueSession } from '../../src/access/tokens.ts'
import { cacheAt } from '../../src/cache/caches.ts'
import { everything } from '../../src/cache/shelf.ts'
import { sql } from '../../src/db/sql.ts'
import { inTenant } from '../../src/db/tenant.ts'
import { configOf } from '../../src/env.ts'
import { createContext } from '../../src/http/context.ts'
import { startApp, type TestApp, type User } from '../support/app.ts'
import { domainsOf } from '../support/domains.ts'
import { createVault, keptIn, roundTrips, type Vault } from '../support/secrets.ts'

let app: TestApp
let vault: Vault

const read = (key: string, by: User | null = vault.reader, query = '') => vault.ask('GET', `/secrets/${key}/${query}`, undefined, by)

/** What a read answers, and from where. */
async function told(key: string, by: User | null = vault.reader, query = '') {
  const answer = await read(key, by, query)
  return [answer.status, roundTrips(answer), answer.status === 200 ? answer.body.value : answer.body.error]
}

/** Reads until the caches know everything. */
async function warm(key: string, by: User | null = vault.reader) {
  for (let times = 0; times < 2; times++) await read(key, by)
  expect(roundTrips(await read(key, by))).toBe(0)
}

beforeAll(async () => {
  app = await startApp()
  vault = await createVault(app, 'cache')
})

describe('a read', () => {
  it.each(['public', 'private'])('takes one round trip to Postgres, and none once it is cached: %s', async (type) => {
    await vault.keep(`TRIPS-${type}`, type, { v: 1 })
    expect(await told(`TRIPS-${type}`)).toEqual([200, 1, { v: 1 }])
    expect(await told(`TRIPS-${type}`)).toEqual([200, 0, { v: 1 }])
    expect(await told(`TRIPS-${type}`, vault.reader, '?app=shop')).toEqual([200, 1, { v: 1 }])
    expect(await told(`TRIPS-${type}`, vault.reader, '?app=shop')).toEqual([200, 0, { v: 1 }])
    expect(await told(`TRIPS-${type}`, vault.reader, '?tags=none')).toEqual([404, 0, 'Secret not found'])
  })

  it('of a sensitive one always takes one', async () => {
    await vault.keep('TRIPS-sensitive', 'sensitive', { v: 'CANARY-sensitive' })
    for (let times = 0; times < 3; times++) expect(await told('TRIPS-sensitive')).toEqual([200, 1, { v: 'CANARY-sensitive' }])
    expect(await keptIn(app, vault)).not.toContain('TRIPS-sensitive')
  })

  it('is kept for 10 minutes when it is public, and for 5 when it is private', async () => {
    for (const [type, minutes] of [
      ['public', 10],
      ['private', 5],
    ] as const) {
      const began = Date.now()
      await vault.keep(`LASTS-${type}`, type)
      await warm(`LASTS-${type}`)
      const kept = (JSON.parse(await keptIn(app, vault)) as [string, { expiresAt: number }][]).filter(([place]) => place.includes(`LASTS-${type}`))
      expect(kept).toHaveLength(1)
      const lasts = (kept[0]?.[1].expiresAt as number) - minutes * 60_000
      expect(lasts).toBeGreaterThanOrEqual(began)
      expect(lasts).toBeLessThanOrEqual(Date.now())
    }
  })

  it('of nobody is answered from the cache when it is public, and refused from it when it is not', async () => {
    await Promise.all([warm('TRIPS-public', null), warm('TRIPS-private')])
    expect(await told('TRIPS-public', null)).toEqual([200, 0, { v: 1 }])
    expect(await told('TRIPS-private', null)).toEqual([401, 0, 'Authentication required'])
    await read('TRIPS-private', vault.stranger)
    expect(await told('TRIPS-private', vault.stranger)).toEqual([403, 0, 'Permission denied'])
  })

  it('what is kept of a private one is encrypted, and an app that there is not is not kept', async () => {
    await vault.keep('KEPT', 'private', { v: 'CANARY-private' })
    await warm('KEPT')
    await read('KEPT', vault.reader, '?app=none')
    expect(await told('KEPT', vault.reader, '?app=none')).toEqual([200, 1, { v: 'CANARY-private' }])
    const kept = await keptIn(app, vault)
    expect(kept).toContain('"KEPT"')
    expect(kept).not.toContain('CANARY-private')
  })

  it('goes on when no cache can be asked; a write does not', async () => {
    const broken = { getByName: () => new Proxy({}, { get: () => () => Promise.reject(new Error('no such object')) }) }
    const alone = { ...vault, ask: vault.ask }
    const without = app.with({ CACHES: broken, SECRET_CACHES: broken } as never)
    const ask = (method: string, path: string, body?: unknown) =>
      without.request(method, `${alone.api}${path}`, { token: vault.owner.token, ...(body ? { body } : {}) })
    expect(await ask('GET', '/secrets/KEPT/')).toMatchObject({ status: 200, body: { value: { v: 'CANARY-private' } } })
    expect((await ask('PUT', '/secrets/KEPT/', { value: {} })).status).toBe(503)
    expect((await read('KEPT')).body.value).toEqual({ v: 'CANARY-private' })
  })
})

describe('what changes a secret is seen by the next read', () => {
  it('a value, a key, a deletion, the same key at the level of the app', async () => {
    await vault.keep('CHANGES', 'private', { v: 1 })
    await warm('CHANGES')
    await read('CHANGES', vault.reader, '?app=shop')
    await vault.ask('PUT', '/secrets/CHANGES/', { value: { v: 2 } })
    expect(await told('CHANGES')).toEqual([200, 1, { v: 2 }])
    await vault.keep('CHANGES', 'private', { v: 'shop' }, { app: 'shop' })
    expect(await told('CHANGES', vault.reader, '?app=shop')).toEqual([200, 1, { v: 'shop' }])
    await vault.ask('DELETE', '/secrets/CHANGES/?app=shop')
    expect(await told('CHANGES', vault.reader, '?app=shop')).toEqual([200, 1, { v: 2 }])
    await vault.ask('PUT', '/secrets/CHANGES/', { key: 'CHANGED' })
    expect(await told('CHANGES')).toEqual([404, 1, 'Secret not found'])
    expect(await told('CHANGED')).toEqual([200, 1, { v: 2 }])
    await vault.ask('DELETE', '/secrets/CHANGED/')
    expect((await told('CHANGED'))[0]).toBe(404)
  })

  it('a public one that is made private is no longer for anybody', async () => {
    await vault.keep('TURNED', 'public')
    await warm('TURNED', null)
    await vault.ask('DELETE', '/secrets/TURNED/')
    await vault.keep('TURNED', 'private')
    expect((await told('TURNED', null))[0]).toBe(401)
  })

  it('an app that is deleted takes its secrets along', async () => {
    await vault.keep('OF-BLOG', 'public', { v: 'site' })
    await vault.keep('OF-BLOG', 'public', { v: 'blog' }, { app: 'blog' })
    await read('OF-BLOG', null, '?app=blog')
    expect(await told('OF-BLOG', null, '?app=blog')).toEqual([200, 0, { v: 'blog' }])
    const ctx = createContext(app.env, new Request(`http://localhost${vault.api}/apps/`), 'test', () => undefined)
    Object.assign(ctx, { caller: await app.identity(vault.owner), permission: 'admin_site' })
    await inTenant(ctx, 'write', [sql`update _apps set is_active = false where slug = 'blog'`])
    expect(await told('OF-BLOG', null, '?app=blog')).toEqual([200, 1, { v: 'site' }])
  })

  it('another name of its type or its tags', async () => {
    await vault.ask('POST', '/tags/', { name: 'old-tag' })
    await vault.keep('NAMED', 'private', {}, { tags: ['old-tag'] })
    await warm('NAMED')
    await vault.ask('PATCH', '/tags/old-tag/', { name: 'new-tag' })
    await vault.ask('PUT', '/secret-types/private/', { name: 'renamed' })
    const answer = await read('NAMED')
    expect([answer.body.tags, answer.body.secret_type]).toEqual([['new-tag'], 'renamed'])
    await vault.ask('PUT', '/secret-types/renamed/', { name: 'private' })
  })

  it('a domain that goes from one site to another', async () => {
    const other = await createVault(app, 'moved')
    await vault.keep('HOST', 'public', { v: 'first' })
    await other.keep('HOST', 'public', { v: 'second' })
    const at = async () => (await app.request('GET', 'http://shop.example/api/secrets/HOST/')).body.value
    const [first, second] = [domainsOf(app, vault), domainsOf(app, other)]
    expect(await at()).toBe(undefined)
    await first.prove('shop.example')
    for (let times = 0; times < 3; times++) expect(await at()).toEqual({ v: 'first' })
    await second.prove('shop.example')
    expect(await at()).toEqual({ v: 'second' })
    await second.remove('shop.example')
    expect(await at()).toBe(undefined)
  })
})

describe('what changes a caller is heard at once, although the secret and the permission were cached', () => {
  const path = '/api/cloud/sites/cache/permissions'
  const byOwner = (method: string, where: string, body?: unknown) =>
    app.request(method, where, { token: vault.owner.token, ...(body === undefined ? {} : { body }) })
  let root: User
  let known: User
  let sessions = 0

  beforeAll(async () => {
    root = await app.user('chief', { superuser: true })
    known = await app.user('known', { password: 'Correct-horse-1' })
    await byOwner('PUT', `${path}/${known.id}/`, { permissions: ['access_site'] })
    await vault.keep('GUARDED', 'private')
  })

  const change = (body: unknown) => app.request('PATCH', `/api/users/${known.username}/`, { token: root.token, body })
  const cookie = async () => `sessionid=${await issueSession(configOf(app.env), await app.identity(known))}`

  it('a permission that is taken away, and given back', async () => {
    await warm('GUARDED', known)
    await byOwner('PUT', `${path}/${known.id}/`, { permissions: ['manage_site_users'] })
    expect(await told('GUARDED', known)).toEqual([403, 1, 'Permission denied'])
    await byOwner('PUT', `${path}/${known.id}/`, { permissions: ['access_site'] })
    expect((await told('GUARDED', known))[0]).toBe(200)
  })

  it('a membership that ends', async () => {
    const admin = await app.user('admin-of-cache')
    await app.sql(`insert into memberships (organization_id, user_id, role) select organization_id, $1, 'admin' from sites where slug = 'cache'`, [
      admin.id,
    ])
    await warm('GUARDED', admin)
    await byOwner('PATCH', `/api/cloud/organizations/cache-org/members/${admin.id}/`, { role: 'member' })
    expect((await told('GUARDED', admin))[0]).toBe(403)
    await byOwner('PATCH', `/api/cloud/organizations/cache-org/members/${admin.id}/`, { role: 'admin' })
    await warm('GUARDED', admin)
    await byOwner('DELETE', `/api/cloud/organizations/cache-org/members/${admin.id}/`)
    expect((await told('GUARDED', admin))[0]).toBe(403)
  })

  it('a session that is ended; another one goes on', async () => {
    const [ended, other] = await Promise.all([cookie(), cookie()])
    const ask = async (held: string) => {
      const answer = await vault.ask('GET', '/secrets/GUARDED/', undefined, null, { cookie: held })
      return [answer.status, roundTrips(answer)]
    }
    for (let times = 0; times < 2; times++) await Promise.all([ask(ended), ask(other)])
    expect(await Promise.all([ask(ended), ask(other)])).toEqual([
      [200, 0],
      [200, 0],
    ])
    await app.request('DELETE', '/api/auth/session/', { headers: { cookie: ended, origin: 'http://localhost' } })
    expect([(await ask(ended))[0], (await ask(other))[0]]).toEqual([401, 200])
    sessions++
  })

  it('an account that is switched off, and one that got a new password: 401 for the token that was', async () => {
    expect(sessions).toBe(1)
    await warm('GUARDED', known)
    await change({ is_active: false })
    expect(await told('GUARDED', known)).toEqual([401, 1, 'Authentication required'])
    await change({ is_active: true })
    expect((await told('GUARDED', known))[0]).toBe(401)
    const signedIn = await app.request('POST', '/api/auth/jwt/token/', { body: { username: 'known', password: 'Correct-horse-1' } })
    const again = { ...known, token: signedIn.body.access }
    await warm('GUARDED', again)
    expect((await told('GUARDED', known))[0]).toBe(401)
    await change({ password: 'Another-horse-2' })
    expect((await told('GUARDED', again))[0]).toBe(401)
  })

  it('an account that is deleted', async () => {
    const gone = await app.user('gone')
    await byOwner('PUT', `${path}/${gone.id}/`, { permissions: ['access_site'] })
    await warm('GUARDED', gone)
    await app.request('DELETE', '/api/users/gone/', { token: root.token })
    expect((await told('GUARDED', gone))[0]).toBe(401)
  })

  it('a change by hand, past the service, once the cache is empty', async () => {
    const hand = await app.user('hand')
    await byOwner('PUT', `${path}/${hand.id}/`, { permissions: ['access_site'] })
    await warm('GUARDED', hand)
    await app.sql('update users set is_active = false where id = $1', [hand.id])
    await cacheAt({ env: app.env, config: configOf(app.env) }, `caller ${hand.id}`).clear([everything])
    expect((await told('GUARDED', hand))[0]).toBe(401)
  })
})

describe('in parallel', () => {
  it('1,000 alternating writes and reads of 5 clients: no read is older than the last write that was acknowledged before it began', async () => {
    const clients = Array.from({ length: 5 }, (_, client) => ({ key: `SERIAL-${client}`, acknowledged: 0 }))
    await Promise.all(clients.map(({ key }) => vault.keep(key, 'private', { n: 0 })))
    // Each writes a key of its own, in which values only grow, and reads all of them.
    const run = async (client: (typeof clients)[number], first: number) => {
      for (let n = 1; n <= 100; n++) {
        expect((await vault.ask('PUT', `/secrets/${client.key}/`, { value: { n } })).status).toBe(200)
        client.acknowledged = n
        const other = clients[(first + n) % clients.length] as typeof client
        const since = other.acknowledged
        expect((await read(other.key)).body.value.n).toBeGreaterThanOrEqual(since)
      }
    }
    await Promise.all(clients.map(run))
  }, 180_000)

  it('nobody is shown what is not public, whatever is made, deleted and read at once', async () => {
    const levels = ['', '?app=shop']
    const step = fc.record({
      kind: fc.constantFrom('make', 'delete', 'read', 'read', 'read'),
      level: fc.constantFrom(...levels),
      type: fc.constantFrom('public', 'private', 'sensitive'),
    })
    const steps = fc.sample(step, { numRuns: 240, seed: 7 })
    const answers: { status: number; value: unknown }[] = []
    const run = async () => {
      for (let next = steps.pop(); next; next = steps.pop()) {
        const { kind, level, type } = next
        if (kind === 'make') {
          await vault.ask('POST', '/secrets/', { secret_type: type, key: 'ANY', value: { type }, app: level ? 'shop' : null })
        } else if (kind === 'delete') await vault.ask('DELETE', `/secrets/ANY/${level}`)
        else {
          const [mine, theirs] = await Promise.all([read('ANY', null, level), read('ANY', vault.reader, level)])
          answers.push({ status: mine.status, value: mine.body.value })
          expect([200, 404]).toContain(theirs.status)
        }
      }
    }
    await Promise.all(Array.from({ length: 6 }, run))
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify({ status: 401 }), JSON.stringify({ status: 200, value: { type: 'public' } })]),
    )
  })
})
