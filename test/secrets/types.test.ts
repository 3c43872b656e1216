/** Secret types. Spec: Secret types; K1, K2. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { createSecretSite, type SecretSite } from '../support/secrets.ts'

let app: TestApp
let tenant: SecretSite

const system = ['api-key', 'aws-credentials', 'database-url', 'oauth-client', 'smtp-credentials']
const invalid = (detail: unknown) => ({
  status: 400,
  body: { error: 'Validation failed', detail, code: 'validation_failed' },
})
const names = async (query: string) =>
  (await tenant.ask('GET', `/secret-types/${query}`)).body.items.map(({ name }: { name: string }) => name)

beforeAll(async () => {
  app = await startApp()
  tenant = await createSecretSite(app, 'types')
})

describe('a new site', () => {
  it('has the system types, all of them private', async () => {
    const { body } = await tenant.ask('GET', '/secret-types/?type=system', undefined, tenant.reader)
    expect(
      body.items.map(({ name, slug, type, sensitivity_level }: Record<string, string>) => [
        name,
        slug,
        type,
        sensitivity_level,
      ]),
    ).toEqual(system.map((name) => [name, name, 'system', 'private']))
    expect(body).toMatchObject({ count: 5, next: null, previous: null })
  })

  it('has system types whose schemas accept typical values and reject impossible ones', async () => {
    const keep = async (type: string, value: unknown) =>
      (await tenant.ask('POST', '/secrets/', { secret_type: type, key: `${type} ${Math.random()}`, value }))
        .status
    expect(await keep('api-key', { api_key: 'sk_1' })).toBe(201)
    expect(await keep('database-url', { url: 'postgresql://u:p@h/d' })).toBe(201)
    expect(await keep('smtp-credentials', { host: 'mail.example', port: 587, use_tls: true })).toBe(201)
    expect(await keep('smtp-credentials', { host: 'mail.example', from: 'desk@mail.example' })).toBe(201)
    expect(await keep('smtp-credentials', { port: 70_000 })).toBe(400)
    expect(await keep('smtp-credentials', { host: 'mail.example', from: 7 })).toBe(400)
    expect(await keep('api-key', {})).toBe(400)
  })
})

describe('GET /api/secret-types/', () => {
  it('returns 401 without credentials, 403 without access', async () => {
    expect((await tenant.ask('GET', '/secret-types/', undefined, null)).status).toBe(401)
    expect((await tenant.ask('GET', '/secret-types/', undefined, tenant.stranger)).status).toBe(403)
  })

  it('returns {items, count, next, previous}, each type with its schema', async () => {
    const schema = { type: 'object', required: ['b', 'a'] }
    await tenant.ask('POST', '/secret-types/', {
      name: 'Listed',
      description: 'Look here',
      sensitivity_level: 'sensitive',
      schema,
    })
    const { body } = await tenant.ask('GET', '/secret-types/?search=LISTED')
    expect(body).toEqual({
      items: [
        {
          type: 'custom',
          name: 'Listed',
          slug: 'listed',
          description: 'Look here',
          sensitivity_level: 'sensitive',
          schema,
        },
      ],
      count: 1,
      next: null,
      previous: null,
    })
  })

  it('supports search, filters by type and sensitivity_level, ordering and pages', async () => {
    expect(await names('?search=oK h')).toEqual(['Listed'])
    expect(await names('?search=%25')).toEqual([])
    expect(await names('?sensitivity_level=sensitive&ordering=-name')).toEqual(['sensitive', 'Listed'])
    expect(await names('?type=system&ordering=-name')).toEqual(system.toReversed())
    expect(await names('?ordering=-created_at&page_size=1')).toEqual(['Listed'])
    expect(await names('?ordering=type,-name&page_size=2')).toEqual(['sensitive', 'public'])
    const { body } = await tenant.ask('GET', '/secret-types/?page_size=4&page=2&ordering=modified_at')
    expect([body.items.length, new URL(body.next).search, new URL(body.previous).search]).toEqual([
      4,
      '?page_size=4&page=3&ordering=modified_at',
      '?page_size=4&page=1&ordering=modified_at',
    ])
  })

  it('returns the first page of 20 by default', async () => {
    const paged = await createSecretSite(app, 'paged-types')
    const made = Array.from({ length: 17 }, (_, n) => paged.ask('POST', '/secret-types/', { name: `t${n}` }))
    await Promise.all(made)
    const { body } = await paged.ask('GET', '/secret-types/')
    expect([body.items.length, body.count, new URL(body.next).search, body.previous]).toEqual([
      20,
      25,
      '?page=2',
      null,
    ])
  })

  it('returns 400 for invalid filters and orderings, 404 for a page beyond the last', async () => {
    const rejected = await tenant.ask(
      'GET',
      '/secret-types/?type=odd&sensitivity_level=odd&ordering=schema&page=0',
    )
    expect([rejected.status, Object.keys(rejected.body.detail).sort()]).toEqual([
      400,
      ['ordering', 'page', 'sensitivity_level', 'type'],
    ])
    expect(await tenant.ask('GET', '/secret-types/?page=99')).toMatchObject({
      status: 404,
      body: { error: 'Not found', detail: 'Invalid page.', code: 'invalid_page' },
    })
  })
})

describe('POST /api/secret-types/', () => {
  const create = (body: unknown, by = tenant.owner) => tenant.ask('POST', '/secret-types/', body, by)

  it('returns 401, 403 without manage_site, and 403 for system types of others than superusers', async () => {
    expect((await tenant.ask('POST', '/secret-types/', { name: 'a' }, null)).status).toBe(401)
    expect((await create({ name: 'a' }, tenant.reader)).status).toBe(403)
    expect(await create({ name: 'mine', type: 'system' })).toMatchObject({
      status: 403,
      body: { error: 'Permission denied', code: 'permission_denied' },
    })
    const root = await app.user('types-root', { superuser: true })
    expect(await create({ name: 'ours', type: 'system' }, root)).toMatchObject({
      status: 201,
      body: { type: 'system', name: 'ours' },
    })
  })

  it('returns 201 {type, name, slug, sensitivity_level}, by default custom and private', async () => {
    const created = await create({ name: 'My_Type' })
    expect([created.status, created.body]).toEqual([
      201,
      { type: 'custom', name: 'My_Type', slug: 'my-type', sensitivity_level: 'private' },
    ])
  })

  it('returns 400 {message, field: "name"} for a duplicate name or slug', async () => {
    for (const name of ['My_Type', 'my-type', 'MY_TYPE']) {
      const rejected = await create({ name })
      const message = `A secret type with the name "${name}" or its slug already exists.`
      expect([rejected.status, rejected.body]).toEqual([
        400,
        { message, field: 'name', code: 'already_exists' },
      ])
    }
  })

  it.each<[string, unknown, unknown]>([
    ['no name', {}, { name: ['This field is required.'] }],
    [
      'a name outside of ^[a-zA-Z0-9_-]+$',
      { name: 'a b' },
      { name: ['A name can have letters, digits, hyphens and underscores.'] },
    ],
    ['a name that gives no slug', { name: '_-_' }, { name: ['The name must contain a letter or a digit.'] }],
    [
      'an unknown sensitivity',
      { name: 'x', sensitivity_level: 'Private' },
      { sensitivity_level: ['Must be one of: public, private, sensitive.'] },
    ],
    [
      'an invalid schema',
      { name: 'x', schema: { type: 'strin' } },
      { schema: [expect.stringMatching(/^\/type must be one or more of/)] },
    ],
    ['a schema that is not an object', { name: 'x', schema: true }, { schema: ['Must be an object.'] }],
    [
      'a schema of other values than objects',
      { name: 'x', schema: { type: ['string', 'null'] } },
      { schema: ['Values are objects, so "type" must be "object".'] },
    ],
    [
      'a remote $ref',
      { name: 'x', schema: { $ref: 'https://example.com' } },
      {
        schema: [
          expect.stringMatching(
            /^\/\$ref refers to another document, which is not fetched: https:\/\/example\.com\. Copy/,
          ),
        ],
      },
    ],
    [
      'a pattern that looks ahead where RE2 cannot',
      { name: 'x', schema: { properties: { a: { pattern: 'a(?=b)' } } } },
      {
        schema: [
          expect.stringMatching(
            /^\/properties\/a\/pattern is not a supported regular expression: look-ahead is only supported right after a "\^".* "allOf"/,
          ),
        ],
      },
    ],
    [
      'references in a circle',
      { name: 'x', schema: { $ref: '#' } },
      { schema: [expect.stringMatching(/^The schema refers back to itself without/)] },
    ],
    [
      'a draft that is not known',
      { name: 'x', schema: { $schema: 'x' } },
      { schema: [expect.stringMatching(/^\/\$schema must be the URI of draft 04/)] },
    ],
    [
      'unknown fields',
      { name: 'x', slug: 'y', id: 1, shema: {} },
      { id: ['Unknown field.'], shema: ['Unknown field. Did you mean "schema"?'] },
    ],
  ])('returns 400 for %s', async (_what, body, detail) => {
    expect(await create(body)).toMatchObject(invalid(detail))
  })
})

describe('a value is validated by the JSON Schema draft of its type', () => {
  const drafts = [
    'http://json-schema.org/draft-04/schema#',
    'http://json-schema.org/draft-07/schema#',
    'https://json-schema.org/draft/2019-09/schema',
  ]

  it.each([...drafts, 'https://json-schema.org/draft/2020-12/schema'])('%s', async ($schema) => {
    const name = `of-${$schema.replace(/\D+/g, '')}`
    const id = $schema.includes('draft-04') ? 'id' : '$id'
    const definitions = { port: { [id]: 'https://example.com/port', type: 'integer', maximum: 65_535 } }
    const properties = {
      port: { $ref: 'https://example.com/port' },
      name: { type: 'string', pattern: '^(?!\\s)[\\p{Letter}\\s]+$' },
    }
    expect(
      (
        await tenant.ask('POST', '/secret-types/', {
          name,
          schema: { $schema, definitions, properties, required: ['port'] },
        })
      ).status,
    ).toBe(201)
    const keep = (value: unknown) =>
      tenant.ask('POST', '/secrets/', { secret_type: name, key: `KEY-${name}`, value })
    expect(await keep({ port: 70_000, name: ' Ä' })).toMatchObject({
      status: 400,
      body: {
        error: 'Schema validation failed',
        detail: {
          port: ['Ensure this value is less than or equal to 65535.'],
          name: ['Must match the pattern ^(?!\\s)[\\p{Letter}\\s]+$'],
        },
        code: 'validation_failed',
      },
    })
    expect((await keep({ name: 'Ä' })).body.detail).toEqual({ port: ['This field is required.'] })
    expect((await keep({ port: 1, name: 'Ä\u00a0b' })).status).toBe(201)
  })
})

describe('a type whose stored schema is no longer supported', () => {
  it('rejects values with 400 and the error in the schema', async () => {
    await tenant.ask('POST', '/secret-types/', { name: 'outdated' })
    await app.sql(
      `update tenant._secret_types set schema = '{"pattern": "(?P<a>b)"}' where slug = 'outdated'`,
    )
    const rejected = await tenant.ask('POST', '/secrets/', {
      secret_type: 'outdated',
      key: 'OUTDATED',
      value: {},
    })
    const why =
      '/pattern is not a supported regular expression: "(?P<" does not begin a group of ECMA-262: use (…), (?:…), (?<name>…), (?i:…) or look-around.'
    expect([rejected.status, rejected.body]).toEqual([
      400,
      {
        error: 'Schema validation failed',
        detail: {
          non_field_errors: [`The schema of this secret type is not supported. Change the type: ${why}`],
        },
        code: 'validation_failed',
      },
    ])
  })
})

describe('GET /api/secret-types/{slug}/', () => {
  it('returns {type, name, slug, description, sensitivity_level}, 404 for an unknown slug', async () => {
    const read = await tenant.ask('GET', '/secret-types/listed/', undefined, tenant.reader)
    expect([read.status, read.body]).toEqual([
      200,
      {
        type: 'custom',
        name: 'Listed',
        slug: 'listed',
        description: 'Look here',
        sensitivity_level: 'sensitive',
      },
    ])
    expect(await tenant.ask('GET', '/secret-types/none/')).toMatchObject({
      status: 404,
      body: { error: 'Secret type not found', detail: 'There is no secret type "none".', code: 'not_found' },
    })
  })
})

describe('PUT /api/secret-types/{slug}/', () => {
  const change = (slug: string, body: unknown, by = tenant.owner) =>
    tenant.ask('PUT', `/secret-types/${slug}/`, body, by)

  it('returns 403 without manage_site, 404 for an unknown slug', async () => {
    expect((await change('listed', {}, tenant.reader)).status).toBe(403)
    expect((await change('none', {})).status).toBe(404)
    expect((await tenant.ask('PUT', '/secret-types/none/?dry_run=true', {})).status).toBe(404)
  })

  it.each(['type', 'sensitivity_level'])(
    'returns 400 {error, detail: {field, current, attempted}} for another %s, and changes nothing',
    async (field) => {
      const current = { type: 'custom', sensitivity_level: 'sensitive' }[field]
      for (const attempted of ['system', 'public', 'Sensitive', 'CUSTOM']) {
        const rejected = await change('listed', { [field]: attempted, description: 'changed' })
        expect([rejected.status, rejected.body]).toEqual([
          400,
          {
            error: `The ${field} cannot be changed`,
            detail: { field, current, attempted },
            code: 'read_only',
          },
        ])
      }
      expect((await change('listed', { [field]: null })).status).toBe(400)
      expect((await change('listed', { [field]: current })).body).toMatchObject({
        description: 'Look here',
        sensitivity_level: 'sensitive',
      })
    },
  )

  it('returns the changed type; omitted fields are unchanged, slug and secrets follow the name', async () => {
    await tenant.ask('POST', '/secret-types/', {
      name: 'Before',
      description: 'as it was',
      schema: { minProperties: 1 },
    })
    await tenant.keep('OF-TYPE', 'before')
    await tenant.ask('GET', '/secrets/OF-TYPE/')
    const renamed = await change('before', { name: 'After' })
    expect([renamed.status, renamed.body]).toEqual([
      200,
      {
        type: 'custom',
        name: 'After',
        slug: 'after',
        description: 'as it was',
        sensitivity_level: 'private',
        schema: { minProperties: 1 },
      },
    ])
    expect((await tenant.ask('GET', '/secret-types/before/')).status).toBe(404)
    expect((await tenant.ask('GET', '/secrets/OF-TYPE/')).body.secret_type).toBe('After')
    expect((await change('after', { schema: null })).body.schema).toBe(null)
    expect(await change('after', { name: 'Listed' })).toMatchObject({ status: 400, body: { field: 'name' } })
  })

  it('changes nothing with dry_run=true, and lists the keys whose values would not match', async () => {
    await tenant.ask('POST', '/secret-types/', { name: 'dry' })
    const kept = Array.from({ length: 103 }, (_, n) =>
      tenant.keep(`DRY-${n}`, 'dry', { n, secret: 'CANARY' }, n === 50 ? { app: 'shop' } : {}),
    )
    await Promise.all(kept)
    const schema = {
      properties: {
        n: { enum: Array.from({ length: 103 }, (_, n) => n).filter((n) => n !== 50 && n !== 102) },
      },
    }
    const tried = await tenant.ask('PUT', '/secret-types/dry/?dry_run=true', { schema })
    expect([
      tried.status,
      tried.body.checked,
      tried.body.invalid.sort((a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1)),
    ]).toEqual([
      200,
      103,
      [
        { key: 'DRY-102', app: null },
        { key: 'DRY-50', app: 'shop' },
      ],
    ])
    expect(JSON.stringify(tried.body)).not.toContain('CANARY')
    expect(await names('?search=dry')).toEqual(['dry'])
    expect(
      (await tenant.ask('PUT', '/secret-types/dry/?dry_run=true', { sensitivity_level: 'public' })).status,
    ).toBe(400)
    expect((await tenant.ask('PUT', '/secrets/DRY-50/?app=shop', { value: { n: 50 } })).status).toBe(200)
    const changed = await tenant.ask('PUT', '/secret-types/dry/', { schema })
    expect([changed.status, changed.body.name]).toEqual([200, 'dry'])
    expect(changed.body.invalid).toHaveLength(2)
    expect(changed.body.invalid).toEqual(expect.arrayContaining(tried.body.invalid))
    expect((await tenant.ask('PUT', '/secret-types/dry/', { description: 'x' })).body).not.toHaveProperty(
      'invalid',
    )
    expect((await tenant.ask('PUT', '/secret-types/dry/', { schema })).body).not.toHaveProperty('invalid')
    // A write checks the value that stays, too.
    for (const change of [{ tags: [] }, { key: 'DRY-102-NEW' }, {}])
      expect(await tenant.ask('PUT', '/secrets/DRY-102/', change)).toMatchObject({
        status: 400,
        body: {
          error: 'Schema validation failed',
          detail: { n: [expect.any(String)] },
          code: 'validation_failed',
        },
      })
    expect((await tenant.ask('PUT', '/secrets/DRY-101/', { tags: [] })).status).toBe(200)
    expect((await tenant.ask('PUT', '/secrets/DRY-50/?app=shop', { value: { n: 50 } })).body.error).toBe(
      'Schema validation failed',
    )
  })
})

describe('a type with many secrets that do not match its new schema', () => {
  it('lists 20 of them with the count, and one whose value cannot be decrypted as such', async () => {
    await tenant.ask('POST', '/secret-types/', { name: 'many' })
    await Promise.all(Array.from({ length: 25 }, (_, n) => tenant.keep(`MANY-${n}`, 'many', { n })))
    const damage = `update tenant._secrets set ciphertext = overlay(ciphertext placing 'AAAA' from 20)
                     where key = 'MANY-7'`
    await app.sql(damage)
    const readable = { properties: { n: { maximum: 24 } } }
    const one = [{ key: 'MANY-7', app: null, unreadable: true }]
    const tried = await tenant.ask('PUT', '/secret-types/many/?dry_run=true', { schema: readable })
    expect([tried.status, tried.body]).toEqual([200, { checked: 25, invalid_count: 1, invalid: one }])
    const changed = await tenant.ask('PUT', '/secret-types/many/', { schema: readable })
    expect([changed.status, changed.body.invalid_count, changed.body.invalid]).toEqual([200, 1, one])
    const strict = await tenant.ask('PUT', '/secret-types/many/', { schema: { maxProperties: 0 } })
    expect([strict.status, strict.body.invalid_count, strict.body.invalid.length]).toEqual([200, 25, 20])
    // The schema stays, so no value is decrypted.
    const again = await tenant.ask('PUT', '/secret-types/many/', {
      description: 'x',
      schema: { maxProperties: 0 },
    })
    expect([again.status, again.body.description]).toEqual([200, 'x'])
    expect(again.body).not.toHaveProperty('invalid_count')
  })
})

describe('DELETE /api/secret-types/{slug}/', () => {
  const remove = (slug: string, by = tenant.owner) =>
    tenant.ask('DELETE', `/secret-types/${slug}/`, undefined, by)

  it('returns 403, 404, 400 for a system type or a type in use, else 200 {message, detail}', async () => {
    expect((await remove('listed', tenant.reader)).status).toBe(403)
    expect((await remove('none')).status).toBe(404)
    expect(await remove('api-key')).toMatchObject({
      status: 400,
      body: {
        error: 'System types cannot be deleted',
        detail: '"api-key" is a system type.',
        code: 'read_only',
      },
    })
    expect(await remove('after')).toMatchObject({
      status: 400,
      body: {
        error: 'The secret type is in use',
        detail: 'There are secrets of the type "After". Delete them first.',
        code: 'still_referenced',
      },
    })
    await tenant.ask('DELETE', '/secrets/OF-TYPE/')
    const gone = await remove('after')
    expect([gone.status, gone.body]).toEqual([
      200,
      { message: 'Secret type deleted', detail: 'The secret type "After" has been deleted.' },
    ])
    expect((await remove('after')).status).toBe(404)
  })

  it('keeps a type whose secrets are created at the same time', async () => {
    for (let round = 0; round < 4; round++) {
      await tenant.ask('POST', '/secret-types/', { name: `race-${round}` })
      const [made, gone] = await Promise.all([
        tenant.ask('POST', '/secrets/', { secret_type: `race-${round}`, key: `RACE-${round}`, value: {} }),
        remove(`race-${round}`),
      ])
      expect([
        [201, 400],
        [400, 200],
      ]).toContainEqual([made.status, gone.status])
    }
  })
})
