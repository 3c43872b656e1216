/** Reads of secrets from the caches, which never return old values. Spec: Limits, secret cache lifetime. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { issueSession } from '../../src/kernel/access/tokens.ts'
import { cacheAt } from '../../src/kernel/cache/caches.ts'
import { everyKey } from '../../src/kernel/cache/fenced-entries.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { inTenant } from '../../src/kernel/db/tenant.ts'
import { configOf } from '../../src/kernel/env.ts'
import { createContext } from '../../src/kernel/http/request-context.ts'
import { startApp, type TestApp, type User } from '../support/app.ts'
import { domainsOf } from '../support/domains.ts'
import { runs } from '../support/runs.ts'
import { cacheContents, createSecretSite, roundTrips, type SecretSite } from '../support/secrets.ts'
import { surroundings } from '../support/tenant.ts'

let app: TestApp
let tenant: SecretSite

const read = (key: string, by: User | null = tenant.reader, query = '') =>
  tenant.ask('GET', `/secrets/${key}/${query}`, undefined, by)

/** Reads a secret. Returns the status, the round trips to Postgres, and the value or error. */
async function outcome(key: string, by: User | null = tenant.reader, query = '') {
  const answer = await read(key, by, query)
  return [answer.status, roundTrips(answer), answer.status === 200 ? answer.body.value : answer.body.error]
}

/** Reads until all caches are filled. */
async function fillCaches(key: string, by: User | null = tenant.reader) {
  for (let times = 0; times < 2; times++) await read(key, by)
  expect(roundTrips(await read(key, by))).toBe(0)
}

beforeAll(async () => {
  app = await startApp()
  tenant = await createSecretSite(app, 'cache')
})

describe('a read of a secret', () => {
  it.each(['public', 'private'])(
    'takes one round trip to Postgres, and none once it is cached: %s',
    async (type) => {
      await tenant.keep(`TRIPS-${type}`, type, { v: 1 })
      expect(await outcome(`TRIPS-${type}`)).toEqual([200, 1, { v: 1 }])
      expect(await outcome(`TRIPS-${type}`)).toEqual([200, 0, { v: 1 }])
      expect(await outcome(`TRIPS-${type}`, tenant.reader, '?app=shop')).toEqual([200, 1, { v: 1 }])
      expect(await outcome(`TRIPS-${type}`, tenant.reader, '?app=shop')).toEqual([200, 0, { v: 1 }])
      expect(await outcome(`TRIPS-${type}`, tenant.reader, '?tags=none')).toEqual([
        404,
        0,
        'Secret not found',
      ])
    },
  )

  it('takes one round trip for a sensitive secret each time', async () => {
    await tenant.keep('TRIPS-sensitive', 'sensitive', { v: 'CANARY-sensitive' })
    for (let times = 0; times < 3; times++)
      expect(await outcome('TRIPS-sensitive')).toEqual([200, 1, { v: 'CANARY-sensitive' }])
    expect(await cacheContents(app, tenant)).not.toContain('TRIPS-sensitive')
  })

  it('is cached for 10 minutes if the secret is public, for 5 if it is private', async () => {
    for (const [type, minutes] of [
      ['public', 10],
      ['private', 5],
    ] as const) {
      const began = Date.now()
      await tenant.keep(`LASTS-${type}`, type)
      await fillCaches(`LASTS-${type}`)
      const kept = (JSON.parse(await cacheContents(app, tenant)) as [string, { expiresAt: number }][]).filter(
        ([place]) => place.includes(`LASTS-${type}`),
      )
      expect(kept).toHaveLength(1)
      const lasts = (kept[0]?.[1].expiresAt as number) - minutes * 60_000
      expect(lasts).toBeGreaterThanOrEqual(began)
      expect(lasts).toBeLessThanOrEqual(Date.now())
    }
  })

  it('without credentials is served from the cache, with 401 for a secret that is not public', async () => {
    await Promise.all([fillCaches('TRIPS-public', null), fillCaches('TRIPS-private')])
    expect(await outcome('TRIPS-public', null)).toEqual([200, 0, { v: 1 }])
    expect(await outcome('TRIPS-private', null)).toEqual([401, 0, 'Authentication required'])
    await read('TRIPS-private', tenant.stranger)
    expect(await outcome('TRIPS-private', tenant.stranger)).toEqual([403, 0, 'Permission denied'])
  })

  it('stores private values encrypted in the cache, and nothing for unknown apps', async () => {
    await tenant.keep('KEPT', 'private', { v: 'CANARY-private' })
    await fillCaches('KEPT')
    await read('KEPT', tenant.reader, '?app=none')
    expect(await outcome('KEPT', tenant.reader, '?app=none')).toEqual([404, 1, 'App not found'])
    const kept = await cacheContents(app, tenant)
    expect(kept).toContain('"KEPT"')
    expect(kept).not.toContain('CANARY-private')
  })

  it('works without a cache; a write returns 503', async () => {
    const broken = {
      getByName: () => new Proxy({}, { get: () => () => Promise.reject(new Error('no such object')) }),
    }
    const alone = { ...tenant, ask: tenant.ask }
    const without = app.with({ CACHES: broken, SECRET_CACHES: broken } as never)
    const ask = (method: string, path: string, body?: unknown) =>
      without.request(method, `${alone.api}${path}`, { token: tenant.owner.token, ...(body ? { body } : {}) })
    expect(await ask('GET', '/secrets/KEPT/')).toMatchObject({
      status: 200,
      body: { value: { v: 'CANARY-private' } },
    })
    expect((await ask('PUT', '/secrets/KEPT/', { value: {} })).status).toBe(503)
    expect((await read('KEPT')).body.value).toEqual({ v: 'CANARY-private' })
  })
})

describe('a change of a secret is visible in the next read', () => {
  it('after its value or key changes, it is deleted, or an app gets the same key', async () => {
    await tenant.keep('CHANGES', 'private', { v: 1 })
    await fillCaches('CHANGES')
    await read('CHANGES', tenant.reader, '?app=shop')
    await tenant.ask('PUT', '/secrets/CHANGES/', { value: { v: 2 } })
    expect(await outcome('CHANGES')).toEqual([200, 1, { v: 2 }])
    await tenant.keep('CHANGES', 'private', { v: 'shop' }, { app: 'shop' })
    expect(await outcome('CHANGES', tenant.reader, '?app=shop')).toEqual([200, 1, { v: 'shop' }])
    await tenant.ask('DELETE', '/secrets/CHANGES/?app=shop')
    expect(await outcome('CHANGES', tenant.reader, '?app=shop')).toEqual([200, 1, { v: 2 }])
    await tenant.ask('PUT', '/secrets/CHANGES/', { key: 'CHANGED' })
    expect(await outcome('CHANGES')).toEqual([404, 1, 'Secret not found'])
    expect(await outcome('CHANGED')).toEqual([200, 1, { v: 2 }])
    await tenant.ask('DELETE', '/secrets/CHANGED/')
    expect((await outcome('CHANGED'))[0]).toBe(404)
  })

  it('after a private secret replaces a public one', async () => {
    await tenant.keep('TURNED', 'public')
    await fillCaches('TURNED', null)
    await tenant.ask('DELETE', '/secrets/TURNED/')
    await tenant.keep('TURNED', 'private')
    expect((await outcome('TURNED', null))[0]).toBe(401)
  })

  it('after its app is deleted', async () => {
    await tenant.keep('OF-BLOG', 'public', { v: 'site' })
    await tenant.keep('OF-BLOG', 'public', { v: 'blog' }, { app: 'blog' })
    await read('OF-BLOG', null, '?app=blog')
    expect(await outcome('OF-BLOG', null, '?app=blog')).toEqual([200, 0, { v: 'blog' }])
    const ctx = createContext(app.env, new Request(`http://localhost${tenant.api}/apps/`), surroundings)
    Object.assign(ctx, { caller: await app.identity(tenant.owner), permission: 'admin_site' })
    await inTenant(ctx, 'write', { changed: sql`update _apps set is_active = false where slug = 'blog'` })
    expect(await outcome('OF-BLOG', null, '?app=blog')).toEqual([401, 1, 'Authentication required'])
    expect(await outcome('OF-BLOG', null)).toEqual([200, 1, { v: 'site' }])
  })

  it('after its type or its tags are renamed', async () => {
    await tenant.ask('POST', '/tags/', { name: 'old-tag' })
    await tenant.keep('NAMED', 'private', {}, { tags: ['old-tag'] })
    await fillCaches('NAMED')
    await tenant.ask('PATCH', '/tags/old-tag/', { name: 'new-tag' })
    await tenant.ask('PUT', '/secret-types/private/', { name: 'renamed' })
    const answer = await read('NAMED')
    expect([answer.body.tags, answer.body.secret_type]).toEqual([['new-tag'], 'renamed'])
    await tenant.ask('PUT', '/secret-types/renamed/', { name: 'private' })
  })

  it('after a domain moves from one site to another', async () => {
    const other = await createSecretSite(app, 'moved')
    await tenant.keep('HOST', 'public', { v: 'first' })
    await other.keep('HOST', 'public', { v: 'second' })
    const at = async () => (await app.request('GET', 'http://shop.example/api/secrets/HOST/')).body.value
    const [first, second] = [domainsOf(app, tenant), domainsOf(app, other)]
    expect(await at()).toBe(undefined)
    await first.prove('shop.example')
    for (let times = 0; times < 3; times++) expect(await at()).toEqual({ v: 'first' })
    await second.prove('shop.example')
    expect(await at()).toEqual({ v: 'second' })
    await second.remove('shop.example')
    expect(await at()).toBe(undefined)
  })
})

describe('a cached read returns an error at once', () => {
  const path = '/api/cloud/sites/cache/permissions'
  const byOwner = (method: string, where: string, body?: unknown) =>
    app.request(method, where, { token: tenant.owner.token, ...(body === undefined ? {} : { body }) })
  let root: User
  let known: User
  let sessions = 0

  beforeAll(async () => {
    root = await app.user('chief', { superuser: true })
    known = await app.user('known', { password: 'Correct-horse-1' })
    await byOwner('PUT', `${path}/${known.id}/`, { permissions: ['access_site'] })
    await tenant.keep('GUARDED', 'private')
  })

  const change = (body: unknown) =>
    app.request('PATCH', `/api/users/${known.username}/`, { token: root.token, body })
  const cookie = async () => `sessionid=${await issueSession(configOf(app.env), await app.identity(known))}`

  it('after a permission is revoked, until it is granted again', async () => {
    await fillCaches('GUARDED', known)
    await byOwner('PUT', `${path}/${known.id}/`, { permissions: ['manage_site_users'] })
    expect(await outcome('GUARDED', known)).toEqual([403, 1, 'Permission denied'])
    await byOwner('PUT', `${path}/${known.id}/`, { permissions: ['access_site'] })
    expect((await outcome('GUARDED', known))[0]).toBe(200)
  })

  it('after a membership ends', async () => {
    const admin = await app.user('admin-of-cache')
    await app.sql(
      `insert into memberships (organization_id, user_id, role)
       select organization_id, $1, 'admin' from sites where slug = 'cache'`,
      [admin.id],
    )
    await fillCaches('GUARDED', admin)
    await byOwner('PATCH', `/api/cloud/organizations/cache-org/members/${admin.id}/`, { role: 'member' })
    expect((await outcome('GUARDED', admin))[0]).toBe(403)
    await byOwner('PATCH', `/api/cloud/organizations/cache-org/members/${admin.id}/`, { role: 'admin' })
    await fillCaches('GUARDED', admin)
    await byOwner('DELETE', `/api/cloud/organizations/cache-org/members/${admin.id}/`)
    expect((await outcome('GUARDED', admin))[0]).toBe(403)
  })

  it('after a session ends, while another one continues', async () => {
    const [ended, other] = await Promise.all([cookie(), cookie()])
    const ask = async (held: string) => {
      const answer = await tenant.ask('GET', '/secrets/GUARDED/', undefined, null, { cookie: held })
      return [answer.status, roundTrips(answer)]
    }
    for (let times = 0; times < 2; times++) await Promise.all([ask(ended), ask(other)])
    expect(await Promise.all([ask(ended), ask(other)])).toEqual([
      [200, 0],
      [200, 0],
    ])
    await app.request('DELETE', '/api/auth/session/', {
      headers: { cookie: ended, origin: 'http://localhost' },
    })
    expect([(await ask(ended))[0], (await ask(other))[0]]).toEqual([401, 200])
    sessions++
  })

  it('after an account is deactivated or gets a new password: 401 for the old token', async () => {
    expect(sessions).toBe(1)
    await fillCaches('GUARDED', known)
    await change({ is_active: false })
    expect(await outcome('GUARDED', known)).toEqual([401, 1, 'Authentication required'])
    await change({ is_active: true })
    expect((await outcome('GUARDED', known))[0]).toBe(401)
    const signedIn = await app.request('POST', '/api/auth/jwt/token/', {
      body: { username: 'known', password: 'Correct-horse-1' },
    })
    const again = { ...known, token: signedIn.body.access }
    await fillCaches('GUARDED', again)
    expect((await outcome('GUARDED', known))[0]).toBe(401)
    await change({ password: 'Another-horse-2' })
    expect((await outcome('GUARDED', again))[0]).toBe(401)
  })

  it('after an account is deleted', async () => {
    const gone = await app.user('gone')
    await byOwner('PUT', `${path}/${gone.id}/`, { permissions: ['access_site'] })
    await fillCaches('GUARDED', gone)
    await app.request('DELETE', '/api/users/gone/', { token: root.token })
    expect((await outcome('GUARDED', gone))[0]).toBe(401)
  })

  it('after a change directly in the database, once the cache is empty', async () => {
    const hand = await app.user('hand')
    await byOwner('PUT', `${path}/${hand.id}/`, { permissions: ['access_site'] })
    await fillCaches('GUARDED', hand)
    await app.sql('update users set is_active = false where id = $1', [hand.id])
    await cacheAt({ env: app.env, config: configOf(app.env) }, `caller ${hand.id}`).invalidate([everyKey])
    expect((await outcome('GUARDED', hand))[0]).toBe(401)
  })
})

describe('under concurrent requests', () => {
  it('no read by 5 writing clients is older than the last write that was acknowledged before it', async () => {
    const clients = Array.from({ length: 5 }, (_, client) => ({ key: `SERIAL-${client}`, acknowledged: 0 }))
    await Promise.all(clients.map(({ key }) => tenant.keep(key, 'private', { n: 0 })))
    // Each client writes increasing values to its own key, and reads all keys.
    const run = async (client: (typeof clients)[number], first: number) => {
      for (let n = 1; n <= runs(10, 100); n++) {
        expect((await tenant.ask('PUT', `/secrets/${client.key}/`, { value: { n } })).status).toBe(200)
        client.acknowledged = n
        const other = clients[(first + n) % clients.length] as typeof client
        const since = other.acknowledged
        expect((await read(other.key)).body.value.n).toBeGreaterThanOrEqual(since)
      }
    }
    await Promise.all(clients.map(run))
  })

  it('no secret that is not public is shown during changes', async () => {
    const levels = ['', '?app=shop']
    const step = fc.record({
      kind: fc.constantFrom('make', 'delete', 'read', 'read', 'read'),
      level: fc.constantFrom(...levels),
      type: fc.constantFrom('public', 'private', 'sensitive'),
    })
    const steps = fc.sample(step, { numRuns: runs(60, 1_000), seed: 7 })
    const answers: { status: number; value: unknown }[] = []
    const run = async () => {
      for (let next = steps.pop(); next; next = steps.pop()) {
        const { kind, level, type } = next
        if (kind === 'make') {
          await tenant.ask('POST', '/secrets/', {
            secret_type: type,
            key: 'ANY',
            value: { type },
            app: level ? 'shop' : null,
          })
        } else if (kind === 'delete') await tenant.ask('DELETE', `/secrets/ANY/${level}`)
        else {
          const [mine, theirs] = await Promise.all([
            read('ANY', null, level),
            read('ANY', tenant.reader, level),
          ])
          answers.push({ status: mine.status, value: mine.body.value })
          expect([200, 404]).toContain(theirs.status)
        }
      }
    }
    await Promise.all(Array.from({ length: 6 }, run))
    const allowed = ['{"status":401}', '{"status":200,"value":{"type":"public"}}']
    const seen = answers.map((answer) => JSON.stringify(answer))
    expect(seen.filter((answer) => !allowed.includes(answer))).toEqual([])

    // The number of public reads so far depends on the order of the requests. From now on it is fixed.
    for (const level of levels) await tenant.ask('DELETE', `/secrets/ANY/${level}`)
    await tenant.ask('POST', '/secrets/', { secret_type: 'public', key: 'ANY', value: { type: 'public' } })
    const shown = await Promise.all(levels.map((level) => read('ANY', null, level)))
    expect(shown.map(({ status, body }) => [status, body.value])).toEqual([
      [200, { type: 'public' }],
      [200, { type: 'public' }],
    ])
  })
})
