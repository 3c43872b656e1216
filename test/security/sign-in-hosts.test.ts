/**
 * What each credential is worth at each kind of host, and what is left of it when the domain of a tenant goes
 * elsewhere: the tenant gets the cookies and the tokens of everybody who has signed in there. A8.
 */
import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import security from '../../docs/security.md'
import { password } from '../support/factors.ts'
import {
  type Host,
  type Hosts,
  hostNames,
  hosts,
  type Issued,
  platformHost,
  startHosts,
  tenantHost,
  verifier,
} from '../support/sign-in-hosts.ts'

let world: Hosts
let organization: number

beforeAll(async () => {
  world = await startHosts()
  const [row] = await world.app.sql<{ id: string }>(`select id from organizations where slug = 'shop-org'`)
  organization = Number(row?.id)
})

type Worth = 'nothing' | 'organization' | 'everything'

const statusOf = async (method: string, url: string, token: string) =>
  (await world.app.request(method, url, { token })).status

/** Returns what an access token is worth at a host: the organizations in which it has rights. */
async function worthOf({ access }: Issued, at: string): Promise<Worth> {
  if (access === undefined) return 'nothing'
  const members = (slug: string) =>
    statusOf('GET', `${at}/api/cloud/organizations/${slug}-org/members/`, access)
  const statuses = (await Promise.all([members('shop'), members('theirs')])).join(' ')
  const worth = { '200 200': 'everything', '200 403': 'organization', '401 401': 'nothing' } as const
  return worth[statuses as keyof typeof worth] ?? statuses
}

/** A kind of credential: how a host issues one, and what another host gives for it. */
interface Kind {
  issue(at: Host): Promise<string>
  /** Returns the access token, or nothing. */
  use(credential: string, at: Host): Promise<Issued>
}

const bearer = async (at: Host) => (await world.doors.createToken?.(at)) as Required<Issued>
const exchanged = (path: string, member: string) => async (credential: string, at: Host) =>
  (await world.post(at, path, { [member]: credential })).body as Issued

const kinds: Readonly<Record<string, Kind>> = {
  'The cookie of a session': {
    issue: async (at) => (await world.doors.createSession?.(at))?.session ?? '',
    use: (session, at) => world.tokenOfSession(at, session),
  },
  'A refresh token': {
    issue: async (at) => (await bearer(at)).refresh,
    use: exchanged('/api/auth/jwt/token/refresh/', 'refresh'),
  },
  'An access token': {
    issue: async (at) => (await bearer(at)).access,
    use: async (access) => ({ access }),
  },
  'The access token of a session': {
    issue: async (at) => (await world.doors.createSessionToken?.(at))?.access ?? '',
    use: async (access) => ({ access }),
  },
  'A sign-in that waits for a second factor': {
    issue: async (at) => JSON.stringify(await world.challenge(at)),
    use: async (waiting, at) => (await world.post(at, '/api/auth/factor/', JSON.parse(waiting))).body,
  },
  'A sign-in that waits for a mailed code': {
    issue: async (at) => JSON.stringify(await world.confirmation(at)),
    use: async (waiting, at) => (await world.confirm(at, JSON.parse(waiting))).body,
  },
  'A code of the command line': {
    issue: async (at) => world.commandLineCode(at, await world.person()),
    use: async (code, at) => (await world.post(at, '/api/auth/cli/token/', { code, verifier })).body,
  },
}

/** The columns of the table in docs/security.md, by host. */
const columns: Readonly<Record<Host, string>> = {
  'https://shop.example': "Its own tenant's host",
  'https://second.example': 'Another domain of the organization',
  'https://theirs.example': 'A domain of another organization',
  'https://unknown.example': 'Any other host',
  'https://app.tessera.example': 'The platform',
  'https://edge.example': 'The platform',
  'https://shop.tessera.test': 'The platform',
  'http://localhost': 'The platform',
}

/** The rows of the table, each by the names of its columns. */
const rows = (() => {
  const cellsOf = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
  const [header = '', , ...lines] =
    /\| Credential \| Issued at [\s\S]*?\n\n/.exec(security)?.[0].trim().split('\n') ?? []
  const names = cellsOf(header)
  return lines.map((line) => new Map(cellsOf(line).map((cell, index) => [names[index] ?? '', cell])))
})()

const issuers: readonly [name: string, host: Host][] = [
  ["a tenant's host", tenantHost],
  ['the platform', platformHost],
]
const cells = issuers.flatMap(([issuedAt, from]) =>
  Object.keys(kinds).flatMap((kind) =>
    hostNames.map((at) => {
      const row = rows.find((each) => each.get('Credential') === kind && each.get('Issued at') === issuedAt)
      return { kind, issuedAt, from, at, worth: row?.get(columns[at]) }
    }),
  ),
)

describe('the credentials of a host', () => {
  it.each(cells)(
    'are worth what the table says: $kind of $issuedAt at $at',
    async ({ kind, from, at, worth }) => {
      const { issue, use } = kinds[kind] as Kind
      expect(await worthOf(await use(await issue(from), at), at)).toBe(worth)
    },
  )

  it('are those of the table: it has no other rows', () => {
    expect(rows.map((row) => `${row.get('Credential')} of ${row.get('Issued at')}`)).toEqual(
      issuers.flatMap(([issuedAt]) => Object.keys(kinds).map((kind) => `${kind} of ${issuedAt}`)),
    )
  })

  it('carry the organization and the host if they come from a tenant’s host, whatever operation issues them', async () => {
    const claimsOf = ({ access, refresh, session }: Issued) =>
      [access, refresh, session].filter((token) => token !== undefined).map((token) => decodeJwt(token))
    for (const [name, issue] of Object.entries(world.doors)) {
      const claims = claimsOf(await issue(tenantHost))
      const bound = claims.map(({ org, host }) => ({ org, host }))
      expect([name, bound.length > 0, bound]).toEqual([
        name,
        true,
        bound.map(() => ({ org: organization, host: 'shop.example' })),
      ])
      const atPlatform = claimsOf(await issue(platformHost)).map(({ host }) => host)
      expect([name, atPlatform]).toEqual([name, atPlatform.map(() => undefined)])
    }
  })

  it('come from the operations of the table, and from no other one of the API', async () => {
    const { body } = await world.app.request('GET', '/api/schema/')
    const schemas = Object.entries<unknown>(body.components.schemas)
    const issuing = new Set<string>()
    /** Tells whether a schema has an access token, or refers to a schema that has one. */
    const hasToken = (schema: unknown): boolean => {
      const text = JSON.stringify(schema)
      const names = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name)
      return (
        text.includes('The access token, for the Authorization header.') ||
        names.some((name) => issuing.has(name))
      )
    }
    for (let known = -1; known < issuing.size; ) {
      known = issuing.size
      for (const [name, schema] of schemas) if (hasToken(schema)) issuing.add(name)
    }
    type Operation = {
      operationId: string
      responses: Record<string, { headers?: object; content?: object }>
    }
    const operations = Object.values<Record<string, Operation>>(body.paths).flatMap((path) =>
      Object.values(path).filter((one) => typeof one === 'object' && 'operationId' in one),
    )
    const found = operations.filter(({ responses }) =>
      Object.entries(responses).some(
        ([status, { headers = {}, content = {} }]) =>
          status.startsWith('2') && ('Set-Cookie' in headers || hasToken(content)),
      ),
    )
    const startOrEnd = ['getProviderRedirect', 'beginProviderLink', 'deleteSession']
    expect(found.map(({ operationId }) => operationId).sort()).toEqual(
      [...Object.keys(world.doors), ...startOrEnd].sort(),
    )
  })

  it('are the same in upper case, with a final dot and with a port', async () => {
    const { session = '' } = await world.sessionAt(tenantHost, await world.person())
    for (const spelling of ['https://SHOP.Example', 'https://shop.example.', 'https://shop.example:8443'])
      expect([spelling, await worthOf(await world.tokenOfSession(spelling, session), spelling)]).toEqual([
        spelling,
        // The origin of a page has no upper case.
        spelling.includes('SHOP') ? 'nothing' : 'organization',
      ])
  })

  it('are none at a host that belongs to nobody: 403 with the address of the service', async () => {
    const { status, body } = await world.signIn('https://unknown.example', await world.person())
    expect([status, body]).toEqual([
      403,
      {
        detail:
          '"unknown.example" is neither a host of the service nor a verified domain of a site. ' +
          'Sign in at the address of the service: https://app.tessera.example/',
        code: 'sign_in_elsewhere',
      },
    ])
  })
})

describe('a sign-in at a tenant’s host', () => {
  it('creates no organization, and changes neither the password, the factors nor the links of an account with ties elsewhere', async () => {
    const { access = '' } = (await world.doors.createToken?.(tenantHost)) ?? {}
    const attempts: [method: string, path: string, body: object | undefined][] = [
      ['POST', '/api/cloud/organizations/', { name: 'Mine' }],
      ['PATCH', '/api/users/me/', { first_name: 'Eve' }],
      ['POST', '/api/auth/password/change/', { current_password: password, password: 'Another-horse-2' }],
      ['POST', '/api/users/me/totp/', undefined],
      ['POST', '/api/users/me/passkeys/options/', undefined],
      ['GET', '/api/users/me/export/', undefined],
      ['DELETE', '/api/users/me/', undefined],
      ['POST', '/api/auth/one/link/', {}],
      ['DELETE', '/api/cloud/organizations/theirs-org/members/1/', undefined],
    ]
    for (const at of [tenantHost, platformHost] as const)
      for (const [method, path, body] of attempts) {
        const url = `${at}${path.startsWith('/api/auth/one') ? hosts[at] : ''}${path}`
        const { status } = await world.app.request(method, url, { token: access, ...(body ? { body } : {}) })
        expect([at, method, path, status]).toEqual([at, method, path, 403])
      }
  })

  it('makes a key that works in the site alone, if the account has no ties elsewhere', async () => {
    const user = await world.person()
    await world.app.sql(
      `delete from memberships where user_id = $1
          and organization_id = (select id from organizations where slug = 'theirs-org')`,
      [user.id],
    )
    const { access } = (await world.signIn(tenantHost, user)).body
    const made = await world.app.request('POST', `${tenantHost}/api/api-keys/`, {
      token: access,
      body: { name: 'Key' },
    })
    expect(made.status).toBe(201)
    const statuses = await Promise.all(
      [`${tenantHost}/api`, 'https://theirs.example/api', 'https://second.example/api'].map(
        async (api) =>
          (
            await world.app.request('GET', `${api}/apps/x/events/RECORD_CREATE/`, {
              headers: { authorization: `Api-Key ${made.body.key}` },
            })
          ).status,
      ),
    )
    expect(statuses).toEqual([404, 403, 401])
  })

  it('is listed for its owner, and ends by itself when the domain goes to another organization, is dropped or its site is suspended', async () => {
    const user = await world.person()
    const { access, refresh } = (await world.signIn(tenantHost, user)).body
    const { session = '' } = await world.sessionAt(tenantHost, user)
    const listed = async () =>
      (await world.app.request('GET', '/api/auth/sessions/', { token: user.token })).body.count
    const worth = async () => [
      await worthOf({ access }, platformHost),
      await worthOf(await world.tokenOfSession(tenantHost, session), platformHost),
      await listed(),
    ]
    expect(await worth()).toEqual(['organization', 'organization', 2])
    const changes = [
      [
        `update site_domains set site_id = (select id from sites where slug = 'theirs') where domain = 'shop.example'`,
        `update site_domains set site_id = (select id from sites where slug = 'shop') where domain = 'shop.example'`,
      ],
      [
        `update site_domains set verified_at = null where domain = 'shop.example'`,
        `update site_domains set verified_at = now() where domain = 'shop.example'`,
      ],
      [
        `update sites set is_active = false where slug = 'shop'`,
        `update sites set is_active = true where slug = 'shop'`,
      ],
    ] as const
    for (const [away, back] of changes) {
      await world.app.sql(away)
      expect([away, await worth()]).toEqual([away, ['nothing', 'nothing', 0]])
      const { status } = await world.post(tenantHost, '/api/auth/jwt/token/refresh/', { refresh })
      expect([away, status]).toEqual([away, 401])
      await world.app.sql(back)
    }
    expect(await worth()).toEqual(['organization', 'organization', 2])
    await world.app.request('DELETE', '/api/auth/sessions/', { token: user.token })
    expect(await worth()).toEqual(['nothing', 'nothing', 0])
  })
})
