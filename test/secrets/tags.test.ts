/** Tags, and lists of secrets. Spec: Tags; Secrets, rule 5; K4, K5, K8. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { createSecretSite, type SecretSite } from '../support/secrets.ts'

let app: TestApp
let tenant: SecretSite

beforeAll(async () => {
  app = await startApp()
  tenant = await createSecretSite(app, 'tags')
})

describe('/api/tags/', () => {
  const red = { name: 'Dark_Red', slug: 'dark-red', description: 'As wine', color: '#A00' }

  it('returns 401 without credentials, 403 without access or for writes of readers', async () => {
    expect((await tenant.ask('GET', '/tags/', undefined, null)).status).toBe(401)
    expect((await tenant.ask('GET', '/tags/', undefined, tenant.stranger)).status).toBe(403)
    expect((await tenant.ask('POST', '/tags/', { name: 'x' }, tenant.reader)).status).toBe(403)
  })

  it.each<[string, unknown, unknown]>([
    ['no name', {}, { name: ['This field is required.'] }],
    [
      'a name outside of ^[a-zA-Z0-9_-]+$',
      { name: 'ü' },
      { name: ['A name can have letters, digits, hyphens and underscores.'] },
    ],
    [
      'an invalid color',
      { name: 'x', color: 'red' },
      { color: ['A color must be #RGB or #RRGGBB in hexadecimal digits.'] },
    ],
    [
      'a color of four digits',
      { name: 'x', color: '#1234' },
      { color: ['A color must be #RGB or #RRGGBB in hexadecimal digits.'] },
    ],
  ])('returns 400 for %s', async (_what, body, detail) => {
    const rejected = await tenant.ask('POST', '/tags/', body)
    expect([rejected.status, rejected.body]).toEqual([
      400,
      { error: 'Validation failed', detail, code: 'validation_failed' },
    ])
  })

  it('creates a tag with the default color #6B7280; returns 400 for a duplicate name or slug', async () => {
    const created = await tenant.ask('POST', '/tags/', {
      name: 'Dark_Red',
      description: 'As wine',
      color: '#A00',
    })
    expect([created.status, created.body]).toEqual([201, red])
    expect((await tenant.ask('POST', '/tags/', { name: 'plain' })).body).toEqual({
      name: 'plain',
      slug: 'plain',
      description: '',
      color: '#6B7280',
    })
    const rejected = await tenant.ask('POST', '/tags/', { name: 'dark-red' })
    expect([rejected.status, rejected.body]).toEqual([
      400,
      {
        message: 'A tag with the name "dark-red" or its slug already exists.',
        field: 'name',
        code: 'already_exists',
      },
    ])
  })

  it('lists tags as a bare array, and returns one by its slug', async () => {
    const list = await tenant.ask('GET', '/tags/', undefined, tenant.reader)
    expect([list.status, list.body]).toEqual([200, [red, expect.objectContaining({ name: 'plain' })]])
    expect((await tenant.ask('GET', '/tags/dark-red/')).body).toEqual(red)
    expect((await tenant.ask('GET', '/tags/Dark_Red/')).body).toEqual({
      error: 'Tag not found',
      detail: 'There is no tag "Dark_Red".',
      code: 'not_found',
    })
  })

  it('changes sent fields by PATCH and all by PUT; slug and secrets follow the new name', async () => {
    await tenant.keep('TAGGED', 'private', {}, { tags: ['plain'] })
    await tenant.ask('GET', '/secrets/TAGGED/')
    const patched = await tenant.ask('PATCH', '/tags/plain/', { name: 'Not_Plain' })
    expect([patched.status, patched.body]).toEqual([
      200,
      { name: 'Not_Plain', slug: 'not-plain', description: '', color: '#6B7280' },
    ])
    expect((await tenant.ask('GET', '/secrets/TAGGED/')).body.tags).toEqual(['Not_Plain'])
    const replaced = await tenant.ask('PUT', '/tags/dark-red/', { name: 'Dark_Red', color: '#aabbcc' })
    expect([replaced.status, replaced.body]).toEqual([200, { ...red, description: '', color: '#aabbcc' }])
    expect((await tenant.ask('PUT', '/tags/dark-red/', { color: '#000' })).status).toBe(400)
    expect((await tenant.ask('PATCH', '/tags/dark-red/', { name: 'not-plain' })).body).toMatchObject({
      field: 'name',
    })
    expect((await tenant.ask('PATCH', '/tags/none/', {})).status).toBe(404)
  })

  it('removes a deleted tag from all secrets and records that in their history', async () => {
    await tenant.keep('BOTH-TAGS', 'private', {}, { tags: ['Not_Plain', 'Dark_Red'], app: 'shop' })
    const gone = await tenant.ask('DELETE', '/tags/not-plain/')
    expect([gone.status, gone.body]).toEqual([
      200,
      {
        message: 'Tag deleted',
        detail: 'The tag "Not_Plain" has been deleted and removed from all secrets.',
      },
    ])
    expect((await tenant.ask('GET', '/secrets/TAGGED/')).body.tags).toEqual([])
    expect((await tenant.ask('GET', '/secrets/BOTH-TAGS/?app=shop')).body.tags).toEqual(['Dark_Red'])
    expect((await tenant.ask('GET', '/secrets/BOTH-TAGS/history/?app=shop')).body.results[0]).toMatchObject({
      action: '~',
      user: tenant.owner.username,
      changes: { tags: { old: ['Dark_Red', 'Not_Plain'], new: ['Dark_Red'] } },
    })
    expect((await tenant.ask('DELETE', '/tags/not-plain/')).status).toBe(404)
  })
})

describe('GET /api/secrets/', () => {
  let list: SecretSite
  const keys = async (query: string, by = list.reader) => {
    const { status, body } = await list.ask('GET', `/secrets/${query}`, undefined, by)
    return status === 200 ? body.items.map(({ key }: { key: string }) => key) : body
  }

  beforeAll(async () => {
    list = await createSecretSite(app, 'list')
    await app.request('PUT', `/api/cloud/sites/list/permissions/${list.reader.id}/`, {
      token: list.owner.token,
      body: { permissions: ['access_site', 'manage_site'] },
    })
    for (const name of ['Tag_A', 'Tag_B']) await list.ask('POST', '/tags/', { name })
    await list.keep('alpha', 'public', { v: 1 }, { tags: ['Tag_A'] })
    await list.keep('Beta_%', 'private', { v: 2 }, { tags: ['Tag_B', 'Tag_A'] })
    await list.ask(
      'POST',
      '/secrets/',
      { secret_type: 'sensitive', key: 'gamma', value: { v: 3 }, tags: ['Tag_B'] },
      list.reader,
    )
    await list.keep('delta', 'private', { v: 4 }, { app: 'shop' })
  })

  it('returns 401 without credentials, 403 without access', async () => {
    expect((await list.ask('GET', '/secrets/', undefined, null)).status).toBe(401)
    expect((await list.ask('GET', '/secrets/', undefined, list.stranger)).status).toBe(403)
    expect((await list.ask('GET', '/secrets/?keys=alpha', undefined, list.stranger)).status).toBe(403)
  })

  it('lists the newest first, at the level of the site, or of an app', async () => {
    const { body } = await list.ask('GET', '/secrets/?page_size=2', undefined, list.reader)
    expect(body).toMatchObject({
      items: [
        {
          key: 'gamma',
          secret_type: 'sensitive',
          value: { v: 3 },
          tags: ['Tag_B'],
          app: null,
          created_by: list.reader.username,
        },
        {
          key: 'Beta_%',
          secret_type: 'private',
          value: { v: 2 },
          tags: ['Tag_A', 'Tag_B'],
          app: null,
          created_by: list.owner.username,
        },
      ],
      count: 3,
      previous: null,
    })
    expect(new URL(body.next).search).toBe('?page_size=2&page=2')
    expect(await keys('?app=shop')).toEqual(['delta'])
    expect((await tenant.ask('GET', '/secrets/?app=none')).status).toBe(404)
    expect(await keys('?page=9')).toEqual({
      error: 'Not found',
      detail: 'Invalid page.',
      code: 'invalid_page',
    })
  })

  it('returns the first page of 20 by default', async () => {
    const paged = await createSecretSite(app, 'paged-secrets')
    await Promise.all(Array.from({ length: 21 }, (_, n) => paged.keep(`KEY-${n}`, 'public')))
    const { body } = await paged.ask('GET', '/secrets/')
    expect([body.items.length, body.count, new URL(body.next).search, body.previous]).toEqual([
      20,
      21,
      '?page=2',
      null,
    ])
  })

  it.each<[string, string[]]>([
    ['?search=A_', ['Beta_%']],
    ['?search=%25', ['Beta_%']],
    ['?key=alpha', ['alpha']],
    ['?key=alph', []],
    ['?tags=tag-a', ['Beta_%', 'alpha']],
    ['?tags=tag-a,tag-b,none', ['gamma', 'Beta_%', 'alpha']],
    ['?tags=Tag_A', []],
    ['?secret_type=private', ['Beta_%']],
    ['?created_by=list-reader', ['gamma']],
    ['?created_by=list-reader&tags=tag-a', []],
    ['?ordering=created_at', ['alpha', 'Beta_%', 'gamma']],
    ['?ordering=-modified_at', ['gamma', 'Beta_%', 'alpha']],
    ['?ordering=-type__name', ['gamma', 'alpha', 'Beta_%']],
    ['?ordering=-created_by__username,created_at', ['gamma', 'alpha', 'Beta_%']],
  ])('filters by %s: %j', async (query, expected) => {
    expect(await keys(query)).toEqual(expected)
  })

  it('returns 400 for an unknown ordering: only shown fields can be used', async () => {
    for (const ordering of ['value', 'ciphertext', 'id', '', 'key,', '--key', 'created_by']) {
      expect([ordering, (await list.ask('GET', `/secrets/?ordering=${ordering}`)).status]).toEqual([
        ordering,
        400,
      ])
    }
  })

  it('returns values by key for ?keys=, the app level first, without unknown keys', async () => {
    await list.keep('delta', 'public', { v: 'site' })
    const read = async (query: string) =>
      (await list.ask('GET', `/secrets/?keys=${query}`, undefined, list.reader)).body
    expect(await read('alpha,delta,__proto__,none')).toEqual({ alpha: { v: 1 }, delta: { v: 'site' } })
    expect(await read('alpha,delta&app=shop')).toEqual({ alpha: { v: 1 }, delta: { v: 4 } })
    expect(await read('alpha,delta&app=shop&include_metadata=true')).toEqual({
      alpha: { value: { v: 1 }, tags: ['Tag_A'], secret_type: 'public', sensitivity_level: 'public' },
      delta: { value: { v: 4 }, tags: [], secret_type: 'private', sensitivity_level: 'private' },
    })
    expect((await list.ask('GET', `/secrets/?keys=${Array.from({ length: 101 }, (_, n) => n)}`)).status).toBe(
      400,
    )
  })
})
