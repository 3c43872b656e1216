/**
 * A model of accounts, their ties to organizations, and the credentials that give access to them, as the
 * decisions (S7, I6, T4–T7, A1–A4) say. It does not use the database.
 */

/** The two organizations of a sequence, the trusted one, and those that people create. */
export type Org = string
export type Role = 'owner' | 'admin' | 'member'
/** The site permissions that differ in the access that they give. */
const rights = ['access_site', 'change_site', 'manage_site_users', 'admin_site'] as const
export type Right = (typeof rights)[number]

/** The link of an account to a subject of a provider. */
interface Link {
  org: Org
  subject: string
  /** The provider said that the address of the account is verified. */
  vouched: boolean
  /** It was attached with a proof of ownership to the platform. */
  own: boolean
}

export interface Key {
  id: number
  org: Org
  own: boolean
}

export interface Account {
  id: number
  address: string
  /** `invited`: created for invitations only, and never used. */
  state: 'invited' | 'active' | 'off'
  /** The reader of the address has proved to the platform that it is theirs. */
  proven: boolean
  /** `own`: set with such a proof. */
  password: { text: string; own: boolean } | undefined
  roles: Map<Org, Role>
  grants: Map<Org, readonly Right[]>
  /** The organizations whose sites the person has used, and the one that made the account. T11. */
  used: Set<Org>
  maker: Org | undefined
  links: Link[]
  keys: Key[]
  generation: number
  /**
   * Since the last proof, nobody else has set the password or the address, so the account belongs to the
   * reader only.
   */
  secured: boolean
}

/**
 * The subject of a token or a session. `org`: the only organization in which it counts, that of the provider,
 * or of the tenant's host (`isOfHost`) that has signed the person in.
 */
export interface Bearer {
  account: number
  generation: number
  org?: Org | undefined
  isOfHost?: true
  ended?: boolean
}

export interface Invitation {
  org: Org
  address: string
  rights: readonly Right[]
  /** The account that created the invitation, and the account that is invited. */
  by: number
  invitee: number | undefined
  /** `ended`: without being accepted, by another event. I8. */
  state: 'open' | 'accepted' | 'cancelled' | 'ended'
  /** The code in the newest e-mail. */
  code?: string
}

export interface Confirmation {
  account: number
  org: Org
  subject: string
  code?: string
  tries: number
  over: boolean
}

export interface State {
  accounts: Map<number, Account>
  invitations: Invitation[]
  confirmations: Confirmation[]
}

export const emptyState = (): State => ({ accounts: new Map(), invitations: [], confirmations: [] })

export function addAccount(state: State, id: number, address: string, more: Partial<Account> = {}): Account {
  const account: Account = {
    id,
    address,
    state: 'active',
    proven: false,
    password: undefined,
    roles: new Map(),
    grants: new Map(),
    used: new Set(),
    maker: undefined,
    links: [],
    keys: [],
    generation: 1,
    secured: false,
    ...more,
  }
  state.accounts.set(id, account)
  for (const invitation of state.invitations) {
    if (invitation.invitee === undefined && invitation.state === 'open' && invitation.address === address)
      invitation.invitee = id
  }
  return account
}

export function removeAccount(state: State, { id, address, roles }: Account): void {
  endInvitations(state, address, [...roles.keys()])
  state.accounts.delete(id)
  for (const invitation of state.invitations) if (invitation.invitee === id) invitation.invitee = undefined
  for (const confirmation of state.confirmations) confirmation.over ||= confirmation.account === id
}

export const accountAt = (state: State, address: string): Account | undefined =>
  [...state.accounts.values()].find((account) => account.address === address)

export const linkedTo = (state: State, org: Org, subject: string): Account | undefined =>
  [...state.accounts.values()].find(({ links }) =>
    links.some((link) => link.org === org && link.subject === subject),
  )

/** Ends the open invitations to an address; without organizations, those of all. I8. */
export function endInvitations(state: State, address: string, orgs?: readonly Org[]): void {
  for (const one of state.invitations)
    if (one.state === 'open' && one.address === address && (orgs?.includes(one.org) ?? true))
      one.state = 'ended'
}

/** Gives a member with a proved address what open invitations grant, and ends these. I8. */
export function settleInvitations(state: State, account: Account): void {
  if (!account.proven) return
  for (const one of state.invitations) {
    if (one.state !== 'open' || one.address !== account.address || !account.roles.has(one.org)) continue
    one.state = 'ended'
    if (stillInvites(state, one)) give(account, one)
  }
}

/** Gives an account the rights of an invitation. */
export const give = ({ grants }: Account, { org, rights }: Invitation): unknown =>
  grants.set(org, [...new Set([...(grants.get(org) ?? []), ...rights])])

export function stillInvites(state: State, { by, org }: Invitation): boolean {
  const inviter = state.accounts.get(by)
  return inviter?.state === 'active' && isManager(inviter.roles.get(org))
}

const tieKinds = ['member', 'permission', 'link', 'guest', 'made', 'pending'] as const
export type TieKind = (typeof tieKinds)[number]

/** Returns the ties of an account to organizations. T7. */
export function ties(
  state: State,
  { id, address, roles, grants, used, maker, links }: Account,
  kinds: readonly TieKind[] = tieKinds,
): Set<Org> {
  const of: Record<TieKind, readonly Org[]> = {
    member: [...roles.keys()],
    permission: [...grants].flatMap(([org, granted]) => (granted.length > 0 ? [org] : [])),
    link: links.map(({ org }) => org),
    guest: [...used],
    made: maker === undefined ? [] : [maker],
    pending: state.invitations.flatMap((one) =>
      one.state === 'open' && (one.invitee === id || one.address === address) ? [one.org] : [],
    ),
  }
  return new Set(kinds.flatMap((kind) => of[kind]))
}

export const isTiedElsewhere = (
  state: State,
  account: Account,
  org: Org,
  kinds: readonly TieKind[],
): boolean => [...ties(state, account, kinds)].some((tied) => tied !== org)

/** Returns the account that a token or a session gives access to now. S7, A4. */
export function opened(
  state: State,
  { account: id, generation, org, isOfHost, ended }: Bearer,
): Account | undefined {
  const account = state.accounts.get(id)
  const holds = account?.state === 'active' && account.generation === generation && !ended
  const needsLink = org !== undefined && !isOfHost
  return holds && (!needsLink || account.links.some((link) => link.org === org)) ? account : undefined
}

/**
 * Tells if a sign-in is valid in an organization. One by a provider is valid in its own organization only.
 * S7.
 */
export const counts = ({ org }: Bearer, there: Org): boolean => org === undefined || org === there

export const roleOf = (account: Account, bearer: Bearer, org: Org): Role | undefined =>
  counts(bearer, org) ? account.roles.get(org) : undefined

const ranks = ['member', 'admin', 'owner']
const rankOf = (account: Account, org: Org): number =>
  Math.max(ranks.indexOf(account.roles.get(org) ?? ''), 0)

/** Tells if an account ranks above another one in an organization. T10. */
export const outranks = (account: Account, other: Account, org: Org): boolean =>
  rankOf(account, org) > rankOf(other, org)

const isManager = (role: Role | undefined): boolean => role === 'owner' || role === 'admin'
export const manages = (account: Account, bearer: Bearer, org: Org): boolean =>
  isManager(roleOf(account, bearer, org))
export const managed = (account: Account, bearer: Bearer): Org[] =>
  [...account.roles.keys()].filter((org) => manages(account, bearer, org))

/** Returns the rights of a user in the site of an organization. T4. */
export function held(account: Account, bearer: Bearer, org: Org): readonly Right[] {
  const granted = counts(bearer, org) ? (account.grants.get(org) ?? []) : []
  return manages(account, bearer, org) || granted.includes('admin_site') ? rights : granted
}

/** Ends the tokens, sessions and keys of an account. A4. */
export function endSignIns(account: Account): void {
  account.generation++
  account.keys = []
}

/** Removes credentials that others may have added to an account, after a proof of ownership. S7. */
export function dropUnproven(account: Account): void {
  account.keys = account.keys.filter(({ own }) => own)
  account.links = account.links.filter(({ own }) => own)
  if (account.password?.own) return
  account.password = undefined
  endSignIns(account)
}

/** Ends what an account is and may do in an organization. */
export function leave(account: Account, org: Org): void {
  account.roles.delete(org)
  account.grants.delete(org)
  account.keys = account.keys.filter((key) => key.org !== org)
}
