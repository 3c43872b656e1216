/** Secrets: permissions, errors, values, history and access log. Spec: Secrets; K2–K9. */
import { beforeAll, describe, expect, it } from 'vitest'
import { issueSession } from '../../src/kernel/access/tokens.ts'
import { configOf } from '../../src/kernel/env.ts'
import { siteIdOf, startApp, type TestApp } from '../support/app.ts'
import { createSecretSite, moveReads, type SecretSite } from '../support/secrets.ts'

let app: TestApp
let tenant: SecretSite

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
  created_by: tenant.owner.username,
  ...more,
})
const notSignedIn = {
  error: 'Authentication required',
  detail: 'Authentication credentials were not provided.',
  code: 'not_authenticated',
}
const denied = {
  error: 'Permission denied',
  detail: 'You do not have permission to perform this action.',
  code: 'permission_denied',
}
const unknown = (key: string, levels: string) => ({
  error: 'Secret not found',
  detail: `There is no secret "${key}". Levels searched: ${levels}.`,
  code: 'secret_not_found',
})

beforeAll(async () => {
  app = await startApp()
  tenant = await createSecretSite(app, 'secrets')
  for (const name of ['Red', 'Dark_Green', 'blue']) await tenant.ask('POST', '/tags/', { name })
  await tenant.ask('POST', '/secret-types/', {
    name: 'server',
    sensitivity_level: 'private',
    schema: {
      properties: { host: { type: 'string' }, port: { type: 'integer' } },
      required: ['host'],
      additionalProperties: false,
    },
  })
})

describe('POST /api/secrets/', () => {
  const wrong = (detail: unknown) => ({
    status: 400,
    body: { error: 'Validation failed', detail, code: 'validation_failed' },
  })

  it('returns 401 without credentials, 403 without manage_site', async () => {
    const body = { secret_type: 'private', key: 'A', value: {} }
    expect(await tenant.ask('POST', '/secrets/', body, null)).toMatchObject({
      status: 401,
      body: notSignedIn,
    })
    expect(await tenant.ask('POST', '/secrets/', body, tenant.reader)).toMatchObject({
      status: 403,
      body: denied,
    })
    expect(await tenant.ask('POST', '/secrets/', { key: 5 }, tenant.stranger)).toMatchObject({
      status: 403,
      body: denied,
    })
  })

  it('returns 400 with the names of all invalid fields', async () => {
    expect(await tenant.ask('POST', '/secrets/', {})).toMatchObject(
      wrong({
        secret_type: ['This field is required.'],
        key: ['This field is required.'],
        value: ['This field is required.'],
      }),
    )
    const odd = { secret_type: 5, key: '', value: [1], tags: 'red', app: 1, sensitivity_level: 1 }
    const rejected = await tenant.ask('POST', '/secrets/', odd)
    expect(rejected.status).toBe(400)
    expect(Object.keys(rejected.body.detail).sort()).toEqual([
      'app',
      'key',
      'secret_type',
      'sensitivity_level',
      'tags',
      'value',
    ])
    const plain = await tenant.ask('POST', '/secrets/', {
      secret_type: 'public',
      key: 'A',
      value: {},
      sensitivity_level: 'sensitive',
    })
    expect(plain).toMatchObject(
      wrong({ sensitivity_level: ['It must be that of the secret type, "public".'] }),
    )
    expect(
      await tenant.ask('POST', '/secrets/', { secret_type: 'private', key: 'A', value: null }),
    ).toMatchObject(wrong({ value: ['This field may not be null.'] }))
  })

  it.each(['a/b', 'a,b', ' a', 'a\u0007', '..', '\u200b', 'a'.repeat(256)])(
    'returns 400 for the key %j',
    async (key) => {
      const rejected = await tenant.ask('POST', '/secrets/', { secret_type: 'private', key, value: {} })
      expect([rejected.status, Object.keys(rejected.body.detail)]).toEqual([400, ['key']])
    },
  )

  it('returns 400 for an unknown type and tag, and stores nothing', async () => {
    const body = { secret_type: 'none', key: 'UNKEPT', value: {}, tags: ['Red', 'red', 'none'] }
    expect(await tenant.ask('POST', '/secrets/', body)).toMatchObject(
      wrong({
        secret_type: ['There is no secret type "none".'],
        tags: ['There is no tag "red".', 'There is no tag "none".'],
      }),
    )
    expect((await tenant.ask('GET', '/secrets/UNKEPT/')).status).toBe(404)
  })

  it('returns 400 with messages by field for an invalid value, without quoting it', async () => {
    const rejected = await tenant.ask('POST', '/secrets/', {
      secret_type: 'server',
      key: 'A',
      value: { port: 'CANARY', extra: 'CANARY' },
    })
    expect([rejected.status, rejected.body]).toEqual([
      400,
      {
        error: 'Schema validation failed',
        detail: {
          host: ['This field is required.'],
          port: ['Must be of type integer.'],
          extra: ['This field is not allowed.'],
        },
        code: 'validation_failed',
      },
    ])
  })

  it('returns 400 for a value that is too large or has too many parts', async () => {
    const rejected = async (value: unknown) =>
      (await tenant.ask('POST', '/secrets/', { secret_type: 'private', key: 'A', value })).body
    expect(await rejected({ v: 'ü'.repeat(32_768) })).toEqual({
      error: 'Validation failed',
      detail: { value: ['A value can have at most 65536 bytes.'] },
      code: 'validation_failed',
    })
    expect(await rejected({ v: Array(2000).fill(0) })).toEqual({
      error: 'Validation failed',
      detail: { value: ['A value can have at most 2000 members and elements.'] },
      code: 'validation_failed',
    })
  })

  it.each(['public', 'private', 'sensitive'])('returns 201 with the %s secret', async (type) => {
    const key = `made ${type}`
    const created = await tenant.ask('POST', '/secrets/', {
      secret_type: type,
      key,
      value: { v: key },
      tags: ['blue', 'Red', 'blue'],
    })
    expect([created.status, created.body]).toEqual([201, shown(key, type, { tags: ['Red', 'blue'] })])
    const read = await tenant.ask('GET', `/secrets/${encodeURIComponent(key)}/`, undefined, tenant.reader)
    expect([read.status, read.body]).toEqual([200, created.body])
  })

  it('returns 400 for a duplicate key of a level; another level may have the same key', async () => {
    const at = (level: string | null) =>
      tenant.ask('POST', '/secrets/', { secret_type: 'private', key: 'LEVELS', value: { level }, app: level })
    expect(
      await Promise.all([null, 'shop', 'blog'].map(async (level) => (await at(level)).body.app)),
    ).toEqual([null, 'shop', 'blog'])
    expect(await at(null)).toMatchObject({
      status: 400,
      body: {
        message: 'A secret with the key "LEVELS" already exists at the site level.',
        field: 'key',
        code: 'already_exists',
      },
    })
    expect(await at('shop')).toMatchObject({
      status: 400,
      body: {
        message: 'A secret with the key "LEVELS" already exists in the app "shop".',
        field: 'key',
        code: 'already_exists',
      },
    })
    const read = async (query: string) =>
      (await tenant.ask('GET', `/secrets/LEVELS/${query}`)).body.value.level
    expect([await read(''), await read('?app=shop'), await read('?app=blog')]).toEqual([null, 'shop', 'blog'])
  })

  it('creates one secret and one data key for 8 concurrent requests with the same key', async () => {
    const fresh = await createSecretSite(app, 'racing')
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        fresh.ask('POST', '/secrets/', { secret_type: 'private', key: 'RACE', value: { n } }),
      ),
    )
    expect(made.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(400)])
    const winner = made.findIndex(({ status }) => status === 201)
    expect((await fresh.ask('GET', '/secrets/RACE/')).body.value).toEqual({ n: winner })
    expect(await app.sql('select version from data_keys where site_id = $1', [siteIdOf(fresh)])).toEqual([
      { version: 1 },
    ])
  })

  it('stores a value unchanged, with any names and texts', async () => {
    const value = JSON.parse(
      '{"__proto__": {"a": 1}, "constructor": null, "": [1.5, -0.25, 1e-7, true, {"ü": "\\ud83d\\ude00 \\\\ \\" \\n"}], "toString": []}',
    )
    for (const type of ['public', 'private']) {
      await tenant.keep(`odd ${type}`, type, value)
      const read = await tenant.ask('GET', `/secrets/odd%20${type}/`)
      expect(JSON.stringify(Object.entries(read.body.value).sort())).toBe(
        JSON.stringify(Object.entries(value).sort()),
      )
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
      // At both levels, the second match is public: it must not be shown instead of the first.
      kept.push(tenant.keep(key('site', sensitivity), sensitivity, { at: 'site' }, { tags: ['Red'] }))
      kept.push(
        tenant.keep(key('app', sensitivity), sensitivity, { at: 'app' }, { tags: ['Red'], app: 'shop' }),
      )
      kept.push(
        tenant.keep(key('both', sensitivity), sensitivity, { at: 'app' }, { tags: ['Red'], app: 'shop' }),
      )
      kept.push(tenant.keep(key('both', sensitivity), 'public', { at: 'site' }, { tags: ['blue'] }))
    }
    await Promise.all(kept)
  })

  it.each([
    ['as an anonymous caller', undefined],
    ['as a stranger', 'stranger'],
    ['as a reader', 'reader'],
  ] as const)('uses the first match of a key, and never a second one: %s', async (_who, person) => {
    const by = person ? tenant[person] : null
    const cells = levels.flatMap((level) =>
      sensitivities.flatMap((sensitivity) =>
        ['', '&tags=Red', '&tags=blue,none'].map((tags) => ({ level, sensitivity, tags })),
      ),
    )
    const answers = await Promise.all(
      cells.map(async ({ level, sensitivity, tags }) => {
        const { status, body } = await tenant.ask(
          'GET',
          `/secrets/${key(level, sensitivity)}/?app=shop${tags}`,
          undefined,
          by,
        )
        return [level, sensitivity, tags, status, status === 200 ? body.value : body]
      }),
    )
    const expected = cells.map(({ level, sensitivity, tags }) => {
      const name = key(level, sensitivity)
      const open = level !== 'none' && sensitivity === 'public'
      if (!open && !by) return [level, sensitivity, tags, 401, notSignedIn]
      if (!open && by === tenant.stranger) return [level, sensitivity, tags, 403, denied]
      if (level === 'none') return [level, sensitivity, tags, 404, unknown(name, 'app "shop", site')]
      if (tags.includes('blue')) {
        const detail = `The secret "${name}" has none of the required tags: blue, none.`
        return [
          level,
          sensitivity,
          tags,
          404,
          { error: 'Secret not found', detail, code: 'secret_not_found' },
        ]
      }
      return [level, sensitivity, tags, 200, { at: level === 'site' ? 'site' : 'app' }]
    })
    expect(answers).toEqual(expected)
  })

  it('returns 401 for an unknown key without credentials, else 404 with the levels', async () => {
    const rejected = await tenant.ask('GET', '/secrets/NOWHERE/', undefined, null)
    expect([rejected.status, rejected.body, rejected.headers.get('www-authenticate')]).toEqual([
      401,
      notSignedIn,
      'Bearer',
    ])
    expect(await tenant.ask('GET', '/secrets/NOWHERE/')).toMatchObject({
      status: 404,
      body: unknown('NOWHERE', 'site'),
    })
    expect(await tenant.ask('GET', '/secrets/NOWHERE/?app=none')).toMatchObject({
      status: 404,
      body: { error: 'App not found', detail: 'There is no app "none".', code: 'not_found' },
    })
  })

  it('returns 401 for invalid credentials, even for a public secret', async () => {
    const { status } = await tenant.ask('GET', `/secrets/${key('site', 'public')}/`, undefined, null, {
      authorization: 'Bearer a.b.c',
    })
    expect(status).toBe(401)
  })

  it('has Cache-Control: no-store', async () => {
    const { headers } = await tenant.ask('GET', `/secrets/${key('site', 'private')}/`)
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('gives the owner of another site no access in either site', async () => {
    const other = await createSecretSite(app, 'other')
    expect(
      (await tenant.ask('GET', `/secrets/${key('site', 'private')}/`, undefined, other.owner)).status,
    ).toBe(403)
    expect((await other.ask('GET', `/secrets/${key('site', 'public')}/`)).status).toBe(404)
  })
})

describe('PUT /api/secrets/{key}/', () => {
  it('returns 400 with both types for another type, 200 for the same one', async () => {
    await tenant.keep('TYPED', 'private')
    const rejected = await tenant.ask('PUT', '/secrets/TYPED/', { secret_type: 'public', value: { v: 2 } })
    expect([rejected.status, rejected.body]).toEqual([
      400,
      {
        error: 'The secret_type cannot be changed',
        detail: { field: 'secret_type', current: 'private', attempted: 'public' },
        code: 'read_only',
      },
    ])
    const twice = await tenant.ask(
      'PUT',
      '/secrets/TYPED/',
      '{"secret_type": "private", "secret_type": "public"}',
    )
    expect([twice.status, twice.body]).toEqual([
      400,
      { detail: 'The body has the name "secret_type" twice in one object.', code: 'malformed_body' },
    ])
    expect((await tenant.ask('PUT', '/secrets/TYPED/', { secret_type: 'private' })).body.value).toEqual({
      v: 'TYPED',
    })
  })

  it('returns 403 without manage_site, 400 for an invalid value, tag or field', async () => {
    await tenant.keep('SERVER', 'server', { host: 'a' })
    expect(
      await tenant.ask('PUT', '/secrets/SERVER/', { value: { host: 'b' } }, tenant.reader),
    ).toMatchObject({
      status: 403,
      body: denied,
    })
    expect((await tenant.ask('PUT', '/secrets/SERVER/', { value: { host: 5 } })).body).toEqual({
      error: 'Schema validation failed',
      detail: { host: ['Must be of type string.'] },
      code: 'validation_failed',
    })
    expect((await tenant.ask('PUT', '/secrets/SERVER/', { tags: ['none'] })).body.detail).toEqual({
      tags: ['There is no tag "none".'],
    })
    const odd = await tenant.ask('PUT', '/secrets/SERVER/', {
      sensitivity_level: 5,
      created_by: 'me',
      vaule: {},
      value: null,
    })
    expect([odd.status, Object.keys(odd.body.detail).sort()]).toEqual([
      400,
      ['sensitivity_level', 'value', 'vaule'],
    ])
    const other = await tenant.ask('PUT', '/secrets/SERVER/', { sensitivity_level: 'public', app: 'shop' })
    expect([other.status, other.body]).toEqual([
      400,
      {
        error: 'Validation failed',
        detail: {
          app: ['The level of a secret cannot be changed. The query parameter `app` selects the level.'],
          sensitivity_level: ['It must be that of the secret type, "private".'],
        },
        code: 'validation_failed',
      },
    ])
    expect((await tenant.ask('GET', '/secrets/SERVER/')).body).toMatchObject({
      value: { host: 'a' },
      sensitivity_level: 'private',
      tags: [],
    })
  })

  it('accepts a secret as it was read, with the name of its type, but only at its own level', async () => {
    const type = { name: 'Long_Name' }
    expect(await tenant.ask('POST', '/secret-types/', type)).toMatchObject({
      status: 201,
      body: { slug: 'long-name' },
    })
    await tenant.keep('BACK', 'long-name', { at: 'site' })
    await tenant.keep('BACK', 'long-name', { at: 'app' }, { app: 'shop' })
    const { body } = await tenant.ask('GET', '/secrets/BACK/?app=shop')
    expect(body).toMatchObject({ secret_type: 'Long_Name', app: 'shop' })
    expect((await tenant.ask('PUT', '/secrets/BACK/', body)).status).toBe(400)
    expect(await tenant.ask('PUT', '/secrets/BACK/?app=shop', body)).toMatchObject({
      status: 200,
      body: { ...body, modified_at: expect.any(String) },
    })
    expect((await tenant.ask('GET', '/secrets/BACK/')).body.value).toEqual({ at: 'site' })
  })

  it('leaves omitted fields unchanged, and changes only the named level', async () => {
    await tenant.keep('BOTH', 'private', { at: 'site' }, { tags: ['Red'] })
    await tenant.keep('BOTH', 'public', { at: 'app' }, { app: 'shop' })
    const tagged = await tenant.ask('PUT', '/secrets/BOTH/', { tags: ['blue'] })
    expect([tagged.status, tagged.body]).toEqual([
      200,
      shown('BOTH', 'private', { value: { at: 'site' }, tags: ['blue'] }),
    ])
    const valued = await tenant.ask('PUT', '/secrets/BOTH/?app=shop', { value: { at: 'shop' } })
    expect([valued.status, valued.body]).toEqual([
      200,
      shown('BOTH', 'public', { value: { at: 'shop' }, app: 'shop' }),
    ])
    expect((await tenant.ask('PUT', '/secrets/BOTH/', {})).body.value).toEqual({ at: 'site' })
    expect(await tenant.ask('PUT', '/secrets/BOTH/?app=blog', { tags: [] })).toMatchObject({
      status: 404,
      body: unknown('BOTH', 'app "blog"'),
    })
    expect(await tenant.ask('PUT', '/secrets/NOWHERE/', {})).toMatchObject({
      status: 404,
      body: unknown('NOWHERE', 'site'),
    })
  })

  it('moves a secret with its value and history to a new key; returns 400 if the key is taken', async () => {
    await tenant.keep('FROM', 'private', { v: 1 }, { tags: ['Red'] })
    await tenant.keep('TAKEN', 'private')
    expect((await tenant.ask('PUT', '/secrets/FROM/', { key: 'TAKEN' })).body).toMatchObject({ field: 'key' })
    const moved = await tenant.ask('PUT', '/secrets/FROM/', { key: 'TO' })
    expect([moved.status, moved.body]).toEqual([
      200,
      shown('TO', 'private', { value: { v: 1 }, tags: ['Red'] }),
    ])
    expect((await tenant.ask('GET', '/secrets/FROM/')).status).toBe(404)
    expect((await tenant.ask('GET', '/secrets/TO/')).body.value).toEqual({ v: 1 })
  })

  it('applies concurrent changes one after the other, and records all of them in the history', async () => {
    await tenant.keep('BUSY', 'private', { n: 0 })
    const changed = await Promise.all(
      Array.from({ length: 6 }, (_, n) => tenant.ask('PUT', '/secrets/BUSY/', { value: { n } })),
    )
    expect(changed.map(({ status, body }) => [status, body.value])).toEqual(
      changed.map((_, n) => [200, { n }]),
    )
    expect((await tenant.ask('GET', '/secrets/BUSY/history/')).body.total_count).toBe(7)
    expect((await tenant.ask('GET', '/secrets/BUSY/')).status).toBe(200)
  })
})

describe('DELETE /api/secrets/{key}/', () => {
  it('returns 403 without manage_site, 200 at exactly the named level, then 404', async () => {
    await tenant.keep('GONE', 'private')
    await tenant.keep('GONE', 'private', {}, { app: 'shop' })
    expect((await tenant.ask('DELETE', '/secrets/GONE/', undefined, tenant.reader)).status).toBe(403)
    expect(await tenant.ask('DELETE', '/secrets/GONE/?app=blog')).toMatchObject({
      status: 404,
      body: unknown('GONE', 'app "blog"'),
    })
    const gone = await tenant.ask('DELETE', '/secrets/GONE/?app=shop')
    expect([gone.status, gone.body]).toEqual([
      200,
      { message: 'Secret deleted', detail: 'The secret "GONE" has been deleted from the app "shop".' },
    ])
    expect((await tenant.ask('GET', '/secrets/GONE/?app=shop')).body.app).toBe(null)
    expect((await tenant.ask('DELETE', '/secrets/GONE/')).body.detail).toBe(
      'The secret "GONE" has been deleted from the site.',
    )
    expect(await tenant.ask('DELETE', '/secrets/GONE/')).toMatchObject({
      status: 404,
      body: unknown('GONE', 'site'),
    })
  })
})

describe('PUT and DELETE', () => {
  it('return 404 and change nothing if a read would fall back to another level', async () => {
    await tenant.keep('ONLY-SITE', 'private', { at: 'site' })
    await tenant.keep('ONLY-APP', 'private', { at: 'app' }, { app: 'shop' })
    const levels: [path: string, searched: string][] = [
      ['ONLY-SITE/?app=shop', 'app "shop"'],
      ['ONLY-APP/', 'site'],
    ]
    for (const [path, searched] of levels) {
      const expected = { status: 404, body: unknown(path.split('/')[0] as string, searched) }
      expect(await tenant.ask('PUT', `/secrets/${path}`, { value: { at: 'changed' } })).toMatchObject(
        expected,
      )
      expect(await tenant.ask('DELETE', `/secrets/${path}`)).toMatchObject(expected)
    }
    const read = async (path: string) => (await tenant.ask('GET', `/secrets/${path}?app=shop`)).body.value
    expect([await read('ONLY-SITE/'), await read('ONLY-APP/')]).toEqual([{ at: 'site' }, { at: 'app' }])
  })
})

describe('GET /api/secrets/{key}/history/', () => {
  const entry = (action: string, key: string, changes: unknown = {}) => ({
    action,
    user: tenant.owner.username,
    timestamp,
    key,
    changes,
  })
  const hidden = { old: '***HIDDEN***', new: '***HIDDEN***' }

  it('returns 401, 403, and 404 for a key that never existed', async () => {
    expect((await tenant.ask('GET', '/secrets/TOLD/history/', undefined, null)).status).toBe(401)
    expect((await tenant.ask('GET', '/secrets/TOLD/history/', undefined, tenant.stranger)).status).toBe(403)
    expect(await tenant.ask('GET', '/secrets/TOLD/history/?app=shop')).toMatchObject({
      status: 404,
      body: unknown('TOLD', 'app "shop", site'),
    })
  })

  it('lists changes without values, outlives the secret, and shows a rename under both keys', async () => {
    await tenant.keep('TOLD', 'private', { v: 'CANARY' }, { tags: ['Red'] })
    await tenant.ask('PUT', '/secrets/TOLD/', { value: { v: 'CANARY 2' }, tags: ['blue', 'Red'] })
    await tenant.ask('PUT', '/secrets/TOLD/', { tags: ['Red', 'blue'] })
    await tenant.ask('PUT', '/secrets/TOLD/', { key: 'RETOLD' })
    await tenant.ask('DELETE', '/secrets/RETOLD/')
    const told = await tenant.ask('GET', '/secrets/TOLD/history/', undefined, tenant.reader)
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
    // The history follows the secret to its new key.
    expect((await tenant.ask('GET', '/secrets/RETOLD/history/')).body.results).toEqual([
      entry('-', 'RETOLD'),
      entry('~', 'RETOLD', renamed),
      entry('~', 'TOLD', { value: hidden, tags: { old: ['Red'], new: ['Red', 'blue'] } }),
      entry('+', 'TOLD'),
    ])
  })

  it('returns the history of the app, else of the site, with limit and offset', async () => {
    await tenant.keep('PAGED', 'public', {}, { app: 'shop' })
    for (const tags of [['Red'], ['blue'], []]) await tenant.ask('PUT', '/secrets/PAGED/?app=shop', { tags })
    const page = async (query: string) => (await tenant.ask('GET', `/secrets/PAGED/history/${query}`)).body
    expect(await page('?app=shop&limit=1&offset=1')).toMatchObject({
      app: 'shop',
      results: [{ changes: { tags: { old: ['Red'], new: ['blue'] } } }],
      total_count: 4,
      limit: 1,
      offset: 1,
      has_next: true,
      has_previous: true,
    })
    expect(await page('?app=shop&limit=1000')).toMatchObject({
      limit: 100,
      has_next: false,
      has_previous: false,
    })
    expect(await page('')).toMatchObject({ error: 'Secret not found', code: 'secret_not_found' })
    await tenant.keep('PAGED', 'public')
    expect([(await page('')).app, (await page('?app=blog')).app, (await page('?app=shop')).app]).toEqual([
      null,
      null,
      'shop',
    ])
    expect((await tenant.ask('GET', '/secrets/PAGED/history/?limit=0&offset=x')).body).toEqual({
      error: 'Validation failed',
      detail: {
        limit: ['Must be a whole number of 1 or more.'],
        offset: ['Must be a whole number of 0 or more.'],
      },
      code: 'validation_failed',
    })
  })

  it('cannot be changed with the rights of the tenant', async () => {
    for (const table of ['_secret_history', '_secret_reads']) {
      const rights = await app.sql(
        `select has_table_privilege($1, $2, 'insert') as insert, has_table_privilege($1, $2, 'update') or has_table_privilege($1, $2, 'delete') as change`,
        [tenant.schema, `tenant.${table}`],
      )
      expect(rights).toEqual([{ insert: true, change: false }])
    }
  })
})

describe('a session cookie', () => {
  const origin = 'http://localhost'

  it('is accepted for secrets; unsafe methods must come from a page of the same host', async () => {
    const cookie = `sessionid=${await issueSession(configOf(app.env), await app.identity(tenant.owner))}`
    const ask = (method: string, path: string, body: unknown, headers = {}) =>
      tenant.ask(method, path, body, null, { cookie, ...headers })
    const body = { secret_type: 'private', key: 'COOKIE', value: {} }
    expect(await ask('POST', '/secrets/', body)).toMatchObject({ status: 403, body: denied })
    expect((await ask('POST', '/secrets/', body, { origin: 'https://evil.test' })).status).toBe(403)
    expect((await ask('POST', '/secrets/', body, { origin })).status).toBe(201)
    expect((await ask('GET', '/secrets/COOKIE/', undefined)).status).toBe(200)
    expect((await ask('GET', '/secret-types/', undefined)).status).toBe(200)
    expect((await ask('POST', '/tags/', { name: 'baked' }, { origin })).status).toBe(201)
    expect(
      (await ask('DELETE', '/secrets/COOKIE/', undefined, { 'sec-fetch-site': 'cross-site' })).status,
    ).toBe(403)
  })
})

describe('reads of secrets that are not public', () => {
  it('are recorded once each with user and time, also from the cache', async () => {
    const fresh = await createSecretSite(app, 'read')
    for (const type of ['public', 'private', 'sensitive']) await fresh.keep(type, type)
    for (const type of ['public', 'private', 'sensitive']) {
      for (let times = 0; times < 3; times++)
        await fresh.ask('GET', `/secrets/${type}/`, undefined, fresh.reader)
      await fresh.ask('GET', `/secrets/${type}/?tags=none`, undefined, fresh.reader)
      await fresh.ask('GET', `/secrets/${type}/`, undefined, fresh.stranger)
      await fresh.ask('GET', `/secrets/${type}/`, undefined, null)
    }
    await fresh.ask('GET', '/secrets/?page_size=2')
    await fresh.ask('GET', '/secrets/?keys=private,none')
    await moveReads(app, fresh)
    await moveReads(app, fresh)
    const reads = await app.sql<{ key: string; username: string; count: string }>(
      `select key, username, count(*)::int as count from tenant._secret_reads
        where site_id = $1 group by 1, 2 order by 1, 2`,
      [siteIdOf(fresh)],
    )
    expect(reads).toEqual([
      { key: 'private', username: 'read-owner', count: 2 },
      { key: 'private', username: 'read-reader', count: 3 },
      { key: 'sensitive', username: 'read-owner', count: 1 },
      { key: 'sensitive', username: 'read-reader', count: 3 },
    ])
  })
})

describe('an app that the site does not have', () => {
  const noApp = {
    status: 404,
    body: { error: 'App not found', detail: 'There is no app "nowhere".', code: 'not_found' },
  }

  it.each<[string, string, object?]>([
    ['GET', '/secrets/?app=nowhere'],
    ['GET', '/secrets/?app=nowhere&keys=OPEN'],
    ['GET', '/secrets/OPEN/?app=nowhere'],
    ['GET', '/secrets/ABSENT/?app=nowhere'],
    ['GET', '/secrets/OPEN/history/?app=nowhere'],
    ['POST', '/secrets/', { secret_type: 'public', key: 'FRESH', value: {}, app: 'nowhere' }],
    ['PUT', '/secrets/OPEN/?app=nowhere', { value: {} }],
    ['DELETE', '/secrets/OPEN/?app=nowhere'],
  ])('is 404 that says so: %s %s', async (method, path, body) => {
    if ((await tenant.ask('GET', '/secrets/OPEN/')).status === 404)
      await tenant.keep('OPEN', 'public', { v: 'open' })
    expect(await tenant.ask(method, path, body)).toMatchObject(noApp)
    expect((await tenant.ask('GET', '/secrets/OPEN/')).body.value).toEqual({ v: 'open' })
  })

  it('is 401 and 403 for callers who may not learn which secrets and apps exist', async () => {
    const at = (by: { token: string } | null) =>
      app.request('GET', `${tenant.api}/secrets/OPEN/?app=nowhere`, by ? { token: by.token } : {})
    expect((await at(null)).status).toBe(401)
    expect((await at(tenant.stranger)).status).toBe(403)
  })
})
