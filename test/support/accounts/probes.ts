/**
 * Checks at the end of a sequence: sends every credential to the API, which must give exactly the access that
 * the rules say. `opensForOthers` also checks the purpose of the rules.
 */
import { signInByPassword } from './rules.ts'
import { readerOf, signIn } from './sign-ins.ts'
import { type Account, accountAt, type Bearer, held, manages, opened } from './state.ts'
import {
  type Actor,
  fail,
  type HeldToken,
  keepTokens,
  type OrgName,
  orgNames,
  ownerOf,
  type World,
} from './world.ts'

interface Probe {
  name: string
  org?: OrgName
  path: string
  /** Tells if the user has the right, with this sign-in. */
  opens(account: Account, bearer: Bearer): boolean
}

const probesOf = ({ cast: { sites }, owners }: World): Probe[] => [
  { name: 'me', path: '/api/users/me/', opens: () => true },
  ...orgNames.flatMap((org): Probe[] => [
    {
      name: 'apps',
      org,
      path: `${sites[org].api}/apps/`,
      opens: (account, bearer) => held(account, bearer, org).includes('access_site'),
    },
    {
      name: 'permissions',
      org,
      path: `/api/cloud/sites/${sites[org].slug}/permissions/${owners[org].bearer.account}/`,
      opens: (account, bearer) => held(account, bearer, org).includes('manage_site_users'),
    },
    {
      name: 'invitations',
      org,
      path: `/api/cloud/organizations/${sites[org].slug}-org/invitations/?page_size=1`,
      opens: (account, bearer) => manages(account, bearer, org),
    },
    {
      name: 'organization',
      org,
      path: `/api/cloud/organizations/${sites[org].slug}-org/`,
      opens: (account, bearer) => account.roles.has(org) && (bearer.org ?? org) === org,
    },
  ]),
]

/**
 * The purpose of the rules: nobody else can use an account whose owner has proved the address. The exceptions
 * are the data of that other person's organization, and sign-ins through that other person's provider.
 */
function mayNotOpen(
  world: World,
  holder: Actor,
  account: Account,
  org: OrgName | undefined,
  boundTo: string | undefined,
): boolean {
  if (boundTo !== undefined) return org !== undefined && org !== boundTo
  if (!account.secured || isOf(account, holder) || account.address.includes('@')) return false
  const manager = [...world.state.accounts.values()].some(
    (one) => isOf(one, holder) && org !== undefined && one.roles.get(org) !== undefined,
  )
  return org !== undefined && ownerOf[org] !== holder && !manager
}

const isOf = ({ address }: Account, holder: Actor): boolean =>
  !address.includes('@') && readerOf(address) === holder

/** Returns the expected status: for an account with or without access, or 401 without an account. */
function wantedStatus(account: Account | undefined, may: (known: Account) => boolean): number {
  if (!account) return 401
  return may(account) ? 200 : 403
}

/** Checks a token. `briefly` checks only that it can enter, which is enough for a token that has ended. */
async function probeToken(
  world: World,
  { holder, bearer, access }: HeldToken,
  briefly = false,
): Promise<void> {
  const account = opened(world.state, bearer)
  const probes = probesOf(world).filter(
    ({ name }) => (account && !briefly) || name === 'me' || name === 'apps',
  )
  const answers = await Promise.all(
    probes.map(async (probe) => ({
      ...probe,
      status: (await world.cast.app.request('GET', probe.path, { token: access })).status,
    })),
  )
  for (const { name, org, status, opens } of answers) {
    const wanted = wantedStatus(account, (known) => opens(known, bearer))
    const what = `${holder}'s token of ${addressOf(world, bearer)}${bearer.org ? ` by ${bearer.org}'s provider` : ''}, for ${name} ${org ?? ''}`
    if (status !== wanted) fail(world, `${what}: wanted ${wanted}, and was answered ${status}`)
    if (status === 200 && name === 'apps' && org) account?.used.add(org)
    if (status === 200 && account && mayNotOpen(world, holder, account, org, bearer.org))
      fail(world, `${what}: opens what is ${account.address}'s alone`)
  }
}

const addressOf = ({ state }: World, { account }: Bearer) =>
  state.accounts.get(account)?.address ?? 'a deleted account'

/** Returns one token for each holder, account, generation, provider and state of the sign-in. */
function different(tokens: readonly HeldToken[]): HeldToken[] {
  const byMeaning = new Map(
    tokens.map((token) => [
      [token.holder, token.host, ...Object.values({ isOfHost: false, org: '', ...token.bearer })].join(' '),
      token,
    ]),
  )
  return [...byMeaning.values()]
}

async function probeSite(
  world: World,
  what: string,
  path: string,
  headers: Record<string, string>,
  wanted: readonly number[],
): Promise<boolean> {
  const { status } = await world.cast.app.request('GET', path, { headers })
  if (!wanted.includes(status)) fail(world, `${what}: wanted ${wanted}, and was answered ${status}`)
  return status === 200
}

async function probeSessions(world: World): Promise<void> {
  for (const { holder, bearer, cookie, host } of world.sessions) {
    // The platform takes no cookie of a tenant's host. A8.
    const account = host === '' ? opened(world.state, bearer) : undefined
    for (const org of orgNames) {
      const wanted = wantedStatus(account, (known) => held(known, bearer, org).includes('access_site'))
      const what = `${holder}'s session of ${addressOf(world, bearer)}, at ${org}`
      const isOpen = await probeSite(
        world,
        what,
        `${world.cast.sites[org].api}/tags/`,
        { cookie: `sessionid=${cookie}` },
        [wanted],
      )
      if (isOpen) account?.used.add(org)
      if (isOpen && account && mayNotOpen(world, holder, account, org, bearer.org))
        fail(world, `${what}: opens what is ${account.address}'s alone`)
    }
  }
}

async function probeKeys(world: World): Promise<void> {
  for (const { holder, account: id, id: keyId, org, text, bound } of world.keys) {
    const account = world.state.accounts.get(id)
    const isLive = account?.state === 'active' && account.keys.some((key) => key.id === keyId)
    for (const at of orgNames) {
      const may = account && held(account, { account: id, generation: 0 }, at).includes('access_site')
      const elsewhere = at === org ? [may ? 200 : 403] : [401, 403]
      const wanted = isLive ? elsewhere : [401]
      const what = `${holder}'s key of ${account?.address ?? 'a deleted account'} for ${org}, at ${at}`
      const isOpen = await probeSite(
        world,
        what,
        `${world.cast.sites[at].api}/cloud/events/`,
        { authorization: `Api-Key ${text}` },
        wanted,
      )
      if (isOpen) account?.used.add(at)
      if (isOpen && account && mayNotOpen(world, holder, account, at, bound ? org : undefined))
        fail(world, `${what}: opens what is ${account.address}'s alone`)
    }
  }
}

/** Checks every credential that anybody holds. */
export async function probeCredentials(world: World): Promise<void> {
  await Promise.all([
    ...different(world.tokens).map((token) => probeToken(world, token)),
    probeSessions(world),
    probeKeys(world),
  ])
}

/**
 * Signs in again with every subject that a provider has ever used, as the owner who controls the provider.
 */
export async function probeSubjects(world: World): Promise<void> {
  for (const { org, subject } of [...world.subjects]) {
    // If the subject is unknown, an unverified address of an existing account must not create an account.
    const address = (['ada', 'eve', 'bob'] as const).find((label) => accountAt(world.state, label)) ?? 'ada'
    await signIn(world, { holder: ownerOf[org] as Actor, org, subject, address, verified: false })
  }
}

export async function probeRefreshTokens(world: World): Promise<void> {
  for (const token of different(world.tokens.filter(({ refresh }) => refresh !== ''))) {
    const { bearer, family, refresh, holder, host } = token
    const works = opened(world.state, bearer) !== undefined && !family.revoked && family.current === refresh
    const path = `${host}/api/auth/jwt/token/refresh/`
    const { status, body } = await world.cast.app.request('POST', path, { body: { refresh } })
    const what = `${holder}'s refresh token of ${addressOf(world, bearer)}`
    if (status !== (works ? 200 : 401))
      fail(world, `${what}: wanted ${works ? 200 : 401}, and was answered ${status}`)
    if (!works) continue
    keepTokens(world, holder, bearer, body, family, host)
    await probeToken(world, world.tokens.at(-1) as HeldToken, true)
  }
}

/**
 * Checks that the stored passwords are those of the rules. Tries only one known password, because it is slow.
 */
export async function probePasswords(world: World): Promise<void> {
  const rows = await world.cast.app.sql<{ id: string; password_hash: string | null }>(
    'select id, password_hash from users where id = any ($1)',
    [[...world.state.accounts.keys()]],
  )
  for (const { id, password_hash } of rows) {
    const account = world.state.accounts.get(Number(id)) as Account
    const wanted = account.password ? world.stored.get(account.password.text) : null
    if (password_hash !== wanted)
      fail(world, `the password of ${account.address} is not ${account.password?.text ?? 'none'}`)
  }
  const known = world.passwords[world.serial % (world.passwords.length * 3 || 1)]
  const account = world.state.accounts.get(known?.account ?? 0)
  if (!known || !account) return
  const { status } = signInByPassword(world.state, account.address, known.text)
  const body = { username: world.usernames.get(account.id), password: known.text }
  const answer = await world.cast.app.request('POST', '/api/auth/jwt/token/', { body })
  if (answer.status !== status) {
    fail(
      world,
      `${known.holder} signs in as ${account.address} with "${known.text}": wanted ${status}, and was answered ${answer.status}`,
    )
  }
}
