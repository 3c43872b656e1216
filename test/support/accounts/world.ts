/** The world of a sequence of events: its people, their credentials, and the events so far. */
import { issueTokens } from '../../../src/kernel/access/tokens.ts'
import { configOf } from '../../../src/kernel/env.ts'
import type { TestApp } from '../app.ts'
import type { SocialSite } from '../social-login.ts'
import type { Outcome } from './rules.ts'
import {
  type Account,
  addAccount,
  type Bearer,
  type Confirmation,
  emptyState,
  type Invitation,
  type Org,
  type Right,
  type Role,
} from './state.ts'

/** Mallory and Trudy each own an organization, and control its provider. Ada and Bob are other people. */
export type Actor = 'ada' | 'bob' | 'mallory' | 'trudy'

/** The addresses of a sequence and their readers. One address belongs to Mallory. */
export const readers = { ada: 'ada', bob: 'bob', eve: 'mallory' } as const satisfies Record<string, Actor>
export type Label = keyof typeof readers
export const labels = ['ada', 'bob', 'eve'] as const satisfies readonly Label[]

export const orgNames = ['a', 'b'] as const
export type OrgName = (typeof orgNames)[number]
/** The sites, including that of the trusted organization, whose provider does not lie. */
export type SiteName = OrgName | 'harbour'
export const ownerOf: Record<string, Actor> = { a: 'mallory', b: 'trudy' }

/** The sites of all sequences. Only the people of a sequence change, and not the owners of the sites. */
export interface Cast {
  app: TestApp
  sites: Record<SiteName, SocialSite>
  /** A hash of the first password of each person, `firstPassword`. */
  hashes: Record<Label, string>
}

export const firstPassword = (label: Label): string => `First-horse-of-${label}-1`

export interface HeldToken {
  holder: Actor
  bearer: Bearer
  access: string
  refresh: string
  /** The tenant's host that issued it, or none for the platform's. */
  host: string
  /** The refresh tokens of one sign-in: the token that works now, and whether all are revoked. */
  family: { current: string; revoked: boolean }
}

interface HeldSession {
  holder: Actor
  bearer: Bearer
  cookie: string
  host: string
}

interface HeldKey {
  holder: Actor
  account: number
  id: number
  org: OrgName
  text: string
  /** It comes from a sign-in by the provider of its organization. */
  bound: boolean
}

interface HeldPassword {
  holder: Actor
  account: number
  text: string
}

export interface SentInvitation {
  id: number
  model: Invitation
  uuid: string
  /** The codes of all its e-mails, the newest last. */
  codes: string[]
}

export interface BegunConfirmation {
  model: Confirmation
  uuid: string
  /** The person who started the sign-in; and the code, with the reader of its e-mail. */
  holder: Actor
  code: string
  reader: Actor
}

export interface World {
  cast: Cast
  /** A number that identifies the sequence in the database. */
  serial: number
  state: ReturnType<typeof emptyState>
  owners: Record<SiteName, HeldToken>
  tokens: HeldToken[]
  sessions: HeldSession[]
  keys: HeldKey[]
  passwords: HeldPassword[]
  invitations: SentInvitation[]
  confirmations: BegunConfirmation[]
  /** The subjects that providers have used. */
  subjects: { org: OrgName; subject: string }[]
  usernames: Map<number, string>
  /** The stored hash of each password. */
  stored: Map<string, string>
  story: string[]
}

/** The state of a person at the beginning of a sequence. */
export interface Beginning {
  label: Label
  /**
   * `employee`: a manager created the account, and knows its password. `proven`: the person has proved the
   * ownership.
   */
  as: 'nobody' | 'employee' | 'proven'
  org: OrgName
  role: Role | 'none'
  rights: readonly Right[]
  /** An organization with a pending invitation for the address. */
  invitedTo: OrgName | 'none'
}

let serials = 0

export async function createWorld(cast: Cast, beginnings: readonly Beginning[]): Promise<World> {
  const state = emptyState()
  const ownerToken = (org: SiteName): HeldToken => {
    const { id, email, token } = cast.sites[org].owner
    addAccount(state, id, email, { roles: new Map([[org, 'owner']]), proven: true, secured: true })
    return {
      holder: ownerOf[org] ?? 'ada',
      bearer: { account: id, generation: 1 },
      access: token,
      refresh: '',
      host: '',
      family: { current: '', revoked: false },
    }
  }
  const world: World = {
    cast,
    serial: ++serials,
    state,
    owners: { a: ownerToken('a'), b: ownerToken('b'), harbour: ownerToken('harbour') },
    tokens: [],
    sessions: [],
    keys: [],
    passwords: [],
    invitations: [],
    confirmations: [],
    subjects: [],
    usernames: new Map(),
    stored: new Map(),
    story: [],
  }
  for (const beginning of beginnings) if (beginning.as !== 'nobody') await begin(world, beginning)
  return world
}

export const emailOf = ({ serial }: World, label: string): string => `${label}-${serial}@example.org`

/** Gives a person the state after accepting an invitation, or after being created by a manager. */
async function begin(world: World, { label, as, org, role, rights }: Beginning): Promise<void> {
  const { app, sites, hashes } = world.cast
  const proven = as === 'proven'
  const joins = proven ? role : 'member'
  const username = `${label}-${world.serial}`
  const site = Number(sites[org].schema.slice('site_'.length))
  const granted = joins === 'none' ? [] : [...rights]
  const [row] = await app.sql<{ id: string }>(
    `with u as (
       insert into users (username, email, password_hash, password_is_own, email_verified_at)
       values ($1, $2, $3, $4, case when $4 then now() end) returning id
     ), m as (
       insert into memberships (organization_id, user_id, role) select s.organization_id, u.id, $5 from u, sites s where s.id = $6 and $5 <> 'none'
     ), p as (
       insert into site_permissions (site_id, user_id, permissions) select $6, u.id, $7::text[] from u where $7::text[] <> '{}'
     ) select id from u`,
    [username, emailOf(world, label), hashes[label], proven, joins, site, granted],
  )
  const text = firstPassword(label)
  const account = addAccount(world.state, Number(row?.id), label, {
    proven,
    secured: proven,
    password: { text, own: proven },
  })
  if (joins !== 'none') account.roles.set(org, joins)
  if (granted.length > 0) account.grants.set(org, granted)
  world.usernames.set(account.id, username)
  world.stored.set(text, hashes[label])
  const knowing: Actor[] = proven ? [readers[label]] : [readers[label], ownerOf[org] as Actor]
  for (const holder of new Set(knowing)) {
    world.passwords.push({ holder, account: account.id, text })
    const pair = await issueTokens(configOf(app.env), { userId: account.id, generation: 1 })
    keepTokens(world, holder, { account: account.id, generation: 1 }, pair)
  }
  world.story.push(
    `${label} is ${as}, ${joins} of ${org}${granted.length ? ` with ${granted.join(' ')}` : ''}`,
  )
}

export function keepTokens(
  world: World,
  holder: Actor,
  bearer: Bearer,
  { access, refresh }: { access: string; refresh: string },
  family = { current: refresh, revoked: false },
  host = '',
): void {
  family.current = refresh
  world.tokens.push({ holder, bearer, access, refresh, host, family })
}

/** The domain that a tenant has verified for its site. Its owner can send it to another server at any time. */
export const hostOf = (org: OrgName): string => `https://sequences-${org}.example`

export const bearerOf = ({ id, generation }: Account, org?: Org): Bearer => ({ account: id, generation, org })

/** Records that somebody knows a password, its stored hash, and the name of the account. */
export async function keepPassword(
  world: World,
  holder: Actor,
  account: number,
  text: string,
): Promise<void> {
  world.passwords.push({ holder, account, text })
  const [row] = await world.cast.app.sql<{ username: string; password_hash: string }>(
    'select username, password_hash from users where id = $1',
    [account],
  )
  world.usernames.set(account, row?.username ?? '')
  world.stored.set(text, row?.password_hash ?? '')
}

/** Throws an error with a message and the events before it. */
export function fail(world: World, what: string): never {
  throw new Error(`${what}\nafter:\n  ${world.story.join('\n  ')}\n`)
}

type Answer = Awaited<ReturnType<TestApp['request']>>

/**
 * Checks that a request got a status of the rules, and applies its effect to the model. Returns the account
 * that it concerns, if the request succeeded.
 */
export function settle<Answered>(
  world: World,
  line: string,
  answer: Answer,
  { status, change }: Outcome<Answered>,
  answered: (body: Answer['body']) => Answered,
): Account | undefined {
  world.story.push(`${line}: ${answer.status}`)
  if (![status].flat().includes(answer.status))
    fail(world, `wanted ${status}, and was answered ${answer.status} ${JSON.stringify(answer.body)}`)
  return change?.(answered(answer.body))
}
