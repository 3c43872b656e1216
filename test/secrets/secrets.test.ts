/** Secrets by their keys: who may, what is refused, what comes back. Spec: Secrets; K2–K9. */
import { beforeAll, describe, expect, it } from 'vitest'
import { issueSession } from '../../src/access/tokens.ts'
import { configOf } from '../../src/env.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { createVault, handOverReads, type Vault } from '../support/secrets.ts'

let app: TestApp
let vault: Vault

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
const shown = (key: string, type: string, more: Record<string, unknown> = {}) => ({
  key,
  secret_type: type,
  value: { v: key },
  tags: [],
  app: null,
  sensitivity_level: type,
  created_at: timestamp,
  modified_at: timestamp,
  created_by: vault.owner.username,
  ...more,
})
const notSignedIn = { error: 'Authentication required', detail: 'Authentication credentials were not provided.' }
const denied = { error: 'Permission denied', detail: 'You do not have permission to perform this action.' }
const unknown = (key: string, levels: string) => ({ error: 'Secret not found', detail: `There is no secret "${key}". Levels searched: ${levels}.` })

beforeAll(async () => {
  app = await startApp()
  vault = await createVault(app, 'secrets')
  for (const name of ['Red', 'Dark_Green', 'blue']) await vault.ask('POST', '/tags/', { name })
  await vault.ask('POST', '/secret-types/', {
    name: 'server',
    sensitivity_level: 'private',
    schema: { properties: { host: { type: 'string' }, port: { type: 'integer' } }, required: ['host'], additionalProperties: false },
  })
})

describe('POST /api/secrets/', () => {
  const wrong = (detail: unknown) => ({ status: 400, body: { error: 'Validation failed', detail } })

  it('401 for nobody, 403 without manage_site', async () => {
    const body = { secret_type: 'private', key: 'A', value: {} }
    expect(await vault.ask('POST', '/secrets/', body, null)).toMatchObject({ status: 401, body: notSignedIn })
    expect(await vault.ask('POST', '/secrets/', body, vault.reader)).toMatchObject({ status: 403, body: denied })
    expect(await vault.ask('POST', '/secrets/', { key: 5 }, vault.stranger)).toMatchObject({ status: 403, body: denied })
  })

  it('400 for every field that is wrong', async () => {
    expect(await vault.ask('POST', '/secrets/', {})).toMatchObject(
      wrong({ secret_type: ['This field is required.'], key: ['This field is required.'], value: ['This field is required.'] }),
    )
    const odd = { secret_type: 5, key: '', value: [1], tags: 'red', app: 1, sensitivity_level: 1 }
    const refused = await vault.ask('POST', '/secrets/', odd)
    expect(refused.status).toBe(400)
    expect(Object.keys(refused.body.detail).sort()).toEqual(['app', 'key', 'secret_type', 'sensitivity_level', 'tags', 'value'])
    const plain = await vault.ask('POST', '/secrets/', { secret_type: 'public', key: 'A', value: {}, sensitivity_level: 'sensitive' })
    expect(plain).toMatchObject(wrong({ sensitivity_level: ['It is that of the secret type, "public".'] }))
    expect(await vault.ask('POST', '/secrets/', { secret_type: 'private', key: 'A', value: null })).toMatchObject(
      wrong({ value: ['This field may not be null.'] }),
    )
  })

  it.each(['a/b', 'a,b', ' a', 'a\u0007', '..', '\u200b', 'a'.repeat(256)])('400 for the key %j', async (key) => {
    const refused = await vault.ask('POST', '/secrets/', { secret_type: 'private', key, value: {} })
    expect([refused.status, Object.keys(refused.body.detail)]).toEqual([400, ['key']])
  })

  it('400 naming the type, the app and the tags that do not exist; nothing is kept', async () => {
    const body = { secret_type: 'none', key: 'UNKEPT', value: {}, tags: ['Red', 'red', 'none'], app: 'none' }
    expect(await vault.ask('POST', '/secrets/', body)).toMatchObject(
      wrong({
        secret_type: ['There is no secret type "none".'],
        app: ['There is no app "none".'],
        tags: ['There is no tag "red".', 'There is no tag "none".'],
      }),
    )
    expect((await vault.ask('GET', '/secrets/UNKEPT/')).status).toBe(404)
  })

  it('400 {error: "Schema validation failed", detail: messages by field} without a word of the value', async () => {
    const refused = await vault.ask('POST', '/secrets/', { secret_type: 'server', key: 'A', value: { port: 'CANARY', extra: 'CANARY' } })
    expect([refused.status, refused.body]).toEqual([
      400,
      {
        error: 'Schema validation failed',
        detail: { host: ['This field is required.'], port: ['Must be of type integer.'], extra: ['This field is not allowed.'] },
      },
    ])
  })

  it('400 for a value that is too large, or has too many parts', async () => {
    const refused = async (value: unknown) => (await vault.ask('POST', '/secrets/', { secret_type: 'private', key: 'A', value })).body
    expect(await refused({ v: 'ü'.repeat(32_768) })).toEqual({ error: 'Validation failed', detail: { value: ['A value has at most 65536 bytes.'] } })
    expect(await refused({ v: Array(2000).fill(0) })).toEqual({
      error: 'Validation failed',
      detail: { value: ['A value has at most 2000 members and elements.'] },
    })
  })

  it.each(['public', 'private', 'sensitive'])('201 with the secret: %s', async (type) => {
    const key = `made ${type}`
    const created = await vault.ask('POST', '/secrets/', { secret_type: type, key, value: { v: key }, tags: ['blue', 'Red', 'blue'] })
    expect([created.status, created.body]).toEqual([201, shown(key, type, { tags: ['Red', 'blue'] })])
    const read = await vault.ask('GET', `/secrets/${encodeURIComponent(key)}/`, undefined, vault.reader)
    expect([read.status, read.body]).toEqual([200, created.body])
  })

  it('400 {message, field: "key"} for a key that its level has; each level has keys of its own', async () => {
    const at = (level: string | null) => vault.ask('POST', '/secrets/', { secret_type: 'private', key: 'LEVELS', value: { level }, app: level })
    expect(await Promise.all([null, 'shop', 'blog'].map(async (level) => (await at(level)).body.app))).toEqual([null, 'shop', 'blog'])
    expect(await at(null)).toMatchObject({
      status: 400,
      body: { message: 'A secret with the key "LEVELS" exists already at the level of the site.', field: 'key' },
    })
    expect(await at('shop')).toMatchObject({
      status: 400,
      body: { message: 'A secret with the key "LEVELS" exists already in the app "shop".', field: 'key' },
    })
    const read = async (query: string) => (await vault.ask('GET', `/secrets/LEVELS/${query}`)).body.value.level
    expect([await read(''), await read('?app=shop'), await read('?app=blog'), await read('?app=none')]).toEqual([null, 'shop', 'blog', null])
  })

  it('of 8 that make the same key at once, one does; the site gets one data key', async () => {
    const fresh = await createVault(app, 'racing')
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, n) => fresh.ask('POST', '/secrets/', { secret_type: 'private', key: 'RACE', value: { n } })),
    )
    expect(made.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(400)])
    const winner = made.findIndex(({ status }) => status === 201)
    expect((await fresh.ask('GET', '/secrets/RACE/')).body.value).toEqual({ n: winner })
    expect(await app.sql('select version from data_keys where site_id = $1', [Number(fresh.schema.slice(5))])).toEqual([{ version: 1 }])
  })

  it('a value comes back as it was, whatever its names and texts', async () => {
    const value = JSON.parse(
      '{"__proto__": {"a": 1}, "constructor": null, "": [1.5, -0.25, 1e-7, true, {"ü": "\\ud83d\\ude00 \\\\ \\" \\n"}], "toString": []}',
    )
    for (const type of ['public', 'private']) {
      await vault.keep(`odd ${type}`, type, value)
      const read = await vault.ask('GET', `/secrets/odd%20${type}/`)
      expect(JSON.stringify(Object.entries(read.body.value).sort())).toBe(JSON.stringify(Object.entries(value).sort()))
    }
  })
})

describe('GET /api/secrets/{key}/', () => {
  const levels = ['none', 'site', 'app', 'both'] as const
  const sensitivities = ['public', 'private', 'sensitive'] as const
  const key = (level: string, sensitivity: string) => `CELL-${level}-${sensitivity}`

  beforeAll(async () => {
    const kept: Promise<unknown>[] = []
    for (const sensitivity of sensitivities) {
      // At both levels, the one behind is public: that it is there changes nothing.
      kept.push(vault.keep(key('site', sensitivity), sensitivity, { at: 'site' }, { tags: ['Red'] }))
      kept.push(vault.keep(key('app', sensitivity), sensitivity, { at: 'app' }, { tags: ['Red'], app: 'shop' }))
      kept.push(vault.keep(key('both', sensitivity), sensitivity, { at: 'app' }, { tags: ['Red'], app: 'shop' }))
      kept.push(vault.keep(key('both', sensitivity), 'public', { at: 'site' }, { tags: ['blue'] }))
    }
    await Promise.all(kept)
  })

  it.each(['as nobody', 'as a stranger', 'as a reader'])('the first match answers, or refuses; no other behind it: %s', async (who) => {
    const by = who === 'as nobody' ? null : who === 'as a stranger' ? vault.stranger : vault.reader
    const cells = levels.flatMap((level) =>
      sensitivities.flatMap((sensitivity) => ['', '&tags=Red', '&tags=blue,none'].map((tags) => ({ level, sensitivity, tags }))),
    )
    const answers = await Promise.all(
      cells.map(async ({ level, sensitivity, tags }) => {
        const { status, body } = await vault.ask('GET', `/secrets/${key(level, sensitivity)}/?app=shop${tags}`, undefined, by)
        return [level, sensitivity, tags, status, status === 200 ? body.value : body]
      }),
    )
    const expected = cells.map(({ level, sensitivity, tags }) => {
      const name = key(level, sensitivity)
      const open = level !== 'none' && sensitivity === 'public'
      if (!open && !by) return [level, sensitivity, tags, 401, notSignedIn]
      if (!open && by === vault.stranger) return [level, sensitivity, tags, 403, denied]
      if (level === 'none') return [level, sensitivity, tags, 404, unknown(name, 'app "shop", site')]
      if (tags.includes('blue')) {
        const detail = `The secret "${name}" has none of the required tags: blue, none.`
        return [level, sensitivity, tags, 404, { error: 'Secret not found', detail }]
      }
      return [level, sensitivity, tags, 200, { at: level === 'site' ? 'site' : 'app' }]
    })
    expect(answers).toEqual(expected)
  })

  it('without credentials an unknown key is 401, with WWW-Authenticate; signed in, 404 whose detail lists the levels searched', async () => {
    const refused = await vault.ask('GET', '/secrets/NOWHERE/', undefined, null)
    expect([refused.status, refused.body, refused.headers.get('www-authenticate')]).toEqual([401, notSignedIn, 'Bearer'])
    expect(await vault.ask('GET', '/secrets/NOWHERE/')).toMatchObject({ status: 404, body: unknown('NOWHERE', 'site') })
    expect(await vault.ask('GET', '/secrets/NOWHERE/?app=none')).toMatchObject({ status: 404, body: unknown('NOWHERE', 'app "none", site') })
  })

  it('401 for credentials that do not hold, even where none are needed', async () => {
    const { status } = await vault.ask('GET', `/secrets/${key('site', 'public')}/`, undefined, null, { authorization: 'Bearer a.b.c' })
    expect(status).toBe(401)
  })

  it('is not kept by anybody on the way', async () => {
    const { headers } = await vault.ask('GET', `/secrets/${key('site', 'private')}/`)
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it("another site's owner is a stranger, and finds nothing of it in the own site", async () => {
    const other = await createVault(app, 'other')
    expect((await vault.ask('GET', `/secrets/${key('site', 'private')}/`, undefined, other.owner)).status).toBe(403)
    expect((await other.ask('GET', `/secrets/${key('site', 'public')}/`)).status).toBe(404)
  })
})

describe('PUT /api/secrets/{key}/', () => {
  it('400 {error, detail: {field, current, attempted}} for another type; the same one may be named', async () => {
    await vault.keep('TYPED', 'private')
    const refused = await vault.ask('PUT', '/secrets/TYPED/', { secret_type: 'public', value: { v: 2 } })
    expect([refused.status, refused.body]).toEqual([
      400,
      { error: 'The secret_type cannot be changed', detail: { field: 'secret_type', current: 'private', attempted: 'public' } },
    ])
    const twice = await vault.ask('PUT', '/secrets/TYPED/', '{"secret_type": "private", "secret_type": "public"}')
    expect([twice.status, twice.body]).toEqual([400, { detail: 'The body has the name "secret_type" twice in one object.' }])
    expect((await vault.ask('PUT', '/secrets/TYPED/', { secret_type: 'private' })).body.value).toEqual({ v: 'TYPED' })
  })

  it('403 without manage_site; 400 for a value that does not fit, unknown tags, and fields that are none', async () => {
    await vault.keep('SERVER', 'server', { host: 'a' })
    expect(await vault.ask('PUT', '/secrets/SERVER/', { value: { host: 'b' } }, vault.reader)).toMatchObject({ status: 403, body: denied })
    expect((await vault.ask('PUT', '/secrets/SERVER/', { value: { host: 5 } })).body).toEqual({
      error: 'Schema validation failed',
      detail: { host: ['Must be of type string.'] },
    })
    expect((await vault.ask('PUT', '/secrets/SERVER/', { tags: ['none'] })).body.detail).toEqual({ tags: ['There is no tag "none".'] })
    const odd = await vault.ask('PUT', '/secrets/SERVER/', { sensitivity_level: 5, created_by: 'me', vaule: {}, value: null })
    expect([odd.status, Object.keys(odd.body.detail).sort()]).toEqual([400, ['sensitivity_level', 'value', 'vaule']])
    const other = await vault.ask('PUT', '/secrets/SERVER/', { sensitivity_level: 'public', app: 'shop' })
    expect([other.status, other.body]).toEqual([
      400,
      {
        error: 'Validation failed',
        detail: {
          app: ['The level of a secret cannot be changed. The query parameter app names the one that is meant.'],
          sensitivity_level: ['It is that of the secret type, "private".'],
        },
      },
    ])
    expect((await vault.ask('GET', '/secrets/SERVER/')).body).toMatchObject({ value: { host: 'a' }, sensitivity_level: 'private', tags: [] })
  })

  it('takes back what was read at one level, and never for another: the type by its name, too', async () => {
    const type = { name: 'Long_Name' }
    expect(await vault.ask('POST', '/secret-types/', type)).toMatchObject({ status: 201, body: { slug: 'long-name' } })
    await vault.keep('BACK', 'long-name', { at: 'site' })
    await vault.keep('BACK', 'long-name', { at: 'app' }, { app: 'shop' })
    const { body } = await vault.ask('GET', '/secrets/BACK/?app=shop')
    expect(body).toMatchObject({ secret_type: 'Long_Name', app: 'shop' })
    expect((await vault.ask('PUT', '/secrets/BACK/', body)).status).toBe(400)
    expect(await vault.ask('PUT', '/secrets/BACK/?app=shop', body)).toMatchObject({ status: 200, body: { ...body, modified_at: expect.any(String) } })
    expect((await vault.ask('GET', '/secrets/BACK/')).body.value).toEqual({ at: 'site' })
  })

  it('keeps what is omitted; changes exactly the level that is named, and never what the others read', async () => {
    await vault.keep('BOTH', 'private', { at: 'site' }, { tags: ['Red'] })
    await vault.keep('BOTH', 'public', { at: 'app' }, { app: 'shop' })
    const tagged = await vault.ask('PUT', '/secrets/BOTH/', { tags: ['blue'] })
    expect([tagged.status, tagged.body]).toEqual([200, shown('BOTH', 'private', { value: { at: 'site' }, tags: ['blue'] })])
    const valued = await vault.ask('PUT', '/secrets/BOTH/?app=shop', { value: { at: 'shop' } })
    expect([valued.status, valued.body]).toEqual([200, shown('BOTH', 'public', { value: { at: 'shop' }, app: 'shop' })])
    expect((await vault.ask('PUT', '/secrets/BOTH/', {})).body.value).toEqual({ at: 'site' })
    expect(await vault.ask('PUT', '/secrets/BOTH/?app=blog', { tags: [] })).toMatchObject({ status: 404, body: unknown('BOTH', 'app "blog"') })
    expect(await vault.ask('PUT', '/secrets/NOWHERE/', {})).toMatchObject({ status: 404, body: unknown('NOWHERE', 'site') })
  })

  it('another key: 400 when it is taken; else the secret moves, with its value and its history', async () => {
    await vault.keep('FROM', 'private', { v: 1 }, { tags: ['Red'] })
    await vault.keep('TAKEN', 'private')
    expect((await vault.ask('PUT', '/secrets/FROM/', { key: 'TAKEN' })).body).toMatchObject({ field: 'key' })
    const moved = await vault.ask('PUT', '/secrets/FROM/', { key: 'TO' })
    expect([moved.status, moved.body]).toEqual([200, shown('TO', 'private', { value: { v: 1 }, tags: ['Red'] })])
    expect((await vault.ask('GET', '/secrets/FROM/')).status).toBe(404)
    expect((await vault.ask('GET', '/secrets/TO/')).body.value).toEqual({ v: 1 })
  })

  it('of several at once each is whole: what is read is the last one, and its history has all', async () => {
    await vault.keep('BUSY', 'private', { n: 0 })
    const changed = await Promise.all(Array.from({ length: 6 }, (_, n) => vault.ask('PUT', '/secrets/BUSY/', { value: { n } })))
    expect(changed.map(({ status, body }) => [status, body.value])).toEqual(changed.map((_, n) => [200, { n }]))
    expect((await vault.ask('GET', '/secrets/BUSY/history/')).body.total_count).toBe(7)
    expect((await vault.ask('GET', '/secrets/BUSY/')).status).toBe(200)
  })
})

describe('DELETE /api/secrets/{key}/', () => {
  it('403 without manage_site; 200 {message, detail} at exactly the level that is named; then 404', async () => {
    await vault.keep('GONE', 'private')
    await vault.keep('GONE', 'private', {}, { app: 'shop' })
    expect((await vault.ask('DELETE', '/secrets/GONE/', undefined, vault.reader)).status).toBe(403)
    expect(await vault.ask('DELETE', '/secrets/GONE/?app=blog')).toMatchObject({ status: 404, body: unknown('GONE', 'app "blog"') })
    const gone = await vault.ask('DELETE', '/secrets/GONE/?app=shop')
    expect([gone.status, gone.body]).toEqual([200, { message: 'Secret deleted', detail: 'The secret "GONE" has been deleted from the app "shop".' }])
    expect((await vault.ask('GET', '/secrets/GONE/?app=shop')).body.app).toBe(null)
    expect((await vault.ask('DELETE', '/secrets/GONE/')).body.detail).toBe('The secret "GONE" has been deleted from the site.')
    expect(await vault.ask('DELETE', '/secrets/GONE/')).toMatchObject({ status: 404, body: unknown('GONE', 'site') })
  })
})

describe('PUT and DELETE', () => {
  it('never fall back to another level, where a read does: 404, and nothing changes', async () => {
    await vault.keep('ONLY-SITE', 'private', { at: 'site' })
    await vault.keep('ONLY-APP', 'private', { at: 'app' }, { app: 'shop' })
    const levels: [path: string, searched: string][] = [
      ['ONLY-SITE/?app=shop', 'app "shop"'],
      ['ONLY-APP/', 'site'],
    ]
    for (const [path, searched] of levels) {
      const refusal = { status: 404, body: unknown(path.split('/')[0] as string, searched) }
      expect(await vault.ask('PUT', `/secrets/${path}`, { value: { at: 'changed' } })).toMatchObject(refusal)
      expect(await vault.ask('DELETE', `/secrets/${path}`)).toMatchObject(refusal)
    }
    const read = async (path: string) => (await vault.ask('GET', `/secrets/${path}?app=shop`)).body.value
    expect([await read('ONLY-SITE/'), await read('ONLY-APP/')]).toEqual([{ at: 'site' }, { at: 'app' }])
  })
})

describe('GET /api/secrets/{key}/history/', () => {
  const entry = (action: string, key: string, changes: unknown = {}) => ({ action, user: vault.owner.username, timestamp, key, changes })
  const hidden = { old: '***HIDDEN***', new: '***HIDDEN***' }

  it('401, 403, and 404 for a key that never was', async () => {
    expect((await vault.ask('GET', '/secrets/TOLD/history/', undefined, null)).status).toBe(401)
    expect((await vault.ask('GET', '/secrets/TOLD/history/', undefined, vault.stranger)).status).toBe(403)
    expect(await vault.ask('GET', '/secrets/TOLD/history/?app=shop')).toMatchObject({ status: 404, body: unknown('TOLD', 'app "shop", site') })
  })

  it('has what was changed, and no value; outlives the secret; a new key stands in the history of both', async () => {
    await vault.keep('TOLD', 'private', { v: 'CANARY' }, { tags: ['Red'] })
    await vault.ask('PUT', '/secrets/TOLD/', { value: { v: 'CANARY 2' }, tags: ['blue', 'Red'] })
    await vault.ask('PUT', '/secrets/TOLD/', { tags: ['Red', 'blue'] })
    await vault.ask('PUT', '/secrets/TOLD/', { key: 'RETOLD' })
    await vault.ask('DELETE', '/secrets/RETOLD/')
    const told = await vault.ask('GET', '/secrets/TOLD/history/', undefined, vault.reader)
    const renamed = { key: { old: 'TOLD', new: 'RETOLD' } }
    expect([told.status, told.body]).toEqual([
      200,
      {
        key: 'TOLD',
        app: null,
        results: [
          entry('~', 'TOLD', renamed),
          entry('~', 'TOLD', { value: hidden, tags: { old: ['Red'], new: ['Red', 'blue'] } }),
          entry('+', 'TOLD'),
        ],
        total_count: 3,
        limit: 10,
        offset: 0,
        has_next: false,
        has_previous: false,
      },
    ])
    // It follows the secret to its new key.
    expect((await vault.ask('GET', '/secrets/RETOLD/history/')).body.results).toEqual([
      entry('-', 'RETOLD'),
      entry('~', 'RETOLD', renamed),
      entry('~', 'TOLD', { value: hidden, tags: { old: ['Red'], new: ['Red', 'blue'] } }),
      entry('+', 'TOLD'),
    ])
  })

  it('of the app when it has one there, else of the site; limit and offset', async () => {
    await vault.keep('PAGED', 'public', {}, { app: 'shop' })
    for (const tags of [['Red'], ['blue'], []]) await vault.ask('PUT', '/secrets/PAGED/?app=shop', { tags })
    const page = async (query: string) => (await vault.ask('GET', `/secrets/PAGED/history/${query}`)).body
    expect(await page('?app=shop&limit=1&offset=1')).toMatchObject({
      app: 'shop',
      results: [{ changes: { tags: { old: ['Red'], new: ['blue'] } } }],
      total_count: 4,
      limit: 1,
      offset: 1,
      has_next: true,
      has_previous: true,
    })
    expect(await page('?app=shop&limit=1000')).toMatchObject({ limit: 100, has_next: false, has_previous: false })
    expect(await page('')).toMatchObject({ error: 'Secret not found' })
    await vault.keep('PAGED', 'public')
    expect([(await page('')).app, (await page('?app=blog')).app, (await page('?app=shop')).app]).toEqual([null, null, 'shop'])
    expect((await vault.ask('GET', '/secrets/PAGED/history/?limit=0&offset=x')).body).toEqual({
      error: 'Validation failed',
      detail: { limit: ['A limit is a whole number from 1.'], offset: ['An offset is a whole number from 0.'] },
    })
  })

  it('cannot be changed by the tenant', async () => {
    for (const table of ['_secret_history', '_secret_reads']) {
      const rights = await app.sql(
        `select has_table_privilege($1, $2, 'insert') as insert, has_table_privilege($1, $2, 'update') or has_table_privilege($1, $2, 'delete') as change`,
        [vault.schema, `${vault.schema}.${table}`],
      )
      expect(rights).toEqual([{ insert: true, change: false }])
    }
  })
})

describe('the cookie of a session', () => {
  const origin = 'http://localhost'

  it('is accepted; what changes something has to come from a page of this host', async () => {
    const cookie = `sessionid=${await issueSession(configOf(app.env), await app.identity(vault.owner))}`
    const ask = (method: string, path: string, body: unknown, headers = {}) => vault.ask(method, path, body, null, { cookie, ...headers })
    const body = { secret_type: 'private', key: 'COOKIE', value: {} }
    expect(await ask('POST', '/secrets/', body)).toMatchObject({ status: 403, body: denied })
    expect((await ask('POST', '/secrets/', body, { origin: 'https://evil.test' })).status).toBe(403)
    expect((await ask('POST', '/secrets/', body, { origin })).status).toBe(201)
    expect((await ask('GET', '/secrets/COOKIE/', undefined)).status).toBe(200)
    expect((await ask('GET', '/secret-types/', undefined)).status).toBe(200)
    expect((await ask('POST', '/tags/', { name: 'baked' }, { origin })).status).toBe(201)
    expect((await ask('DELETE', '/secrets/COOKIE/', undefined, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  })
})

describe('reads of what is not public', () => {
  it('are written down, each once, from the cache too, with who and when; those of public ones are not', async () => {
    const fresh = await createVault(app, 'read')
    for (const type of ['public', 'private', 'sensitive']) await fresh.keep(type, type)
    for (const type of ['public', 'private', 'sensitive']) {
      for (let times = 0; times < 3; times++) await fresh.ask('GET', `/secrets/${type}/`, undefined, fresh.reader)
      await fresh.ask('GET', `/secrets/${type}/?tags=none`, undefined, fresh.reader)
      await fresh.ask('GET', `/secrets/${type}/`, undefined, fresh.stranger)
      await fresh.ask('GET', `/secrets/${type}/`, undefined, null)
    }
    await fresh.ask('GET', '/secrets/?page_size=2')
    await fresh.ask('GET', '/secrets/?keys=private,none')
    await handOverReads(app, fresh)
    await handOverReads(app, fresh)
    const reads = await app.sql<{ key: string; username: string; count: string }>(
      `select key, username, count(*)::int as count from ${fresh.schema}._secret_reads group by 1, 2 order by 1, 2`,
    )
    expect(reads).toEqual([
      { key: 'private', username: 'read-owner', count: 2 },
      { key: 'private', username: 'read-reader', count: 3 },
      { key: 'sensitive', username: 'read-owner', count: 1 },
      { key: 'sensitive', username: 'read-reader', count: 3 },
    ])
  })
})
