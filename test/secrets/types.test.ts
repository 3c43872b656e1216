/** Secret types. Spec: Secret types; K1, K2. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { createVault, type Vault } from '../support/secrets.ts'

let app: TestApp
let vault: Vault

const system = ['api-key', 'aws-credentials', 'database-url', 'oauth-client', 'smtp-credentials']
const invalid = (detail: unknown) => ({ status: 400, body: { error: 'Validation failed', detail } })
const names = async (query: string) => (await vault.ask('GET', `/secret-types/${query}`)).body.items.map(({ name }: { name: string }) => name)

beforeAll(async () => {
  app = await startApp()
  vault = await createVault(app, 'types')
})

describe('a new site', () => {
  it('has the system types, all private', async () => {
    const { body } = await vault.ask('GET', '/secret-types/?type=system', undefined, vault.reader)
    expect(body.items.map(({ name, slug, type, sensitivity_level }: Record<string, string>) => [name, slug, type, sensitivity_level])).toEqual(
      system.map((name) => [name, name, 'system', 'private']),
    )
    expect(body).toMatchObject({ count: 5, next: null, previous: null })
  })

  it('whose schemas take what is usual, and refuse what cannot be', async () => {
    const keep = async (type: string, value: unknown) =>
      (await vault.ask('POST', '/secrets/', { secret_type: type, key: `${type} ${Math.random()}`, value })).status
    expect(await keep('api-key', { api_key: 'sk_1' })).toBe(201)
    expect(await keep('database-url', { url: 'postgresql://u:p@h/d' })).toBe(201)
    expect(await keep('smtp-credentials', { host: 'mail.example', port: 587, use_tls: true })).toBe(201)
    expect(await keep('smtp-credentials', { port: 70_000 })).toBe(400)
    expect(await keep('api-key', {})).toBe(400)
  })
})

describe('GET /api/secret-types/', () => {
  it('401 for nobody, 403 for a stranger', async () => {
    expect((await vault.ask('GET', '/secret-types/', undefined, null)).status).toBe(401)
    expect((await vault.ask('GET', '/secret-types/', undefined, vault.stranger)).status).toBe(403)
  })

  it('200 {items, count, next, previous}; each with its schema', async () => {
    const schema = { type: 'object', required: ['b', 'a'] }
    await vault.ask('POST', '/secret-types/', { name: 'Listed', description: 'Look here', sensitivity_level: 'sensitive', schema })
    const { body } = await vault.ask('GET', '/secret-types/?search=LISTED')
    expect(body).toEqual({
      items: [{ type: 'custom', name: 'Listed', slug: 'listed', description: 'Look here', sensitivity_level: 'sensitive', schema }],
      count: 1,
      next: null,
      previous: null,
    })
  })

  it('search in name or description, type, sensitivity_level, ordering, pages', async () => {
    expect(await names('?search=oK h')).toEqual(['Listed'])
    expect(await names('?search=%25')).toEqual([])
    expect(await names('?sensitivity_level=sensitive&ordering=-name')).toEqual(['sensitive', 'Listed'])
    expect(await names('?type=system&ordering=-name')).toEqual(system.toReversed())
    expect(await names('?ordering=-created_at&page_size=1')).toEqual(['Listed'])
    expect(await names('?ordering=type,-name&page_size=2')).toEqual(['sensitive', 'public'])
    const { body } = await vault.ask('GET', '/secret-types/?page_size=4&page=2&ordering=modified_at')
    expect([body.items.length, new URL(body.next).search, new URL(body.previous).search]).toEqual([
      4,
      '?page_size=4&page=3&ordering=modified_at',
      '?page_size=4&page=1&ordering=modified_at',
    ])
  })

  it('a page has 20 unless it is said otherwise, and is the first', async () => {
    const paged = await createVault(app, 'paged-types')
    const made = Array.from({ length: 17 }, (_, n) => paged.ask('POST', '/secret-types/', { name: `t${n}` }))
    await Promise.all(made)
    const { body } = await paged.ask('GET', '/secret-types/')
    expect([body.items.length, body.count, new URL(body.next).search, body.previous]).toEqual([20, 25, '?page=2', null])
  })

  it('400 for filters and orderings that are none, 404 for a page beyond the last', async () => {
    const refused = await vault.ask('GET', '/secret-types/?type=odd&sensitivity_level=odd&ordering=schema&page=0')
    expect([refused.status, Object.keys(refused.body.detail).sort()]).toEqual([400, ['ordering', 'page', 'sensitivity_level', 'type']])
    expect(await vault.ask('GET', '/secret-types/?page=99')).toMatchObject({ status: 404, body: { error: 'Not found', detail: 'Invalid page.' } })
  })
})

describe('POST /api/secret-types/', () => {
  const create = (body: unknown, by = vault.owner) => vault.ask('POST', '/secret-types/', body, by)

  it('401, 403 without manage_site; 403 for a system type, but for superusers', async () => {
    expect((await vault.ask('POST', '/secret-types/', { name: 'a' }, null)).status).toBe(401)
    expect((await create({ name: 'a' }, vault.reader)).status).toBe(403)
    expect(await create({ name: 'mine', type: 'system' })).toMatchObject({ status: 403, body: { error: 'Permission denied' } })
    const root = await app.user('types-root', { superuser: true })
    expect(await create({ name: 'ours', type: 'system' }, root)).toMatchObject({ status: 201, body: { type: 'system', name: 'ours' } })
  })

  it('201 {type, name, slug, sensitivity_level}: custom and private unless it is said otherwise', async () => {
    const created = await create({ name: 'My_Type' })
    expect([created.status, created.body]).toEqual([201, { type: 'custom', name: 'My_Type', slug: 'my-type', sensitivity_level: 'private' }])
  })

  it('400 {message, field: "name"} for a name, or a slug, that another type has', async () => {
    for (const name of ['My_Type', 'my-type', 'MY_TYPE']) {
      const refused = await create({ name })
      const message = `A secret type with the name "${name}", or with its slug, exists already.`
      expect([refused.status, refused.body]).toEqual([400, { message, field: 'name' }])
    }
  })

  it.each<[string, unknown, unknown]>([
    ['no name', {}, { name: ['This field is required.'] }],
    ['a name outside of ^[a-zA-Z0-9_-]+$', { name: 'a b' }, { name: ['A name has letters, digits, hyphens and underscores.'] }],
    ['a name that gives no slug', { name: '_-_' }, { name: ['The name needs a letter or a digit from which a slug can be made.'] }],
    ['an unknown sensitivity', { name: 'x', sensitivity_level: 'Private' }, { sensitivity_level: ['Must be one of: public, private, sensitive.'] }],
    ['a schema that is none', { name: 'x', schema: { type: 'strin' } }, { schema: [expect.stringMatching(/^\/type must be one or more of/)] }],
    ['a schema that is no object', { name: 'x', schema: true }, { schema: ['Must be an object.'] }],
    [
      'a remote $ref',
      { name: 'x', schema: { $ref: 'https://example.com' } },
      { schema: [expect.stringMatching(/^\/\$ref refers to another document, and none is fetched: https:\/\/example\.com\. Copy/)] },
    ],
    [
      'a pattern that looks ahead where RE2 cannot',
      { name: 'x', schema: { properties: { a: { pattern: 'a(?=b)' } } } },
      {
        schema: [
          expect.stringMatching(
            /^\/properties\/a\/pattern is not a supported regular expression: look-ahead can stand only right after a "\^".* "allOf"/,
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
      { schema: [expect.stringMatching(/^\/\$schema must be the address of the draft 04/)] },
    ],
    ['unknown fields', { name: 'x', slug: 'y', id: 1, shema: {} }, { id: ['Unknown field.'], shema: ['Unknown field. Did you mean "schema"?'] }],
  ])('400 for %s', async (_what, body, detail) => {
    expect(await create(body)).toMatchObject(invalid(detail))
  })
})

describe('a value is judged by the draft that its type names', () => {
  const drafts = [
    'http://json-schema.org/draft-04/schema#',
    'http://json-schema.org/draft-07/schema#',
    'https://json-schema.org/draft/2019-09/schema',
  ]

  it.each([...drafts, 'https://json-schema.org/draft/2020-12/schema'])('%s', async ($schema) => {
    const name = `of-${$schema.replace(/\D+/g, '')}`
    const id = $schema.includes('draft-04') ? 'id' : '$id'
    const definitions = { port: { [id]: 'https://example.com/port', type: 'integer', maximum: 65_535 } }
    const properties = { port: { $ref: 'https://example.com/port' }, name: { type: 'string', pattern: '^(?!\\s)[\\p{Letter}\\s]+$' } }
    expect((await vault.ask('POST', '/secret-types/', { name, schema: { $schema, definitions, properties, required: ['port'] } })).status).toBe(201)
    const keep = (value: unknown) => vault.ask('POST', '/secrets/', { secret_type: name, key: `KEY-${name}`, value })
    expect(await keep({ port: 70_000, name: ' Ä' })).toMatchObject({
      status: 400,
      body: {
        error: 'Schema validation failed',
        detail: {
          port: ['Ensure this value is less than or equal to 65535.'],
          name: ['Must match the pattern ^(?!\\s)[\\p{Letter}\\s]+$'],
        },
      },
    })
    expect((await keep({ name: 'Ä' })).body.detail).toEqual({ port: ['This field is required.'] })
    expect((await keep({ port: 1, name: 'Ä\u00a0b' })).status).toBe(201)
  })
})

describe('a type whose schema was saved and is supported no more', () => {
  it('refuses values with 400, and says what is wrong with the schema', async () => {
    await vault.ask('POST', '/secret-types/', { name: 'outdated' })
    await app.sql(`update ${vault.schema}._secret_types set schema = '{"pattern": "(?P<a>b)"}' where slug = 'outdated'`)
    const refused = await vault.ask('POST', '/secrets/', { secret_type: 'outdated', key: 'OUTDATED', value: {} })
    const why =
      '/pattern is not a supported regular expression: "(?P<" begins no group of ECMA-262: there are (…), (?:…), (?<name>…), (?i:…) and look-around.'
    expect([refused.status, refused.body]).toEqual([
      400,
      {
        error: 'Schema validation failed',
        detail: { non_field_errors: [`The schema of this secret type is not supported. Change the type: ${why}`] },
      },
    ])
  })
})

describe('GET /api/secret-types/{slug}/', () => {
  it('200 {type, name, slug, description, sensitivity_level}; 404 for none', async () => {
    const read = await vault.ask('GET', '/secret-types/listed/', undefined, vault.reader)
    expect([read.status, read.body]).toEqual([
      200,
      { type: 'custom', name: 'Listed', slug: 'listed', description: 'Look here', sensitivity_level: 'sensitive' },
    ])
    expect(await vault.ask('GET', '/secret-types/none/')).toMatchObject({
      status: 404,
      body: { error: 'Secret type not found', detail: 'There is no secret type "none".' },
    })
  })
})

describe('PUT /api/secret-types/{slug}/', () => {
  const change = (slug: string, body: unknown, by = vault.owner) => vault.ask('PUT', `/secret-types/${slug}/`, body, by)

  it('403 without manage_site; 404 for none', async () => {
    expect((await change('listed', {}, vault.reader)).status).toBe(403)
    expect((await change('none', {})).status).toBe(404)
    expect((await vault.ask('PUT', '/secret-types/none/?dry_run=true', {})).status).toBe(404)
  })

  it.each(['type', 'sensitivity_level'])(
    '400 {error, detail: {field, current, attempted}} for another %s; nothing else of it is done',
    async (field) => {
      const current = { type: 'custom', sensitivity_level: 'sensitive' }[field]
      for (const attempted of ['system', 'public', 'Sensitive', 'CUSTOM']) {
        const refused = await change('listed', { [field]: attempted, description: 'changed' })
        expect([refused.status, refused.body]).toEqual([400, { error: `The ${field} cannot be changed`, detail: { field, current, attempted } }])
      }
      expect((await change('listed', { [field]: null })).status).toBe(400)
      expect((await change('listed', { [field]: current })).body).toMatchObject({ description: 'Look here', sensitivity_level: 'sensitive' })
    },
  )

  it('200 with the type; what is omitted stays; the slug follows the name, and secrets show the new one', async () => {
    await vault.ask('POST', '/secret-types/', { name: 'Before', description: 'as it was', schema: { minProperties: 1 } })
    await vault.keep('OF-TYPE', 'before')
    await vault.ask('GET', '/secrets/OF-TYPE/')
    const renamed = await change('before', { name: 'After' })
    expect([renamed.status, renamed.body]).toEqual([
      200,
      { type: 'custom', name: 'After', slug: 'after', description: 'as it was', sensitivity_level: 'private', schema: { minProperties: 1 } },
    ])
    expect((await vault.ask('GET', '/secret-types/before/')).status).toBe(404)
    expect((await vault.ask('GET', '/secrets/OF-TYPE/')).body.secret_type).toBe('After')
    expect((await change('after', { schema: null })).body.schema).toBe(null)
    expect(await change('after', { name: 'Listed' })).toMatchObject({ status: 400, body: { field: 'name' } })
  })

  it('with dry_run=true changes nothing, and lists the keys whose values would no longer fit, without their values', async () => {
    await vault.ask('POST', '/secret-types/', { name: 'dry' })
    const kept = Array.from({ length: 103 }, (_, n) => vault.keep(`DRY-${n}`, 'dry', { n, secret: 'CANARY' }, n === 50 ? { app: 'shop' } : {}))
    await Promise.all(kept)
    const schema = { properties: { n: { enum: Array.from({ length: 103 }, (_, n) => n).filter((n) => n !== 50 && n !== 102) } } }
    const tried = await vault.ask('PUT', '/secret-types/dry/?dry_run=true', { schema })
    expect([tried.status, tried.body.checked, tried.body.misfits.sort((a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1))]).toEqual(
      [
        200,
        103,
        [
          { key: 'DRY-102', app: null },
          { key: 'DRY-50', app: 'shop' },
        ],
      ],
    )
    expect(JSON.stringify(tried.body)).not.toContain('CANARY')
    expect(await names('?search=dry')).toEqual(['dry'])
    expect((await vault.ask('PUT', '/secret-types/dry/?dry_run=true', { sensitivity_level: 'public' })).status).toBe(400)
    expect((await vault.ask('PUT', '/secrets/DRY-50/?app=shop', { value: { n: 50 } })).status).toBe(200)
    await vault.ask('PUT', '/secret-types/dry/', { schema })
    expect((await vault.ask('PUT', '/secrets/DRY-50/?app=shop', { value: { n: 50 } })).body.error).toBe('Schema validation failed')
  })
})

describe('DELETE /api/secret-types/{slug}/', () => {
  const remove = (slug: string, by = vault.owner) => vault.ask('DELETE', `/secret-types/${slug}/`, undefined, by)

  it('403 without manage_site, 404 for none, 400 for a system type and for one in use, 200 {message, detail}', async () => {
    expect((await remove('listed', vault.reader)).status).toBe(403)
    expect((await remove('none')).status).toBe(404)
    expect(await remove('api-key')).toMatchObject({
      status: 400,
      body: { error: 'System types cannot be deleted', detail: '"api-key" is a type that every site has.' },
    })
    expect(await remove('after')).toMatchObject({
      status: 400,
      body: { error: 'The secret type is in use', detail: 'There are secrets of the type "After". Delete them first.' },
    })
    await vault.ask('DELETE', '/secrets/OF-TYPE/')
    const gone = await remove('after')
    expect([gone.status, gone.body]).toEqual([200, { message: 'Secret type deleted', detail: 'The secret type "After" has been deleted.' }])
    expect((await remove('after')).status).toBe(404)
  })

  it('while secrets of the type are made: either they are there, and the type is; or neither', async () => {
    for (let round = 0; round < 4; round++) {
      await vault.ask('POST', '/secret-types/', { name: `race-${round}` })
      const [made, gone] = await Promise.all([
        vault.ask('POST', '/secrets/', { secret_type: `race-${round}`, key: `RACE-${round}`, value: {} }),
        remove(`race-${round}`),
      ])
      expect([
        [201, 400],
        [400, 200],
      ]).toContainEqual([made.status, gone.status])
    }
  })
})
