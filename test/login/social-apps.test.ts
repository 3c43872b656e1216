/** Managing social apps. Spec: Social apps; S1–S3. */
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { createSite, type Site, startApp, type TestApp, type User } from '../support/app.ts'
import { canaries, openIdApp, serverOf } from '../support/social-login.ts'

let app: TestApp
let site: Site
let admin: User
let stranger: User
let root: User

const codes =
  'openid_connect, saml, google, github, microsoft, gitlab, facebook, linkedin, apple, slack, discord, ' +
  'twitch, bitbucket, zoom'
const google = { provider: 'google', name: 'Google', client_id: 'google-client', secret: 'google-secret' }
/** The providers with one service, which no app can point at another server. */
const oneService = [
  'google',
  'facebook',
  'linkedin',
  'apple',
  'slack',
  'discord',
  'twitch',
  'bitbucket',
  'zoom',
  'saml',
]
const mask = '***HIDDEN***'
const github = {
  provider: 'github',
  name: 'GitHub',
  client_id: 'github-client',
  secret: 'github-secret',
  key: 'k-1',
  settings: { icon: 'github' },
}

const ask = (method: string, path: string, body?: unknown, by: User | null = site.owner, of = app) =>
  of.request(method, `${site.api}/auth/social-apps/${path}`, {
    ...(by ? { token: by.token } : {}),
    ...(body === undefined ? {} : { body }),
  })

/** Creates an app. Returns its id. */
async function createApp(body: Record<string, unknown>): Promise<number> {
  const answer = await ask('POST', '', body)
  expect([answer.status, answer.body]).toEqual([201, expect.anything()])
  return answer.body.data.id
}

const stored = async (id: number) =>
  (await app.sql(`select * from tenant._social_apps where id = $1`, [id]))[0] as Record<string, unknown>

beforeAll(async () => {
  app = (await startApp()).with({ ALLOW_PRIVATE_HOSTS: 'true' })
  site = await createSite(app, 'social')
  ;[admin, stranger, root] = await Promise.all([
    app.user('admin'),
    app.user('stranger'),
    app.user('root', { superuser: true }),
  ])
  await app.sql(
    `insert into memberships (organization_id, user_id, role)
     select organization_id, $1, 'admin' from sites where slug = 'social'`,
    [admin.id],
  )
})

describe('the permission to manage social apps', () => {
  it('belongs to owners and superusers; admins and strangers get 403, and requests without a token 401', async () => {
    const id = await createApp({ ...google, provider: 'slack' })
    for (const [method, path, body] of [
      ['POST', '', google],
      ['PATCH', `${id}/`, { name: 'x' }],
      ['DELETE', `${id}/`, undefined],
      // Only callers with the permission see the errors in a body.
      ['POST', '', { provider: 'x' }],
    ] as const) {
      for (const by of [admin, stranger]) {
        const refused = await ask(method, path, body, by)
        expect([refused.status, refused.body]).toEqual([
          403,
          { detail: 'You do not have permission to perform this action.', code: 'permission_denied' },
        ])
      }
      expect((await ask(method, path, body, null)).status).toBe(401)
    }
    expect((await ask('PATCH', `${id}/`, { name: 'Theirs' }, root)).status).toBe(200)
    expect((await ask('DELETE', `${id}/`, undefined, root)).status).toBe(200)
  })

  it('is not needed to read an app (with any account) or to list the apps (as anybody)', async () => {
    const id = await createApp({ ...google, provider: 'zoom' })
    expect((await ask('GET', `${id}/`, undefined, null)).status).toBe(401)
    expect((await ask('GET', `${id}/`, undefined, stranger)).status).toBe(200)
    expect((await ask('GET', `${id}/`, undefined, admin)).status).toBe(200)
    expect((await ask('GET', '', undefined, null)).status).toBe(200)
    await ask('DELETE', `${id}/`)
  })

  it('does not extend to apps of other sites, which return 404', async () => {
    const id = await createApp({ ...google, provider: 'twitch' })
    const other = await createSite(app, 'elsewhere')
    const at = (method: string, body?: unknown) =>
      app.request(method, `${other.api}/auth/social-apps/${id}/`, {
        token: other.owner.token,
        ...(body ? { body } : {}),
      })
    expect([
      (await at('GET')).status,
      (await at('PATCH', { name: 'x' })).status,
      (await at('DELETE')).status,
    ]).toEqual([404, 404, 404])
    expect((await app.request('GET', `${other.api}/auth/social-apps/`)).body.total).toBe(0)
    await ask('DELETE', `${id}/`)
  })
})

describe('POST /api/auth/social-apps/', () => {
  it.each<[string, unknown, unknown]>([
    [
      'required fields that are missing',
      {},
      {
        provider: ['This field is required.'],
        name: ['This field is required.'],
        client_id: ['This field is required.'],
        secret: ['This field is required.'],
      },
    ],
    [
      'an invalid provider, with a message that lists the valid ones',
      { ...google, provider: 'myspace' },
      { provider: [`This is not a valid provider. Valid providers are: ${codes}.`] },
    ],
    [
      'a provider_id that is missing for OpenID Connect',
      {
        ...google,
        provider: 'openid_connect',
        settings: { server_url: 'https://id.example.com/.well-known/openid-configuration' },
      },
      { provider_id: ['This field is required for OpenID Connect and SAML providers.'] },
    ],
    [
      'a provider_id that is missing for SAML',
      { ...google, provider: 'saml' },
      { provider_id: ['This field is required for OpenID Connect and SAML providers.'] },
    ],
    [
      'settings without server_url for OpenID Connect',
      { ...google, provider: 'openid_connect', provider_id: 'a' },
      { settings: ['OpenID Connect providers need a server_url.'] },
    ],
    [
      'a server_url that is not a discovery document',
      {
        ...google,
        provider: 'openid_connect',
        provider_id: 'a',
        settings: { server_url: 'https://id.example.com/' },
      },
      {
        settings: [
          'The server_url of an OpenID Connect provider must be the address of its discovery document, ' +
            'which ends with /.well-known/openid-configuration.',
        ],
      },
    ],
    [
      'a server_url that is not an address',
      { ...google, settings: { server_url: 'javascript:alert(1)' } },
      { 'settings.server_url': [expect.any(String)] },
    ],
    ...oneService.map((provider): [string, object, object] => [
      `a server_url of ${provider}, which has one service`,
      { ...google, provider, provider_id: 'a', settings: { server_url: 'https://id.example.com' } },
      {
        settings: [
          expect.stringContaining('cannot have a server_url. For a server of your own, use openid_'),
        ],
      },
    ]),
    [
      'a server_url of Microsoft that is not a tenant',
      { ...google, provider: 'microsoft', settings: { server_url: 'https://id.example.com/common/v2.0' } },
      {
        settings: [
          'The server_url of Microsoft is the address of a tenant: ' +
            'https://login.microsoftonline.com/<tenant>/v2.0.',
        ],
      },
    ],
    [
      'a discovery document as the server_url of GitHub',
      {
        ...google,
        provider: 'github',
        settings: { server_url: 'https://git.example.com/.well-known/openid-configuration' },
      },
      {
        settings: [
          'The server_url of GitHub is the address of an Enterprise Server, not of a discovery document.',
        ],
      },
    ],
    [
      'an id that is reserved in paths',
      { ...google, provider: 'saml', provider_id: 'JWT' },
      { provider_id: ['This id is reserved.'] },
    ],
    [
      'an id that cannot stand in a path',
      { ...google, provider: 'saml', provider_id: 'a/b' },
      { provider_id: [expect.any(String)] },
    ],
    [
      'the mask in the place of a secret',
      { ...google, secret: mask },
      { secret: ['This is the mask of a secret, not a secret.'] },
    ],
    ['a blank secret', { ...google, secret: '' }, { secret: ['This field may not be blank.'] }],
    [
      'unknown fields',
      { ...google, id: 7, ids: 7, settings: { tenant: 'x', scopes: [] } },
      {
        ids: ['Unknown field.'],
        'settings.tenant': ['Unknown field.'],
        'settings.scopes': ['Unknown field. Did you mean "scope"?'],
      },
    ],
  ])('returns 400 for %s', async (_what, body, messages) => {
    const refused = await ask('POST', '', body)
    expect([refused.status, refused.body]).toEqual([400, messages])
  })

  it.each([
    'javascript:alert(1)',
    'data:image/svg+xml,<svg onload=alert(1)>',
    'http://icons.example.com/a.png',
    'https://user:pass@icons.example.com/a.png',
    "https://a;script-src'unsafe-inline'.example.com/a.png",
    'https://a,b.example.com/a.png',
    '"><script>',
    '../icons/a',
    'UPPER',
  ])('returns 400 for the icon %s', async (icon) => {
    const refused = await ask('POST', '', { ...google, settings: { icon } })
    expect([refused.status, Object.keys(refused.body)]).toEqual([400, ['settings.icon']])
  })

  it('returns 400 for an address of a private host, or without https, unless private hosts are allowed', async () => {
    const strict = app.with({ ALLOW_PRIVATE_HOSTS: 'false' })
    for (const origin of [
      'http://id.example.com',
      'https://127.0.0.1',
      'https://[::ffff:7f00:1]',
      'https://localhost.',
      'https://10.1',
      'https://u:p@id.example.com',
      'https://id.example.com:6379',
    ]) {
      const refused = await ask(
        'POST',
        '',
        openIdApp('a', `${origin}/.well-known/openid-configuration`),
        site.owner,
        strict,
      )
      expect([origin, refused.status, refused.body]).toEqual([
        origin,
        400,
        {
          settings: [
            'The server_url must be an https address of a public host at port 443, 80, 8080 or 8443.',
          ],
        },
      ])
    }
  })

  it('does not call a host that resolves or redirects to a private address, and the app is not configured', async () => {
    const strict = app.with({
      ALLOW_PRIVATE_HOSTS: 'false',
      DNS_OVER_HTTPS: `${inject('identityProviders')}/dns`,
    })
    const redirecting = `${inject('identityProviders')}/redirect?status=302&x=/.well-known/openid-configuration`
    const before = await canaries()
    for (const [of, server] of [
      [strict, `https://127-0-0-1.v4.test:8443/canary/.well-known/openid-configuration`],
      [strict, `https://169-254-169-254.v4.test/.well-known/openid-configuration`],
      [strict, `https://six.test/.well-known/openid-configuration`],
      [app, redirecting],
    ] as const) {
      const made = await ask('POST', '', openIdApp('led-astray', server), site.owner, of)
      expect([server, made.status, made.body.data?.is_configured]).toEqual([server, 201, false])
      const start = await of.request('GET', `${site.api}/auth/led-astray/redirect/`, {
        token: stranger.token,
      })
      expect([start.status, start.body]).toEqual([
        400,
        {
          detail: 'The provider is not configured, or its configuration cannot be read.',
          code: 'provider_unusable',
        },
      ])
      await ask('DELETE', `${made.body.data.id}/`)
    }
    expect(await canaries()).toBe(before)
  })

  it('returns 201 {success, message, data} with the secret, only this once, and nested settings', async () => {
    const { status, body } = await ask('POST', '', github)
    expect([status, body]).toEqual([
      201,
      {
        success: true,
        message: 'Social app created successfully.',
        data: {
          id: expect.any(Number),
          provider: 'github',
          provider_id: '',
          name: 'GitHub',
          client_id: 'github-client',
          secret: 'github-secret',
          key: 'k-1',
          settings: { icon: 'github', auto_redirect: false },
          provider_display: 'GitHub',
          is_configured: true,
        },
      },
    ])
    const row = await stored(body.data.id)
    expect(JSON.stringify(row)).not.toMatch(/github-secret|k-1/)
    expect([row.secret, row.key]).toEqual([
      expect.stringMatching(/^1\.v1\./),
      expect.stringMatching(/^1\.v1\./),
    ])
  })

  it('leaves provider_id empty for a provider that a site has only once', async () => {
    const id = await createApp({ ...google, provider: 'discord', provider_id: 'mine' })
    expect((await ask('GET', `${id}/`)).body.provider_id).toBe('')
    await ask('DELETE', `${id}/`)
  })

  it('returns 400 for a second app with the same provider_id, or else the same provider', async () => {
    await createApp({ ...google, provider: 'facebook' })
    const second = await ask('POST', '', { ...google, provider: 'facebook' })
    expect([second.status, second.body]).toEqual([
      400,
      { provider: ['A social app named "facebook" already exists.'] },
    ])
    const named = await ask('POST', '', { ...google, provider: 'saml', provider_id: 'facebook' })
    expect([named.status, named.body]).toEqual([
      400,
      { provider_id: ['A social app named "facebook" already exists.'] },
    ])
  })

  it('returns 500 {error, detail} without the encryption keys', async () => {
    const keyless = app.with({ MASTER_KEYS: '' })
    const id = await createApp({ ...google, provider: 'gitlab' })
    const unavailable = {
      status: 500,
      body: {
        error: 'Encryption keys unavailable',
        detail: expect.any(String),
        code: 'encryption_keys_unavailable',
      },
    }
    expect(await ask('POST', '', { ...google, provider: 'linkedin' }, site.owner, keyless)).toMatchObject(
      unavailable,
    )
    expect(await ask('PATCH', `${id}/`, { secret: 'x' }, site.owner, keyless)).toMatchObject(unavailable)
  })

  it('succeeds for one of several equal simultaneous requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ask('POST', '', { ...google, provider: 'bitbucket' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(400)])
  })
})

describe('is_configured', () => {
  it.each([
    ['the discovery document names its own issuer', serverOf('good'), true],
    ['the document names another issuer', serverOf('other-issuer'), false],
    ['its keys are at an address that must not be called', serverOf('private-keys'), false],
    ['its authorization endpoint is not an address of a server', serverOf('odd-endpoint'), false],
    ['it signs only with shared secrets', serverOf('only-shared'), false],
    ['the document is longer than 64 kB', serverOf('endless'), false],
    ['there is no document', `${inject('identityProviders')}/none/.well-known/openid-configuration`, false],
    [
      'the document is behind a redirect',
      `${inject('identityProviders')}/redirect?status=302&x=/.well-known/openid-configuration`,
      false,
    ],
  ])('of an openid_connect app, if %s, is %s', async (_what, server, configured) => {
    const id = await createApp(openIdApp(`c${Math.random()}`, server))
    expect((await ask('GET', `${id}/`)).body.is_configured).toBe(configured)
    await ask('DELETE', `${id}/`)
  })

  it('of a saml app without metadata is false', async () => {
    const id = await createApp({ ...google, provider: 'saml', provider_id: 'corp' })
    expect((await ask('GET', `${id}/`)).body.is_configured).toBe(false)
  })
})

describe('GET /api/auth/social-apps/', () => {
  let list: Site
  const page = async (query: string) =>
    (await app.request('GET', `${list.api}/auth/social-apps/${query}`)).body
  const names = async (query: string) => (await page(query)).data.map(({ name }: { name: string }) => name)

  beforeAll(async () => {
    list = await createSite(app, 'listed')
    const post = (body: unknown) =>
      app.request('POST', `${list.api}/auth/social-apps/`, { token: list.owner.token, body })
    await post({
      ...google,
      name: 'Zebra',
      settings: {
        icon: 'https://icons.example.com/z.png',
        auto_redirect: true,
        scope: ['openid'],
        trust_email: true,
      },
    })
    await post({ ...github, name: 'Apple' })
    await post({ ...openIdApp('keycloak', serverOf('good')), name: 'Mango' })
  })

  it('returns {success, message, data, total, page, page_size, total_pages} with flat items without client_id, secret, key and settings', async () => {
    expect(await page('')).toEqual({
      success: true,
      message: 'Social apps retrieved successfully.',
      data: [
        {
          id: expect.any(Number),
          provider: 'google',
          provider_id: '',
          name: 'Zebra',
          provider_display: 'Google',
          is_configured: true,
          icon: 'https://icons.example.com/z.png',
          auto_redirect: true,
        },
        {
          id: expect.any(Number),
          provider: 'github',
          provider_id: '',
          name: 'Apple',
          provider_display: 'GitHub',
          is_configured: true,
          icon: 'github',
          auto_redirect: false,
        },
        {
          id: expect.any(Number),
          provider: 'openid_connect',
          provider_id: 'keycloak',
          name: 'Mango',
          provider_display: 'OpenID Connect',
          is_configured: true,
          icon: '',
          auto_redirect: false,
        },
      ],
      total: 3,
      page: 1,
      page_size: 10,
      total_pages: 1,
    })
  })

  it('can be searched, filtered by provider, ordered and paged', async () => {
    expect(await names('?search=ZEB')).toEqual(['Zebra'])
    expect(await names('?search=github-cl')).toEqual(['Apple'])
    expect(await names('?search=keyclo')).toEqual(['Mango'])
    expect(await names('?search=%25')).toEqual([])
    expect(await names('?provider=google')).toEqual(['Zebra'])
    expect(await names('?provider=none')).toEqual([])
    expect(await names('?ordering=name')).toEqual(['Apple', 'Mango', 'Zebra'])
    expect(await names('?ordering=-provider')).toEqual(['Mango', 'Zebra', 'Apple'])
    expect(await page('?page_size=2&page=2')).toMatchObject({
      data: [{ name: 'Mango' }],
      total: 3,
      page: 2,
      page_size: 2,
      total_pages: 2,
    })
    expect(await page('?page=9')).toMatchObject({ data: [], total: 3, page: 9, total_pages: 1 })
    expect((await page('?page_size=1000')).page_size).toBe(100)
  })

  it('can be ordered by every member of its items', async () => {
    const [first] = (await page('')).data
    for (const member of Object.keys(first)) {
      const values = async (ordering: string): Promise<unknown[]> =>
        (await page(`?ordering=${ordering}`)).data.map((one: Record<string, unknown>) => one[member])
      const sorted = await values(member)
      expect([member, sorted]).toEqual([member, [...sorted].sort()])
      expect([member, await values(`-${member}`)]).toEqual([member, [...sorted].reverse()])
    }
  })

  it.each([
    'secret',
    'key',
    'client_id',
    'settings',
    'settings__icon',
    'a.secret',
    'version',
    '-',
    '',
    '1',
    'id;drop',
  ])('cannot be ordered by %j, since an order reveals values', async (ordering) => {
    const refused = await app.request(
      'GET',
      `${list.api}/auth/social-apps/?ordering=${encodeURIComponent(ordering)}`,
    )
    expect([refused.status, Object.keys(refused.body)]).toEqual([400, ['ordering']])
  })
})

describe('GET /api/auth/social-apps/{id}/', () => {
  it('returns 200 with the bare app and its secret masked; 404 for an unknown app', async () => {
    const id = await createApp({ ...google, settings: { icon: 'google', auto_redirect: true } })
    const { status, body } = await ask('GET', `${id}/`, undefined, admin)
    expect([status, body]).toEqual([
      200,
      {
        id,
        provider: 'google',
        provider_id: '',
        name: 'Google',
        client_id: 'google-client',
        secret: mask,
        key: '',
        settings: { icon: 'google', auto_redirect: true },
        provider_display: 'Google',
        is_configured: true,
      },
    ])
    expect((await ask('GET', '999999/')).body).toEqual({ detail: 'Not found.', code: 'not_found' })
  })

  it('is for every signed-in account, with secret and key masked for all who may not manage it', async () => {
    const id = await createApp({ ...openIdApp('for-all', serverOf('for-all')), key: 'k-2' })
    expect((await ask('GET', `${id}/`)).body).toMatchObject({ secret: mask, key: 'k-2' })
    for (const user of [stranger, await app.user('nobody-here')]) {
      const { status, body } = await ask('GET', `${id}/`, undefined, user)
      expect([status, body]).toMatchObject([200, { name: 'for-all', secret: mask, key: mask }])
    }
    const anonymous = await app.request('GET', `${site.api}/auth/social-apps/${id}/`)
    expect([anonymous.status, anonymous.body]).toEqual([
      401,
      { detail: 'Authentication credentials were not provided.', code: 'not_authenticated' },
    ])
  })
})

describe('PATCH /api/auth/social-apps/{id}/', () => {
  it('returns 200 with the secret masked; omitted fields are unchanged, settings are replaced as a whole', async () => {
    const server_url = serverOf('patched')
    const id = await createApp({
      ...openIdApp('patched', server_url),
      key: 'k',
      settings: { server_url, icon: 'a', trust_email: true },
    })
    const renamed = await ask('PATCH', `${id}/`, { name: 'Renamed' })
    expect([renamed.status, renamed.body]).toEqual([
      200,
      {
        success: true,
        message: 'Social app updated successfully.',
        data: {
          id,
          provider: 'openid_connect',
          provider_id: 'patched',
          name: 'Renamed',
          client_id: 'tessera',
          secret: mask,
          key: 'k',
          settings: { server_url, icon: 'a', auto_redirect: false, trust_email: true },
          provider_display: 'OpenID Connect',
          is_configured: true,
        },
      },
    ])
    const replaced = await ask('PATCH', `${id}/`, { settings: { server_url, auto_redirect: true } })
    expect(replaced.body.data.settings).toEqual({ server_url, icon: '', auto_redirect: true })
    const refused = await ask('PATCH', `${id}/`, { settings: { icon: 'a' } })
    expect([refused.status, refused.body]).toEqual([
      400,
      { settings: ['OpenID Connect providers need a server_url.'] },
    ])
    // Another server has another issuer.
    const moved = await ask('PATCH', `${id}/`, {
      settings: { server_url: serverOf('other-issuer') },
      secret: 'right',
    })
    expect(moved.body.data.is_configured).toBe(false)
  })

  it('is 400 for a provider that cannot have the settings that stay', async () => {
    const id = await createApp(openIdApp('moving', serverOf('moving')))
    for (const provider of [...oneService, 'github', 'microsoft']) {
      const refused = await ask('PATCH', `${id}/`, { provider, secret: 'again' })
      expect([provider, refused.status, Object.keys(refused.body)]).toEqual([provider, 400, ['settings']])
    }
    expect((await ask('GET', `${id}/`)).body).toMatchObject({ provider: 'openid_connect' })
  })

  it('keeps the stored secret if the mask is sent back', async () => {
    const id = await createApp({ ...google, provider: 'apple', key: 'TEAM.KEY' })
    const before = await stored(id)
    const shown = (await ask('GET', `${id}/`)).body
    const { id: _id, provider_display: _display, is_configured: _configured, ...sent } = shown
    expect((await ask('PATCH', `${id}/`, { ...sent, key: undefined })).status).toBe(200)
    expect(await stored(id)).toMatchObject({ secret: before.secret, key: before.key, version: 1 })
    // If only the key changes, the same secret is encrypted again with it.
    expect((await ask('PATCH', `${id}/`, { key: 'OTHER.KEY', secret: mask })).body.data.key).toBe('OTHER.KEY')
    const after = await stored(id)
    expect([after.version, after.secret === before.secret]).toEqual([2, false])
    expect((await ask('GET', `${id}/`)).body.key).toBe('OTHER.KEY')
    await ask('DELETE', `${id}/`)
  })

  it('cannot move an encrypted credential: in another row or column it does not decrypt', async () => {
    const one = await createApp({ ...openIdApp('one', serverOf('one')), key: 'first' })
    const two = await createApp({ ...openIdApp('two', serverOf('two')), key: 'second' })
    await app.sql(
      `update tenant._social_apps
          set key = (select key from tenant._social_apps where id = $1) where id = $2`,
      [one, two],
    )
    expect((await ask('GET', `${two}/`)).status).toBe(500)
    expect((await ask('POST', `${two}/check/`)).status).toBe(500)
    await app.sql(`update tenant._social_apps set key = secret where id = $1`, [one])
    expect((await ask('GET', `${one}/`)).status).toBe(500)
  })

  it('loses none of several simultaneous changes', async () => {
    const id = await createApp({ ...openIdApp('busy', serverOf('busy')), key: 'k' })
    const changes = [
      { name: 'Busy' },
      { client_id: 'other' },
      { key: 'k2' },
      { settings: { server_url: serverOf('busy'), icon: 'b' } },
    ]
    const answers = await Promise.all(changes.map((change) => ask('PATCH', `${id}/`, change)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await ask('GET', `${id}/`)).body).toMatchObject({
      name: 'Busy',
      client_id: 'other',
      key: 'k2',
      settings: { icon: 'b' },
    })
  })
})

describe('DELETE /api/auth/social-apps/{id}/', () => {
  it('returns 200 {success, message}', async () => {
    const id = await createApp(openIdApp('gone', serverOf('gone')))
    const deleted = await ask('DELETE', `${id}/`)
    expect([deleted.status, deleted.body]).toEqual([
      200,
      { success: true, message: 'The social app "gone" has been deleted.' },
    ])
    expect((await ask('DELETE', `${id}/`)).status).toBe(404)
  })

  it('returns 400 {success: false, message, suggestion, active_users} while users sign in with the app', async () => {
    const id = await createApp(openIdApp('used', serverOf('used')))
    const siteId = Number(site.schema.slice('site_'.length))
    for (const [subject, user] of [
      ['a', admin],
      ['b', admin],
      ['c', stranger],
    ] as const) {
      await app.sql(
        `insert into social_accounts (site_id, social_app_id, issuer, subject, user_id)
         values ($1, $2, $3, $4, $5)`,
        [siteId, id, 'i', subject, user.id],
      )
    }
    const blocked = await ask('DELETE', `${id}/`)
    expect([blocked.status, blocked.body]).toEqual([
      400,
      {
        success: false,
        message: 'The social app "used" cannot be deleted: 2 users sign in with it.',
        suggestion: 'Delete these users, or give them another way to sign in, before you delete the app.',
        active_users: 2,
        code: 'still_referenced',
      },
    ])
    await app.sql('delete from social_accounts where social_app_id = $1', [id])
    expect((await ask('DELETE', `${id}/`)).status).toBe(200)
  })
})
