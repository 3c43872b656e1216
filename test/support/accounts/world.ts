/** What one sequence of events is played in: its people, what each of them has got hold of, and what has happened so far. */
import { issueTokens } from '../../../src/access/tokens.ts'
import { configOf } from '../../../src/env.ts'
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

/** Mallory and Trudy own an organization each, whose provider says what they want; Ada and Bob are other people. */
export type Actor = 'ada' | 'bob' | 'mallory' | 'trudy'

/** The addresses of a sequence, and who reads the letters to them: one of them is Mallory's. */
export const readers = { ada: 'ada', bob: 'bob', eve: 'mallory' } as const satisfies Record<string, Actor>
export type Label = keyof typeof readers
export const labels = ['ada', 'bob', 'eve'] as const satisfies readonly Label[]

export const orgNames = ['a', 'b'] as const
export type OrgName = (typeof orgNames)[number]
/** With the organization that everybody trusts: nobody lies there. */
export type SiteName = OrgName | 'harbour'
export const ownerOf: Record<string, Actor> = { a: 'mallory', b: 'trudy' }

/** The sites of all sequences. Nobody plays against their owners: only the people of a sequence change. */
export interface Cast {
  app: TestApp
  sites: Record<SiteName, SocialSite>
  /** A hash of each person's first password, `firstPassword`. */
  hashes: Record<Label, string>
}

export const firstPassword = (label: Label): string => `First-horse-of-${label}-1`

export interface HeldToken {
  holder: Actor
  bearer: Bearer
  access: string
  refresh: string
  /** Of the refresh tokens that came of one sign-in: which of them works, and whether any does. */
  family: { current: string; revoked: boolean }
}

interface HeldSession {
  holder: Actor
  bearer: Bearer
  cookie: string
}

interface HeldKey {
  holder: Actor
  account: number
  id: number
  org: OrgName
  text: string
  /** It was made by a sign-in by the provider of its organization. */
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
  /** Of all its letters, the newest last. */
  codes: string[]
}

export interface BegunConfirmation {
  model: Confirmation
  uuid: string
  /** Who began to sign in; and the code, with whoever reads the letter. */
  holder: Actor
  code: string
  reader: Actor
}

export interface World {
  cast: Cast
  /** Tells the sequences of a database apart. */
  serial: number
  state: ReturnType<typeof emptyState>
  owners: Record<SiteName, HeldToken>
  tokens: HeldToken[]
  sessions: HeldSession[]
  keys: HeldKey[]
  passwords: HeldPassword[]
  invitations: SentInvitation[]
  confirmations: BegunConfirmation[]
  /** What providers were made to call somebody. */
  subjects: { org: OrgName; subject: string }[]
  usernames: Map<number, string>
  /** The hash that each password was stored as. */
  stored: Map<string, string>
  story: string[]
}

/** What a person is when a sequence begins. */
export interface Beginning {
  label: Label
  /** `employee`: somebody's manager made the account, and knows its password. `proven`: the person has shown that it is theirs. */
  as: 'nobody' | 'employee' | 'proven'
  org: OrgName
  role: Role | 'none'
  rights: readonly Right[]
  /** An organization that has invited the address, and waits. */
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

/** Puts somebody where accepting an invitation, or being made by a manager, would have put them. */
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
): void {
  family.current = refresh
  world.tokens.push({ holder, bearer, access, refresh, family })
}

export const bearerOf = ({ id, generation }: Account, org?: Org): Bearer => ({ account: id, generation, org })

/** From now on somebody knows a password, and the test knows what it was stored as. */
export async function keepPassword(
  world: World,
  holder: Actor,
  account: number,
  text: string,
): Promise<void> {
  world.passwords.push({ holder, account, text })
  const [row] = await world.cast.app.sql<{ password_hash: string }>(
    'select password_hash from users where id = $1',
    [account],
  )
  world.stored.set(text, row?.password_hash ?? '')
}

/** Says what went wrong, after what. */
export function fail(world: World, what: string): never {
  throw new Error(`${what}\nafter:\n  ${world.story.join('\n  ')}\n`)
}

type Answer = Awaited<ReturnType<TestApp['request']>>

/** What was tried is answered as the rules say; then it has the consequences that they say. The account it is about, if it was done. */
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
